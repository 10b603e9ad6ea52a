// Advice where a sample or a limit does not show it all: launches too large to be timed whole, and requests
// of lanes that are neighbours already.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/pipeline/advice/advise.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

/// On an H200 it took 22.1 µs, and 28.9 µs with half the threads in a block, of which the sample says −33 %:
/// 132 blocks are then whole rows, so that an SM has the same part of each, and the sampled SM has an edge.
TEST(advice_of_samples, a_launch_too_large_to_be_timed_whole_is_offered_only_where_blocks_are_alike) {
    WARPLENS_NEEDS_A_COMPILER();
    const Kernel mandelbrot = written(R"(/*
[kernel]
title = "Mandelbrot"
subject = "Tests"
lesson = "."
views = ["source"]
[buffers]
out = { type = "i32", length = "196608", fill = "zero" }
[launch]
arguments = ["out"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void mandelbrot(int* out) {
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < 196608; p += gridDim.x * blockDim.x) {
        const double scale = 3.0 / 512, x0 = -0.5 + (p % 512 - 256) * scale, y0 = (p / 512 - 192) * scale;
        double x = 0, y = 0;
        int rounds = 0;
        while (x * x + y * y < 4.0 && rounds < 200) {
            const double t = x * x - y * y + x0;
            y = 2 * x * y + y0;
            x = t;
            ++rounds;
        }
        out[p] = rounds;
    }
}
)");
    AdviceLimits small = patient;
    small.compared_steps = 3e6;
    const Advice advice = advise(pipeline(), timing_model(), {mandelbrot, {}, ""}, small, {});
    ASSERT_GT(advice.now.cycles, 0);
    for (const TriedChange& tried : advice.helpful) EXPECT_EQ(tried.change.launch, "") << advice_text(advice);
    EXPECT_GE(advice.tried, 3u);
}

TEST(advice_of_samples, a_rewrite_with_another_launch_is_compared_in_the_blocks_that_do_the_same) {
    WARPLENS_NEEDS_A_COMPILER();
    const auto rows = [](const std::string& sum) {
        return launched_by_host(
            "__global__ void k(const float* in, float* out, int rows, int n) {\n"
            "    int row = blockIdx.x * blockDim.x + threadIdx.x;\n    if (row >= rows) return;\n"
            "    float sum = 0;\n    for (int j = 0; j < n; ++j) sum += " +
            sum +
            ";\n    out[row] = sum;\n}\n"
            "int main() {\n    const int rows = 32768, n = 96;\n    float *in, *out, *h = new float[rows * "
            "n];\n"
            "    for (int i = 0; i < rows * n; ++i) h[i] = i % 31;\n    cudaMalloc(&in, rows * n * 4);\n"
            "    cudaMalloc(&out, rows * 4);\n    cudaMemcpy(in, h, rows * n * 4, cudaMemcpyHostToDevice);\n"
            "    k<<<rows / 128, 128>>>(in, out, rows, n);\n}\n");
    };
    AdviceLimits small = patient;
    small.compared_steps = 2e5;
    const Advice advice = advise(pipeline(), timing_model(), {rows("in[row * n + j]"), {}, ""}, small, {});
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_THAT(advice.helpful.front().change.launch, testing::HasSubstr("for each row"));
    EXPECT_THAT(advice.helpful.front().effect_words(), testing::HasSubstr("compared in a sample of"));
    // Lanes of a warp add another index than the thread did: a sample shows it, too.
    const Advice other =
        advise(pipeline(), timing_model(), {rows("in[row * n + j] * (threadIdx.x & 1)"), {}, ""}, small, {});
    for (const TriedChange& tried : other.helpful)
        EXPECT_EQ(tried.change.launch.find("for each row"), std::string::npos) << advice_text(other);
}

TEST(advice_of_samples, lanes_that_are_neighbours_already_are_told_where_to_begin) {
    WhatIf what_if;
    what_if.baseline_cycles = 1000;
    what_if.answers.emplace_back();
    what_if.answers[0].name = "perfect_coalescing";
    what_if.answers[0].cycles = 900;
    const auto advice_of = [&](std::uint64_t sectors) {
        RunFigures now;
        now.lines.push_back({0, 7, Space::global, Operation::load, {}});
        now.lines[0].totals.requests = 10;
        now.lines[0].totals.sectors = sectors;
        now.lines[0].totals.ideal_sectors = 40;
        return modelled_changes(what_if, now, {});
    };
    EXPECT_THAT(advice_of(50), testing::ElementsAre(testing::StartsWith(
                                   "Line 7: let the lanes of a request access one run of addresses that "
                                   "begins at a multiple of 32 bytes")));
    EXPECT_THAT(advice_of(51), testing::ElementsAre(testing::HasSubstr("neighbouring addresses")));
    what_if.answers[0].cycles = 960;
    EXPECT_THAT(advice_of(51), testing::IsEmpty()) << "4 % is within the model's error";
}

TEST(advice_of_samples, a_limit_that_a_run_has_disproved_is_not_promised) {
    WhatIf what_if;
    what_if.baseline_cycles = 1000;
    what_if.answers.emplace_back();
    what_if.answers[0].name = "no_bank_conflicts";
    what_if.answers[0].cycles = 850;
    const auto run_with = [](double cycles, std::uint64_t wavefronts) {
        RunFigures run;
        run.cycles = cycles;
        run.lines.push_back({0, 7, Space::shared, Operation::load, {}});
        run.lines[0].totals.requests = run.lines[0].totals.ideal_wavefronts = 100;
        run.lines[0].totals.wavefronts = wavefronts;
        return run;
    };
    const RunFigures now = run_with(1000, 200);
    EXPECT_THAT(
        modelled_changes(what_if, now, {}),
        testing::ElementsAre(testing::EndsWith(
            "at most −15 % cycles if no request had a conflict, less what the change itself costs.")));
    EXPECT_THAT(modelled_changes(what_if, now, {{"pad", false, true, run_with(1012, 105)}}),
                testing::IsEmpty());
    EXPECT_THAT(modelled_changes(what_if, now, {{"pad", false, true, run_with(1012, 120)}}),
                testing::ElementsAre(testing::EndsWith(
                    "costs. pad, which removes 80 % of the excess, was run: +1.2 % cycles.")));
    EXPECT_THAT(modelled_changes(what_if, now, {{"pad", false, true, run_with(1012, 195)}}),
                testing::ElementsAre(testing::EndsWith("itself costs.")))
        << "hardly any less";
    EXPECT_THAT(modelled_changes(what_if, now, {{"unrolled", false, false, run_with(1012, 120)}}),
                testing::ElementsAre(testing::EndsWith("itself costs.")))
        << "line 7 is another one there";
}

TEST(advice_of_samples, another_launch_does_not_hide_what_the_code_wastes) {
    WhatIf what_if;
    what_if.baseline_cycles = 1000;
    what_if.answers.emplace_back();
    what_if.answers[0].name = "perfect_coalescing";
    what_if.answers[0].cycles = 700;
    RunFigures now;
    now.cycles = 1000;
    now.lines.push_back({0, 7, Space::global, Operation::load, {}});
    now.lines[0].totals.requests = 10, now.lines[0].totals.ideal_sectors = 40,
    now.lines[0].totals.sectors = 320;
    RunFigures faster = now;
    faster.cycles = 610;
    EXPECT_THAT(modelled_changes(what_if, now, {{"block 64", true, true, faster}}),
                testing::ElementsAre(testing::HasSubstr("at most −30 %")));
    EXPECT_THAT(modelled_changes(what_if, now, {{"PAD 1", false, true, faster}}), testing::IsEmpty());
}

TEST(advice_of_samples, atomics_that_are_combined_get_one_sentence) {
    WhatIf what_if;
    what_if.baseline_cycles = 1000;
    what_if.answers.resize(2);
    what_if.answers[0].name = "one_atomic_per_warp";
    what_if.answers[1].name = "one_atomic_per_block";
    const auto sentences = [&](double by_warp, double by_block) {
        what_if.answers[0].cycles = by_warp;
        what_if.answers[1].cycles = by_block;
        return modelled_changes(what_if, {}, {});
    };
    EXPECT_THAT(
        sentences(310, 40),
        testing::ElementsAre("Combine the values of a block in shared memory and issue one atomic per "
                             "address: at most −96 % cycles, less what the change itself costs; those "
                             "of a warp, with shuffles: at most −69 %."));
    EXPECT_THAT(sentences(310, 300),
                testing::ElementsAre(testing::StartsWith("Combine the values of a warp")));
    EXPECT_THAT(sentences(990, 40), testing::ElementsAre(testing::Not(testing::HasSubstr("shuffles"))));
    EXPECT_THAT(sentences(990, 980), testing::IsEmpty());
}

}  // namespace
}  // namespace warplens::app
