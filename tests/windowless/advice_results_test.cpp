// What is offered computes the same: no other results, no other output, no less work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/pipeline/advice/proposals.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

bool knob_sets_the_problem(const char* name, std::string_view knob) {
    const Kernel kernel = catalogued(name);
    return sets_the_problem(
        *kernel, *std::ranges::find(kernel->parameters, knob, &instrumentation::ParameterDeclaration::name));
}

TEST(advice, what_changes_the_results_is_not_offered) {
    WARPLENS_NEEDS_A_COMPILER();
    for (const char* name : {"copy_strided", "shared_stride"}) {
        const Advice advice = advice_for(catalogued(name), {{"stride", "32"}});
        EXPECT_FALSE(find_change(advice, "stride")) << advice_text(advice);
    }
}

TEST(advice, what_prints_other_texts_is_not_offered) {
    WARPLENS_NEEDS_A_COMPILER();
    EXPECT_FALSE(find_change(advice_for(catalogued("print_lanes")), "every"));
    const char* knob = "FAR = { default = 32, values = [1, 32], macro = true }";
    const std::string body = R"(
    const float value = in[base + (x * FAR + y) % 1024] * 0.0f;
    out[base + y * 32 + x] = value;
)";
    const Advice silent = advice_for(with_knob(knob, body));
    EXPECT_TRUE(find_change(silent, "FAR")) << advice_text(silent);
    const Advice printing =
        advice_for(with_knob(knob, body + "    if (x + y == 0) printf(\"every %d\\n\", FAR);\n"));
    EXPECT_FALSE(find_change(printing, "FAR")) << advice_text(printing);
}

TEST(advice, what_leaves_other_numbers_in_a_variable_of_the_program_is_not_offered) {
    WARPLENS_NEEDS_A_COMPILER();
    const auto into = [](const char* target) {
        return written(std::string(R"(/*
[kernel]
title = "A result in a variable"
subject = "Tests"
lesson = "."
views = ["source"]
[parameters]
FAR = { default = 32, values = [1, 32], macro = true }
[buffers]
in  = { type = "f32", length = "16384", fill = "iota" }
[launch]
arguments = ["in"]
grid  = ["16"]
block = ["32", "32"]
*/
__device__ float result[16384];
extern "C" __global__ void fresh(const float* in) {
    const int x = threadIdx.x, y = threadIdx.y, base = blockIdx.x * 1024;
    const float value = in[base + (x * FAR + y) % 1024];
    result[base + y * 32 + x] = value)") +
                       target + ";\n}\n");
    };
    EXPECT_TRUE(find_change(advice_for(into(" * 0.0f")), "FAR"));
    EXPECT_FALSE(find_change(advice_for(into("")), "FAR"));
}

/// Heron's method has its result after few steps. More are still what was asked for.
TEST(advice, fewer_steps_of_a_method_that_has_converged_are_not_offered) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(catalogued("streams_pipeline"), {{"n", "65536"}});
    EXPECT_FALSE(find_change(advice, "work")) << advice_text(advice);
    EXPECT_TRUE(knob_sets_the_problem("streams_pipeline", "work"));
    EXPECT_TRUE(knob_sets_the_problem("streams_pipeline", "n")) << "lengths of buffers";
    EXPECT_FALSE(knob_sets_the_problem("streams_pipeline", "block"));
    EXPECT_FALSE(knob_sets_the_problem("instruction_parallelism", "ILP")) << "a macro in an argument";
}

/// Blocks of 16 threads leave half of every warp empty: 2.7 sectors of each of twice as many requests.
TEST(advice, requests_of_half_empty_warps_are_no_saving) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(catalogued("texture_blur"));
    EXPECT_TRUE(find_change(advice, "block_x")) << advice_text(advice);
    EXPECT_FALSE(find_change(advice, "block_y")) << advice_text(advice);
    EXPECT_THAT(advice_text(advice), testing::Not(testing::HasSubstr("Cycles are modelled")));
}

TriedChange tried_setting(const char* value, double cycles, std::uint64_t wavefronts) {
    TriedChange tried;
    tried.change.parameter = "SPREAD";
    tried.change.value = value;
    tried.after.cycles = cycles;
    LineRequests line;
    line.totals.requests = 1;
    line.totals.wavefronts = wavefronts;
    line.totals.ideal_wavefronts = 1;
    tried.after.lines.push_back(line);
    return tried;
}

TEST(advice, of_settings_that_take_as_long_the_one_without_excess_goes_first_and_then_the_nearest) {
    std::vector<TriedChange> helpful{tried_setting("4", 1000, 4), tried_setting("2", 1003, 1),
                                     tried_setting("1", 1002, 1), tried_setting("8", 1400, 1)};
    sort_by_help(helpful);
    std::vector<std::string> values;
    for (const TriedChange& tried : helpful) values.push_back(tried.change.value);
    EXPECT_THAT(values, testing::ElementsAre("2", "1", "4", "8"));
}

}  // namespace
}  // namespace warplens::app
