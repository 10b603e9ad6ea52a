#include "app/scene/what_if.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/warps/occupancy.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A launch with shared-memory conflicts and coalesced accesses, limited by registers.
analysis::LaunchReport conflicting() {
    analysis::LaunchReport report;
    report.launch.geometry.grid = {4096, 1, 1};
    report.launch.geometry.block = {256, 1, 1};
    report.launch.resources.registers_per_thread = 64;
    report.shared_load.requests = 10;
    report.shared_load.wavefronts = 320;
    report.shared_load.ideal_wavefronts = 10;
    report.global_load.requests = 10;
    report.global_load.sectors = report.global_load.ideal_sectors = 40;
    analysis::fill_occupancy(report, default_gpu());
    return report;
}

const WhatIfAnswer& named(const WhatIf& what_if, std::string_view name) {
    const auto found = std::ranges::find(what_if.answers, name, &WhatIfAnswer::name);
    if (found == what_if.answers.end()) throw std::runtime_error("no question " + std::string(name));
    return *found;
}

TEST(what_if, asks_only_what_can_matter_and_says_why_not_of_the_rest) {
    const WhatIf what_if = standard_questions(conflicting(), default_gpu(), 1000);
    EXPECT_TRUE(named(what_if, "no_bank_conflicts").open());
    EXPECT_TRUE(named(what_if, "perfect_coalescing").open())
        << "ideal sectors may still lie on more lines than they need";
    EXPECT_TRUE(named(what_if, "no_register_limit").open()) << named(what_if, "no_register_limit").moot;
    EXPECT_THAT(named(what_if, "no_shared_limit").moot, HasSubstr("registers run out at 4 blocks"));
    EXPECT_TRUE(named(what_if, "twice_the_warps").open());
}

TEST(what_if, a_kernel_without_shared_memory_reports_no_zero) {
    auto report = conflicting();
    report.shared_load = {};
    const WhatIf what_if = standard_questions(report, default_gpu(), 1000);
    EXPECT_THAT(named(what_if, "no_bank_conflicts").moot, HasSubstr("no request to shared memory"));
    report.global_load = {};
    EXPECT_THAT(named(standard_questions(report, default_gpu(), 1000), "perfect_coalescing").moot,
                HasSubstr("no request to global memory"));
}

TEST(what_if, a_grid_that_fits_at_once_makes_the_limits_moot) {
    auto report = conflicting();
    report.launch.geometry.grid = {64, 1, 1};
    analysis::fill_occupancy(report, default_gpu());
    const WhatIf what_if = standard_questions(report, default_gpu(), 1000);
    EXPECT_THAT(named(what_if, "no_register_limit").moot, HasSubstr("the grid gives an SM 1 block"));
    EXPECT_THAT(named(what_if, "twice_the_sms").moot, Not(IsEmpty()));
}

TEST(what_if, a_branch_that_the_assembler_removed_is_not_said_to_be_uniform_in_the_source) {
    auto report = conflicting();
    report.branches_divergent = 0;
    EXPECT_EQ(named(standard_questions(report, default_gpu(), 1000), "full_warps").moot,
              "no branch diverges");
    report.level = Level::machine;
    EXPECT_EQ(named(standard_questions(report, default_gpu(), 1000), "full_warps").moot,
              "no branch of the machine code diverges");
}

TEST(what_if, a_full_sm_cannot_hold_twice_the_warps) {
    auto report = conflicting();
    report.launch.resources.registers_per_thread = 16;
    analysis::fill_occupancy(report, default_gpu());
    const WhatIf what_if = standard_questions(report, default_gpu(), 1000);
    EXPECT_THAT(named(what_if, "twice_the_warps").moot, HasSubstr("64 of the SM's 64 warp slots"));
    EXPECT_THAT(named(what_if, "no_register_limit").moot, HasSubstr("warps run out"));
}

TEST(what_if, a_moot_limit_names_every_resource_that_runs_out_as_early) {
    auto report = conflicting();
    report.launch.geometry.block = {256, 1, 1};
    report.launch.resources.registers_per_thread = 32;
    analysis::fill_occupancy(report, default_gpu());
    ASSERT_EQ(limiters_in_words(report.occupancy), "warps and registers");
    const WhatIf what_if = standard_questions(report, default_gpu(), 1000);
    EXPECT_EQ(named(what_if, "no_block_limit").moot, "warps and registers run out at 8 blocks already");
    EXPECT_EQ(named(what_if, "no_register_limit").moot, "warps run out at 8 blocks already");
}

TEST(what_if, each_open_question_is_asked_once_with_its_own_options) {
    WhatIf what_if = standard_questions(conflicting(), default_gpu(), 1000);
    std::vector<TimingOptions> asked;
    while (answer_next(what_if, [&](const TimingOptions& options) -> Result<double> {
        asked.push_back(options);
        return 900;
    })) {
    }
    EXPECT_TRUE(what_if.complete());
    std::size_t open = 0;
    for (const auto& answer : what_if.answers) open += answer.moot.empty();
    EXPECT_EQ(asked.size(), open);
    for (const TimingOptions& options : asked) {
        EXPECT_NE(options, TimingOptions{}) << "the baseline is known";
        EXPECT_EQ(std::ranges::count(asked, options), 1);
    }
}

TEST(what_if, the_answers_are_sorted_by_what_they_save_and_the_moot_come_last) {
    WhatIf what_if = standard_questions(conflicting(), default_gpu(), 1000);
    while (answer_next(what_if, [&](const TimingOptions& options) -> Result<double> {
        if (options.no_bank_conflicts) return 600;
        if (options.ignore_register_limit && options.max_resident_warps == 0) return 800;
        if (options.policy != SchedulerPolicy::round_robin) return fail("the model lost its way");
        return 1100;
    })) {
    }
    const auto order = by_effect(what_if);
    EXPECT_EQ(what_if.answers[order[0]].name, "no_bank_conflicts");
    EXPECT_EQ(what_if.answers[order[1]].name, "no_register_limit");
    bool moot = false, failed = false;
    for (const std::size_t at : order) {
        const WhatIfAnswer& answer = what_if.answers[at];
        if (answer.cycles > 0) {
            EXPECT_FALSE(moot || failed);
        }
        failed = failed || !answer.failure.empty();
        moot = moot || !answer.moot.empty();
    }
    EXPECT_TRUE(moot && failed);
    EXPECT_EQ(what_helps_most(what_if),
              "Removing bank conflicts would help most: 1,000 → 600 cycles (−40 %)");
}

TEST(what_if, better_hardware_that_costs_time_and_small_differences_are_explained) {
    WhatIf what_if = standard_questions(conflicting(), default_gpu(), 1000);
    EXPECT_EQ(notes_on_answers(what_if), "") << "not answered yet";
    const auto more = std::ranges::find(what_if.answers, "twice_the_schedulers", &WhatIfAnswer::name);
    ASSERT_NE(more, what_if.answers.end());
    more->cycles = 1061;
    EXPECT_TRUE(notes_on_answers(what_if).starts_with(
        "8 schedulers take longer here: the model gives each its own queues"));
    more->cycles = 1001;
    EXPECT_EQ(notes_on_answers(what_if), "Differences of up to 5 % are within the model's error.");
    more->cycles = 1000;
    EXPECT_EQ(notes_on_answers(what_if), "");
    more->cycles = 900;
    EXPECT_EQ(notes_on_answers(what_if), "");
    const auto nearer = std::ranges::find(what_if.answers, "half_dram_latency", &WhatIfAnswer::name);
    ASSERT_NE(nearer, what_if.answers.end());
    nearer->cycles = 1030;
    EXPECT_EQ(notes_on_answers(what_if), "Differences of up to 5 % are within the model's error.");
    nearer->cycles = 1060;
    EXPECT_TRUE(notes_on_answers(what_if).starts_with("Halving the DRAM latency takes longer here: "));
}

TEST(what_if, a_gain_that_only_other_hardware_gives_is_reported_as_such) {
    WhatIf what_if = standard_questions(conflicting(), default_gpu(), 1000);
    while (answer_next(what_if, [&](const TimingOptions& options) -> Result<double> {
        return options.schedulers > 0 ? 500 : 1000;
    })) {
    }
    EXPECT_THAT(
        what_helps_most(what_if),
        HasSubstr(
            "No change of the kernel that the model tried makes it faster by more than the model's error of "
            "5 %; of the changes of the GPU and its state, twice the schedulers would help most: 1,000 → "
            "500"));
}

TEST(what_if, that_nothing_helps_is_said_of_what_was_tried_only) {
    WhatIf what_if = standard_questions(conflicting(), default_gpu(), 1000);
    while (answer_next(what_if, [&](const TimingOptions&) -> Result<double> { return 1000; })) {
    }
    EXPECT_EQ(what_helps_most(what_if),
              "No change that the model tried makes the kernel faster by more than the model's error of 5 %");
    for (WhatIfAnswer& answer : what_if.answers) {
        answer.cycles = 0;
        if (answer.moot.empty()) answer.failure = "the model lost its way";
    }
    EXPECT_EQ(what_helps_most(what_if), "The model could try no change");
}

TEST(what_if, effects_read_as_people_say_them) {
    EXPECT_EQ(effect_words(1000, 600), "−40 %");
    EXPECT_EQ(effect_words(1000, 985), "−1.5 %");
    EXPECT_EQ(effect_words(1000, 2000), "+100 %");
    EXPECT_EQ(effect_words(1000, 1000), "no change");
}

/// Two numbers side by side that differ are not called the same.
TEST(what_if, a_small_effect_is_said_and_is_no_gain) {
    EXPECT_EQ(effect_words(5775, 5796), "+0.4 %");
    EXPECT_EQ(effect_words(100000, 99990), "−0.01 %");
    EXPECT_EQ(effect_words(1e6, 999'999), "−0.0001 %");
    EXPECT_EQ(effect_words(1e6, 1'000'097), "+0.01 %");
    WhatIf what_if = standard_questions(conflicting(), default_gpu(), 5796);
    while (answer_next(what_if, [&](const TimingOptions&) -> Result<double> { return 5775; })) {
    }
    EXPECT_EQ(what_helps_most(what_if),
              "No change that the model tried makes the kernel faster by more than the model's error of 5 %");
}

TEST(what_if, changed_knobs_are_named_in_words) {
    TimingOptions options;
    EXPECT_EQ(describe(options), "");
    options.no_bank_conflicts = true;
    options.dram_latency_factor = 0.5;
    options.schedulers = 8;
    EXPECT_EQ(describe(options), "8 schedulers · DRAM latency × 0.5 · no bank conflicts");
}

}  // namespace
}  // namespace warplens::app
