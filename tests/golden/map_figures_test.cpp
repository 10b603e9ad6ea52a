// Which thread accesses which element: figures of the catalogue's kernels, from their traces.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/memory/access_map.h"
#include "catalogue_run.h"

namespace warplens::app {
namespace {

using analysis::MapFilter;
using analysis::MappedArray;

MappedArray array_of(const trace::Trace& trace, const std::string& name) {
    for (const MappedArray& array : analysis::mapped_arrays(trace))
        if (array.name == name) return array;
    ADD_FAILURE() << name << " is not accessed";
    return {};
}

MapFilter all_of(const trace::Trace& trace) { return {0, static_cast<std::uint32_t>(trace.warps.size())}; }

MapFilter block_of(const trace::Trace& trace, std::uint64_t block) {
    const auto* first = trace::find_warp(trace, block, 0);
    const auto at = static_cast<std::uint32_t>(first - trace.warps.data());
    return {at, at + static_cast<std::uint32_t>(trace.launch.geometry.warps_per_block())};
}

constexpr analysis::MapSize whole_size{4096, 4096};

TEST(map, vector_add_gives_element_i_to_thread_i_and_leaves_24_threads_idle) {
    const Executed run = execute("vector_add", {{"n", "1000"}, {"block", "256"}});
    const trace::Trace& trace = *run.trace;
    const auto arrays = analysis::mapped_arrays(trace);
    ASSERT_EQ(arrays.size(), 3u);
    for (const MappedArray& array : arrays) {
        const auto map = analysis::access_map(trace, array, all_of(trace), whole_size);
        EXPECT_EQ(map.elements, 1000u);
        EXPECT_EQ(map.accesses, 1000u);
        for (std::uint64_t element = 0; element < 1000; ++element) {
            const auto& first = map.cell_of(array, element)->first;
            const trace::WarpRecord& warp = trace.warps[first.warp_record];
            EXPECT_EQ(warp.block * 256 + warp.warp * 32 + first.lane, element);
        }
    }
    const auto idle = analysis::idle_threads(trace, all_of(trace));
    EXPECT_EQ(idle.threads, 1024u);
    EXPECT_EQ(idle.idle, 24u);
}

TEST(map, saxpy_leaves_240_of_10240_threads_idle) {
    const Executed run = execute("saxpy", {{"n", "10000"}});
    const auto idle = analysis::idle_threads(*run.trace, all_of(*run.trace));
    EXPECT_EQ(idle.threads, 10240u);
    EXPECT_EQ(idle.idle, 240u);
    const MappedArray x = array_of(*run.trace, "x");
    const auto map = analysis::access_map(*run.trace, x, all_of(*run.trace), whole_size);
    const auto& first = map.cell_of(x, 3149)->first;
    EXPECT_EQ(run.trace->warps[first.warp_record].block, 12u);
    EXPECT_EQ(run.trace->warps[first.warp_record].warp * 32 + first.lane, 77u);
}

TEST(map, thread_3_5_of_block_2_7_writes_row_35_and_column_117) {
    const Executed run = execute("record_coordinates", {});
    const trace::Trace& trace = *run.trace;
    const MappedArray array = array_of(trace, "index_at");
    EXPECT_TRUE(array.columns_known);
    EXPECT_EQ(array.columns, 120u);
    const auto map = analysis::access_map(trace, array, all_of(trace), whole_size);
    const auto& first = map.cell_of(array, 35 * 120 + 117)->first;
    const trace::WarpRecord& warp = trace.warps[first.warp_record];
    EXPECT_EQ(coordinates(warp.block, trace.launch.geometry.grid), (Dim3{7, 2, 0}));
    EXPECT_EQ(coordinates(warp.warp * 32 + first.lane, trace.launch.geometry.block), (Dim3{5, 3, 0}));
}

TEST(map, a_transposing_block_reads_a_tile_and_writes_the_mirrored_one) {
    const Executed run = execute("transpose_tiled", {{"W", "128"}, {"H", "96"}, {"TILE", "32"}});
    const trace::Trace& trace = *run.trace;
    const MappedArray in = array_of(trace, "input"), out = array_of(trace, "output");
    EXPECT_EQ(in.columns, 128u);
    EXPECT_EQ(out.columns, 96u);
    // Block (2, 1): columns 64 to 95 of rows 32 to 63, and the other way round.
    const MapFilter block = block_of(trace, 4 * 1 + 2);
    const auto read = analysis::access_map(trace, in, block, whole_size);
    const auto written = analysis::access_map(trace, out, block, whole_size);
    EXPECT_EQ(read.area, (analysis::MapArea{32, 64, 32, 32}));
    EXPECT_EQ(written.area, (analysis::MapArea{64, 32, 32, 32}));
    EXPECT_EQ(read.read, 1024u);
    EXPECT_EQ(written.written, 1024u);
    const MappedArray tile = array_of(trace, "tile");
    EXPECT_EQ(tile.space, Space::shared);
    const auto shared = analysis::access_map(trace, tile, block, whole_size);
    EXPECT_EQ(shared.read, 1024u);
    EXPECT_EQ(shared.written, 1024u);
}

TEST(map, padding_makes_a_shared_row_longer_and_nobody_accesses_it) {
    const Executed run = execute("transpose_tiled", {{"W", "64"}, {"H", "64"}, {"TILE", "32"}, {"PAD", "1"}});
    const MappedArray tile = array_of(*run.trace, "tile");
    EXPECT_TRUE(tile.columns_known);
    EXPECT_EQ(tile.columns, 33u);
    const auto map = analysis::access_map(*run.trace, tile, block_of(*run.trace, 0), whole_size, true);
    for (std::uint64_t row = 0; row < 32; ++row)
        EXPECT_EQ(map.cell_of(tile, row * 33 + 32)->accesses, 0u) << row;
    EXPECT_EQ(map.elements, 1024u);
}

TEST(map, a_tiled_product_reads_each_element_of_a_block_s_part_once_and_a_naive_one_tile_times) {
    const Overrides size{{"M", "64"}, {"N", "64"}, {"K", "64"}};
    Overrides tiled = size;
    tiled["TILE"] = "16";
    const Executed good = execute("matmul_tiled", tiled);
    for (const char* name : {"A", "B"}) {
        const MappedArray array = array_of(*good.trace, name);
        EXPECT_EQ(array.columns, 64u) << name;
        const auto map = analysis::access_map(*good.trace, array, block_of(*good.trace, 5), whole_size);
        EXPECT_EQ(map.read, 16u * 64) << name;
        EXPECT_EQ(map.loads, 16u * 64) << name;
    }
    const MappedArray a = array_of(*good.trace, "A");
    const auto whole = analysis::access_map(*good.trace, a, all_of(*good.trace), whole_size);
    EXPECT_EQ(whole.loads, 64u * 64 * 4) << "each tile of A is read by the 4 blocks of its row";
    EXPECT_TRUE(whole.cell_of(a, 0)->several_blocks);
    const MappedArray shared = array_of(*good.trace, "A_tile");
    EXPECT_EQ(shared.columns, 16u);

    const Executed bad = execute("matmul_naive", {{"N", "64"}});
    const auto blocks = bad.trace->launch.geometry;
    const MappedArray naive = array_of(*bad.trace, "A");
    EXPECT_EQ(naive.columns, 64u);
    const auto map = analysis::access_map(*bad.trace, naive, block_of(*bad.trace, 0), whole_size);
    EXPECT_EQ(map.read, std::uint64_t{blocks.block.y} * 64);
    EXPECT_EQ(map.loads, std::uint64_t{blocks.block.y} * 64 * blocks.block.x);
    const MappedArray b = array_of(*bad.trace, "B");
    EXPECT_EQ(b.columns, 64u) << "from the loop down its columns";
}

TEST(map, a_block_of_warp_tiles_reads_its_rows_of_a_and_columns_of_b_and_each_warp_writes_a_tile) {
    const Executed run = execute("matmul_warp_tiled", {{"M", "640"}, {"N", "640"}, {"K", "64"}});
    const trace::Trace& trace = *run.trace;
    const MapFilter block = block_of(trace, 7);  // x 2, y 1 of 5 x 5
    const MappedArray a = array_of(trace, "A"), b = array_of(trace, "B"), c = array_of(trace, "C");
    const auto rows = analysis::access_map(trace, a, block, whole_size);
    EXPECT_EQ(rows.area, (analysis::MapArea{128, 0, 128, 64}));
    EXPECT_EQ(rows.loads, 128u * 64) << "each element once";
    const auto columns = analysis::access_map(trace, b, block, whole_size);
    EXPECT_EQ(columns.area, (analysis::MapArea{0, 256, 64, 128}));
    EXPECT_EQ(columns.loads, 64u * 128);
    EXPECT_EQ(analysis::access_map(trace, c, block, whole_size).area,
              (analysis::MapArea{128, 256, 128, 128}));
    // Warp 5 of the block is in row 2 and column 1 of its 4 x 2 warp tiles of 32 x 64 elements.
    const auto warp =
        analysis::access_map(trace, c, {block.first_warp + 5, block.first_warp + 6}, whole_size);
    EXPECT_EQ(warp.area, (analysis::MapArea{128 + 2 * 32, 256 + 64, 32, 64}));
    EXPECT_EQ(warp.written, 32u * 64);
}

TEST(map, a_block_of_a_convolution_loads_130_elements) {
    for (const auto& [kernel, loads] : {std::pair{"conv1d_shared", 130u}, std::pair{"conv1d_naive", 384u}}) {
        const Executed run = execute(kernel, {{"block", "128"}});
        const auto arrays = analysis::mapped_arrays(*run.trace);
        const auto in = std::ranges::find(arrays, "input", &MappedArray::name);
        ASSERT_NE(in, arrays.end()) << kernel;
        const auto map = analysis::access_map(*run.trace, *in, block_of(*run.trace, 1), whole_size);
        EXPECT_EQ(map.read, 130u) << kernel;
        EXPECT_EQ(map.loads, loads) << kernel;
    }
}

}  // namespace
}  // namespace warplens::app
