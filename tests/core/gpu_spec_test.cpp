#include "core/gpu_spec.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens {
namespace {

TEST(gpu_spec, every_row_is_complete_and_names_its_source) {
    std::set<std::string_view> names;
    for (const GpuSpec& gpu : gpu_specs()) {
        EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
        EXPECT_GT(gpu.sm_count, 0) << gpu.name;
        EXPECT_GT(gpu.max_warps_per_sm, 0) << gpu.name;
        EXPECT_GT(gpu.max_blocks_per_sm, 0) << gpu.name;
        EXPECT_EQ(gpu.registers_per_sm, 65536) << gpu.name;
        EXPECT_GE(gpu.shared_bytes_per_sm,
                  gpu.max_shared_bytes_per_block + gpu.reserved_shared_bytes_per_block)
            << gpu.name;
        EXPECT_FALSE(gpu.source.empty()) << gpu.name;
    }
}

TEST(gpu_spec, is_found_by_name_whatever_the_case_or_the_maker) {
    EXPECT_EQ((*find_gpu("h200"))->name, "H200");
    EXPECT_EQ((*find_gpu("NVIDIA GeForce RTX 4090"))->name, "RTX 4090");
    EXPECT_EQ((*find_gpu("rtx-3090"))->name, "RTX 3090");
}

TEST(gpu_spec, an_rtx_5070_ti_holds_48_warps_on_each_of_70_sms) {
    const auto found = find_gpu("RTX 5070 Ti");
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)->major, 12);
    EXPECT_EQ((*found)->sm_count, 70);
    EXPECT_EQ((*found)->max_warps_per_sm, 48);
    EXPECT_EQ((*found)->max_shared_bytes_per_block, 99 * 1024);
}

TEST(gpu_spec, is_found_by_compute_capability) {
    EXPECT_EQ((*find_gpu("9.0"))->name, "H200");
    EXPECT_EQ((*find_gpu("sm_75"))->minor, 5);
    EXPECT_EQ((*find_gpu("sm_100"))->name, "B200");
}

TEST(gpu_spec, unknown_name_lists_the_known_ones) {
    const auto found = find_gpu("GTX 1");
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("H200, B200"), std::string::npos) << found.error().message;
}

}  // namespace
}  // namespace warplens
