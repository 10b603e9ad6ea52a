// The results computed from measured times: sums, the comparison with the model, the report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/report/launch_report.h"
#include "analysis/report/measured_against_modelled.h"
#include "analysis/time/measured_summary.h"
#include "core/gpu_spec.h"
#include "core/stream_costs.h"
#include "tests/analysis/small_schedule.h"
#include "tests/support/read_json.h"
#include "tests/support/synthetic_measured.h"
#include "tests/support/synthetic_schedule.h"
#include "trace/replay.h"

namespace warplens::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using trace::no_time;
using Json = nlohmann::json;

/// Two SMs at 1 GHz; SM 5 begins 100 ns after SM 3. SM 3 runs blocks 0 and 2 of two warps, at once from 40 to
/// 100; SM 5 block 1.
trace::Measured two_sms() {
    trace::Measured measured;
    measured.device = "a GPU";
    measured.clock_hz = 1e9;
    measured.timer_bound_ns = 32;
    measured.sms = {{3, 50}, {5, 150}};
    measured.perturbations.push_back({});
    measured.perturbations[0].mode = "light";
    measured.perturbations[0].clean_us = 0.2;
    measured.perturbations[0].traced_us = 0.25;
    measured.perturbations[0].clean_registers = 20;
    measured.perturbations[0].traced_registers = 22;
    measured.perturbations[0].recorded_bytes = 2048;
    measured.warps = {{0, 0, 3, 0, 0, 90, 0, 3},  {0, 1, 3, 1, 10, 100, 3, 4}, {1, 0, 5, 0, 0, 200, 4, 7},
                      {1, 1, 5, 1, 0, 200, 7, 7}, {2, 0, 3, 2, 40, 140, 7, 8}, {2, 1, 3, 0, 100, 160, 8, 8}};
    measured.visits = {{0, 1, 0, no_time}, {1, 1, 50, 20},  {2, 1, no_time, no_time}, {0, 1, 10, no_time},
                       {0, 1, 0, no_time}, {1, 2, 100, 60}, {1, 1, 120, 50},          {0, 1, 60, 40}};
    return measured;
}

TEST(measured_summary, waves_are_of_all_sms_of_the_gpu_as_what_if_counts_them) {
    trace::Measured measured = two_sms();
    measured.sm_count = 4;
    EXPECT_DOUBLE_EQ(summarise(measured).waves, 3.0 / 8) << "two more SMs ran nothing";
    EXPECT_EQ(summarise(measured).sm_count, 4u);
    measured.sm_count = 0;
    EXPECT_DOUBLE_EQ(summarise(measured).waves, 3.0 / 4) << "not known: those that ran some";
}

TEST(measured_summary, sums_are_those_of_the_clocks) {
    const trace::Measured measured = two_sms();
    ASSERT_EQ(check(measured), "");
    const MeasuredSummary summary = summarise(measured);
    EXPECT_EQ(summary.blocks, 3u);
    EXPECT_EQ(summary.warps, 6u);
    EXPECT_EQ(summary.block_cycles, (Spread{100, 120, 200}));
    EXPECT_DOUBLE_EQ(summary.block_us_median, 0.12);
    EXPECT_EQ(summary.warp_cycles, 90u + 90 + 200 + 200 + 100 + 60);
    EXPECT_EQ(summary.barrier_waits, 4u);
    EXPECT_EQ(summary.barrier_cycles, 30u + 70 + 20) << "of two waits at once the later half counts once";
    EXPECT_DOUBLE_EQ(summary.barrier_share, 120.0 / 480) << "of the four warps whose visits are known";
    EXPECT_EQ(summary.most_blocks, 2u);
    EXPECT_EQ(summary.most_warps, 3u);
    EXPECT_DOUBLE_EQ(summary.waves, 3.0 / 4);
    EXPECT_DOUBLE_EQ(summary.imbalance, 200 / 180.0);
    EXPECT_DOUBLE_EQ(summary.launch_us, 0.3) << "from 50 ns on SM 3 to 350 ns on SM 5";
    EXPECT_DOUBLE_EQ(summary.launch_cycles, 300);
    EXPECT_DOUBLE_EQ(summary.clean_cycles, 200);
    EXPECT_DOUBLE_EQ(summary.slowdown(), 1.25);
    ASSERT_EQ(summary.sms.size(), 2u);
    EXPECT_EQ(summary.sms[0].sm, 3);
    EXPECT_EQ(summary.sms[0].blocks, 2u);
    EXPECT_EQ(summary.sms[0].cycles(), 160u);
    EXPECT_DOUBLE_EQ(summary.sms[0].begin_us, 0.05);
    EXPECT_DOUBLE_EQ(summary.sms[0].end_us, 0.21);
    EXPECT_DOUBLE_EQ(summary.sms[0].busy, 340.0 / 160);
    EXPECT_EQ(summary.sms[1].most_blocks, 1u);
}

TEST(measured_summary, residency_changes_where_blocks_and_warps_come_and_go) {
    EXPECT_THAT(residency(two_sms(), 3),
                ElementsAre(Residency{0, 1, 1}, Residency{10, 1, 2}, Residency{40, 2, 3}, Residency{90, 2, 2},
                            Residency{100, 1, 2}, Residency{140, 1, 1}, Residency{160, 0, 0}));
    EXPECT_TRUE(residency(two_sms(), 4).empty());
}

TEST(measured_summary, without_a_clock_cycles_are_reported_and_no_microseconds) {
    trace::Measured measured = two_sms();
    measured.clock_hz = 0;
    const MeasuredSummary summary = summarise(measured);
    EXPECT_EQ(summary.launch_us, 0);
    EXPECT_EQ(summary.launch_cycles, 200) << "the longest SM's";
    EXPECT_EQ(summary.block_us_max, 0);
    EXPECT_EQ(summary.block_cycles.max, 200);
    EXPECT_EQ(summary.sms[1].end_us, 0);
}

TEST(measured_summary, of_a_sample_of_blocks_nothing_is_said_of_an_sm_or_the_launch) {
    const MeasuredSummary summary = summarise(two_sms(), 1024);
    EXPECT_TRUE(summary.sampled());
    EXPECT_FALSE(summarise(two_sms(), 3).sampled());
    EXPECT_EQ(summary.block_cycles, (Spread{100, 120, 200}));
    EXPECT_DOUBLE_EQ(summary.barrier_share, 120.0 / 480);
    EXPECT_DOUBLE_EQ(summary.clean_us, 0.2) << "that was timed from outside";
    for (const double value : {summary.launch_us, summary.launch_cycles, summary.waves, summary.imbalance})
        EXPECT_EQ(value, 0);
    EXPECT_EQ(summary.most_blocks, 0u);
    ASSERT_EQ(summary.sms.size(), 2u);
    EXPECT_EQ(summary.sms[0].busy, 0);
    EXPECT_EQ(summary.sms[0].most_warps, 0u);
}

TEST(measured_summary, every_pass_has_a_clock_if_one_was_read_each_time_that_a_block_is_entered_again) {
    trace::Measured measured = two_sms();
    ASSERT_EQ(measured.visits[6].basic_block, measured.visits[5].basic_block) << "of one warp: a loop";
    EXPECT_TRUE(summarise(measured).every_pass);
    measured.visits[6].basic_block = 3;
    EXPECT_FALSE(summarise(measured).every_pass) << "there is no loop";
    measured.visits[6].basic_block = 1;
    measured.visits[2].basic_block = 1;
    ASSERT_EQ(check(measured), "");
    EXPECT_FALSE(summarise(measured).every_pass) << "the pass of another warp has no clock";
    measured.visits[2].entered = 60;
    EXPECT_TRUE(summarise(measured).every_pass);
    measured.openings_derived = true;
    EXPECT_FALSE(summarise(measured).every_pass);
}

TEST(measured_summary, of_nothing_all_is_zero) {
    const MeasuredSummary summary = summarise(trace::Measured{});
    EXPECT_EQ(summary.blocks, 0u);
    EXPECT_EQ(summary.waves, 0);
    EXPECT_EQ(summary.imbalance, 0);
    EXPECT_EQ(summary.slowdown(), 0);
    EXPECT_TRUE(summary.sms.empty());
    EXPECT_EQ(spread_of({}), Spread{});
    EXPECT_EQ(spread_of({3, 1}), (Spread{1, 2, 3}));
}

TEST(measured_summary, a_warp_is_found_by_block_and_number) {
    const trace::Measured measured = two_sms();
    EXPECT_EQ(find_measured(measured, 1, 1), &measured.warps[3]);
    EXPECT_EQ(find_measured(measured, 1, 2), nullptr);
    EXPECT_EQ(find_measured(measured, 9, 0), nullptr);
    EXPECT_DOUBLE_EQ(launch_ns(measured, 5, 20), 170);
    EXPECT_EQ(perturbation_of(measured, "full"), nullptr);
}

TEST(measured_summary, the_cost_reported_is_that_of_the_recording_the_times_come_from) {
    trace::Measured measured = *trace::make_measured_example({1, 32, 1}).measured;
    trace::Perturbation proof = measured.perturbations[0];
    proof.mode = "proof";
    EXPECT_EQ(timed_perturbation(measured)->mode, "light");
    measured.perturbations = {measured.perturbations[1], proof};
    EXPECT_EQ(timed_perturbation(measured)->mode, "proof");
    EXPECT_EQ(summarise(measured).traced_us, proof.traced_us);
    measured.perturbations.pop_back();
    EXPECT_EQ(timed_perturbation(measured)->mode, "full");
    measured.perturbations.clear();
    EXPECT_EQ(timed_perturbation(measured), nullptr);
}

/// The blocks and warps of two_sms as a Trace, and a Schedule of blocks 0 and 1.
trace::Trace trace_of(const trace::Measured& measured) {
    trace::Trace trace;
    trace.launch.geometry.grid = {3, 1, 1};
    trace.launch.geometry.block = {64, 1, 1};
    trace.launch.resources.registers_per_thread = 18;
    for (const trace::MeasuredWarp& warp : measured.warps)
        trace.warps.push_back({warp.block, warp.warp, 0, 0, 0, 0, 0, 0});
    trace.measured = std::make_shared<const trace::Measured>(measured);
    return trace;
}

trace::Schedule two_blocks() {
    SmallSchedule small;
    small.block();
    small.warp(0, 0, {{WarpState::selected, 30}, {WarpState::barrier, 20}, {WarpState::wait, 30}});
    small.warp(0, 0, {{WarpState::wait, 100}});
    small.block();
    small.warp(0, 100, {{WarpState::wait, 50}});
    small.warp(0, 100, {{WarpState::wait, 140}});
    trace::Schedule schedule = small.take();
    schedule.blocks[0].departure = 100;
    schedule.blocks[1].arrival = 100;
    schedule.blocks[1].departure = 240;
    schedule.resident_blocks = 1;
    schedule.launch.cycles = 250;
    schedule.launch.sm_cycles = 240;
    schedule.launch.blocks_on_sm = 2;
    return schedule;
}

const ComparedMetric& metric(const std::vector<ComparedMetric>& metrics, std::string_view key) {
    for (const ComparedMetric& one : metrics)
        if (one.key == key) return one;
    ADD_FAILURE() << key;
    static const ComparedMetric none;
    return none;
}

TEST(measured_against_modelled, each_metric_has_its_sides_and_their_difference) {
    const trace::Trace trace = trace_of(two_sms());
    const trace::Schedule schedule = two_blocks();
    LaunchReport report;
    report.occupancy.blocks_per_sm = 16;
    report.occupancy.warps_per_sm = 32;
    const auto metrics = measured_against_modelled(trace, &report, &schedule, default_gpu());
    const ComparedMetric& launch = metric(metrics, "launch_us");
    EXPECT_DOUBLE_EQ(*launch.measured, 0.2);
    EXPECT_DOUBLE_EQ(*launch.modelled, 0.25 + StreamCosts{}.events_us)
        << "250 cycles at the measured clock, between two events as it is measured";
    EXPECT_DOUBLE_EQ(*metric(metrics, "traced_us").measured, 0.25);
    EXPECT_FALSE(metric(metrics, "traced_us").difference_percent());
    EXPECT_THAT(metric(metrics, "traced_us").note, HasSubstr("2 more registers per thread"));
    const ComparedMetric& block = metric(metrics, "block_cycles");
    EXPECT_DOUBLE_EQ(*block.measured, 150) << "of blocks 0 and 1, which both sides ran";
    EXPECT_DOUBLE_EQ(*block.modelled, 120);
    EXPECT_NEAR(*block.difference_percent(), -20, 1e-9);
    EXPECT_THAT(block.note, HasSubstr("1.25 times its time"));
    EXPECT_TRUE(block.slowed) << "by a quarter";
    EXPECT_FALSE(launch.slowed) << "launched without recording";
    const ComparedMetric& barrier = metric(metrics, "barrier_share");
    EXPECT_DOUBLE_EQ(*barrier.measured, 100 * 120.0 / 480);
    EXPECT_DOUBLE_EQ(*barrier.modelled, 100 * 20.0 / 370);
    EXPECT_DOUBLE_EQ(*metric(metrics, "sm_cycles").modelled, 240);
    const ComparedMetric& blocks = metric(metrics, "blocks_per_sm");
    EXPECT_DOUBLE_EQ(*blocks.exact, 16);
    EXPECT_DOUBLE_EQ(*blocks.measured, 2);
    EXPECT_DOUBLE_EQ(*blocks.modelled, 1);
    EXPECT_DOUBLE_EQ(*metric(metrics, "warps_per_sm").modelled, 2);
    const ComparedMetric& registers = metric(metrics, "registers");
    EXPECT_DOUBLE_EQ(*registers.exact, 18);
    EXPECT_DOUBLE_EQ(*registers.difference_percent(), -10);
    for (const ComparedMetric& one : metrics) {
        EXPECT_TRUE(one.help.ends_with('.')) << one.key;
        EXPECT_TRUE(one.note.ends_with('.')) << one.key;
    }
}

TEST(measured_against_modelled, a_sample_of_blocks_is_not_compared_with_a_whole_sm) {
    trace::Trace trace = trace_of(two_sms());
    trace.launch.geometry.grid = {1024, 1, 1};
    const trace::Schedule schedule = two_blocks();
    const auto metrics = measured_against_modelled(trace, nullptr, &schedule, default_gpu());
    EXPECT_FALSE(metric(metrics, "blocks_per_sm").measured);
    EXPECT_FALSE(metric(metrics, "warps_per_sm").measured);
    EXPECT_THAT(metric(metrics, "warps_per_sm").note, HasSubstr("3 of 1,024 blocks were timed"));
    for (const ComparedMetric& one : metrics) EXPECT_NE(one.key, "sm_cycles");
}

TEST(measured_against_modelled, sides_that_are_not_there_are_absent) {
    trace::Trace trace = trace_of(two_sms());
    const auto alone = measured_against_modelled(trace, nullptr, nullptr, default_gpu());
    EXPECT_FALSE(metric(alone, "launch_us").modelled);
    EXPECT_FALSE(metric(alone, "blocks_per_sm").exact);
    EXPECT_DOUBLE_EQ(*metric(alone, "block_cycles").measured, 120);
    EXPECT_DOUBLE_EQ(*metric(alone, "sm_cycles").measured, 200);
    trace.measured = std::make_shared<const trace::Measured>();
    const trace::Schedule schedule = two_blocks();
    for (const ComparedMetric& one : measured_against_modelled(trace, nullptr, &schedule, default_gpu()))
        EXPECT_FALSE(one.difference_percent()) << one.key;
    trace.measured = nullptr;
    EXPECT_TRUE(measured_against_modelled(trace, nullptr, nullptr, default_gpu()).empty());
}

TEST(measured_against_modelled, warps_are_paired_by_block_and_number) {
    trace::Trace trace = trace_of(two_sms());
    const auto pairs = align(trace, two_blocks());
    ASSERT_EQ(pairs.size(), 4u);
    EXPECT_EQ(pairs[0].measured, 0u);
    EXPECT_EQ(pairs[0].measured_end, 90u);
    EXPECT_EQ(pairs[0].modelled_end, 80u);
    EXPECT_EQ(pairs[0].measured_barrier_cycles, 30u);
    EXPECT_EQ(pairs[0].modelled_barrier_cycles, 20u);
    EXPECT_EQ(pairs[2].measured_barrier_cycles, 70u);
    EXPECT_EQ(pairs[3].modelled_begin, 100u);
    trace.warps[1].block = 7;  // a block that was not measured
    EXPECT_EQ(align(trace, two_blocks())[1].measured, no_index);
}

LaunchReport measured_report() {
    const trace::Trace trace = trace::make_measured_example({12, 200, 3});
    LaunchFold fold(trace.program);
    trace::replay(trace, fold);
    LaunchReport report = fold.report(trace.launch);
    report.measured = trace.measured;
    return report;
}

TEST(measured_report, json_has_the_contract_s_perturbation_and_what_was_measured) {
    LaunchReport report = measured_report();
    const Program program = trace::example_program();
    const Json json = read_json(to_json(report, program));
    const trace::Perturbation& light = report.measured->perturbations[0];
    EXPECT_EQ(json["perturbation"]["mode"], "light");
    EXPECT_EQ(json["perturbation"]["clean_us"], light.clean_us);
    EXPECT_EQ(json["perturbation"]["traced_us"], light.traced_us);
    EXPECT_EQ(json["perturbation"]["extra_registers"], 3);
    EXPECT_EQ(json["perturbation"]["dropped_records"], 0);
    EXPECT_EQ(json["perturbation"]["modes"]["full"]["extra_registers"], 8);
    const MeasuredSummary summary = summarise(*report.measured);
    EXPECT_EQ(json["measured"]["provenance"], "measured");
    EXPECT_EQ(json["measured"]["device"], "synthetic");
    EXPECT_EQ(json["measured"]["blocks"], 12);
    EXPECT_EQ(json["measured"]["block_cycles"]["median"], summary.block_cycles.median);
    EXPECT_EQ(json["measured"]["barrier_share"], summary.barrier_share);
    EXPECT_EQ(json["measured"]["sms"].size(), 4u);
    EXPECT_EQ(json["measured"]["sms"][1]["sm"], 2);
    report.measured = nullptr;
    const Json without = read_json(to_json(report, program));
    EXPECT_TRUE(without["perturbation"].is_null());
    EXPECT_TRUE(without["measured"].is_null());
}

TEST(measured_report, text_shows_the_time_its_cost_and_what_was_lost) {
    LaunchReport report = measured_report();
    trace::Measured measured = *report.measured;
    measured.perturbations[0].clean_us = 20;
    measured.perturbations[0].traced_us = 25;
    measured.perturbations[1].dropped_records = 1200;
    measured.perturbations[1].enough_bytes = 3'000'000;
    measured.perturbations[1].traced_us = 60;
    report.measured = std::make_shared<const trace::Measured>(measured);
    const std::string text = to_text(report, trace::example_program());
    EXPECT_THAT(text, HasSubstr("Time (measured)  20 µs on synthetic, 30,000 cycles at 1.5 GHz\n"));
    EXPECT_THAT(text, HasSubstr("light takes 1.25 times as long, with 3 more registers per thread\n"));
    EXPECT_THAT(text, HasSubstr("full takes 10.3 times as long"));
    EXPECT_THAT(text, HasSubstr("1,200 records dropped, 3.0 MB would have kept all"));
    EXPECT_THAT(text, HasSubstr("12 on 4 SMs, at most 2 at once on one"));
    EXPECT_THAT(text, HasSubstr("barriers    warps wait there"));
    ScheduleSummary modelled;
    modelled.launch.cycles = 30'000;
    modelled.cycles_as_measured = 24'000;
    report.schedule = modelled;
    EXPECT_NEAR(read_json(to_json(report, trace::example_program()))["measured"]["modelled_us"],
                16 + StreamCosts{}.events_us, 1e-9)
        << "24,000 cycles at 1.5 GHz, timed by events as the 20 µs are";
    EXPECT_THAT(to_text(report, trace::example_program()),
                HasSubstr("modelled −13 % (caches warm, as in the recording, with 1.4 µs for the two events "
                          "around it)"));
    report.schedule.reset();
    report.measured = nullptr;
    EXPECT_THAT(to_text(report, trace::example_program()), testing::Not(HasSubstr("(measured)")));
}

}  // namespace
}  // namespace warplens::analysis
