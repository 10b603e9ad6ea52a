#include "analysis/time/stalls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/wording.h"
#include "tests/analysis/small_schedule.h"

namespace warplens::analysis {
namespace {

using testing::HasSubstr;
using enum WarpState;

/// Two warps of one scheduler: one loads and waits, the other computes and is not selected once.
trace::Schedule two_warps() {
    SmallSchedule small;
    small.warp(0, 0, {{no_instruction, 2}, {selected, 1}, {long_scoreboard, 5}, {selected, 1}});
    small.warp(0, 2, {{not_selected, 1}, {selected, 1}, {wait, 3}, {selected, 1}});
    trace::Schedule schedule = small.take();
    EXPECT_EQ(trace::check(schedule), "");
    return schedule;
}

TEST(stalls, the_whole_range_sums_to_the_totals) {
    const trace::Schedule schedule = two_warps();
    const StallSummary by_spans = summarise(schedule, {});
    const StallSummary by_totals = summarise(schedule.totals);
    EXPECT_EQ(by_spans.cycles, 9u);
    EXPECT_EQ(by_spans.cycles, by_totals.cycles);
    EXPECT_EQ(by_spans.states, by_totals.states);
    EXPECT_EQ(by_spans.warp_cycles, by_totals.warp_cycles);
    EXPECT_EQ(by_spans.issued, by_totals.issued);
    EXPECT_EQ(by_spans.issue_slots, by_totals.issue_slots);
    EXPECT_EQ(by_spans.eligible_cycles, by_totals.eligible_cycles);
    EXPECT_EQ(by_totals.issued, 4u);
    EXPECT_DOUBLE_EQ(by_totals.issue_active(), 4.0 / 9);
    EXPECT_DOUBLE_EQ(by_totals.eligible_warps(), 5.0 / 9);
    EXPECT_DOUBLE_EQ(by_totals.share(long_scoreboard), 5.0 / 15);
}

TEST(stalls, a_range_cuts_the_spans_at_its_ends) {
    const StallSummary summary = summarise(two_warps(), {2, 5});
    ByWarpState<std::uint64_t> expected;
    expected[selected] = 2;
    expected[long_scoreboard] = 2;
    expected[not_selected] = 1;
    expected[wait] = 1;
    EXPECT_EQ(summary.cycles, 3u);
    EXPECT_EQ(summary.issue_slots, 3u);
    EXPECT_EQ(summary.warp_cycles, 6u);
    EXPECT_EQ(summary.states, expected);
}

TEST(stalls, a_range_past_the_end_or_reversed_is_empty) {
    EXPECT_EQ(summarise(two_warps(), {9, 100}).warp_cycles, 0u);
    EXPECT_EQ(summarise(two_warps(), {5, 3}).cycles, 0u);
    EXPECT_EQ(summarise(trace::Schedule{}, {}).issue_active(), 0);
}

TEST(stalls, the_ranges_of_a_partition_sum_to_the_whole) {
    const trace::Schedule schedule = two_warps();
    ByWarpState<std::uint64_t> sum;
    for (std::uint32_t cycle = 0; cycle < 9; cycle += 2)
        for (const WarpStateInfo& row : warp_states)
            sum[row.state] += summarise(schedule, {cycle, cycle + 2}).states[row.state];
    EXPECT_EQ(sum, schedule.totals.states);
}

TEST(stalls, the_history_gives_mean_warps_a_bin) {
    const StateHistory three = history(two_warps(), {}, 3);  // bins of three cycles
    ASSERT_EQ(three.warps.size(), 3u);
    EXPECT_EQ(three.range.end, 9u);
    EXPECT_FLOAT_EQ(three.warps[0][no_instruction], 2.0f / 3);
    EXPECT_FLOAT_EQ(three.warps[0][not_selected], 1.0f / 3);
    EXPECT_FLOAT_EQ(three.warps[1][long_scoreboard], 1);
    EXPECT_FLOAT_EQ(three.warps[1][wait], 2.0f / 3);
    EXPECT_FLOAT_EQ(three.warps[2][long_scoreboard], 2.0f / 3);
}

TEST(stalls, a_history_finer_than_a_cycle_repeats_the_cycle) {
    const StateHistory fine = history(two_warps(), {}, 36);  // four bins a cycle
    const trace::Schedule schedule = two_warps();
    for (std::uint32_t bin = 0; bin < 36; ++bin) {
        const StallSummary cycle = summarise(schedule, {bin / 4, bin / 4 + 1});
        for (const WarpStateInfo& row : warp_states)
            EXPECT_NEAR(fine.warps[bin][row.state], double(cycle.states[row.state]), 1e-6) << bin;
    }
}

TEST(stalls, a_history_of_bins_that_cut_cycles_keeps_the_sum) {
    const trace::Schedule schedule = two_warps();
    const StateHistory history_of_range = history(schedule, {1, 8}, 5);
    const StallSummary summary = summarise(schedule, {1, 8});
    for (const WarpStateInfo& row : warp_states) {
        double sum = 0;
        for (const auto& bin : history_of_range.warps) sum += double(bin[row.state]) * 7 / 5;
        EXPECT_NEAR(sum, double(summary.states[row.state]), 1e-5) << row.name;
    }
}

/// Totals alone: `warps` resident for 1,000 cycles on four schedulers, `issued` instructions, and of the rest
/// `share` in one state and what is left in `sleeping`.
trace::Schedule totals_of(int warps, std::uint64_t issued, WarpState state, double share) {
    trace::Schedule schedule;
    schedule.resident_blocks = 1;
    schedule.launch = {.cycles = 11'000, .overhead_cycles = 1'000, .sm_cycles = 10'000, .blocks_on_sm = 10};
    trace::ScheduleTotals& totals = schedule.totals;
    totals.cycles = 1'000;
    totals.issue_slots = 4'000;
    totals.warp_cycles = static_cast<std::uint64_t>(warps) * 1'000;
    totals.issued = totals.eligible_cycles = totals.states[selected] = issued;
    totals.states[state] += static_cast<std::uint64_t>(share * double(totals.warp_cycles));
    totals.states[sleeping] += totals.warp_cycles - totals.states[state] - issued;
    return schedule;
}
std::string sentence(const trace::Schedule& schedule) { return limiting_sentence(schedule, default_gpu()); }

TEST(limiting_sentence, few_warps_wait_for_global_memory) {
    EXPECT_EQ(sentence(totals_of(8, 200, long_scoreboard, 0.71)),
              "Waits for global memory take 71 % of the warps' time and 8 of 64 warps are resident.");
}

TEST(limiting_sentence, a_launch_that_does_not_fill_the_sm_is_said_to_have_no_more_blocks) {
    trace::Schedule schedule = totals_of(8, 200, long_scoreboard, 0.71);
    schedule.launch.blocks_on_sm = 1;
    EXPECT_THAT(sentence(schedule), HasSubstr("8 of 64 warps are resident, all that the grid gives the SM."));
}

TEST(limiting_sentence, many_warps_wait_for_global_memory_and_bandwidth_is_left) {
    trace::Schedule schedule = totals_of(60, 1'000, long_scoreboard, 0.8);
    schedule.launch.memory_cycles = 3'000;
    EXPECT_EQ(sentence(schedule),
              "Waits for global memory take 80 % of the warps' time though 60 of 64 warps are resident and "
              "DRAM bandwidth is used to 30 %.");
}

TEST(limiting_sentence, dram_bandwidth_is_full) {
    trace::Schedule schedule = totals_of(60, 1'000, long_scoreboard, 0.8);
    schedule.launch.memory_cycles = 9'000;
    schedule.launch.dram_bytes = 1.25e9;
    EXPECT_EQ(sentence(schedule),
              "Moving 1.2 GB to and from DRAM takes 90 % of the launch's time at full bandwidth: DRAM "
              "bandwidth limits it.");
}

TEST(limiting_sentence, the_launch_is_too_short) {
    trace::Schedule schedule = totals_of(8, 200, long_scoreboard, 0.71);
    schedule.launch.overhead_cycles = 7'700;
    EXPECT_EQ(sentence(schedule),
              "Starting and ending the launch takes 70 % of its 11,000 cycles: the kernel's own work is too "
              "short to matter.");
}

TEST(limiting_sentence, the_issue_slots_are_full) {
    trace::Schedule schedule = totals_of(64, 3'280, not_selected, 0.3);
    schedule.totals.eligible_cycles += schedule.totals.states[not_selected];
    EXPECT_EQ(sentence(schedule),
              "The schedulers issue in 82 % of their cycles, with 5.62 warps eligible on average: issue "
              "slots limit the kernel.");
}

TEST(limiting_sentence, the_greatest_wait_is_named_with_its_share) {
    const auto sentence_of = [](WarpState state) { return sentence(totals_of(16, 400, state, 0.6)); };
    EXPECT_THAT(sentence_of(lg_throttle), HasSubstr("queue to global memory is busy for 60 %"));
    EXPECT_THAT(sentence_of(short_scoreboard), HasSubstr("results of shared memory, shuffles and special"));
    EXPECT_THAT(sentence_of(mio_throttle),
                HasSubstr("queue to shared memory and special functions is busy for 60"));
    EXPECT_THAT(sentence_of(barrier), HasSubstr("no second block is resident"));
    EXPECT_THAT(sentence_of(wait), HasSubstr("the warp's own last instruction take 60 % of the warps' time"));
    EXPECT_THAT(sentence_of(branch_resolving), HasSubstr("the warp's own last instruction"));
    EXPECT_THAT(sentence_of(math_pipe_throttle), HasSubstr("arithmetic pipes are taken for 60 %"));
    EXPECT_THAT(sentence_of(drain), HasSubstr("writes to leave take 60 %"));
    EXPECT_THAT(sentence_of(membar), HasSubstr("writes to leave take 60 %"));
    EXPECT_THAT(sentence_of(no_instruction), HasSubstr("instructions to be fetched take 60 %"));
    EXPECT_THAT(sentence_of(sleeping), HasSubstr("because the program says so"));
    EXPECT_THAT(sentence_of(not_selected), HasSubstr("ready to issue for 62 %"));
}

/// Constants are fetched through another cache than instructions.
TEST(limiting_sentence, waits_for_constants_are_no_waits_for_instructions) {
    trace::Schedule schedule = totals_of(16, 400, imc_miss, 0.6);
    EXPECT_EQ(sentence(schedule), "Waits for constants to be fetched take 60 % of the warps' time.");
    schedule.totals.states[imc_miss] /= 2;
    schedule.totals.states[no_instruction] = schedule.totals.states[imc_miss];
    EXPECT_EQ(sentence(schedule),
              "Waits for instructions and constants to be fetched take 60 % of the warps' time, those for "
              "constants 30 %.");
}

TEST(limiting_sentence, barriers_with_other_blocks_at_hand_speak_of_uneven_work) {
    trace::Schedule schedule = totals_of(16, 400, barrier, 0.6);
    schedule.resident_blocks = 4;
    EXPECT_THAT(sentence(schedule), HasSubstr("60 % of the warps' time with 4 blocks resident"));
}

TEST(limiting_sentence, states_of_one_kind_are_summed_before_they_are_compared) {
    trace::Schedule schedule = totals_of(16, 400, short_scoreboard, 0.3);
    schedule.totals.states[sleeping] = 0;
    schedule.totals.states[mio_throttle] = 4'480;
    schedule.totals.states[long_scoreboard] = 6'320;  // 40 %, the greatest single state
    EXPECT_THAT(sentence(schedule), HasSubstr("results of shared memory, shuffles and special functions "
                                              "take 58 %"));
    const DominantWait most = dominant_wait(summarise(schedule.totals));
    EXPECT_NEAR(most.share, 0.58, 1e-9);
    EXPECT_EQ(most.sentence, "waits for shared memory, shuffles or special functions");
}

TEST(limiting_sentence, the_dominant_wait_is_the_one_that_the_sentence_names) {
    for (const WarpStateInfo& state : warp_states) {
        if (state.state == selected) continue;
        const trace::Schedule schedule = totals_of(16, 400, state.state, 0.6);
        const DominantWait most = dominant_wait(summarise(schedule.totals));
        EXPECT_FALSE(most.sentence.empty()) << state.name;
        EXPECT_THAT(sentence(schedule), HasSubstr(percent(most.share))) << state.name;
    }
}

TEST(limiting_sentence, names_no_remedy_that_nobody_tried) {
    std::vector<trace::Schedule> schedules;
    for (const WarpStateInfo& state : warp_states)
        for (const int warps : {8, 60}) schedules.push_back(totals_of(warps, 200, state.state, 0.6));
    schedules.push_back(totals_of(60, 1'000, long_scoreboard, 0.8));
    schedules.back().launch.atomic_cycles = 9'000;
    for (const trace::Schedule& schedule : schedules) {
        const std::string said = sentence(schedule);
        for (const char* remedy : {"would help", "ombine", "larger", "fewer", "more ", "shorter", "better"})
            EXPECT_EQ(said.find(remedy), std::string::npos) << said;
    }
}

/// Loads stand behind the writes that a transposing kernel floods the port with, or the warps end and wait
/// for them there: which of the two is the longer depends on the sample.
TEST(limiting_sentence, waits_for_writes_and_for_what_stands_behind_them_are_one_finding) {
    const auto with_writes = [](double reads, double writes) {
        trace::Schedule schedule = totals_of(49, 240, drain, writes);
        const auto loads = static_cast<std::uint64_t>(reads * double(schedule.totals.warp_cycles));
        schedule.totals.states[long_scoreboard] = loads;
        schedule.totals.states[sleeping] -= loads;
        return sentence(schedule);
    };
    EXPECT_EQ(with_writes(0.5, 0.43),
              "Waits for global memory take 93 % of the warps' time, those for writes to leave 43 %, though "
              "49 of 64 warps are resident.");
    EXPECT_EQ(with_writes(0.43, 0.5).substr(0, 50), with_writes(0.5, 0.43).substr(0, 50));
    EXPECT_THAT(with_writes(0.9, 0.02), testing::Not(HasSubstr("writes")));
}

TEST(limiting_sentence, nothing_ran) { EXPECT_EQ(sentence(trace::Schedule{}), "No warp ran."); }

}  // namespace
}  // namespace warplens::analysis
