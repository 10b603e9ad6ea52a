#include <gtest/gtest.h>

#include <algorithm>

#include "app/views/clusters/drawing.h"
#include "tests/app/catalogue_stage.h"
#include "trace/recorder.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_clusters_view();

namespace {

/// One cluster of four blocks of one warp; lane l of block 0 updates word l of rank l % `spread`, the others
/// nothing.
std::shared_ptr<const Scene> cluster_scene(std::size_t spread = 4, std::uint64_t generation = 1) {
    auto scene = std::make_shared<Scene>(*stage_scene(trace::ExampleShape::empty(), generation));
    trace::Launch launch;
    launch.kernel = "spread";
    launch.geometry = {
        .grid = {4, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 0, .cluster = {4, 1, 1}};
    Program program;
    Site site;
    site.opcode = "atom.add.u32";
    site.kind = SiteKind::memory;
    site.space = Space::shared_cluster;
    site.operation = Operation::atomic;
    site.bytes_per_lane = 4;
    site.line = 57;
    program.sites.push_back(site);
    program.basic_blocks.push_back({0, 1});
    trace::Recorder recorder(std::move(launch), std::move(program), {});
    for (std::uint64_t block = 0; block < 4; ++block) {
        auto observer = recorder.begin_block(block);
        if (block == 0) {
            trace::Addresses addresses{};
            for (std::size_t lane = 0; lane < 32; ++lane) addresses[lane] = (lane % spread) << 24 | 4 * lane;
            observer->visit(0, 0, LaneMask::all());
            observer->access(0,
                             {0, LaneMask::all(), Space::shared_cluster, Operation::atomic, 4, &addresses});
        }
        recorder.finish(block, std::move(observer));
    }
    scene->trace = std::make_shared<const trace::Trace>(recorder.take());
    return scene;
}

TEST(clusters_view, shows_the_busiest_pair_nearer_until_another_is_chosen) {
    ViewStage stage(make_clusters_view(), cluster_scene(), {1500, 860});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("32 accesses to shared memory through the cluster, 75 % of them"));
    EXPECT_TRUE(stage.headless.shows(
        "One request of block 0, warp 0, line 57: 32 lanes to the shared memory of 4 blocks"));
    EXPECT_TRUE(stage.headless.shows("Accesses by block 0 to block 1's shared memory"));
    EXPECT_TRUE(stage.headless.shows("×8 own"));
    ASSERT_TRUE(stage.headless.click("cluster cell 0 2"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Accesses by block 0 to block 2's shared memory"));
    ASSERT_TRUE(stage.headless.click("cluster lane 7"));
    stage.headless.frame(2);
    EXPECT_EQ(stage.selection.chosen.lane, 7);
    EXPECT_TRUE(stage.headless.shows("Accesses by block 0 to block 3's shared memory")) << "lane 7's";
}

TEST(clusters_view, a_narrow_pane_keeps_the_matrix) {
    ViewStage stage(make_clusters_view(), cluster_scene(), {700, 500});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.find("cluster cell 3 3"));
    EXPECT_FALSE(stage.headless.shows("One request of block 0"));
}

TEST(clusters_view, the_words_of_a_block_stay_in_its_box_however_low_the_pane_is) {
    for (const float height : {260.0f, 300.0f, 340.0f, 420.0f, 600.0f, 900.0f}) {
        ViewStage stage(make_clusters_view(), cluster_scene(), {940, height});
        stage.headless.frame(2);
        const HitBox* box = stage.headless.find("cluster target 0");
        ASSERT_NE(box, nullptr) << height;
        for (const DrawnText& text : stage.headless.texts()) {
            const bool meets = text.min.x >= box->min.x && text.max.x <= box->max.x &&
                               text.min.y < box->max.y && text.max.y > box->min.y;
            if (!meets) continue;
            EXPECT_GE(text.min.y, box->min.y - 3) << height << ": " << text.words;
            EXPECT_LE(text.max.y, box->max.y + 3) << height << ": " << text.words;
        }
    }
}

TEST(clusters_view, names_the_ranks_of_all_columns_or_of_none) {
    for (float width = 300; width <= 900; width += 30) {
        ViewStage stage(make_clusters_view(), cluster_scene(), {width, 500});
        stage.headless.frame(2);
        const auto ranks = std::ranges::count_if(stage.headless.texts(), [](const DrawnText& text) {
            return text.words.starts_with("rank ") && text.words.size() == 6;
        });
        EXPECT_EQ(ranks % 4, 0) << "at " << width;
    }
}

TEST(clusters_view, draws_the_matrices_of_two_runs_at_one_scale) {
    ViewStage stage(make_clusters_view(), cluster_scene(2, 2), {1900, 860});
    stage.baseline = cluster_scene(4, 1);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("; first run: 32 accesses, 75 %")) << "the title";
    EXPECT_TRUE(stage.headless.shows("4 blocks, 24 accesses to others, 75 %"));
    EXPECT_TRUE(stage.headless.shows("4 blocks, 16 accesses to others, 50 %"));
    EXPECT_TRUE(stage.headless.shows("differs from the other run"));
    const HitBox* before = stage.headless.find("cluster before 0 1");
    const HitBox* after = stage.headless.find("cluster cell 0 1");
    ASSERT_TRUE(before && after);
    EXPECT_FLOAT_EQ(before->max.x - before->min.x, after->max.x - after->min.x);
    EXPECT_LT(before->max.x, after->min.x);
    ASSERT_TRUE(stage.headless.click("cluster cell 0 1"));
    EXPECT_EQ(stage.selection.chosen.lane, 1) << "a cell selects its request, as alone";
    stage.baseline = stage_scene(trace::ExampleShape::empty(), 3);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run has no clusters to compare with."));
}

TEST(clusters_view, a_picture_names_the_cells_of_each_run) {
    ViewStage stage(make_clusters_view(), cluster_scene(2, 2), {1500, 860});
    stage.baseline = cluster_scene(4, 1);
    stage.interactive = false;
    stage.headless.frame(2);
    const HitBox *before = stage.headless.find("cluster before 0 1"),
                 *after = stage.headless.find("cluster cell 0 1");
    ASSERT_TRUE(before && after);
    EXPECT_LT(before->max.x, after->min.x);
}

TEST(clusters_view, a_cell_differs_by_its_accesses_if_both_clusters_have_it) {
    const auto four = analysis::cluster_traffic(*cluster_scene(4)->trace, 0);
    const auto two = analysis::cluster_traffic(*cluster_scene(2)->trace, 0);
    EXPECT_TRUE(cluster_cell_differs(two, four, {0, 1})) << "16 and 8 updates";
    EXPECT_FALSE(cluster_cell_differs(two, four, {1, 0})) << "none in both";
    auto smaller = two;
    smaller.blocks.resize(2);
    EXPECT_FALSE(cluster_cell_differs(four, smaller, {3, 0}));
    EXPECT_FALSE(every_cluster_cell_differs(two, four));
}

TEST(clusters_view, counts_of_all_cells_are_of_one_size) {
    const auto scene = timed_kernel("cluster_histogram", {{"CLUSTER", "8"}});
    for (const ImVec2 size : {ImVec2{800, 600}, {1000, 700}, {1600, 1000}}) {
        ViewStage stage(make_clusters_view(), scene, size);
        stage.interactive = false;
        stage.headless.frame(3);
        std::size_t counts = 0;
        float height = 0;
        for (const DrawnText& text : stage.headless.texts()) {
            const ImVec2 middle{(text.min.x + text.max.x) / 2, (text.min.y + text.max.y) / 2};
            for (int cell = 0; cell < 64; ++cell) {
                const HitBox* box =
                    stage.headless.find(fmt::format("cluster cell {} {}", cell / 8, cell % 8));
                if (!box || middle.x < box->min.x || middle.x > box->max.x || middle.y < box->min.y ||
                    middle.y > box->max.y || !std::isdigit(static_cast<unsigned char>(text.words.front())))
                    continue;
                if (counts++ == 0) height = text.max.y - text.min.y;
                EXPECT_FLOAT_EQ(text.max.y - text.min.y, height) << text.words;
            }
        }
        EXPECT_EQ(counts, 64u);
    }
}

}  // namespace
}  // namespace warplens::app
