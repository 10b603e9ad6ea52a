#include "core/sm_timing.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

TEST(sm_timing, every_gpu_has_a_clock_caches_and_pipes) {
    for (const GpuSpec& gpu : gpu_specs()) {
        const SmTiming& timing = sm_timing(gpu);
        EXPECT_EQ(timing.clock_hz, gpu.boost_clock_hz) << gpu.name;
        EXPECT_GE(timing.clock_hz, 1e9) << gpu.name;
        EXPECT_EQ(timing.l2_bytes, gpu.l2_bytes) << gpu.name;
        EXPECT_GE(timing.l2_bytes, 4u << 20) << gpu.name;
        EXPECT_GE(timing.l1_bytes, static_cast<std::uint32_t>(gpu.shared_bytes_per_sm)) << gpu.name;
        for (const PipeTiming& pipe : timing.pipes) EXPECT_GE(pipe.interval, 1) << gpu.name;
    }
}

TEST(sm_timing, single_precision_pipes_give_the_rate_that_is_published) {
    for (const GpuSpec& gpu : gpu_specs()) {
        if (gpu.peaks.fp32 == 0) continue;
        const SmTiming& timing = sm_timing(gpu);
        const double lanes = gpu.schedulers_per_sm * 32.0 / timing[Pipe::fma].interval;
        EXPECT_NEAR(2 * lanes * gpu.sm_count * timing.clock_hz / gpu.peaks.fp32, 1, 0.01) << gpu.name;
    }
}

TEST(sm_timing, only_the_generation_that_was_measured_names_a_gpu_it_was_measured_on) {
    for (const GpuSpec& gpu : gpu_specs())
        EXPECT_EQ(sm_timing(gpu).measured_on, gpu.major == 9 ? "H200" : "") << gpu.name;
}

TEST(sm_timing, a_gpu_changed_by_a_knob_keeps_its_row) {
    GpuSpec half = default_gpu();
    half.sm_count /= 2;
    EXPECT_EQ(&sm_timing(half), &sm_timing(default_gpu()));
}

}  // namespace
}  // namespace warplens
