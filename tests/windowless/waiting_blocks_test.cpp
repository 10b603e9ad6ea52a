// Pictures of kernels whose blocks wait for each other or share work: a sample of the blocks may lack those
// that are waited for, and would take the work of all, which is not an error of the kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/windowless/advised.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

/// 5000 blocks, of which thread 0 waits until `awaited` and then marks its block as done.
Kernel with_waits(const std::string& awaited) {
    return written(R"(/*
[kernel]
title = "Waiting blocks"
subject = "Tests"
lesson = "."
views = ["source"]
[buffers]
done = { type = "i32", length = "5000", fill = "zero" }
out  = { type = "f32", length = "160000", fill = "zero" }
[launch]
arguments = ["done", "out"]
grid  = ["5000"]
block = ["32"]
*/
extern "C" __global__ void fresh(volatile int* done, float* out) {
    float v = threadIdx.x;
    for (int k = 0; k < 200; ++k) v = v * 1.01f + 1;
    out[blockIdx.x * 32 + threadIdx.x] = v;
    if (threadIdx.x != 0) return;
    while (!()" + awaited +
                   R"()) {}
    done[blockIdx.x] = 1;
}
)");
}

Scene picture_of(const Kernel& kernel) {
    auto scene = pipeline().run_scene({kernel, {}, "", 0, Engine::simt}, {});
    EXPECT_TRUE(scene) << scene.error().message;
    return scene ? std::move(*scene) : Scene{};
}

TEST(waiting_blocks, a_chain_is_shown_from_its_first_block_on) {
    WARPLENS_NEEDS_A_COMPILER();
    const Scene scene = picture_of(with_waits("blockIdx.x == 0 || done[blockIdx.x - 1] != 0"));
    ASSERT_LT(scene.blocks_executed, scene.blocks_in_grid);
    EXPECT_THAT(scene.report->problems, testing::IsEmpty()) << scene.report->problems.front().message;
    const auto blocks = trace::recorded_blocks(*scene.trace);
    EXPECT_EQ(blocks.back(), blocks.size() - 1);
    EXPECT_GT(blocks.size(), 100u);
}

TEST(waiting_blocks, those_that_nobody_releases_are_a_problem_and_found_within_few_steps) {
    WARPLENS_NEEDS_A_COMPILER();
    const Scene scene = picture_of(with_waits("blockIdx.x != 3 && done[blockIdx.x] != 0"));
    ASSERT_EQ(scene.report->problems.size(), 1u);
    EXPECT_EQ(scene.report->problems.front().kind, ProblemKind::endless_loop);
    EXPECT_LT(scene.report->steps, 1'000'000u) << "two million are for loops that change memory";
}

TEST(shared_blocks, do_the_work_of_all_of_them_in_a_picture_of_a_few) {
    WARPLENS_NEEDS_A_COMPILER();
    const Scene scene = picture_of(written(R"(/*
[kernel]
title = "Shared work"
subject = "Tests"
lesson = "."
views = ["source"]
[buffers]
next = { type = "i32", length = "1", fill = "zero" }
out  = { type = "f32", length = "65536", fill = "zero" }
[launch]
arguments = ["next", "out"]
grid  = ["64"]
block = ["32"]
*/
extern "C" __global__ void fresh(int* next, float* out) {
    for (;;) {
        int tile = 0;
        if (threadIdx.x == 0) tile = atomicAdd(next, 1);
        tile = __shfl_sync(0xffffffffu, tile, 0);
        if (tile >= 2048) return;
        float v = threadIdx.x;
        for (int k = 0; k < 1000; ++k) v = v * 1.01f + 1;
        out[tile * 32 + threadIdx.x] = v;
    }
}
)"));
    EXPECT_EQ(scene.blocks_executed, 64u);
    EXPECT_THAT(scene.report->problems, testing::IsEmpty()) << "no warp takes all, and none runs without end";
    const std::uint64_t mean = scene.report->steps / 64;
    for (const trace::WarpRecord& warp : scene.trace->warps)
        EXPECT_NEAR(double(trace::step_count(*scene.trace, warp)), double(mean), double(mean) / 4);
    EXPECT_GT(scene.report->steps, 2'000'000u) << "more than one warp may execute in a picture";
}

}  // namespace
}  // namespace warplens::app
