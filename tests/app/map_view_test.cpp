// The map view: scope, color, one array, and one thread followed through the arrays.
#include <gmock/gmock.h>

#include <cstdlib>

#include "analysis/memory/mapped_arrays.h"
#include "app/command_line/map_option.h"
#include "app/scene/default_selection.h"
#include "app/views/map/heading.h"
#include "app/views/map/pairing.h"
#include "app/views/map/panel.h"
#include "app/views/map/words.h"
#include "catalogue_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_map_view();

namespace {

std::shared_ptr<Scene> small_scene(std::uint64_t generation = 1) {
    auto scene = stage_scene(trace::ExampleShape::tiny(), generation);
    auto recorded = std::make_shared<trace::Trace>(*scene->trace);
    recorded->launch.geometry.grid = {2, 1, 1};  // all of them are recorded
    scene->trace = std::move(recorded);
    return scene;
}

TEST(map_view, shows_all_blocks_that_were_executed_or_the_selected_block_or_warp) {
    ViewStage stage(make_map_view(), small_scene(), {1500, 800});
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("144 threads in 2 blocks"));
    EXPECT_TRUE(stage.headless.shows("the block that accesses the element first"));
    ASSERT_TRUE(stage.headless.click("map scope block"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Block 0 of"));
    EXPECT_TRUE(stage.headless.shows("72 threads"));
    EXPECT_TRUE(stage.headless.shows("the warp that accesses the element first"));
    stage.selection.chosen.warp_record = 3;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Block 1 of"));
    ASSERT_TRUE(stage.headless.click("map scope warp"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Warp 0 of block 1"));
    EXPECT_TRUE(stage.headless.shows("lane 31")) << "the scale";
}

TEST(map_view, a_shared_array_has_its_warps_colors_where_blocks_have_colors) {
    const auto scene = small_scene();
    ViewStage stage(make_map_view(), scene, {1500, 800});
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("in shared arrays the warp"));
    EXPECT_FALSE(stage.headless.shows("thin: of its warp in the same request"));
    stage.selection.chosen = default_selection(*scene, "banks");
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("thin: of its warp in the same request"));
    MapPanel panel;
    panel.array.space = Space::shared;
    EXPECT_EQ(colour_in(panel, MapColour::block), MapColour::warp);
    EXPECT_EQ(colour_in(panel, MapColour::count), MapColour::count);
    panel.array.space = Space::global;
    EXPECT_EQ(colour_in(panel, MapColour::block), MapColour::block);
    ASSERT_TRUE(stage.headless.click("map scope block"));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("in shared arrays the warp")) << "all have the warps' colors";
}

TEST(map_view, an_array_of_three_extents_has_its_planes) {
    const auto scene = timed_kernel("matmul_double_buffered", {{"TILE", "16"}});
    const auto arrays = analysis::mapped_arrays(*scene->trace);
    const auto tile = std::ranges::find(arrays, "A_tile", &analysis::MappedArray::name);
    ASSERT_NE(tile, arrays.end());
    EXPECT_EQ(tile->extents, (std::vector<std::uint32_t>{2, 16, 16}));
    EXPECT_EQ(tile->rows_of_plane(), 16u);
    EXPECT_EQ(element_words(*tile, 256 + 16 + 5), "A_tile[1][1][5]");
    ViewStage stage(make_map_view(), scene, {1280, 720});
    stage.interactive = false;
    const std::string words = drawn_words(stage);
    EXPECT_NE(words.find("2 × 16 × 16"), std::string::npos) << words;
    EXPECT_NE(words.find("1, 0\n"), std::string::npos) << "row 0 of the second plane: " << words;
}

TEST(map_view, arrays_of_two_runs_correspond_by_name_or_by_what_is_done_with_them) {
    const auto array = [](const char* name, bool loaded, bool stored) {
        analysis::MappedArray made;
        made.name = name;
        made.loaded = loaded;
        made.stored = stored;
        return made;
    };
    const std::vector now{array("fields", true, false), array("output", false, true),
                          array("kept", true, true)};
    const std::vector before{array("particles", true, false), array("output", false, true)};
    ASSERT_NE(array_before(now, before, now[0]), nullptr);
    EXPECT_EQ(array_before(now, before, now[0])->name, "particles");
    EXPECT_EQ(array_before(now, before, now[1])->name, "output");
    EXPECT_EQ(array_before(now, before, now[2]), nullptr) << "no other array is loaded and stored";
}

TEST(map_view, launched_grids_are_said_to_be_left_out) {
    ViewStage stage(make_map_view(), timed_kernel("child_launch"), {1280, 720});
    stage.interactive = false;
    EXPECT_NE(drawn_words(stage).find("accesses of launched grids are not recorded"), std::string::npos);
    ViewStage alone(make_map_view(), small_scene(), {1280, 720});
    EXPECT_EQ(drawn_words(alone).find("launched grids"), std::string::npos);
}

TEST(map_view, rows_of_a_flat_array_suit_what_is_shown_of_it) {
    const auto rows_in = [](MapScope scope, bool paired) {
        ViewStage stage(make_map_view(), small_scene(2), {1500, 800});
        if (paired) stage.baseline = small_scene(1);
        stage.selection.wanted_map = WantedMap{"in", scope, MapColour::lane, true, true, 0};
        stage.headless.frame(3);
        std::vector<std::string> rows;
        for (const std::string& words : stage.headless.words())
            if (words.find("in a row") != std::string::npos || words.find("in rows of") != std::string::npos)
                rows.push_back(words);
        return rows;
    };
    for (const MapScope scope : {MapScope::launch, MapScope::warp}) {
        const auto alone = rows_in(scope, false), both = rows_in(scope, true);
        ASSERT_EQ(alone.size(), 1u);
        ASSERT_EQ(both.size(), 2u);
        EXPECT_EQ(both[0], both[1]) << "as long in both runs";
    }
    analysis::MappedArray array;
    array.bytes = 35000 * 4;
    array.group = 7;
    EXPECT_LT(easy_columns(array, 140), easy_columns(array, array.elements()));
    array.columns = easy_columns(array, array.elements());
    EXPECT_EQ(shape_wordings(array).front(), "35,000 in groups of 7, 74 in a row");
    array.columns = easy_columns(array, 7 * 32);
    EXPECT_EQ(shape_wordings(array).front(), "35,000 in groups of 7, 5 in a row");
}

TEST(map_view, two_runs_show_one_scope) {
    // All blocks of this run are recorded, of the other one a few of 1024.
    const auto part = stage_scene(trace::ExampleShape::tiny(), 1);
    auto many = std::make_shared<trace::Trace>(*part->trace);
    many->launch.geometry.grid = {1024, 1, 1};
    part->trace = std::move(many);
    ViewStage stage(make_map_view(), small_scene(2), {1500, 800});
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("144 threads in 2 blocks"));
    stage.baseline = part;
    stage.headless.frame(3);
    EXPECT_FALSE(stage.headless.shows("144 threads")) << "of both blocks";
    EXPECT_TRUE(stage.headless.shows("Block 0 of"));
    stage.baseline = small_scene(1);
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("144 threads in 2 blocks"));
}

TEST(map_view, two_runs_have_one_shape_where_only_one_tells_it) {
    const auto scene = small_scene();
    analysis::MappedArray flat;
    flat.name = "data";
    flat.bytes = 8192 * 4;
    analysis::MappedArray known = flat;
    known.columns = 512;
    known.columns_known = true;
    for (const bool now_is_flat : {true, false}) {
        analysis::MappedArray one = flat, other = known;
        if (!now_is_flat) std::swap(one, other);
        fit_rows({*scene->trace, one, {}}, ScopedArray{*scene->trace, other, {}}, 1024);
        EXPECT_EQ(one.columns, 512u);
        EXPECT_EQ(other.columns, 512u);
        EXPECT_TRUE(one.columns_known && other.columns_known);
    }
    known.bytes *= 2;
    analysis::MappedArray one = flat, other = known;
    fit_rows({*scene->trace, one, {}}, ScopedArray{*scene->trace, other, {}}, 1024);
    EXPECT_FALSE(one.columns_known) << "another number of elements has another shape";
}

TEST(map_view, arrays_reach_down_to_the_legend) {
    for (const bool paired : {false, true}) {
        ViewStage stage(make_map_view(), small_scene(2), {1280, 720}, ThemeName::light);
        stage.interactive = false;
        if (paired) stage.baseline = small_scene(1);
        drawn_words(stage);
        expect_legible(stage, {1280, 720});
        const auto& texts = stage.headless.texts();
        const auto last = std::ranges::max_element(texts, {}, [](const DrawnText& one) { return one.max.y; });
        ASSERT_NE(last, texts.end());
        EXPECT_GT(last->max.y, 720 - 30) << "no empty room below the provenance line";
    }
}

/// Their rows suit what is accessed, so that gaps between the elements show.
TEST(map_view, flat_arrays_of_two_runs_are_drawn_element_by_element) {
    const auto before = timed_kernel("aos_read");
    auto after = std::make_shared<Scene>(*timed_kernel("soa_read"));
    after->generation = before->generation + 1;
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        ViewStage stage(make_map_view(), after, size, ThemeName::light);
        stage.interactive = false;
        stage.baseline = before;
        const std::string words = drawn_words(stage);
        EXPECT_NE(words.find("in groups of 4"), std::string::npos) << words;
        EXPECT_NE(words.find("in rows of 64"), std::string::npos) << words;
        EXPECT_EQ(words.find("cell"), std::string::npos) << "a cell is an element: " << words;
        EXPECT_NE(words.find("as many as in first run"), std::string::npos) << words;
        const HitBox* map = stage.headless.find("map before of particles");
        ASSERT_TRUE(map);
        EXPECT_GT(map->max.y - map->min.y, size.y / 5) << "the lower half is no longer empty";
        expect_legible(stage, size);
    }
}

TEST(map_view, a_warps_part_of_a_flat_array_has_shorter_rows_than_the_launchs) {
    const auto columns_in = [](MapScope scope) {
        ViewStage stage(make_map_view(), stage_scene({16, 256, 1}), {1500, 800});
        stage.selection.chosen.warp_record = 0;
        stage.selection.wanted_map = WantedMap{"in", scope, MapColour::lane, true, true, 0};
        stage.headless.frame(3);
        for (const std::string& words : stage.headless.words()) {
            // "… in groups of 2, 64 in a row", "… in rows of 128"
            const auto row = words.find(" in a row"), rows = words.find(" in rows of ");
            if (row != std::string::npos && words.find("in groups of") < row)
                return std::atoi(words.c_str() + words.rfind(' ', row - 1) + 1);
            if (rows != std::string::npos) return std::atoi(words.c_str() + rows + 12);
        }
        return 0;
    };
    const int launch = columns_in(MapScope::launch), warp = columns_in(MapScope::warp);
    EXPECT_GT(warp, 0);
    EXPECT_GE(launch, 2 * warp);
}

TEST(map_view, a_click_on_an_element_selects_the_thread_that_accesses_it) {
    ViewStage stage(make_map_view(), small_scene(), {1500, 800});
    stage.headless.frame(3);
    ASSERT_TRUE(stage.headless.find("map of in"));
    // The kernel loads with stride 2.
    ASSERT_TRUE(stage.headless.click("map cell in 0 6"));
    stage.headless.frame(2);
    EXPECT_EQ(stage.selection.chosen.warp_record, 0u);
    EXPECT_EQ(stage.selection.chosen.lane, 3);
    EXPECT_LT(stage.selection.chosen.access, stage.scene->trace->accesses.size());
    EXPECT_TRUE(stage.headless.shows("block 0 · thread 3 · lane 3 of warp 0"));
    EXPECT_TRUE(stage.headless.shows("in[6]"));
}

TEST(map_view, one_array_can_be_shown_alone_with_rows_of_another_length) {
    ViewStage stage(make_map_view(), small_scene(), {1500, 800});
    WantedMap wanted;
    wanted.array = "in";
    wanted.scope = MapScope::block;
    wanted.colour = MapColour::count;
    wanted.columns = 16;
    stage.selection.wanted_map = wanted;
    stage.headless.frame(3);
    EXPECT_FALSE(stage.selection.wanted_map) << "taken once";
    EXPECT_TRUE(stage.headless.shows("accessed once"));
    EXPECT_TRUE(stage.headless.shows("16"));
    EXPECT_FALSE(stage.headless.find("map of tile"));
    ASSERT_TRUE(stage.headless.click("map columns +"));
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.find("map of in"));
    ASSERT_TRUE(stage.headless.click("map accesses stores"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("no accesses"));
}

TEST(map_view, shows_the_first_requests_only) {
    ViewStage stage(make_map_view(), small_scene(), {1500, 800});
    stage.headless.frame(3);
    ASSERT_TRUE(stage.headless.click("map play"));
    stage.headless.frame();
    EXPECT_TRUE(stage.headless.shows("stop"));
    stage.headless.frame(200);
    EXPECT_TRUE(stage.headless.shows("play")) << "it ends with all requests";
    ASSERT_TRUE(stage.headless.click("map requests -"));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("stop"));
}

TEST(map_option, reads_what_the_map_shows_and_names_what_is_wrong) {
    const auto wanted = parse_map_option("array=A,scope=warp,color=order,accesses=stores,columns=64");
    ASSERT_TRUE(wanted) << wanted.error().message;
    EXPECT_EQ(wanted->array, "A");
    EXPECT_EQ(wanted->scope, MapScope::warp);
    EXPECT_EQ(wanted->colour, MapColour::order);
    EXPECT_FALSE(wanted->loads);
    EXPECT_TRUE(wanted->stores);
    EXPECT_EQ(wanted->columns, 64u);
    EXPECT_TRUE(parse_map_option("color=lane"));
    for (const char* wrong :
         {"color=red", "scope=", "columns=0", "columns=8", "colour=lane", "array=A,columns=x"})
        EXPECT_FALSE(parse_map_option(wrong)) << wrong;
}

TEST(map_view, draws_each_array_of_two_runs_with_cells_of_one_size) {
    ViewStage stage(make_map_view(), small_scene(2), {1500, 800});
    stage.baseline = small_scene(1);
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("first run"));
    EXPECT_TRUE(stage.headless.shows("second run"));
    EXPECT_TRUE(stage.headless.shows("differs from the other run"));
    const HitBox* before = stage.headless.find("map before of in");
    const HitBox* after = stage.headless.find("map of in");
    ASSERT_TRUE(before && after);
    EXPECT_FLOAT_EQ(before->max.x - before->min.x, after->max.x - after->min.x);
    ASSERT_TRUE(stage.headless.click("map cell in 0 6"));
    stage.headless.frame(2);
    EXPECT_EQ(stage.selection.chosen.lane, 3) << "of the present run";
    stage.baseline = stage_scene(trace::ExampleShape::empty(), 3);
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("first run accesses no array that corresponds to one of this run."));
}

TEST(map_view, an_element_differs_where_another_thread_accesses_it) {
    const auto scene = small_scene();
    ViewStage stage(make_map_view(), scene);
    const Ink ink{nullptr, stage.headless.theme()};
    const MapLook look{ink, *scene->trace, MapColour::lane, 1, 1, std::nullopt, false};
    MapPanel panel, other;
    panel.map.rows = other.map.rows = 1;
    panel.map.columns = other.map.columns = 3;
    panel.map.area = other.map.area = {0, 0, 1, 3};
    panel.map.cells.resize(3);
    for (analysis::MapCell& cell : panel.map.cells) {
        cell.accesses = cell.elements = 1;
        cell.first.warp_record = 0;
        cell.first.lane = 4;
    }
    other.map.cells = panel.map.cells;
    other.map.cells[1].first.lane = 5;
    other.map.cells[2].accesses = 0;
    EXPECT_EQ(changed_cells(look, panel, {look, other}), (std::vector<bool>{false, true, true}));
    other.map.columns_per_cell = 2;
    EXPECT_EQ(changed_cells(look, panel, {look, other}), (std::vector<bool>{false, false, false}));
}

TEST(map_view, the_selected_thread_is_named_and_outlined_in_both_runs) {
    ViewStage stage(make_map_view(), small_scene(2), {1500, 800});
    stage.baseline = small_scene(1);
    stage.headless.frame(3);
    ASSERT_TRUE(stage.headless.click("map cell in 0 6"));
    stage.headless.frame(2);
    stage.headless.move_mouse({2, 2});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run: block 0"));
    EXPECT_TRUE(stage.headless.shows("second run: block 0"));
    const auto named = [&stage](const char* words) {
        const auto& all = stage.headless.words();
        return std::ranges::count_if(all,
                                     [&](const std::string& one) { return one.find(words) != one.npos; });
    };
    EXPECT_EQ(named("in[6]"), 2) << "the element of the thread, in this run and in the first";
}

TEST(map_view, the_outlines_are_those_of_the_thread_and_its_request_in_each_run) {
    const auto scene = small_scene();
    const auto arrays = analysis::mapped_arrays(*scene->trace);
    std::vector<MapPanel> panels(2);
    panels[0].array = *std::ranges::find(arrays, "in", &analysis::MappedArray::name);
    analysis::MapThread thread;
    thread.warp_record = 0;
    thread.lane = 3;
    analysis::MapFilter filter;
    filter.first_warp = 0;
    filter.last_warp = static_cast<std::uint32_t>(scene->trace->warps.size());
    mark_thread(*scene->trace, thread, filter, panels);
    EXPECT_THAT(panels[0].of_thread, testing::Contains(6u));
    EXPECT_TRUE(panels[0].of_request.empty()) << "no request is selected";
    EXPECT_TRUE(panels[1].of_thread.empty()) << "an array that this run does not access";
}

}  // namespace
}  // namespace warplens::app
