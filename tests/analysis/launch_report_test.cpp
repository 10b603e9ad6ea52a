#include "analysis/report/launch_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/analysis/small_trace.h"
#include "tests/support/read_json.h"
#include "tests/support/synthetic_schedule.h"
#include "trace/query.h"
#include "trace/replay.h"

namespace warplens::analysis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

LaunchReport fold_example(const trace::ExampleShape& shape) {
    const Program program = trace::example_program();
    LaunchFold fold(program);
    trace::run_example(shape, fold);
    LaunchReport report = fold.report();
    report.launch = trace::example_launch(shape);
    report.launch.gpu = "H200";
    fill_occupancy(report, default_gpu());
    return report;
}

TEST(launch_report, sums_equal_those_of_the_trace_read_step_by_step) {
    const trace::ExampleShape shape{3, 200, 4};
    const LaunchReport report = fold_example(shape);
    const trace::Trace whole = trace::make_example(shape);
    const trace::RecordedSites sites(whole.program);
    std::uint64_t steps = 0, active = 0, branches = 0, divergent = 0, requests = 0;
    std::vector<std::uint64_t> executed(whole.program.sites.size());
    for (const trace::WarpRecord& warp : whole.warps) {
        const trace::WarpSteps walk(whole, sites, warp);
        walk.for_each(0, walk.size(), [&](const trace::Step& step) {
            ++steps;
            active += static_cast<std::uint64_t>(step.active.count());
            executed[step.site] += static_cast<std::uint64_t>(step.executed.count());
            requests += step.access_count;
            const Site& site = whole.program.sites[step.site];
            if (site.kind == SiteKind::branch && site.guarded) {
                ++branches;
                divergent += !step.taken.empty() && step.taken != step.active;
            }
        });
    }
    EXPECT_EQ(report.blocks_executed, 3u);
    EXPECT_EQ(report.steps, steps);
    EXPECT_EQ(report.active_lanes, active);
    EXPECT_EQ(report.branches, branches);
    EXPECT_EQ(report.branches_divergent, divergent);
    EXPECT_GT(divergent, 0u);
    EXPECT_EQ(report.global_load.requests + report.global_store.requests + report.shared_load.requests +
                  report.shared_store.requests,
              requests);
    for (const SiteReport& site : report.sites)
        EXPECT_EQ(site.executed_lanes, executed[site.site]) << site.site;
}

TEST(launch_report, replaying_a_trace_gives_the_same_report) {
    const trace::ExampleShape shape{2, 72, 2};
    const trace::Trace whole = trace::make_example(shape);
    LaunchFold fold(whole.program);
    trace::replay(whole, fold);
    LaunchReport replayed = fold.report();
    replayed.launch = whole.launch;
    replayed.launch.gpu = "H200";
    fill_occupancy(replayed, default_gpu());
    EXPECT_EQ(to_json(replayed, whole.program), to_json(fold_example(shape), whole.program));
}

TEST(launch_report, worst_conflict_does_not_depend_on_the_order) {
    AccessTotals a, b;
    a.worst_wavefronts = 4;
    a.worst_ideal_wavefronts = 2;
    b.worst_wavefronts = 2;
    b.worst_ideal_wavefronts = 1;
    AccessTotals ab = a, ba = b;
    ab.add(b);
    ba.add(a);
    EXPECT_EQ(ab.worst_wavefronts, ba.worst_wavefronts);
    EXPECT_DOUBLE_EQ(ab.conflict_ways(), 2);
    EXPECT_DOUBLE_EQ(AccessTotals{}.conflict_ways(), 0);
}

TEST(launch_report, generic_access_is_counted_in_the_space_it_met) {
    Site generic = SmallTrace::memory_site(Space::none, Operation::load, 4, 7);
    SmallTrace small({generic});
    LaunchFold fold(small.program);
    auto to = fold.begin_block(0);
    const Request request = shared_request(4, [](auto lane) { return 128 * lane; });
    to->visit(0, 0, LaneMask::all());
    to->access(0, request.access());
    fold.finish(0, std::move(to));
    const LaunchReport report = fold.report();
    EXPECT_EQ(report.shared_load.wavefronts, 32u);
    EXPECT_EQ(report.sites[0].space, Space::shared);
    EXPECT_THAT(to_csv(report, small.program), HasSubstr("shared"));
}

TEST(launch_report, json_has_every_key_of_the_contract) {
    const LaunchReport report = fold_example({2, 72, 2});
    const Json json = read_json(to_json(report, trace::example_program()));
    for (const char* key :
         {"kernel",          "engine",        "gpu",         "parameters",   "grid",          "block",
          "resources",       "occupancy",     "global_load", "global_store", "global_atomic", "shared_load",
          "shared_store",    "shared_atomic", "local_load",  "local_store",  "divergence",    "steps",
          "problems",        "sites",         "schedule",    "roofline",     "perturbation",  "golden",
          "blocks_executed", "level",         "provenance"})
        EXPECT_TRUE(json.contains(key)) << key;
    for (const char* key : {"blocks_per_sm", "warps_per_sm", "theoretical", "limiter"})
        EXPECT_TRUE(json["occupancy"].contains(key)) << key;
    for (const char* key :
         {"site", "line", "ptx_line", "opcode", "space", "operation", "bytes_per_lane", "requests", "sectors",
          "ideal_sectors", "wavefronts", "conflict_ways", "mean_active_lanes"})
        EXPECT_TRUE(json["sites"][0].contains(key)) << key;
    EXPECT_EQ(json["shared_atomic"]["requests"], 0);
    EXPECT_EQ(json["shared_load"]["conflict_ways"], 32);
    EXPECT_EQ(json["grid"], Json::array({2, 1, 1}));
    EXPECT_EQ(json["golden"], "none");
    EXPECT_TRUE(json["schedule"].is_null()) << "the model was not asked";
    EXPECT_TRUE(json["roofline"].is_null());
    EXPECT_FALSE(json.contains("schedule_absent"));
}

LaunchReport report_with_time() {
    LaunchReport report = fold_example({2, 72, 2});
    const trace::Trace trace = trace::make_example({2, 72, 2});
    trace::Schedule schedule = trace::make_example_schedule(trace);
    schedule.launch = {.cycles = 4321, .overhead_cycles = 1000, .sm_cycles = 3321, .blocks_on_sm = 1};
    schedule.notes = {"an assumption"};
    report.schedule = summarise_launch(schedule, default_gpu());
    report.roofline = roofline(report, trace.program, default_gpu(), &schedule);
    return report;
}

TEST(launch_report, json_shows_the_schedule_by_the_profilers_names) {
    const LaunchReport report = report_with_time();
    const Json json = read_json(to_json(report, trace::example_program()));
    const Json& schedule = json["schedule"];
    EXPECT_EQ(schedule["cycles"], 4321);
    EXPECT_EQ(schedule["provenance"], "modelled");
    EXPECT_EQ(schedule["notes"], Json::array({"an assumption"}));
    EXPECT_EQ(schedule["limiting"], report.schedule->limiting);
    EXPECT_DOUBLE_EQ(schedule["issue_active"].get<double>(), report.schedule->stalls.issue_active());
    EXPECT_DOUBLE_EQ(schedule["eligible_warps"].get<double>(), report.schedule->stalls.eligible_warps());
    double sum = 0;
    for (const WarpStateInfo& row : warp_states) {
        ASSERT_TRUE(schedule["stalls"].contains(row.name)) << row.name;
        sum += schedule["stalls"][std::string(row.name)].get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(schedule["stalls"].size(), warp_state_count);
    const Json& roofline = json["roofline"];
    EXPECT_EQ(roofline["flops"], report.roofline->flops);
    EXPECT_GT(roofline["dram_bytes_ideal"].get<double>(), 0);
    EXPECT_EQ(roofline["intensity"], report.roofline->intensity);
    EXPECT_TRUE(roofline["measured_seconds"].is_null());
    EXPECT_GT(roofline["modelled_seconds"].get<double>(), 0);
}

TEST(launch_report, the_text_calls_time_modelled_and_says_why_there_is_none) {
    LaunchReport report = report_with_time();
    EXPECT_THAT(to_text(report, trace::example_program()),
                AllOf(HasSubstr("Time (modelled from PTX)  4,321 launch cycles"),
                      HasSubstr("1,000 to start and end the launch"), HasSubstr(report.schedule->limiting),
                      HasSubstr("note: an assumption"), HasSubstr("Roofline  ")));
    EXPECT_THAT(to_text(report, trace::example_program()), testing::Not(HasSubstr("caches")));
    report.measured = std::make_shared<trace::Measured>();
    EXPECT_THAT(to_text(report, trace::example_program()), HasSubstr(", caches cold: 1,000 to start"));
    report.measured.reset();
    report.schedule.reset();
    report.schedule_absent = "it does not fit";
    EXPECT_THAT(to_text(report, trace::example_program()), HasSubstr("Time  none modelled: it does not fit"));
    const Json json = read_json(to_json(report, trace::example_program()));
    EXPECT_TRUE(json["schedule"].is_null());
    EXPECT_EQ(json["schedule_absent"], "it does not fit");
}

TEST(launch_report, json_prints_numeric_parameters_as_numbers) {
    LaunchReport report = fold_example({1, 64, 1});
    report.launch.parameters = {{"n", "1000"}, {"type", "float4"}, {"a", "2.5"}, {"neg", "-3"}};
    Problem problem;
    problem.kind = ProblemKind::shared_race;
    problem.message = "not \xff UTF-8";
    report.problems.push_back(problem);
    const Json json = read_json(to_json(report, trace::example_program()));
    EXPECT_EQ(json["parameters"]["n"], 1000);
    EXPECT_TRUE(json["parameters"]["n"].is_number_integer());
    EXPECT_EQ(json["parameters"]["a"], 2.5);
    EXPECT_EQ(json["parameters"]["neg"], -3);
    EXPECT_EQ(json["parameters"]["type"], "float4");
    EXPECT_EQ(json["problems"][0]["kind"], "shared_race");
}

TEST(launch_report, csv_has_one_line_a_site) {
    const Program program = trace::example_program();
    const std::string csv = to_csv(fold_example({1, 64, 1}), program);
    EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), program.sites.size() + 1);
}

TEST(launch_report, text_names_the_costliest_site_and_where_numbers_come_from) {
    LaunchReport report = fold_example({2, 72, 2});
    report.golden = "passed";
    const std::string text = to_text(report, trace::example_program());
    EXPECT_THAT(text, HasSubstr("shared load"));
    EXPECT_THAT(text, HasSubstr("(ideal "));
    EXPECT_THAT(text, HasSubstr("at PTX level"));
    EXPECT_THAT(text, HasSubstr("Golden check  passed"));
}

TEST(launch_report, text_has_the_lanes_of_a_shared_atomic_at_one_address) {
    LaunchReport report;
    report.shared_atomic.requests = report.shared_atomic.wavefronts = 4;
    report.shared_atomic.ideal_wavefronts = 4;
    report.shared_atomic.most_lanes_per_address = 1;
    EXPECT_THAT(to_text(report, {}), Not(HasSubstr("at one address")));
    report.shared_atomic.most_lanes_per_address = 32;
    EXPECT_THAT(to_text(report, {}), HasSubstr("at most 32 lanes of a request at one address"));
}

TEST(launch_report, text_joins_the_copies_of_an_unrolled_instruction) {
    Program program;
    LaunchReport report;
    // Four copies of one load with 2 to 8 wavefronts, and another load of the same line.
    const auto add = [&](const char* opcode, std::uint32_t line, std::uint32_t wavefronts) {
        Site site;
        site.opcode = opcode;
        site.line = line;
        SiteReport costs;
        costs.site = static_cast<SiteId>(program.sites.size());
        costs.access.requests = costs.access.ideal_wavefronts = 1;
        costs.access.wavefronts = costs.access.worst_wavefronts = wavefronts;
        program.sites.push_back(site);
        report.sites.push_back(costs);
    };
    for (const std::uint32_t wavefronts : {2u, 2u, 4u, 8u}) add("ld.shared.f32", 13, wavefronts);
    add("ld.shared.f64", 13, 3);
    add("ld.shared.f32", 14, 3);
    const std::string text = to_text(report, program);
    EXPECT_THAT(text, HasSubstr("line 13     ld.shared.f32 × 4 "));
    EXPECT_THAT(text, HasSubstr("4 wavefronts per request (ideal 1); worst 8-way"));
    EXPECT_THAT(text, HasSubstr("line 13     ld.shared.f64 "));
    EXPECT_THAT(text, HasSubstr("line 14     ld.shared.f32 "));
}

}  // namespace
}  // namespace warplens::analysis
