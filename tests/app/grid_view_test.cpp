// The grid view, its cells and `--cells`: shapes, idle warps, folded cells, and what a click selects.
#include <gmock/gmock.h>

#include "app/command_line/grid_option.h"
#include "app/views/grid/words.h"
#include "tests/app/view_stage.h"

namespace warplens::app {

std::unique_ptr<View> make_grid_view();

namespace {

using analysis::GridFigure;

std::shared_ptr<const Scene> grid_scene() { return scheduled_scene({6, 72, 3}, 1); }

LaunchGeometry launch_of(Dim3 grid, Dim3 block) {
    LaunchGeometry geometry;
    geometry.grid = grid;
    geometry.block = block;
    return geometry;
}

TEST(grid_view, draws_every_recorded_warp_in_its_own_cell_and_invents_none) {
    const auto scene = grid_scene();
    const GridShape shape = grid_shape(scene->trace->launch.geometry, 1000, 600, 5, 56);
    ASSERT_TRUE(shape.per_warp);
    const auto cells = grid_cells(shape, analysis::grid_figures(*scene->trace, nullptr, GridFigure::steps),
                                  GridFigure::steps, false);
    std::size_t recorded = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        EXPECT_LE(cells[i].warps, 1u);
        EXPECT_EQ(cells[i].value.has_value(), cells[i].warps == 1);
        recorded += cells[i].warps;
        if (cells[i].warps == 0) continue;
        ASSERT_TRUE(shape.exists(i));
        EXPECT_EQ(shape.first_block(i), scene->trace->warps[cells[i].warp].block);
    }
    EXPECT_EQ(recorded, scene->trace->warps.size());
}

TEST(grid_view, cells_lie_in_the_shape_of_the_grid_without_overlap_and_inside_the_picture) {
    const Box area{10, 20, 910, 620};
    for (const LaunchGeometry& geometry :
         {launch_of({7, 5, 1}, {256, 1, 1}), launch_of({4, 3, 2}, {32, 1, 1}),
          launch_of({33, 1, 1}, {96, 1, 1}), launch_of({1, 1, 1}, {1024, 1, 1}),
          launch_of({4096, 1, 1}, {256, 1, 1}), launch_of({100'003, 1, 1}, {64, 1, 1}),
          launch_of({3, 5000, 1}, {128, 1, 1}), launch_of({64, 64, 1}, {16, 16, 1})}) {
        const GridShape shape = grid_shape(geometry, area.width(), area.height(), 5, 56);
        const std::size_t count =
            static_cast<std::size_t>(shape.cells_x * shape.cells_y) * shape.cells_per_block();
        std::uint64_t blocks = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Box box = grid_cell_box(shape, area, i, 1);
            EXPECT_GE(box.x0, area.x0 - 0.1f);
            EXPECT_LE(box.x1, area.x1 + 0.1f);
            EXPECT_LE(box.y1, area.y1 + 0.1f);
            EXPECT_GT(box.width(), 2);
            EXPECT_GT(box.height(), 2);
            blocks += shape.exists(i) && i % shape.cells_per_block() == 0;
        }
        EXPECT_GE(blocks * shape.fold_x * shape.fold_y, geometry.blocks());
        for (const std::uint64_t block : {std::uint64_t{0}, geometry.blocks() / 2, geometry.blocks() - 1}) {
            const std::size_t cell = shape.cell_of(block, 0);
            ASSERT_LT(cell, count);
            EXPECT_TRUE(shape.exists(cell));
            EXPECT_LE(shape.first_block(cell), block);
        }
        if (shape.wrapped || !shape.per_warp) continue;
        const Box right = grid_cell_box(shape, area, shape.cell_of(1, 0), 1);
        const Box below = grid_cell_box(shape, area, shape.cell_of(geometry.grid.x, 0), 1);
        EXPECT_FLOAT_EQ(right.y0, area.y0);
        EXPECT_FLOAT_EQ(below.x0, area.x0);
        EXPECT_GT(below.y0, right.y0);
    }
}

TEST(grid_view, a_large_grid_folds_into_means_or_the_worst) {
    const GridShape shape = grid_shape(launch_of({4096, 4096, 1}, {256, 1, 1}), 800, 600, 5, 56);
    EXPECT_FALSE(shape.per_warp);
    EXPECT_GE(shape.cells_x * shape.fold_x, 4096u);
    EXPECT_LE(static_cast<float>(shape.cells_x) * 10, 800.5f);
    const std::vector<analysis::GridWarp> warps{
        {0, 0, 0, false, 4.0}, {0, 1, 1, false, 8.0}, {1, 0, 2, true, 6.0}};
    const auto mean = grid_cells(shape, warps, GridFigure::steps, false);
    const auto worst = grid_cells(shape, warps, GridFigure::steps, true);
    const auto fewest = grid_cells(shape, warps, GridFigure::lanes, true);
    EXPECT_EQ(mean[0].warps, 3u);
    EXPECT_EQ(mean[0].idle, 1u);
    EXPECT_DOUBLE_EQ(mean[0].value.value(), 6);
    EXPECT_DOUBLE_EQ(worst[0].value.value(), 8);
    EXPECT_EQ(worst[0].warp, 1u);
    EXPECT_DOUBLE_EQ(fewest[0].value.value(), 4) << "few active lanes are the worse";
    EXPECT_FALSE(mean[1].value) << "not recorded";
    EXPECT_TRUE(grid_cells(shape, warps, GridFigure::sm, false)[0].mixed) << "SMs have no mean";
    EXPECT_THAT(grid_shape_words(shape, {4096, 4096, 1}, {GridFigure::steps, true}),
                testing::HasSubstr("the worst of its recorded warps"));
}

TEST(grid_view, a_click_selects_the_warp_everywhere) {
    const auto scene = grid_scene();
    ViewStage stage(make_grid_view(), scene, {1200, 800});
    stage.headless.frame(2);
    const HitBox* found = stage.headless.find("grid cells");
    ASSERT_NE(found, nullptr);
    const Box area{found->min.x, found->min.y, found->max.x, found->max.y};  // `found` lives for one frame
    stage.headless.click_at({area.x0 + 8, area.y0 + 8});
    stage.headless.frame(2);
    EXPECT_EQ(stage.selection.chosen.warp_record, 0u);
    EXPECT_EQ(stage.hovered().warp_record, 0u);
    // Right of it is the block's next warp.
    const auto& geometry = scene->trace->launch.geometry;
    const GridShape shape = grid_shape(geometry, area.width(), area.height(), 5, 120);
    const Box next = grid_cell_box(shape, area, 1, 4);
    stage.headless.click_at(next.centre());
    stage.headless.frame(2);
    EXPECT_EQ(stage.selection.chosen.warp_record, 1u);
}

TEST(grid_view, a_segment_chooses_the_figure_and_a_picture_shows_the_same) {
    const auto scene = grid_scene();
    ViewStage stage(make_grid_view(), scene, {1200, 800});
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("grid cycles"));
    stage.headless.frame(2);
    double most = 0;
    for (const auto& warp : scene->timing->schedule->warps)
        most = std::max(most, double(warp.departure) - double(warp.arrival));
    EXPECT_TRUE(stage.headless.shows(grid_number(GridFigure::cycles, most)));
    EXPECT_TRUE(stage.headless.shows("modelled"));
    stage.selection.wanted_grid = WantedGrid{GridFigure::sm, false};
    stage.headless.frame(2);
    EXPECT_FALSE(stage.selection.wanted_grid) << "taken once";
    EXPECT_TRUE(stage.headless.shows("only a GPU's recording knows which SM ran a warp"));
}

TEST(grid_view, marks_idle_warps_and_blocks_that_were_not_recorded) {
    auto scene = std::make_shared<Scene>(*grid_scene());
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    trace->launch.geometry.grid = {12, 1, 1};
    const trace::WarpRecord& last = trace->warps.back();
    for (std::uint64_t i = last.accesses_begin; i < last.accesses_end; ++i)
        trace->accesses[i].space = Space::param;
    scene->trace = trace;
    ViewStage stage(make_grid_view(), scene, {1200, 800});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("1 warp accesses no memory"));
    EXPECT_TRUE(stage.headless.shows("not recorded in this sample"));
    EXPECT_TRUE(stage.headless.shows("18 of 36 warps"));
}

TEST(grid_option, reads_color_and_fold_and_names_what_is_wrong) {
    EXPECT_EQ(parse_grid_option("color=lanes,fold=worst").value(), (WantedGrid{GridFigure::lanes, true}));
    EXPECT_EQ(parse_grid_option("fold=mean").value(), (WantedGrid{GridFigure::steps, false}));
    EXPECT_EQ(parse_grid_option("color=sm").value().figure, GridFigure::sm);
    for (const char* wrong : {"color=red", "fold=sum", "size=3", "color", "color=steps,,"})
        EXPECT_FALSE(parse_grid_option(wrong)) << wrong;
    EXPECT_THAT(parse_grid_option("color=red").error().message,
                testing::HasSubstr("steps, lanes, conflicts, cycles, sm"));
}

}  // namespace
}  // namespace warplens::app
