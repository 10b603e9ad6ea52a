// Which threads access which elements of an array, and how an array's rows are found.
#include "analysis/memory/access_map.h"

#include <gtest/gtest.h>

#include "trace/recorder.h"

namespace warplens::analysis {
namespace {

/// Two blocks of two warps: each thread loads in[index] and stores out[index / 2]; the threads from 120 on do
/// nothing.
constexpr std::uint64_t in_base = 4096, out_base = 8192, threads = 120;

Site memory_site(Operation operation, std::uint32_t bytes) {
    Site site;
    site.opcode = operation == Operation::load ? "ld.global.f32" : "st.global.f32";
    site.kind = SiteKind::memory;
    site.space = Space::global;
    site.operation = operation;
    site.bytes_per_lane = bytes;
    return site;
}

trace::Trace halves() {
    Program program;
    program.sites = {memory_site(Operation::load, 4), memory_site(Operation::store, 4)};
    program.sites[1].basic_block = 1;
    program.basic_blocks = {{0, 1}, {1, 1}};
    trace::Launch launch;
    launch.geometry = {.grid = {2, 1, 1}, .block = {64, 1, 1}};
    launch.buffers = {{"in", "f32", 4, in_base, 512}, {"out", "f32", 4, out_base, 256}};
    trace::Recorder recorder(std::move(launch), std::move(program), {});
    for (std::uint64_t block = 0; block < 2; ++block) {
        auto observer = recorder.begin_block(block);
        for (int warp = 0; warp < 2; ++warp) {
            trace::Addresses load{}, store{};
            LaneMask mask;
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                const std::uint64_t index = block * 64 + static_cast<std::uint64_t>(warp) * 32 + lane;
                if (index >= threads) continue;
                mask.bits |= 1u << lane;
                load[lane] = in_base + 4 * index;
                store[lane] = out_base + 4 * (index / 2);
            }
            observer->visit(warp, 0, mask);
            observer->access(warp, {0, mask, Space::global, Operation::load, 4, &load});
            observer->visit(warp, 1, mask);
            observer->access(warp, {1, mask, Space::global, Operation::store, 4, &store});
        }
        recorder.finish(block, std::move(observer));
    }
    return recorder.take();
}

MapFilter all_of(const trace::Trace& trace) { return {0, static_cast<std::uint32_t>(trace.warps.size())}; }

TEST(access_map, counts_each_element_and_remembers_its_first_thread) {
    const trace::Trace trace = halves();
    const auto arrays = mapped_arrays(trace);
    ASSERT_EQ(arrays.size(), 2u);
    EXPECT_EQ(arrays[0].name, "in");
    EXPECT_EQ(arrays[0].elements(), 128u);
    const AccessMap in = access_map(trace, arrays[0], all_of(trace), {64, 128});
    EXPECT_EQ(in.loads, 120u);
    EXPECT_EQ(in.read, 120u);
    EXPECT_EQ(in.written, 0u);
    EXPECT_EQ(in.orders, 1u);
    for (std::uint64_t element = 0; element < 128; ++element) {
        const MapCell* cell = in.cell_of(arrays[0], element);
        ASSERT_NE(cell, nullptr) << element;
        EXPECT_EQ(cell->accesses, element < 120 ? 1u : 0u) << element;
        if (element >= 120) continue;
        EXPECT_EQ(cell->first.warp_record, element / 32);
        EXPECT_EQ(cell->first.lane, element % 32);
        EXPECT_EQ(cell->first.order, 0u);
        EXPECT_FALSE(cell->several_threads);
    }
    const AccessMap out = access_map(trace, arrays[1], all_of(trace), {64, 128});
    EXPECT_EQ(out.stores, 120u);
    EXPECT_EQ(out.written, 60u);
    const MapCell* shared = out.cell_of(arrays[1], 35);
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(shared->stores, 2u);
    EXPECT_EQ(shared->first.order, 1u) << "the second request of its warp";
    EXPECT_TRUE(shared->several_threads);
    EXPECT_FALSE(shared->several_warps);
}

TEST(access_map, takes_only_what_the_filter_asks_for) {
    const trace::Trace trace = halves();
    const auto arrays = mapped_arrays(trace);
    MapFilter filter{1, 2};
    EXPECT_EQ(access_map(trace, arrays[0], filter, {64, 128}).read, 32u);
    EXPECT_EQ(access_map(trace, arrays[1], filter, {64, 128}).written, 16u);
    filter.stores = false;
    EXPECT_EQ(access_map(trace, arrays[1], filter, {64, 128}).accesses, 0u);
    filter = all_of(trace);
    filter.site = 1;
    EXPECT_EQ(access_map(trace, arrays[0], filter, {64, 128}).accesses, 0u);
    filter.site = no_index;
    filter.last_order = 1;
    EXPECT_EQ(access_map(trace, arrays[0], filter, {64, 128}).read, 120u);
    EXPECT_EQ(access_map(trace, arrays[1], filter, {64, 128}).written, 0u);
}

TEST(access_map, a_large_array_has_several_elements_in_a_cell) {
    const trace::Trace trace = halves();
    MappedArray array = mapped_arrays(trace)[0];
    array.columns = 32;
    const AccessMap map = access_map(trace, array, all_of(trace), {4, 10});
    EXPECT_EQ(map.columns_per_cell, 4u);
    EXPECT_EQ(map.rows_per_cell, 1u);
    ASSERT_EQ(map.cells.size(), 32u);
    EXPECT_EQ(map.at(0, 0).elements, 4u);
    EXPECT_EQ(map.at(3, 5).elements, 4u);
    EXPECT_EQ(map.at(3, 6).elements, 0u);
    EXPECT_TRUE(map.at(0, 0).several_threads);
    EXPECT_FALSE(map.at(0, 0).several_warps);
    EXPECT_EQ(map.read, 120u);
}

TEST(access_map, shows_the_accessed_part_of_an_array_unless_the_whole_is_not_much_larger) {
    const trace::Trace trace = halves();
    MappedArray array = mapped_arrays(trace)[0];
    array.columns = 16;
    EXPECT_EQ(access_map(trace, array, {1, 2}, {64, 128}).area, (MapArea{0, 0, 8, 16}));
    array.columns = 128;
    const AccessMap part = access_map(trace, array, {3, 4}, {64, 128});
    EXPECT_EQ(part.area, (MapArea{0, 96, 1, 24}));
    EXPECT_EQ(access_map(trace, array, {3, 4}, {64, 128}, true).area, (MapArea{0, 0, 1, 128}));
    EXPECT_EQ(part.cell_of(array, 95), nullptr);
    EXPECT_EQ(part.cell_of(array, 96), &part.cells.front());
}

TEST(access_map, one_thread_s_elements_and_the_idle_threads) {
    const trace::Trace trace = halves();
    const auto arrays = mapped_arrays(trace);
    const auto elements = elements_of_thread(trace, arrays[1], 2, 7, all_of(trace));
    ASSERT_EQ(elements.size(), 1u);
    EXPECT_EQ(elements[0].element, (64u + 7) / 2);
    EXPECT_EQ(trace.accesses[elements[0].access].site, 1u);
    const IdleThreads idle = idle_threads(trace, all_of(trace));
    EXPECT_EQ(idle.threads, 128u);
    EXPECT_EQ(idle.idle, 8u);
}

/// One warp after another of a block of 32 × 4 that loads rows of `pitch` elements.
trace::Trace rows_of(std::uint64_t pitch, std::uint64_t rows) {
    Program program;
    program.sites = {memory_site(Operation::load, 4)};
    program.basic_blocks = {{0, 1}};
    trace::Launch launch;
    launch.geometry = {.grid = {1, 1, 1}, .block = {32, 4, 1}};
    launch.buffers = {{"in", "f32", 4, in_base, pitch * rows * 4}};
    trace::Recorder recorder(std::move(launch), std::move(program), {});
    auto observer = recorder.begin_block(0);
    for (int warp = 0; warp < 4; ++warp) {
        trace::Addresses addresses{};
        for (std::uint64_t lane = 0; lane < 32; ++lane)
            addresses[lane] = in_base + 4 * (static_cast<std::uint64_t>(warp) * pitch + lane);
        observer->visit(warp, 0, LaneMask::all());
        observer->access(warp, {0, LaneMask::all(), Space::global, Operation::load, 4, &addresses});
    }
    recorder.finish(0, std::move(observer));
    return recorder.take();
}

TEST(mapped_arrays, threads_below_each_other_give_the_length_of_a_row) {
    for (const std::uint64_t pitch : {96u, 100u, 1000u}) {
        const auto arrays = mapped_arrays(rows_of(pitch, 50));
        ASSERT_EQ(arrays.size(), 1u);
        EXPECT_TRUE(arrays[0].columns_known);
        EXPECT_EQ(arrays[0].columns, pitch);
        EXPECT_EQ(arrays[0].rows(), 50u);
    }
}

/// One block of one dimension whose warps load, request by request, the element that index(thread, request)
/// is.
trace::Trace loads_of(std::uint32_t threads, std::uint64_t elements, std::uint64_t requests,
                      std::uint64_t (*index)(std::uint64_t thread, std::uint64_t request)) {
    Program program;
    program.sites = {memory_site(Operation::load, 4)};
    program.basic_blocks = {{0, 1}};
    trace::Launch launch;
    launch.geometry = {.grid = {1, 1, 1}, .block = {threads, 1, 1}};
    launch.buffers = {{"in", "f32", 4, in_base, elements * 4}};
    trace::Recorder recorder(std::move(launch), std::move(program), {});
    auto observer = recorder.begin_block(0);
    for (std::uint32_t warp = 0; warp < threads / 32; ++warp)
        for (std::uint64_t request = 0; request < requests; ++request) {
            trace::Addresses addresses{};
            for (std::uint64_t lane = 0; lane < 32; ++lane)
                addresses[lane] = in_base + 4 * index(32 * std::uint64_t{warp} + lane, request);
            observer->visit(static_cast<int>(warp), 0, LaneMask::all());
            observer->access(static_cast<int>(warp),
                             {0, LaneMask::all(), Space::global, Operation::load, 4, &addresses});
        }
    recorder.finish(0, std::move(observer));
    return recorder.take();
}

TEST(mapped_arrays, gaps_in_what_a_block_accesses_give_the_length_of_a_row) {
    // 256 threads load 64 columns of 4 rows at once, then the 4 rows below: no request leaves its row.
    const auto tile = [](std::uint64_t thread, std::uint64_t request) {
        return (4 * request + thread / 64) * 256 + thread % 64;
    };
    const auto arrays = mapped_arrays(loads_of(256, 256 * 256, 16, tile));
    EXPECT_TRUE(arrays[0].columns_known);
    EXPECT_EQ(arrays[0].columns, 256u);
    // A half warp in every fourth row.
    const auto apart = [](std::uint64_t thread, std::uint64_t request) {
        return (thread / 16 * 4 + request / 4) * 256 + thread % 16 + 16 * (request % 4);
    };
    EXPECT_EQ(mapped_arrays(loads_of(256, 256 * 256, 16, apart))[0].columns, 256u);
}

TEST(mapped_arrays, a_block_that_copies_everything_says_nothing_about_rows) {
    const auto copy = [](std::uint64_t thread, std::uint64_t request) { return request * 64 + thread; };
    EXPECT_TRUE(mapped_arrays(loads_of(64, 64 * 128, 128, copy))[0].is_flat());
}

TEST(mapped_arrays, lanes_that_step_over_elements_give_groups) {
    const auto record = [](std::uint64_t thread, std::uint64_t request) { return 7 * thread + request; };
    const trace::Trace trace = loads_of(128, 7 * 128, 3, record);
    MappedArray array = mapped_arrays(trace)[0];
    EXPECT_TRUE(array.is_flat());
    EXPECT_EQ(array.group, 7u);
    EXPECT_EQ(array.columns % 7, 0u);
    EXPECT_EQ(accessed_range(trace, array, all_of(trace)), (ElementRange{0, 7 * 127 + 2}));
    EXPECT_EQ(accessed_range(trace, array, {1, 2}), (ElementRange{7 * 32, 7 * 63 + 2}));
    EXPECT_EQ(easy_columns(array, 1), 35u) << "whole groups, also of a single element";
    array.columns = easy_columns(array, 7 * 128);
    const AccessMap map = access_map(trace, array, all_of(trace), {64, 128});
    for (std::uint32_t column = 0; column < map.columns; ++column)
        EXPECT_EQ(map.at(1, column).accesses > 0, column % 7 < 3) << column;
    // Nine floats are wider than what is one row.
    const auto wide = [](std::uint64_t thread, std::uint64_t request) { return 9 * thread + request; };
    const MappedArray other = mapped_arrays(loads_of(1024, 9 * 1024, 2, wide))[0];
    EXPECT_TRUE(other.is_flat());
    EXPECT_EQ(other.group, 9u);
    EXPECT_EQ(other.columns % 9, 0u);
}

TEST(mapped_arrays, a_picture_has_a_cell_for_each_element_of_a_group) {
    // Of seven fields x, y, vx and vy are used: without a cell each, the gap of one field could not be seen.
    const auto fields = [](std::uint64_t thread, std::uint64_t request) {
        return 7 * thread + request + (request > 1 ? 1 : 0);
    };
    const trace::Trace trace = loads_of(5120, 7 * 5120, 4, fields);
    MappedArray array = mapped_arrays(trace)[0];
    EXPECT_EQ(array.group, 7u);
    constexpr MapSize room{80, 340};
    array.columns = easy_columns(array, array.elements(), room.columns);
    EXPECT_EQ(array.columns % 7, 0u);
    const AccessMap map = access_map(trace, array, all_of(trace), room);
    EXPECT_EQ(map.columns_per_cell, 1u);
    for (std::uint32_t column = 0; column < map.columns; ++column) {
        const std::uint32_t field = column % 7;
        EXPECT_EQ(map.at(1, column).accesses > 0, field == 0 || field == 1 || field == 3 || field == 4)
            << column;
    }
}

/// The trace with a second buffer of `elements` floats, which the first warp reads whole, at one address each
/// time.
trace::Trace with_broadcasts(trace::Trace trace, std::uint64_t elements) {
    const trace::Buffer& first = trace.launch.buffers.front();
    trace::Buffer keys = first;
    keys.name = "keys";
    keys.base = first.base + (first.bytes + 255) / 256 * 256;
    keys.bytes = 4 * elements;
    for (trace::AccessRecord& record : trace.accesses)
        if (&record - trace.accesses.data() < 4) {
            record.base = keys.base;
            record.stride = 0;
            record.scattered = false;
        }
    trace.launch.buffers.push_back(keys);
    return trace;
}

TEST(mapped_arrays, an_array_that_says_nothing_has_the_rows_of_others_of_its_size) {
    const auto tile = [](std::uint64_t thread, std::uint64_t request) {
        return (4 * request + thread / 64) * 256 + thread % 64;
    };
    const trace::Trace matrix = loads_of(256, 256 * 256, 16, tile);
    const auto same = mapped_arrays(with_broadcasts(matrix, 256 * 256));
    ASSERT_EQ(same.size(), 2u);
    EXPECT_EQ(same[0].like, "");
    EXPECT_EQ(same[1].columns, 256u);
    EXPECT_TRUE(same[1].columns_known);
    EXPECT_EQ(same[1].like, same[0].name);
    EXPECT_TRUE(mapped_arrays(with_broadcasts(matrix, 256 * 128))[1].is_flat()) << "of another size";
}

TEST(mapped_arrays, a_flat_array_gets_rows_that_are_easy_to_draw) {
    const auto arrays = mapped_arrays(halves());
    EXPECT_FALSE(arrays[0].columns_known);
    EXPECT_EQ(arrays[0].columns, 32u);
}

}  // namespace
}  // namespace warplens::analysis
