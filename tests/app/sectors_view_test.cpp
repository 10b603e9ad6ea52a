#include <gtest/gtest.h>

#include "app/scene/default_selection.h"
#include "app/views/sectors/parts.h"
#include "catalogue_stage.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_sectors_view();

namespace {

constexpr std::uint32_t strided_load = 6, gather_load = 10;  // lines of the synthetic kernel

TEST(sectors_view, tells_a_newcomer_what_to_do_before_the_first_run) {
    ViewStage stage(make_sectors_view(), nullptr);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("No kernel has run yet"));
}

TEST(sectors_view, says_that_a_kernel_without_global_requests_has_none) {
    ViewStage stage(make_sectors_view(), stage_scene(trace::ExampleShape::empty()));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("no global-memory request"));
}

TEST(sectors_view, gives_the_sectors_the_ideal_and_the_bytes_used_of_a_strided_load) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_sectors_view(), scene);
    stage.selection.chosen.access = find_request(*scene->trace, Space::global, strided_load);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("8 sectors"));
    EXPECT_TRUE(stage.headless.shows("(ideal 4)"));
    EXPECT_TRUE(stage.headless.shows("128 of 256 bytes used"));
    EXPECT_TRUE(stage.headless.shows("in[2 * t]"));
    EXPECT_TRUE(stage.headless.shows("simulated 2 of 1,024 blocks"));
}

TEST(sectors_view, puts_the_lane_into_the_index_when_it_is_hovered) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_sectors_view(), scene);
    stage.selection.chosen.access = find_request(*scene->trace, Space::global, strided_load);
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.hover("sectors lane 5"));
    stage.headless.frame(2);
    EXPECT_EQ(stage.hovered().lane, 5);
    EXPECT_EQ(stage.hovered().access, stage.selection.chosen.access);
    EXPECT_TRUE(stage.headless.shows("in[0 + 5 × 2] = in[10]"));
    stage.headless.click("sectors lane 5");
    EXPECT_EQ(stage.selection.chosen.lane, 5);
}

TEST(sectors_view, a_click_on_a_row_of_the_table_chooses_its_site) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_sectors_view(), scene);
    stage.headless.frame(2);
    const RequestIndex index = index_requests(*scene, MemoryKind::global_or_local);
    ASSERT_GE(index.sites.size(), 3u);
    ASSERT_TRUE(stage.headless.click("sectors row 2"));
    EXPECT_EQ(stage.selection.chosen.site, index.sites[2].site);
    EXPECT_EQ(scene->trace->accesses[stage.selection.chosen.access].site, index.sites[2].site);
}

TEST(sectors_view, lists_the_sites_worst_first) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    const RequestIndex index = index_requests(*scene, MemoryKind::global_or_local);
    for (std::size_t i = 1; i < index.sites.size(); ++i)
        EXPECT_GE(index.sites[i - 1].ratio(), index.sites[i].ratio());
    EXPECT_EQ(scene->trace->program.sites[index.sites.front().site].line, gather_load);
}

TEST(sectors_view, draws_every_size_and_theme_inside_its_region) {
    const auto scene = stage_scene({4, 256, 4});
    for (const std::uint32_t line : {strided_load, gather_load})
        for (const ImVec2 size :
             {ImVec2{640, 400}, ImVec2{300, 900}, ImVec2{1280, 800}, ImVec2{3840, 2160}}) {
            ViewStage stage(make_sectors_view(), scene, size,
                            line == gather_load ? ThemeName::light : ThemeName::dark);
            stage.interactive = false;
            stage.selection.chosen.access = find_request(*scene->trace, Space::global, line);
            stage.headless.frame(2);
            EXPECT_GT(stage.headless.vertices(), 500);
            for (const char* part : {"sectors lines", "sectors histogram", "sectors sites"}) {
                const HitBox* box = stage.headless.find(part);
                ASSERT_NE(box, nullptr) << part;
                EXPECT_LE(box->max.x, size.x) << part;
                EXPECT_LE(box->max.y, size.y) << part;
                EXPECT_GT(box->max.x, box->min.x) << part;
                EXPECT_GT(box->max.y, box->min.y) << part;
            }
        }
}

TEST(sectors_view, the_axis_ends_near_the_most_sectors_of_a_request) {
    for (const auto& [sectors, end] :
         {std::pair(1u, 8u), {5u, 8u}, {8u, 8u}, {9u, 16u}, {17u, 32u}, {40u, 40u}})
        EXPECT_EQ(sector_axis_end(sectors), end) << sectors;
}

TEST(sectors_view, a_large_trace_costs_no_more_to_draw_than_a_small_one) {
    ViewStage small(make_sectors_view(), stage_scene({8, 1024, 8}));
    ViewStage large(make_sectors_view(), stage_scene(trace::ExampleShape::huge(400'000)));
    small.headless.frame(2);
    large.headless.frame(2);
    EXPECT_LT(large.headless.vertices(), 2 * small.headless.vertices());
}

TEST(sector_request, splits_a_request_into_lines_with_the_gaps_between_them) {
    trace::Trace trace;
    Site site;
    site.opcode = "ld.global.f32";
    site.kind = SiteKind::memory;
    site.space = Space::global;
    site.operation = Operation::load;
    site.bytes_per_lane = 4;
    trace.program.sites.push_back(site);
    // A column of a matrix of 1024 floats: one word of every 4096 bytes.
    trace.accesses.push_back({0, LaneMask::all(), 1 << 20, 4096, Space::global, false});
    const SectorRequest request = sector_request(trace, 0);
    ASSERT_EQ(request.lines.size(), 32u);
    EXPECT_EQ(request.count.sectors, 32u);
    EXPECT_EQ(request.moved_bytes(), 1024u);
    EXPECT_EQ(request.lines[0].gap, 0u);
    EXPECT_EQ(request.lines[1].gap, 4096u - 128u);
    EXPECT_EQ(request.lines[1].used_bytes, 4u);
    ASSERT_EQ(request.stretches.size(), 32u);
    EXPECT_EQ(request.stretches[7].line, 7u);
    EXPECT_TRUE(request.stretches[7].lanes.has(7));
}

TEST(sectors_view, the_sectors_of_two_runs_name_the_lanes_that_use_them) {
    const auto strided = [](const char* stride, std::uint64_t generation) {
        auto scene = std::make_shared<Scene>(*timed_kernel("copy_strided", {{"stride", stride}}));
        scene->generation = generation;
        return scene;
    };
    const auto was = strided("2", 1), now = strided("1", 2);
    ViewStage stage(make_sectors_view(), now, {1232, 650});
    stage.interactive = false;
    stage.baseline = was;
    stage.selection.chosen = default_selection(*now, "sectors");
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("lanes 0–3")) << "of every second element";
    EXPECT_TRUE(stage.headless.shows("lanes 0–7"));
}

}  // namespace
}  // namespace warplens::app
