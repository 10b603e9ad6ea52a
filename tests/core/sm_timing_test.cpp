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
    for (const GpuSpec& gpu : gpu_specs()) {
        const std::string_view expected = gpu.name == "H100" ? "H100" : gpu.major == 9 ? "H200" : "";
        EXPECT_EQ(sm_timing(gpu).measured_on, expected) << gpu.name;
    }
}

TEST(sm_timing, an_h100_has_the_sms_of_an_h200_and_its_own_memory_and_launches) {
    const SmTiming& h100 = sm_timing(**find_gpu("H100"));
    const SmTiming& h200 = sm_timing(**find_gpu("H200"));
    for (std::size_t i = 0; i < pipe_count; ++i) {
        EXPECT_EQ(h100.pipes[i].interval, h200.pipes[i].interval);
        EXPECT_EQ(h100.pipes[i].latency, h200.pipes[i].latency);
    }
    EXPECT_EQ(h100.l1_hit_latency, h200.l1_hit_latency);
    EXPECT_GT(h100.launch_overhead, h200.launch_overhead);
    EXPECT_LT(h100.l2_lines_per_cycle, h200.l2_lines_per_cycle);
    EXPECT_EQ(&sm_timing(**find_gpu("H100 with shared=100KiB")), &h100);
}

TEST(sm_timing, a_gpu_changed_by_a_knob_keeps_its_row) {
    GpuSpec half = default_gpu();
    half.sm_count /= 2;
    EXPECT_EQ(&sm_timing(half), &sm_timing(default_gpu()));
}

}  // namespace
}  // namespace warplens
