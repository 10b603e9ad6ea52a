#include "core/own_gpu.h"

#include <gtest/gtest.h>

#include "core/sm_timing.h"

namespace warplens {
namespace {

const GpuLimit& limit(std::string_view key) {
    for (const GpuLimit& each : gpu_limits())
        if (each.key == key) return each;
    ADD_FAILURE() << key;
    return gpu_limits().front();
}

std::string refusal(std::string_view name) {
    const auto found = find_gpu(name);
    EXPECT_FALSE(found) << name;
    return found ? "" : found.error().message;
}

TEST(own_gpu, has_the_limits_in_its_name_and_the_rest_of_the_gpu_it_is_based_on) {
    const GpuSpec& gpu = **find_gpu("H200 with shared=100KiB reserve=0 blocks=16");
    EXPECT_EQ(gpu.shared_bytes_per_sm, 100 * 1024);
    EXPECT_EQ(gpu.max_shared_bytes_per_block, 100 * 1024) << "nothing is reserved";
    EXPECT_EQ(gpu.max_blocks_per_sm, 16);
    EXPECT_EQ(gpu.max_warps_per_sm, default_gpu().max_warps_per_sm);
    EXPECT_EQ(gpu.dram_bytes_per_second, default_gpu().dram_bytes_per_second);
    EXPECT_EQ(gpu.based_on, "H200");
    EXPECT_NE(gpu.source.find(default_gpu().source), std::string_view::npos);
}

TEST(own_gpu, is_one_gpu_however_its_name_is_written) {
    const GpuSpec* gpu = *find_gpu("H200 with blocks=16 shared=100KiB");
    EXPECT_EQ(gpu->name, "H200 with blocks=16 shared=100KiB");
    EXPECT_EQ(*find_gpu("nvidia h200 WITH shared=100kib  blocks=16"), gpu);
    EXPECT_EQ(*find_gpu("9.0 with shared=100KiB blocks=16 warps=64"), gpu) << "an H200 has 64 warps anyway";
    EXPECT_EQ(*find_gpu(gpu->name), gpu);
    EXPECT_EQ(*find_gpu("H200 with shared=228KiB"), &default_gpu());
}

TEST(own_gpu, is_named_by_the_limits_that_were_changed) {
    const GpuSpec& gpu = default_gpu();
    EXPECT_EQ(*with_limit(gpu, limit("registers"), 32768), "H200 with registers=32768");
    const GpuSpec& half = **find_gpu("H200 with registers=32768");
    EXPECT_EQ(*with_limit(half, limit("shared"), 100), "H200 with registers=32768 shared=100KiB");
    EXPECT_EQ(*with_limit(half, limit("registers"), 65536), "H200");
    EXPECT_FALSE(with_limit(gpu, limit("warps"), 6)) << "four schedulers have equally many";
}

TEST(own_gpu, has_every_limit_of_every_gpu_of_the_table_within_its_range) {
    for (const GpuSpec& gpu : gpu_specs())
        for (const GpuLimit& each : gpu_limits()) {
            const auto name = with_limit(gpu, each, each.amount_of(gpu));
            ASSERT_TRUE(name) << gpu.name << ": " << name.error().message;
            EXPECT_EQ(*name, gpu.name);
        }
    for (const GpuSpec& gpu : gpu_specs())
        EXPECT_EQ(gpu.max_shared_bytes_per_block,
                  gpu.shared_bytes_per_sm - gpu.reserved_shared_bytes_per_block)
            << "what an own GPU's block gets: " << gpu.name;
}

TEST(own_gpu, with_half_of_the_sms_does_half_of_the_arithmetic_in_the_same_cycles_each) {
    const GpuSpec& half = **find_gpu("A100 with sms=54");
    const GpuSpec& whole = **find_gpu("A100");
    EXPECT_DOUBLE_EQ(half.peaks.fp32, whole.peaks.fp32 / 2);
    EXPECT_DOUBLE_EQ(half.peaks.tensor_fp16, whole.peaks.tensor_fp16 / 2);
    EXPECT_EQ(half.dram_bytes_per_second, whole.dram_bytes_per_second);
    EXPECT_EQ(&sm_timing(half), &sm_timing(whole));
}

TEST(own_gpu, that_cannot_be_is_refused_with_what_could) {
    EXPECT_NE(refusal("H200 with cores=7").find("sms, warps, blocks"), std::string::npos);
    EXPECT_NE(refusal("H200 with shared").find("is not a limit"), std::string::npos);
    EXPECT_NE(refusal("H200 with shared=100").find("such as shared=256KiB"), std::string::npos);
    EXPECT_NE(refusal("H200 with shared=1000KiB").find("1 to 256KiB"), std::string::npos);
    EXPECT_NE(refusal("H200 with warps=6").find("in steps of 4"), std::string::npos);
    EXPECT_NE(refusal("H200 with shared=8KiB reserve=8KiB").find("nothing"), std::string::npos);
    EXPECT_NE(refusal("GTX 1 with warps=8").find("no GPU is named"), std::string::npos);
}

}  // namespace
}  // namespace warplens
