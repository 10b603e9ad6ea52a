// The grid view, its cells and `--cells`: shapes, idle warps, folded cells, and what a click selects.
#include <gmock/gmock.h>

#include "app/command_line/grid_option.h"
#include "app/views/grid/words.h"
#include "tests/app/catalogue_stage.h"

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
    ASSERT_TRUE(shape.per_unit);
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
          launch_of({8, 8, 24}, {64, 1, 1}), launch_of({2, 2, 60'000}, {32, 1, 1}),
          launch_of({33, 1, 1}, {96, 1, 1}), launch_of({1, 1, 1}, {1024, 1, 1}),
          launch_of({4096, 1, 1}, {256, 1, 1}), launch_of({100'003, 1, 1}, {64, 1, 1}),
          launch_of({3, 5000, 1}, {128, 1, 1}), launch_of({64, 64, 1}, {16, 16, 1})}) {
        const GridShape shape = grid_shape(geometry, area.width(), area.height(), 5, 56);
        const std::size_t count = shape.cell_count();
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
        EXPECT_GE(blocks * shape.blocks_per_cell(), geometry.blocks());
        for (const std::uint64_t block : {std::uint64_t{0}, geometry.blocks() / 2, geometry.blocks() - 1}) {
            const std::size_t cell = shape.cell_of(block, 0);
            ASSERT_LT(cell, count);
            EXPECT_TRUE(shape.exists(cell));
            EXPECT_LE(shape.first_block(cell), block);
        }
        if (shape.wrapped || !shape.per_unit) continue;
        const Box right = grid_cell_box(shape, area, shape.cell_of(1, 0), 1);
        const Box below = grid_cell_box(shape, area, shape.cell_of(geometry.grid.x, 0), 1);
        EXPECT_FLOAT_EQ(right.y0, area.y0 + shape.plane_heading);
        EXPECT_FLOAT_EQ(below.x0, area.x0);
        EXPECT_GT(below.y0, right.y0);
    }
}

TEST(grid_view, planes_of_z_lie_so_that_the_picture_is_filled) {
    const Box area{0, 0, 1600, 800};
    for (const Dim3 grid : {Dim3{8, 8, 16}, Dim3{4, 4, 64}, Dim3{32, 2, 8}, Dim3{2, 16, 12}}) {
        const GridShape shape = grid_shape(launch_of(grid, {32, 1, 1}), area.width(), area.height(), 5, 120);
        EXPECT_EQ(shape.planes, grid.z);
        float covered = 0, right = 0, bottom = 0;
        for (std::uint64_t plane = 0; plane < shape.planes; ++plane) {
            const Box box = grid_plane_box(shape, area, plane);
            covered += box.width() * box.height();
            right = std::max(right, box.x1);
            bottom = std::max(bottom, box.y1);
            for (std::uint64_t other = 0; other < plane; ++other) {
                const Box second = grid_plane_box(shape, area, other);
                EXPECT_TRUE(second.x1 <= box.x0 || second.y1 <= box.y0) << plane << " and " << other;
            }
        }
        EXPECT_GT(covered, 0.5f * area.width() * area.height())
            << grid.x << " × " << grid.y << " × " << grid.z;
        EXPECT_LE(right, area.x1 + 0.1f);
        EXPECT_LE(bottom, area.y1 + 0.1f);
    }
}

TEST(grid_view, headings_name_the_planes_of_z) {
    auto scene = std::make_shared<Scene>(*scheduled_scene({6, 72, 5}, 2));
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    trace->launch.geometry.grid = {2, 2, 24};
    scene->trace = trace;
    ViewStage stage(make_grid_view(), scene, {1280, 720});
    stage.interactive = false;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("z 0"));
    EXPECT_TRUE(stage.headless.shows("z 23"));
    EXPECT_TRUE(stage.headless.shows("a plane for each z"));
    expect_legible(stage, {1280, 720});
}

TEST(grid_view, a_large_grid_folds_into_means_or_the_worst) {
    const GridShape shape = grid_shape(launch_of({4096, 4096, 1}, {256, 1, 1}), 800, 600, 5, 56);
    EXPECT_FALSE(shape.per_unit);
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
    const GridShape shape = grid_shape(geometry, area.width(), area.height(), 5, widest_grid_cell);
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
    EXPECT_TRUE(stage.headless.shows("8 threads access no memory, among them 1 whole warp"));
    EXPECT_TRUE(stage.headless.shows("not recorded in this sample"));
    EXPECT_TRUE(stage.headless.shows("18 of 36 warps"));
}

TEST(grid_view, threads_outside_the_data_are_idle) {
    struct Launch {
        const char *kernel, *n;
        std::uint64_t threads, idle, whole_warps;
    };
    for (const Launch& launch :
         {Launch{"vector_add", "1000", 1024, 24, 0}, {"saxpy", "10000", 10240, 240, 7}}) {
        SCOPED_TRACE(launch.kernel);
        const auto scene = timed_kernel(launch.kernel, {{"n", launch.n}});
        const LaunchGeometry& geometry = scene->trace->launch.geometry;
        const auto warps = analysis::grid_figures(*scene->trace, nullptr, GridFigure::steps);
        const GridSpread spread(warps, geometry, analysis::thread_steps(*scene->trace));
        EXPECT_EQ(spread.known, launch.threads);
        EXPECT_EQ(spread.idle_threads, launch.idle);
        EXPECT_EQ(GridSpread(warps).idle, launch.whole_warps);
        const GridShape shape = grid_shape(geometry, 1200, 500, 5, 120, GridUnit::thread);
        ASSERT_TRUE(shape.threads);
        const auto cells =
            thread_cells(shape, geometry, warps, GridFigure::steps, analysis::thread_steps(*scene->trace));
        std::uint64_t idle = 0, fewest = ~0ull, most_of_idle = 0;
        for (const GridCellValue& cell : cells) {
            if (cell.warps == 0) continue;
            const auto steps = static_cast<std::uint64_t>(cell.value.value());
            idle += cell.idle;
            if (cell.idle > 0) most_of_idle = std::max(most_of_idle, steps);
            else fewest = std::min(fewest, steps);
        }
        EXPECT_EQ(idle, launch.idle);
        EXPECT_LT(most_of_idle, fewest) << "they leave before the access";
        ViewStage stage(make_grid_view(), scene, {1232, 660});
        stage.selection.wanted_grid = WantedGrid{GridFigure::steps, false, true};
        stage.headless.frame(3);
        EXPECT_TRUE(stage.headless.shows("one cell for each thread"));
        EXPECT_TRUE(stage.headless.shows(std::to_string(launch.idle) + " threads access no memory"));
        ASSERT_TRUE(stage.headless.click("grid warps"));
        stage.headless.frame(2);
        EXPECT_TRUE(stage.headless.shows("one cell for each warp"));
    }
}

TEST(grid_view, a_grid_without_room_for_each_thread_says_so) {
    const GridShape shape =
        grid_shape(launch_of({4096, 1, 1}, {256, 1, 1}), 800, 600, 5, 120, GridUnit::thread);
    EXPECT_FALSE(shape.threads);
    EXPECT_THAT(grid_shape_words(shape, {4096, 1, 1}, {GridFigure::steps, false, true}),
                testing::HasSubstr("no room for a cell for each thread"));
}

TEST(grid_view, two_runs_are_on_one_scale_with_the_cells_that_differ_outlined) {
    const GridShape shape = grid_shape(launch_of({2, 1, 1}, {64, 1, 1}), 800, 600, 5, 56);
    const std::vector<analysis::GridWarp> one{
        {0, 0, 0, false, 4.0}, {0, 1, 1, false, 8.0}, {1, 0, 2, false, 4.0}, {1, 1, 3, false, 4.0}};
    auto other = one;
    other[1].value = 31;
    const auto cells_of = [&](const auto& warps) {
        return grid_cells(shape, warps, GridFigure::steps, false);
    };
    const auto changed = changed_cells(shape, cells_of(one), shape, cells_of(other));
    ASSERT_EQ(changed.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(changed[i], i == shape.cell_of(0, 1)) << i;
    EXPECT_TRUE(changed_cells(shape, cells_of(one), shape, cells_of(one)).empty()) << "nothing differs";
    for (analysis::GridWarp& warp : other) warp.value = 50;
    EXPECT_TRUE(changed_cells(shape, cells_of(one), shape, cells_of(other)).empty()) << "all differ";
    GridSpread scale(one);
    scale.join(GridSpread(other));
    EXPECT_EQ(scale.least, 4);
    EXPECT_EQ(scale.most, 50);

    ViewStage stage(make_grid_view(), scheduled_scene({6, 72, 5}, 2), {1232, 660});
    stage.baseline = grid_scene();
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("first run"));
    EXPECT_TRUE(stage.headless.shows("second run"));
    ASSERT_TRUE(stage.headless.find("grid before"));
    ASSERT_TRUE(stage.headless.find("grid cells"));
    for (const ImVec2 size : {ImVec2{752, 540}, {1000, 700}, {1600, 1000}}) {
        ViewStage picture(make_grid_view(), scheduled_scene({6, 72, 5}, 2), size);
        picture.baseline = grid_scene();
        picture.interactive = false;
        picture.headless.frame(3);
        expect_legible(picture, size);
    }
}

TEST(grid_view, the_title_of_two_runs_compares_their_means) {
    const auto scene = grid_scene();
    const GridSpread now(analysis::grid_figures(*scene->trace, nullptr, GridFigure::steps));
    EXPECT_EQ(grid_change_words(*scene, "PAD=0", GridFigure::steps, now, now), "; PAD=0 has as many");
    GridSpread was = now;
    was.sum *= 2;
    was.most = was.least;
    EXPECT_TRUE(grid_change_words(*scene, "PAD=0", GridFigure::steps, was, now).ends_with("(mean −50 %)"));
    was.most = was.least + 1;
    EXPECT_TRUE(grid_change_words(*scene, "PAD=0", GridFigure::steps, was, now).ends_with(" (−50 %)"));
    EXPECT_EQ(grid_change_words(*scene, "PAD=0", GridFigure::steps, {}, now), "");
    EXPECT_EQ(grid_change_words(*scene, "PAD=0", GridFigure::sm, was, now), "");
}

TEST(grid_view, the_cells_of_two_runs_stand_for_the_same) {
    const Dim3 wide{24, 20, 1}, narrow{2, 1, 1};
    const auto launched = [](Dim3 grid, std::uint64_t generation) {
        auto scene = std::make_shared<Scene>(*scheduled_scene({6, 72, 5}, generation));
        auto trace = std::make_shared<trace::Trace>(*scene->trace);
        trace->launch.geometry.grid = grid;
        scene->trace = std::move(trace);
        return scene;
    };
    ViewStage stage(make_grid_view(), launched(narrow, 2), {700, 400});
    stage.interactive = false;
    stage.headless.frame(3);
    ASSERT_TRUE(stage.headless.shows("one cell for each warp"));
    stage.baseline = launched(wide, 1);
    stage.headless.frame(3);
    EXPECT_FALSE(stage.headless.shows("one cell for each warp"));
    EXPECT_TRUE(stage.headless.shows("one cell for each block"));
    EXPECT_EQ(grid_shape(launch_of(narrow, {64, 1, 1}), 800, 600, 5, 56, GridUnit::block).unit(),
              GridUnit::block);
}

TEST(grid_option, reads_color_and_fold_and_names_what_is_wrong) {
    EXPECT_EQ(parse_grid_option("color=lanes,fold=worst").value(), (WantedGrid{GridFigure::lanes, true}));
    EXPECT_EQ(parse_grid_option("fold=mean").value(), (WantedGrid{GridFigure::steps, false}));
    EXPECT_EQ(parse_grid_option("color=sm").value().figure, GridFigure::sm);
    EXPECT_TRUE(parse_grid_option("of=threads").value().threads);
    EXPECT_FALSE(parse_grid_option("of=lanes"));
    for (const char* wrong : {"color=red", "fold=sum", "size=3", "color", "color=steps,,"})
        EXPECT_FALSE(parse_grid_option(wrong)) << wrong;
    EXPECT_THAT(parse_grid_option("color=red").error().message,
                testing::HasSubstr("steps, lanes, conflicts, cycles, sm"));
}

}  // namespace
}  // namespace warplens::app
