// The question "what if lanes that take the same path shared a warp" gives about the time of a kernel in
// which they do. The kernels were written for this test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command_line/target.h"
#include "app/pipeline/advice/advise.h"
#include "app/scene/time_scene.h"

namespace warplens::app {
namespace {

Pipeline& full_warps_pipeline() {
    static const auto made = make_pipeline();
    return *made;
}

/// Four kinds of work; `kind` of `i` decides which a thread does, `rounds` how often.
std::shared_ptr<const instrumentation::KernelFile> four_kinds(const std::string& kind,
                                                              const std::string& rounds,
                                                              const std::string& last = "") {
    auto kernel = instrumentation::read_kernel_file("kinds.cu", R"(/*
[kernel]
title = "Four kinds of work"
subject = "Tests"
lesson = "."
views = ["lanes"]
[buffers]
out = { type = "f32", length = "65536", fill = "zero" }
[launch]
arguments = ["out"]
grid  = ["256"]
block = ["256"]
*/
extern "C" __global__ void kinds(float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int kind = )" + kind + R"(, rounds = )" + rounds + R"(;
    float v = i;
    if (kind == 0) for (int k = 0; k < rounds; ++k) v = __sinf(v) + 1.0f;
    else if (kind == 1) for (int k = 0; k < rounds; ++k) v = __expf(v) - 0.5f;
    else if (kind == 2) for (int k = 0; k < rounds; ++k) v = v * v - 0.25f;
    else for (int k = 0; k < rounds; ++k) v = v / 3.0f;
    out[i] = v;
)" + last + "}\n");
    EXPECT_TRUE(kernel) << kernel.error().message;
    return kernel ? std::make_shared<instrumentation::KernelFile>(std::move(*kernel)) : nullptr;
}

double cycles_of(const std::string& kind, const std::string& rounds, bool full_warps,
                 const std::string& last = "") {
    auto scene =
        full_warps_pipeline().run_scene({four_kinds(kind, rounds, last), {}, "", 0, Engine::simt}, {});
    EXPECT_TRUE(scene) << scene.error().message;
    TimingOptions options;
    options.full_warps = full_warps;
    const auto timing = time_scene(*scene, options, [] { return false; });
    EXPECT_TRUE(timing->schedule);
    return timing->schedule ? timing->schedule->launch.cycles : 0;
}

bool can_compile_kinds() { return full_warps_pipeline().compiler().description().starts_with("NVRTC "); }

TEST(full_warps, give_about_the_time_of_warps_with_one_kind_of_work) {
    if (!can_compile_kinds()) GTEST_SKIP() << "kernels without a header's PTX take NVRTC to compile";
    const double mixed = cycles_of("i % 4", "64", false), by_warp = cycles_of("i / 32 % 4", "64", false);
    ASSERT_GT(mixed, 1.5 * by_warp);
    EXPECT_NEAR(cycles_of("i % 4", "64", true), by_warp, 0.2 * by_warp);
}

TEST(full_warps, change_nothing_where_no_branch_diverges) {
    if (!can_compile_kinds()) GTEST_SKIP() << "kernels without a header's PTX take NVRTC to compile";
    EXPECT_EQ(cycles_of("i / 32 % 4", "64", true), cycles_of("i / 32 % 4", "64", false));
}

TEST(full_warps, change_nothing_of_what_one_thread_does_for_its_block) {
    if (!can_compile_kinds()) GTEST_SKIP() << "kernels without a header's PTX take NVRTC to compile";
    const char* first_thread = "threadIdx.x == 0 ? 256 : 0";
    const double now = cycles_of("3", first_thread, false);
    EXPECT_NEAR(cycles_of("3", first_thread, true), now, 0.02 * now);
}

TEST(full_warps, change_nothing_of_the_atomics_that_one_lane_does_for_its_warp) {
    if (!can_compile_kinds()) GTEST_SKIP() << "kernels without a header's PTX take NVRTC to compile";
    const char* by_first_lane = "    if (threadIdx.x % 32 == 0) atomicAdd(&out[0], 1.0f);\n";
    const double now = cycles_of("3", "1", false, by_first_lane);
    EXPECT_NEAR(cycles_of("3", "1", true, by_first_lane), now, 0.02 * now);
}

TEST(full_warps, help_loops_whose_lanes_end_at_different_times) {
    if (!can_compile_kinds()) GTEST_SKIP() << "kernels without a header's PTX take NVRTC to compile";
    const double mixed = cycles_of("3", "1 + i % 32 * 8", false);
    EXPECT_LT(cycles_of("3", "1 + i % 32 * 8", true), 0.8 * mixed);
}

TEST(full_warps, are_advice_where_lanes_of_a_warp_do_different_work) {
    if (!can_compile_kinds()) GTEST_SKIP() << "kernels without a header's PTX take NVRTC to compile";
    const AdviceLimits patient{std::chrono::minutes{2}, 8e6, 0};
    const auto advice_for = [&](const char* kind) {
        return advise(full_warps_pipeline(), timing_model(), {four_kinds(kind, "64"), {}, ""}, patient, {});
    };
    const auto names_paths = testing::Contains(testing::HasSubstr("neighbouring lanes take the same path"));
    EXPECT_THAT(advice_for("i % 4").modelled, names_paths);
    EXPECT_THAT(advice_for("i / 32 % 4").modelled, testing::Not(names_paths));
}

}  // namespace
}  // namespace warplens::app
