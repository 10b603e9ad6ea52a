// The structures that views draw, from traces of a few requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/memory/bank_heatmap.h"
#include "analysis/memory/sector_histogram.h"
#include "analysis/memory/shared_layout.h"
#include "analysis/report/explain.h"
#include "analysis/report/source_map.h"
#include "analysis/warps/lane_timeline.h"
#include "analysis/warps/warp_divergence.h"
#include "tests/analysis/small_trace.h"
#include "tests/support/synthetic.h"

namespace warplens::analysis {
namespace {

using testing::HasSubstr;

/// A tile x tile transpose's shared side: rows stored, columns loaded, at the given row pitch in words.
SmallTrace transpose(std::uint64_t tile, std::uint64_t pitch) {
    SmallTrace small({SmallTrace::memory_site(Space::shared, Operation::store, 4, 5),
                      SmallTrace::memory_site(Space::shared, Operation::load, 4, 9)});
    small.program.variables.push_back({"_ZZ9transposePfPKfE4tile", Space::shared, 0, 4 * tile * pitch, 1});
    const auto rows = 32 / tile;
    for (int site = 0; site < 2; ++site) {
        for (std::uint64_t warp = 0; warp < tile / rows; ++warp) {
            Request request = shared_request(4, [&](std::uint64_t lane) {
                const std::uint64_t x = lane % tile, y = warp * rows + lane / tile;
                return 4 * (site == 0 ? y * pitch + x : x * pitch + y);
            });
            small.access(static_cast<int>(warp), static_cast<BasicBlockId>(site), request);
        }
    }
    return small;
}

std::uint64_t first_access_of(const trace::Trace& trace, SiteId site) {
    for (std::uint64_t i = 0; i < trace.accesses.size(); ++i)
        if (trace.accesses[i].site == site) return i;
    return ~std::uint64_t{0};
}

TEST(shared_layout, reads_the_row_pitch_off_the_addresses) {
    for (const std::uint64_t tile : {8, 16, 32}) {
        for (const std::uint64_t pad : {0, 1, 2}) {
            const trace::Trace trace = transpose(tile, tile + pad).record();
            for (const SiteId site : {0u, 1u}) {
                const SharedLayout layout = shared_layout(trace, first_access_of(trace, site));
                EXPECT_TRUE(layout.pitch_known) << tile << " + " << pad;
                EXPECT_EQ(layout.pitch_bytes, 4 * (tile + pad)) << tile << " + " << pad;
                EXPECT_EQ(layout.rows, tile);
                EXPECT_EQ(layout.columns, tile + pad);
                EXPECT_EQ(layout.columns_used, tile);
                EXPECT_EQ(layout.variable, "tile");
            }
        }
    }
}

TEST(shared_layout, shows_the_lanes_and_wavefronts_of_the_chosen_request) {
    const trace::Trace trace = transpose(32, 32).record();
    const SharedLayout layout = shared_layout(trace, first_access_of(trace, 1));
    EXPECT_EQ(layout.count.wavefronts, 32u);
    for (std::uint32_t row = 0; row < 32; ++row) {
        EXPECT_EQ(layout.at(row, 0).lanes.bits, 1u << row);
        EXPECT_EQ(layout.at(row, 0).bank, 0);
        EXPECT_EQ(layout.at(row, 0).wavefront, row);
        EXPECT_TRUE(layout.at(row, 1).lanes.empty());
        EXPECT_TRUE(layout.at(row, 1).used);
    }
}

TEST(shared_layout, falls_back_to_rows_of_32_words_and_says_so) {
    SmallTrace small({SmallTrace::memory_site(Space::shared, Operation::load, 4, 5)});
    small.launch.resources.shared_static_bytes = 512;
    small.access(0, 0, shared_request(4, [](auto) { return 256; }));
    const trace::Trace trace = small.record();
    const SharedLayout layout = shared_layout(trace, 0);
    EXPECT_FALSE(layout.pitch_known);
    EXPECT_EQ(layout.columns, 32u);
    EXPECT_EQ(layout.columns_used, 32u) << "what no lane accesses is not padding of rows that do not exist";
    EXPECT_EQ(layout.rows, 4u);
    EXPECT_EQ(layout.at(2, 0).lanes, LaneMask::all());
}

TEST(shared_layout, long_arrays_are_cut_around_the_request) {
    SmallTrace small({SmallTrace::memory_site(Space::shared, Operation::load, 4, 5)});
    small.launch.geometry.dynamic_shared_bytes = 65536;
    small.access(0, 0, shared_request(4, [](auto lane) { return 40960 + 4 * lane; }));
    const trace::Trace trace = small.record();
    const SharedLayout layout = shared_layout(trace, 0, 16);
    EXPECT_TRUE(layout.truncated);
    EXPECT_EQ(layout.rows, 16u);
    EXPECT_EQ(layout.base, 40960u);
    EXPECT_EQ(layout.at(0, 31).lanes.bits, 0x80000000u);
}

TEST(bank_heatmap, shows_each_banks_distinct_words_in_execution_order) {
    const trace::Trace trace = transpose(32, 32).record();
    const BankHeatmap map = bank_heatmap(trace);
    EXPECT_EQ(map.requests, 64u);
    EXPECT_EQ(map.wavefronts, 32u + 32 * 32);
    EXPECT_EQ(map.ideal_wavefronts, 64u);
    EXPECT_EQ(map.most_words, 32);
    ASSERT_EQ(map.columns.size(), 64u);
    const BankHeatmap load = bank_heatmap(trace, {1, no_index, 512});
    ASSERT_EQ(load.columns.size(), 32u);
    EXPECT_EQ(load.columns[3].max_words[3], 32);
    EXPECT_EQ(load.columns[3].max_words[4], 0);
    const BankHeatmap bounded = bank_heatmap(trace, {no_index, no_index, 10});
    EXPECT_EQ(bounded.requests_per_column, 7u);
    EXPECT_EQ(bounded.columns.size(), 10u);
    const BankHeatmap warp = bank_heatmap(trace, {no_index, 2, 512});
    EXPECT_EQ(warp.requests, 2u);
}

TEST(sector_histogram, counts_requests_by_their_sectors) {
    SmallTrace small({SmallTrace::memory_site(Space::global, Operation::load, 4, 5)});
    small.access(0, 0, global_request(4, [](auto lane) { return 4 * lane; }));
    small.access(0, 0, global_request(4, [](auto lane) { return 128 * lane; }));
    small.access(0, 0, global_request(4, [](auto lane) { return 1024 + 4 * lane; }));
    const SectorHistogram histogram = sector_histogram(small.record(), 0);
    ASSERT_EQ(histogram.bins.size(), 2u);
    EXPECT_EQ(histogram.bins[0].sectors, 4u);
    EXPECT_EQ(histogram.bins[0].requests, 2u);
    EXPECT_EQ(histogram.bins[1].sectors, 32u);
    EXPECT_EQ(histogram.bins[1].first_access, 1u);
    EXPECT_DOUBLE_EQ(histogram.sectors_per_request(), 40.0 / 3);
    EXPECT_DOUBLE_EQ(histogram.used_share(), 3 * 128 / (40 * 32.0));
}

TEST(sector_histogram, a_bin_may_hold_requests_at_their_ideal_and_others) {
    SmallTrace small({SmallTrace::memory_site(Space::global, Operation::load, 4, 5)});
    small.access(0, 0, global_request(4, [](auto lane) { return 4 * lane; }));
    // 20 lanes' bytes would fit in 3 sectors; they lie in two rows that begin inside one.
    Request rows = global_request(4, [](auto lane) { return (lane < 10 ? 0 : 984) + 16 + 4 * lane; });
    rows.mask = LaneMask{(1u << 20) - 1};
    small.access(0, 0, rows);
    const SectorHistogram histogram = sector_histogram(small.record(), 0);
    ASSERT_EQ(histogram.bins.size(), 1u);
    EXPECT_EQ(histogram.bins[0].sectors, 4u);
    EXPECT_EQ(histogram.bins[0].requests, 2u);
    EXPECT_EQ(histogram.bins[0].at_ideal, 1u);
    EXPECT_DOUBLE_EQ(histogram.ideal_per_request(), 3.5);
}

/// if (lane is even) one block, else another; then all together; then lanes 0 to 7 alone.
SmallTrace diverging() {
    SmallTrace small({SmallTrace::branch_site(3), SmallTrace::plain_site(4), SmallTrace::plain_site(6),
                      SmallTrace::plain_site(8), SmallTrace::plain_site(9)});
    const LaneMask even{0x55555555u};
    small.branch(0, 0, LaneMask::all(), even);
    small.visit(0, 1, ~even);
    small.visit(0, 2, even);
    small.visit(0, 3, LaneMask::all());
    small.visit(0, 4, LaneMask::first(8));
    small.visit(1, 3, LaneMask::all());
    return small;
}

TEST(lane_timeline, names_where_lanes_split_meet_and_leave) {
    const trace::Trace trace = diverging().record();
    const LaneTimeline timeline = lane_timeline(trace, 0);
    ASSERT_EQ(timeline.stretches.size(), 5u);
    EXPECT_EQ(timeline.steps, 5u);
    EXPECT_EQ(timeline.active_lanes, 32u + 16 + 16 + 32 + 8);
    EXPECT_EQ(timeline.stretches[1].min_line, 4u);
    EXPECT_EQ(timeline.stretches[2].active.bits, 0x55555555u);
    EXPECT_EQ(timeline.paths, 4u);
    EXPECT_EQ(timeline.stretches[3].path, 0u);
    ASSERT_EQ(timeline.events.size(), 3u);
    EXPECT_EQ(timeline.events[0].kind, LaneEvent::Kind::split);
    EXPECT_EQ(timeline.events[0].taken.bits, 0x55555555u);
    EXPECT_EQ(timeline.events[0].before_visit, 1u);
    EXPECT_EQ(timeline.events[1].kind, LaneEvent::Kind::meet);
    EXPECT_EQ(timeline.events[1].before_visit, 3u);
    EXPECT_EQ(timeline.events[1].taken.bits, 0xaaaaaaaau);
    EXPECT_EQ(timeline.events[2].kind, LaneEvent::Kind::leave);
    EXPECT_EQ(timeline.events[2].lanes.bits, 0xffffff00u);
    EXPECT_EQ(stretch_of(timeline, 2), 2u);
}

TEST(lane_timeline, visits_under_one_mask_are_one_stretch) {
    SmallTrace small({SmallTrace::plain_site(1), SmallTrace::plain_site(5)});
    for (int i = 0; i < 4; ++i) {
        small.visit(0, 0, LaneMask::all());
        small.visit(0, 1, LaneMask::all());
    }
    const LaneTimeline timeline = lane_timeline(small.record(), 0);
    ASSERT_EQ(timeline.stretches.size(), 1u);
    EXPECT_EQ(timeline.stretches[0].visits, 8u);
    EXPECT_EQ(timeline.stretches[0].max_line, 5u);
    EXPECT_TRUE(timeline.events.empty());
}

TEST(lane_timeline, lanes_that_a_predicate_turns_off_stay_with_their_warp) {
    const LaneMask low{0xffffu};
    SmallTrace small({SmallTrace::plain_site(1), SmallTrace::guarded_site(2), SmallTrace::guarded_site(3),
                      SmallTrace::guarded_site(4), SmallTrace::branch_site(5)});
    small.visit(0, 0, LaneMask::all());
    small.guard(0, 1, LaneMask::all(), low);
    small.guard(0, 2, LaneMask::all(), low);
    small.guard(0, 3, LaneMask::all(), LaneMask::all());
    small.branch(0, 4, LaneMask::all(), {});
    const trace::Trace trace = small.record();
    const LaneTimeline timeline = lane_timeline(trace, 0);
    ASSERT_EQ(timeline.stretches.size(), 1u);
    EXPECT_TRUE(timeline.events.empty());
    EXPECT_EQ(timeline.predicated, (std::vector<PredicatedSteps>{{1, 2, ~low}}));
    EXPECT_EQ(timeline.active_lanes, 5 * 32u);
    EXPECT_EQ(timeline.executed_lanes, 32u + 16 + 16 + 32 + 0) << "no lane takes the branch";
}

TEST(warp_divergence, ranks_the_warp_with_the_fewest_lanes_on_first) {
    const std::vector<WarpDivergence> ranked = warps_by_divergence(diverging().record());
    ASSERT_EQ(ranked.size(), 2u);
    EXPECT_EQ(ranked[0].warp_record, 0u);
    EXPECT_EQ(ranked[0].branches_divergent, 1u);
    EXPECT_DOUBLE_EQ(ranked[0].mean_active_lanes(), 104 / 5.0);
    EXPECT_DOUBLE_EQ(ranked[1].mean_active_lanes(), 32);
}

TEST(source_map, sums_the_sites_of_a_line) {
    SmallTrace small({SmallTrace::memory_site(Space::shared, Operation::load, 4, 5),
                      SmallTrace::memory_site(Space::global, Operation::load, 4, 5),
                      SmallTrace::plain_site(0)});
    small.access(0, 0, shared_request(4, [](auto lane) { return 8 * lane; }));
    small.access(0, 1, global_request(4, [](auto lane) { return 8 * lane; }));
    small.visit(0, 2, LaneMask::first(16));
    LaunchFold fold(small.program);
    small.report_to(fold);
    const LaunchReport report = fold.report();
    const std::vector<LineHeat> lines = source_lines(report, small.program);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].line, 5u);
    EXPECT_EQ(lines[0].sites, (std::vector<SiteId>{0, 1}));
    EXPECT_EQ(lines[0].shared.wavefronts, 2u);
    EXPECT_EQ(lines[0].global.sectors, 8u);
    EXPECT_DOUBLE_EQ(lines[0].step_share, 2 / 3.0);
}

TEST(explain, shows_a_bank_conflict_in_numbers) {
    const trace::Trace trace = transpose(32, 32).record();
    const Explanation out = explain_access(trace, first_access_of(trace, 1));
    EXPECT_TRUE(out.is_costly);
    EXPECT_EQ(out.what,
              "Load from shared memory, line 9: 32 lanes request 32 words in 1 bank, which takes 32 "
              "wavefronts (ideal 1).");
    EXPECT_THAT(out.why, HasSubstr("128 bytes apart: 1 full round of the 32 banks"));
    const Explanation store = explain_access(trace, first_access_of(trace, 0));
    EXPECT_FALSE(store.is_costly);
    EXPECT_THAT(store.what, HasSubstr("32 words in 32 banks: 1 wavefront, no conflict."));
}

TEST(explain, counts_the_wavefronts_of_a_wide_request_in_all_its_parts) {
    // Rows of 128 bytes, of which each lane loads 16 bytes: eight lanes are processed together.
    SmallTrace small({SmallTrace::memory_site(Space::shared, Operation::load, 16, 2)});
    small.access(0, 0, shared_request(16, [](auto lane) { return lane % 16 * 128 + lane / 16 * 16; }));
    const Explanation out = explain_access(small.record(), 0);
    EXPECT_THAT(out.what, HasSubstr("takes 32 wavefronts (ideal 4)"));
    EXPECT_THAT(
        out.why,
        HasSubstr("4 parts, one after the other, and their busiest banks must deliver 32 words in all"));
}

TEST(explain, shows_wasted_sectors_and_lanes_that_are_off) {
    SmallTrace small({SmallTrace::memory_site(Space::global, Operation::load, 4, 2)});
    SourceFile source;
    source.name = "k.cu";
    source.text = "void k() {\n    y[i] = x[2 * i];\n}\n";
    small.program.sources.push_back(source);
    small.program.sites[0].file = 0;
    Request request = global_request(4, [](auto lane) { return 8 * lane; });
    request.mask = LaneMask::first(31);
    small.access(0, 0, request);
    const Explanation out = explain_access(small.record(), 0);
    EXPECT_EQ(out.what,
              "Load from global memory, line 2, `y[i] = x[2 * i]`: 31 lanes touch 8 sectors (ideal 4); the "
              "other lane is off.");
    EXPECT_THAT(out.why, HasSubstr("8 bytes apart"));
}

TEST(explain, shows_rows_and_lanes_off_and_how_padding_spreads_a_column) {
    SmallTrace small({SmallTrace::memory_site(Space::global, Operation::store, 4, 2)});
    small.access(0, 0, global_request(4, [](auto lane) { return lane / 16 * 400 + lane % 16 * 4; }));
    Request gaps = global_request(4, [](auto lane) { return 4 * lane; });
    gaps.mask = LaneMask{0x01010101u};
    small.access(0, 0, gaps);
    const trace::Trace trace = small.record();
    const Explanation rows = explain_access(trace, 0);
    EXPECT_THAT(rows.why, HasSubstr("2 rows; within one, neighbours are 4 bytes apart"));
    EXPECT_THAT(explain_access(trace, 1).why, HasSubstr("lanes that are off leave gaps"));

    const trace::Trace padded = transpose(32, 33).record();
    const Explanation column = explain_access(padded, first_access_of(padded, 1));
    EXPECT_FALSE(column.is_costly);
    EXPECT_EQ(
        column.why,
        "Neighbouring lanes are 132 bytes apart, 1 bank further round the 32, so no two lanes share a bank.");
}

TEST(explain, counts_a_textures_requests_and_texels_and_says_that_its_sectors_are_not_known) {
    SmallTrace small({SmallTrace::memory_site(Space::texture, Operation::load, 16, 7),
                      SmallTrace::memory_site(Space::surface, Operation::store, 4, 9)});
    Request pairs;
    for (std::uint64_t lane = 0; lane < 32; ++lane) pairs.addresses[lane] = lane / 2 * 4096;
    small.access(0, 0, pairs);
    Request few = pairs;
    few.mask = LaneMask::first(4);
    small.access(0, 1, few);
    const trace::Trace trace = small.record();
    const Explanation texture = explain_access(trace, 0);
    EXPECT_THAT(texture.what, HasSubstr("Load from a texture, line 7"));
    EXPECT_THAT(texture.what, HasSubstr("32 lanes at 16 different texels"));
    EXPECT_THAT(texture.why, HasSubstr("sectors are not counted"));
    EXPECT_FALSE(texture.is_costly);
    EXPECT_THAT(explain_access(trace, 1).what, HasSubstr("Store to a surface, line 9: 4 lanes at 2"));

    LaunchFold fold(small.program);
    small.report_to(fold);
    const LaunchReport report = fold.report(small.launch);
    EXPECT_EQ(report.texture_load.requests, 1u);
    EXPECT_EQ(report.surface_store.requests, 1u);
    EXPECT_EQ(report.image_requests(), 2u);
    EXPECT_EQ(report.texture_load.sectors + report.texture_load.wavefronts, 0u);
    const Explanation site = explain_site(report, small.program, 0);
    EXPECT_THAT(site.what, HasSubstr("line 7: 1 request."));
    EXPECT_THAT(site.why, HasSubstr("sectors are not counted"));
}

TEST(explain, shows_a_sites_sums) {
    const SmallTrace small = transpose(32, 32);
    LaunchFold fold(small.program);
    small.report_to(fold);
    const Explanation out = explain_site(fold.report(), small.program, 1);
    EXPECT_EQ(out.what,
              "Load from shared memory, line 9: 32 requests, 32 wavefronts each on average (ideal 1).");
    EXPECT_THAT(out.why, HasSubstr("32-way"));
    const SmallTrace branching = diverging();
    LaunchFold branches(branching.program);
    branching.report_to(branches);
    EXPECT_EQ(explain_site(branches.report(), branching.program, 0).what,
              "Branch on line 3: 1 of 1 executions diverged.");
}

TEST(pictures, take_an_empty_trace_and_the_example_without_harm) {
    const trace::Trace empty;
    EXPECT_TRUE(bank_heatmap(empty).columns.empty());
    EXPECT_EQ(sector_histogram(empty).requests, 0u);
    EXPECT_TRUE(lane_timeline(empty, 0).stretches.empty());
    EXPECT_TRUE(warps_by_divergence(empty).empty());
    EXPECT_TRUE(shared_layout(empty, 0).cells.empty());
    EXPECT_TRUE(explain_access(empty, 0).what.empty());
    const trace::Trace example = trace::make_example({2, 72, 3});
    EXPECT_FALSE(lane_timeline(example, 0).stretches.empty());
    for (std::uint64_t i = 0; i < example.accesses.size(); ++i)
        EXPECT_FALSE(explain_access(example, i).what.empty());
}

}  // namespace
}  // namespace warplens::analysis
