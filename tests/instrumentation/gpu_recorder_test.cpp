// The GPU recorder with a driver without a GPU: the effects and results of a run.
#include "instrumentation/device/gpu_recorder.h"

#include <gmock/gmock.h>

#include <cstring>

#include "tests/instrumentation/recorder_fixture.h"

namespace warplens::instrumentation {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

template <class T>
T at(std::span<const std::byte> bytes, std::size_t offset) {
    T value;
    EXPECT_LE(offset + sizeof(T), bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

std::vector<std::uint32_t> words(const std::vector<std::byte>& bytes) {
    std::vector<std::uint32_t> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

GpuRunOptions reading() {
    GpuRunOptions options;
    options.read_buffers = true;
    return options;
}

TEST_F(GpuRecorderTest, the_device_says_what_it_is) {
    GpuRecorder recorder({runner()});
    const auto facts = recorder.device();
    ASSERT_TRUE(facts.has_value()) << message_of(facts);
    EXPECT_EQ(facts->name, "Fake GPU");
    EXPECT_THAT(facts->driver, HasSubstr("CUDA 13.0"));
    EXPECT_EQ(facts->compute_major, 9);
    EXPECT_EQ(facts->sm_count, 132);
    EXPECT_DOUBLE_EQ(facts->boost_clock_hz, 1.98e9);
    EXPECT_EQ(facts->memory_bytes, std::uint64_t{256} << 20);
    EXPECT_LE(facts->free_bytes, facts->memory_bytes);
}

TEST_F(GpuRecorderTest, a_clean_run_gives_times_facts_and_results) {
    GpuRecorder recorder({runner()});
    const auto result = recorder.run(launch({"ms 0.5", "registers 24"}), {}, reading());
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_DOUBLE_EQ(result->clean.time_us, 500);
    EXPECT_EQ(result->clean.registers, 24);
    EXPECT_EQ(result->clean.local_bytes, 16);
    EXPECT_EQ(result->clean.shared_static_bytes, 128);
    EXPECT_EQ(result->clean.blocks_per_sm, 32);
    ASSERT_EQ(result->buffers.size(), 2u);
    EXPECT_THAT(words(result->buffers[0]), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    EXPECT_THAT(words(result->buffers[1]), ElementsAre(50, 60));
    ASSERT_EQ(result->buffer_addresses.size(), 2u);
    EXPECT_EQ(result->buffer_addresses[0] % 256, 0u);
    EXPECT_EQ(result->buffer_addresses[1], result->buffer_addresses[0] + 256);
    EXPECT_GT(result->total_ms, 0);
}

TEST_F(GpuRecorderTest, every_launch_begins_with_the_buffers_as_given) {
    GpuRecorder recorder({runner()});
    GpuRunOptions options = reading();
    options.repeats = 3;
    const auto result = recorder.run(launch(), {variant(), variant({"registers 12"})}, options);
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_THAT(words(result->buffers[0]), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    ASSERT_EQ(result->variants.size(), 2u);
    EXPECT_TRUE(result->variants[0].identical_results) << result->variants[0].first_difference;
    EXPECT_TRUE(result->variants[1].identical_results) << result->variants[1].first_difference;
    EXPECT_EQ(log()["launch"].first, 1 + 3 * 3) << "one to warm up, then each three times";
}

TEST_F(GpuRecorderTest, cold_caches_are_filled_with_other_data_before_every_launch) {
    GpuRecorder recorder({runner()});
    GpuRunOptions options = reading();
    options.repeats = 3;
    ASSERT_TRUE(recorder.run(launch(), {variant()}, options));
    const auto warm = log()["clear"];
    options.caches = Caches::cold;
    const auto result = recorder.run(launch(), {variant()}, options);
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_THAT(words(result->buffers[0]), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    EXPECT_TRUE(result->variants[0].identical_results);
    const auto all = log()["clear"];
    const std::uint64_t l2 = 1 << 20, launches = 1 + 3 * 2;
    EXPECT_LT(warm.second, launches * 2 * l2);
    EXPECT_GE(all.second - warm.second, launches * 2 * l2);
}

TEST_F(GpuRecorderTest, the_median_of_the_repeats_is_reported) {
    GpuRecorder recorder({runner()});
    GpuRunOptions options;
    options.repeats = 4;
    const auto result = recorder.run(launch({"ms 0.25"}), {variant({"ms 0.75"})}, options);
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_DOUBLE_EQ(result->clean.time_us, 250);
    EXPECT_DOUBLE_EQ(result->variants[0].kernel.time_us, 750);
}

TEST_F(GpuRecorderTest, a_recording_comes_back_as_far_as_it_was_written) {
    GpuRecorder recorder({runner()});
    const auto result = recorder.run(launch(), {variant({"records 2"}), variant({"records 9"})}, {});
    ASSERT_TRUE(result.has_value()) << message_of(result);
    const GpuVariantResult& brief = result->variants[0];
    EXPECT_EQ(brief.parameter.slabs, 8u) << "four blocks of two warps";
    EXPECT_EQ(brief.parameter.chunks, 64u);
    EXPECT_EQ(brief.parameter.address_high, result->buffer_addresses[0] >> 32);
    EXPECT_EQ(brief.space.size(), chunk_offset(9, 8, 0)) << "the head and the slabs";
    EXPECT_EQ(at<SpaceHead>(brief.space, 0).next_chunk, 9u);
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
        const auto head = at<WarpHead>(brief.space, chunk_offset(1 + warp, 8, 0));
        EXPECT_EQ(head.block, warp / 2);
        EXPECT_EQ(head.identity, 0x80000000u | (warp % 2));
        EXPECT_EQ(at<VisitUnit>(brief.space, chunk_offset(1 + warp, 8, 0) + 3 * unit_bytes).block, 1u);
        EXPECT_EQ(at<VisitUnit>(brief.space, chunk_offset(1 + warp, 8, 0) + 4 * unit_bytes).block, 0u);
    }
    const GpuVariantResult& longer = result->variants[1];
    EXPECT_EQ(longer.space.size(), chunk_offset(17, 8, 0)) << "a second chunk for each warp";
    EXPECT_EQ(at<SpaceHead>(longer.space, 0).dropped_records, 0u);
}

TEST_F(GpuRecorderTest, what_does_not_fit_is_dropped_and_counted) {
    GpuRecorder recorder({runner()});
    GpuVariant small = variant({"records 20"});
    small.space_bytes = chunk_offset(10, 8, 0) + 100;
    const auto result = recorder.run(launch(), {small}, {});
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_EQ(result->variants[0].parameter.chunks, 10u);
    EXPECT_EQ(result->variants[0].space.size(), chunk_offset(10, 8, 0));
    EXPECT_GT(at<SpaceHead>(result->variants[0].space, 0).dropped_records, 0u);
    EXPECT_GT(at<SpaceHead>(result->variants[0].space, 0).next_chunk, 10u);
}

TEST_F(GpuRecorderTest, chunks_may_be_smaller_than_the_head) {
    GpuRecorder recorder({runner()});
    GpuVariant tiny = variant({"symbols 40", "records 1"});
    tiny.symbols = 40;
    tiny.chunk_units = 4;
    tiny.space_bytes = 2000;
    const auto result = recorder.run(launch(), {tiny}, {});
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_EQ(result->variants[0].parameter.chunks, 1u + (2000 - 512) / 64);
    EXPECT_EQ(result->variants[0].space.size(), 512u + 8 * 64) << "the head and eight slabs";
    EXPECT_EQ(at<VisitUnit>(result->variants[0].space, 512 + 7 * 64 + 32).block, 1u);
}

TEST_F(GpuRecorderTest, where_the_slabs_do_not_fit_every_chunk_is_taken_in_turn) {
    GpuRecorder recorder({runner()});
    GpuVariant small = variant();
    small.space_bytes = chunk_offset(8, 8, 0);
    const auto result = recorder.run(launch(), {small}, {});
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_EQ(result->variants[0].parameter.slabs, 0u);
    EXPECT_EQ(at<SpaceHead>(result->variants[0].space, 0).next_chunk, 9u);
}

TEST_F(GpuRecorderTest, chosen_blocks_get_slabs_by_their_rank) {
    GpuRecorder recorder({runner()});
    GpuLaunch large = launch();
    large.geometry.grid.x = 100;
    GpuVariant some = variant();
    some.blocks = {3, 40, 41, 99};
    for (int time = 0; time < 2; ++time) {
        const auto result = recorder.run(large, {some}, {});
        ASSERT_TRUE(result.has_value()) << message_of(result);
        const std::span<const std::byte> space = result->variants[0].space;
        EXPECT_EQ(result->variants[0].parameter.slabs, 8u);
        for (std::uint32_t slab = 0; slab < 8; ++slab) {
            EXPECT_EQ(at<WarpHead>(space, chunk_offset(1 + slab, 8, 0)).block, some.blocks[slab / 2]);
        }
    }
}

TEST_F(GpuRecorderTest, chosen_sms_have_no_slabs) {
    GpuRecorder recorder({runner()});
    GpuVariant first = variant(), other = variant();
    first.sms = {0, 131};
    other.sms = {131};
    const auto result = recorder.run(launch(), {first, other}, {});
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_EQ(result->variants[0].parameter.slabs, 0u);
    EXPECT_EQ(at<SpaceHead>(result->variants[0].space, 0).next_chunk, 9u);
    EXPECT_EQ(at<SpaceHead>(result->variants[1].space, 0).next_chunk, 1u) << "all blocks run on SM 0";
}

TEST_F(GpuRecorderTest, results_that_differ_are_reported_with_their_place) {
    GpuRecorder recorder({runner()});
    const auto result = recorder.run(launch(), {variant({"add 2"}), variant()}, {});
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_FALSE(result->variants[0].identical_results);
    EXPECT_EQ(result->variants[0].first_difference, "y: byte 0 is 0x03, and after the clean launch 0x02");
    EXPECT_TRUE(result->variants[1].identical_results);
}

TEST_F(GpuRecorderTest, a_second_run_loads_and_uploads_only_what_changed) {
    GpuRecorder recorder({runner()});
    ASSERT_TRUE(recorder.run(launch(), {variant()}, {}).has_value());
    EXPECT_EQ(log()["load"].first, 3) << "the kernel, its variant and the helpers";
    EXPECT_EQ(log()["upload"], std::make_pair(2, std::uint64_t{48}));
    forget_log();
    const auto again = recorder.run(launch(), {variant()}, {});
    ASSERT_TRUE(again.has_value()) << message_of(again);
    EXPECT_EQ(log()["load"].first, 0);
    EXPECT_EQ(log()["upload"].first, 0);
    EXPECT_EQ(log()["allocate"].first, 0);
    EXPECT_EQ(again->load_ms, 0);
    values_[1][0] = 51;
    forget_log();
    ASSERT_TRUE(recorder.run(launch(), {variant()}, reading()).has_value());
    EXPECT_EQ(log()["upload"], std::make_pair(1, std::uint64_t{8}));
}

TEST_F(GpuRecorderTest, the_space_is_cleared_only_as_far_as_it_was_written) {
    GpuRecorder recorder({runner()});
    GpuVariant large = variant();
    large.space_bytes = 1 << 20;
    ASSERT_TRUE(recorder.run(launch(), {large}, {}).has_value());
    ASSERT_TRUE(recorder.device().has_value()) << "comes after what is cleaned up after a run";
    forget_log();
    const auto result = recorder.run(launch(), {large}, {});
    ASSERT_TRUE(result.has_value()) << message_of(result);
    ASSERT_TRUE(recorder.device().has_value());
    EXPECT_EQ(log()["clear"].second, result->variants[0].space.size() + 2 * 8)
        << "16 bytes are the comparison's";
}

TEST_F(GpuRecorderTest, a_head_that_makes_no_sense_brings_the_whole_space) {
    GpuRecorder recorder({runner()});
    const auto result = recorder.run(launch(), {variant({"corrupt 1"}), variant()}, {});
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_EQ(result->variants[0].space.size(), chunk_offset(64, 8, 0));
    EXPECT_EQ(result->variants[1].space.size(), chunk_offset(9, 8, 0));
}

TEST_F(GpuRecorderTest, buffers_lie_within_four_gibibytes_though_the_first_room_does_not) {
    set("FAKE_CUDA_START", "0x7e90ffe00000");  // 2 MiB below a boundary of 4 GiB
    set("FAKE_CUDA_MEMORY", "0x8000000");
    GpuRecorder recorder({runner()});
    std::vector<std::uint32_t> large(std::size_t{3} << 18, 7);
    GpuLaunch both = launch();
    both.buffers[1].data = std::as_bytes(std::span(large));
    const auto result = recorder.run(both, {variant()}, reading());
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_EQ(result->buffer_addresses[0] >> 32, (result->buffer_addresses[1] + 4 * large.size()) >> 32);
    EXPECT_EQ(result->variants[0].parameter.address_high, result->buffer_addresses[0] >> 32);
    EXPECT_EQ(words(result->buffers[1]), large);
}

TEST_F(GpuRecorderTest, large_buffers_are_handed_over_in_parts) {
    set("FAKE_CUDA_MEMORY", "0x40000000");
    GpuRecorder recorder({runner()});
    std::vector<std::uint32_t> large(std::size_t{40} << 18);
    for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::uint32_t>(i * 2654435761u);
    GpuLaunch both = launch();
    both.buffers[1].data = std::as_bytes(std::span(large));
    both.buffers.push_back({"z", std::as_bytes(std::span(large).first(large.size() - 1))});
    both.buffers.push_back({"none", {}});
    const auto result = recorder.run(both, {}, reading());
    ASSERT_TRUE(result.has_value()) << message_of(result);
    EXPECT_EQ(words(result->buffers[1]), large);
    large.pop_back();
    EXPECT_EQ(words(result->buffers[2]), large);
    EXPECT_TRUE(result->buffers[3].empty());
}

TEST_F(GpuRecorderTest, a_recording_takes_less_when_memory_is_short) {
    set("FAKE_CUDA_MEMORY", "0x2000000");
    GpuRecorder recorder({runner()});
    GpuRunOptions patient;
    patient.time_limit_s = 60;  // megabytes are cleared: seconds under a sanitizer
    GpuVariant greedy = variant();
    greedy.space_bytes = std::uint64_t{1} << 30;
    const auto result = recorder.run(launch(), {greedy}, patient);
    ASSERT_TRUE(result.has_value()) << message_of(result);
    const std::uint64_t bytes = std::uint64_t{result->variants[0].parameter.chunks} * 8 * unit_bytes;
    EXPECT_LT(bytes, std::uint64_t{32} << 20);
    EXPECT_GT(bytes, std::uint64_t{16} << 20);
}

TEST_F(GpuRecorderTest, many_kernels_leave_only_the_last_ones_loaded) {
    GpuRecorder recorder({runner()});
    GpuRunOptions options;
    for (int kernel = 0; kernel < 70; ++kernel) {
        const auto result = recorder.run(launch({"registers " + std::to_string(kernel + 1)}), {}, options);
        ASSERT_TRUE(result.has_value()) << message_of(result);
        EXPECT_EQ(result->clean.registers, kernel + 1);
    }
    EXPECT_GT(log()["unload"].first, 5);
    forget_log();
    ASSERT_TRUE(recorder.run(launch({"registers 70"}), {}, options).has_value());
    EXPECT_EQ(log()["load"].first, 0);
    ASSERT_TRUE(recorder.run(launch({"registers 1"}), {}, options).has_value());
    EXPECT_EQ(log()["load"].first, 1);
}

TEST_F(GpuRecorderTest, dynamic_shared_memory_beyond_48_kib_is_asked_for) {
    GpuRecorder recorder({runner()});
    GpuLaunch large = launch();
    large.geometry.dynamic_shared_bytes = 200 * 1024;
    const auto result = recorder.run(large, {}, {});
    EXPECT_TRUE(result.has_value()) << message_of(result);
}

TEST_F(GpuRecorderTest, clusters_and_grids_that_run_at_once_are_launched_as_such) {
    GpuRecorder recorder({runner()});
    GpuLaunch clusters = launch();
    clusters.geometry.cluster = {2, 1, 1};
    const auto run = recorder.run(clusters, {variant()}, {});
    ASSERT_TRUE(run) << message_of(run);
    EXPECT_EQ(log()["cluster"], std::pair(2, std::uint64_t{4}));  // clean and recorded
    EXPECT_EQ(log()["launch"].first, 2);
    EXPECT_EQ(log().count("cooperative"), 0u);
    forget_log();
    GpuLaunch together = launch();
    together.geometry.cooperative = true;
    ASSERT_TRUE(recorder.run(together, {}, {}));
    EXPECT_EQ(log()["cooperative"].first, 1);
    EXPECT_EQ(log().count("cluster"), 0u);
    forget_log();
    ASSERT_TRUE(recorder.run(launch(), {}, {}));
    EXPECT_EQ(log().count("cooperative"), 0u);
    EXPECT_EQ(log()["launch"].first, 1);
}

TEST_F(GpuRecorderTest, only_a_cluster_of_more_than_8_blocks_asks_for_any_size) {
    GpuRecorder recorder({runner()});
    for (const std::uint32_t blocks : {8u, 16u}) {
        GpuLaunch clusters = launch();
        clusters.geometry.grid = {16, 1, 1};
        clusters.geometry.cluster = {blocks, 1, 1};
        ASSERT_TRUE(recorder.run(clusters, {}, {}));
    }
    EXPECT_EQ(log()["any_cluster_size"].first, 1);
}

TEST_F(GpuRecorderTest, what_cannot_run_at_once_is_refused_in_a_sentence) {
    GpuRecorder recorder({runner()});
    GpuLaunch together = launch({"together 3"});
    together.geometry.cooperative = true;
    EXPECT_THAT(message_of(recorder.run(together, {}, {})),
                HasSubstr("all 4 blocks of a cooperative grid must run at once"));
    GpuLaunch clusters = launch({"together 1"});
    clusters.geometry.cluster = {4, 1, 1};
    EXPECT_THAT(message_of(recorder.run(clusters, {}, {})),
                HasSubstr("this GPU runs no cluster of 4 such blocks"));
    EXPECT_TRUE(recorder.run(launch(), {}, {}));
}

TEST_F(GpuRecorderTest, a_gpu_without_clusters_is_reported_with_what_would_have_them) {
    set("FAKE_CUDA_CLUSTERS", "0");
    GpuRecorder recorder({runner()});
    GpuLaunch clusters = launch();
    clusters.geometry.cluster = {2, 1, 1};
    EXPECT_THAT(message_of(recorder.run(clusters, {}, {})),
                HasSubstr("clusters of blocks need a GPU of compute capability 9.0 or later"));
}

}  // namespace

}  // namespace warplens::instrumentation
