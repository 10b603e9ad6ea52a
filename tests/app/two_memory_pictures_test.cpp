// Hierarchy, Pipeline and Tree of two runs: kernels of the catalogue, with the figures of both.
#include <gmock/gmock.h>

#include "app/scene/copy_pipeline.h"
#include "app/scene/memory_levels.h"
#include "app/ui/number.h"
#include "app/views/hierarchy/drawing.h"
#include "app/views/tree/words.h"
#include "tests/app/catalogue_stage.h"

namespace warplens::app {

std::unique_ptr<View> make_hierarchy_view();
std::unique_ptr<View> make_pipeline_view();
std::unique_ptr<View> make_roofline_view();
std::unique_ptr<View> make_tree_view();

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using trace::ServedBy;

const ImVec2 picture_sizes[] = {{800, 600}, {1280, 720}, {1600, 1000}};

/// A view of two runs.
class PictureOfTwo : public ViewStage {
  public:
    PictureOfTwo(std::unique_ptr<View> view, std::shared_ptr<const Scene> before,
                 std::shared_ptr<const Scene> after, ImVec2 size = {1600, 1000})
        : ViewStage(std::move(view), std::move(after), size) {
        baseline = std::move(before);
        interactive = false;
    }
    /// Of a hit box.
    ImVec2 size_of(const char* name) {
        const HitBox* box = headless.find(name);
        if (!box) {
            ADD_FAILURE() << name;
            return {};
        }
        return {box->max.x - box->min.x, box->max.y - box->min.y};
    }
};

std::shared_ptr<const Scene> without_times(const Scene& scene) {
    auto bare = std::make_shared<Scene>(scene);
    bare->timing = nullptr;
    return bare;
}

double mean_cycles(const MemoryLevels& levels) {
    double sum = 0;
    for (const ServedBy by : {ServedBy::l1, ServedBy::l2, ServedBy::dram})
        sum += levels[by].mean_cycles * double(levels[by].requests);
    return sum / double(levels.global_loads());
}

TEST(hierarchy_of_two_runs, states_the_change_of_bytes_hit_rates_and_latency) {
    const auto before = timed_kernel("matmul_naive", {{"N", "64"}});
    const auto after = timed_kernel("matmul_tiled", {{"M", "64"}, {"N", "64"}, {"K", "64"}});
    const MemoryLevels &was = *before->timing->levels, &now = *after->timing->levels;
    ASSERT_NE(was.requested_bytes, now.requested_bytes);
    for (const ImVec2 size : picture_sizes) {
        PictureOfTwo stage(make_hierarchy_view(), before, after, size);
        const std::string words = drawn_words(stage);
        EXPECT_THAT(words, AllOf(HasSubstr("first run"), HasSubstr("second run")));
        EXPECT_THAT(words, HasSubstr(traffic_change_words(was.requested_bytes, now.requested_bytes)));
        EXPECT_THAT(words, HasSubstr(traffic_words(was.requested_bytes) + "\n"));
        EXPECT_THAT(words, HasSubstr(traffic_words(now.requested_bytes)));
        EXPECT_THAT(words, HasSubstr(share_change_words(was.requested_bytes, now.requested_bytes) +
                                     " of the bytes between registers and L1"));
        for (const MemoryLevels* levels : {&was, &now})
            EXPECT_THAT(words, HasSubstr(decimal(mean_cycles(*levels), 0) + " cycles per load"));
        expect_legible(stage, size);
    }
}

TEST(hierarchy_of_two_runs, says_within_the_outline_that_nothing_moves_any_more) {
    const auto naive = timed_kernel("matmul_naive", {{"N", "64"}});
    const auto tiled = timed_kernel("matmul_tiled", {{"M", "64"}, {"N", "64"}, {"K", "64"}});
    PictureOfTwo stage(make_hierarchy_view(), tiled, naive);
    EXPECT_THAT(drawn_words(stage), HasSubstr("nothing moves"));
    expect_legible(stage, {1600, 1000});
}

TEST(hierarchy_of_two_runs, draws_both_on_one_scale_with_the_same_levels) {
    const auto before = timed_kernel("matmul_naive", {{"N", "64"}});
    const auto after = timed_kernel("matmul_tiled", {{"M", "64"}, {"N", "64"}, {"K", "64"}});
    ASSERT_EQ(before->timing->levels->shared_bytes, 0);
    PictureOfTwo stage(make_hierarchy_view(), before, after);
    drawn_words(stage);
    for (const std::string level : {"Registers", "L1", "Shared memory", "L2", "DRAM"}) {
        const ImVec2 was = stage.size_of(("hierarchy before " + level).c_str());
        const ImVec2 now = stage.size_of(("hierarchy " + level).c_str());
        EXPECT_NEAR(was.x, now.x, 0.1) << level;
        EXPECT_NEAR(was.y, now.y, 0.1) << level;
    }
    LevelsScale one, both;
    one.join(*after->timing->levels);
    both.join(*before->timing->levels);
    both.join(*after->timing->levels);
    EXPECT_GE(both.bytes, one.bytes);
    EXPECT_GE(both.bytes, before->timing->levels->requested_bytes);
    EXPECT_TRUE(both.shared);
}

TEST(hierarchy_of_two_runs, marks_both_working_sets_on_one_staircase) {
    const auto before = timed_kernel("pointer_chase", {{"bytes", "65536"}});
    const auto after = timed_kernel("pointer_chase", {{"bytes", "1048576"}});
    PictureOfTwo stage(make_hierarchy_view(), before, after);
    const std::string words = drawn_words(stage);
    for (const auto& [name, scene] : {std::pair("first run", before), std::pair("second run", after)})
        EXPECT_THAT(words, HasSubstr(std::string(name) + " reads buffers of " +
                                     volume_words(scene->timing->levels->read_buffers)));
}

TEST(hierarchy, has_the_bytes_that_threads_use_in_the_unit_of_the_roofline) {
    const auto scene = timed_kernel("saxpy");
    PictureOfTwo hierarchy(make_hierarchy_view(), nullptr, scene),
        roofline(make_roofline_view(), nullptr, scene);
    const std::string bytes = scaled(scene->timing->roofline.l2_bytes, "B");
    EXPECT_THAT(drawn_words(hierarchy), HasSubstr(bytes));
    EXPECT_THAT(drawn_words(roofline), HasSubstr(bytes));
}

TEST(hierarchy_of_two_runs, equal_runs_are_said_to_be_equal) {
    const auto run = timed_kernel("matmul_tiled", {{"M", "64"}, {"N", "64"}, {"K", "64"}});
    PictureOfTwo stage(make_hierarchy_view(), run, run);
    EXPECT_THAT(drawn_words(stage), HasSubstr("as many bytes move between all levels of memory"));
}

TEST(hierarchy_of_two_runs, says_why_a_run_without_times_is_not_compared) {
    const auto run = timed_kernel("saxpy");
    PictureOfTwo stage(make_hierarchy_view(), without_times(*run), run);
    EXPECT_THAT(drawn_words(stage),
                AllOf(HasSubstr("first run has no modelled levels of memory"), Not(HasSubstr("second run"))));
}

TEST(hierarchy_of_two_runs, gives_the_models_reason_for_a_run_without_times) {
    const auto run = timed_kernel("saxpy"), textures = timed_kernel("texture_blur");
    const std::string why = textures->timing->absent;
    ASSERT_NE(why, "");
    PictureOfTwo stage(make_hierarchy_view(), textures, run);
    EXPECT_THAT(drawn_words(stage),
                HasSubstr("first run has no modelled levels of memory to compare with: "));
    PictureOfTwo pipeline(make_pipeline_view(), textures, run);
    EXPECT_THAT(drawn_words(pipeline), HasSubstr("first run has no modelled times to compare with: " + why));
    PictureOfTwo alone(make_pipeline_view(), nullptr, textures);
    EXPECT_THAT(drawn_words(alone), HasSubstr("The timing model has no answer for this run."));
}

TEST(hierarchy_words, changes_have_one_unit_where_they_can) {
    EXPECT_EQ(traffic_change_words(8.4e6, 4.2e6), "8.4 → 4.2 MB");
    EXPECT_EQ(traffic_change_words(1000, 100), "1 kB → 100 B");
    EXPECT_EQ(traffic_change_words(2000, 2000.1), "2 kB");
    EXPECT_EQ(share_change_words(200, 100), "−50 %");
    EXPECT_EQ(share_change_words(100, 150), "+50 %");
    EXPECT_EQ(share_change_words(100, 400), "4 ×");
    EXPECT_EQ(share_change_words(0, 400), "");
    EXPECT_EQ(share_change_words(1000, 1001), "");
}

std::uint32_t cycles_of(const CopyPipeline& one) { return one.end - one.begin; }

std::string overlap_of(const CopyPipeline& one) {
    return percent(double(one.overlapped_cycles) / one.load_cycles, 0);
}

class PipelineOfTwo : public testing::Test {
  protected:
    PipelineOfTwo() {
        const std::map<std::string, std::string> sides{{"M", "64"}, {"N", "64"}, {"K", "64"}};
        single_ = timed_kernel("matmul_tiled", sides);
        twofold_ = timed_kernel("matmul_double_buffered", sides);
        was_ = single_->timing->pipeline.get();
        now_ = twofold_->timing->pipeline.get();
    }
    std::shared_ptr<const Scene> single_, twofold_;
    const CopyPipeline *was_, *now_;
};

TEST_F(PipelineOfTwo, states_how_much_of_the_load_time_both_compute) {
    ASSERT_NE(overlap_of(*was_), overlap_of(*now_));
    for (const ImVec2 size : picture_sizes) {
        PictureOfTwo stage(make_pipeline_view(), single_, twofold_, size);
        const std::string words = drawn_words(stage);
        EXPECT_THAT(words, HasSubstr(overlap_of(*was_) + " → " + overlap_of(*now_)));
        for (const CopyPipeline* one : {was_, now_})
            EXPECT_THAT(words, HasSubstr(overlap_of(*one) + " of the load time overlapped, " +
                                         cycles_words(cycles_of(*one)) + " of block 0"));
        expect_legible(stage, size);
    }
}

TEST_F(PipelineOfTwo, has_one_axis_on_which_the_shorter_run_ends_early) {
    ASSERT_GT(cycles_of(*was_), cycles_of(*now_));
    const double share = double(cycles_of(*now_)) / cycles_of(*was_);
    for (const bool saves : {true, false}) {
        PictureOfTwo stage(make_pipeline_view(), saves ? single_ : twofold_, saves ? twofold_ : single_);
        const std::string words = drawn_words(stage);
        const HitBox *before = stage.headless.find("pipeline before Load"),
                     *after = stage.headless.find("pipeline Load");
        ASSERT_TRUE(before && after);
        EXPECT_FLOAT_EQ(before->min.x, after->min.x);
        EXPECT_LT(before->max.y, after->min.y) << "above one another";
        const float was = before->max.x - before->min.x, now = after->max.x - after->min.x;
        EXPECT_NEAR(saves ? now / was : was / now, share, 0.01);
        const std::string difference = cycles_words(cycles_of(*was_) - cycles_of(*now_));
        EXPECT_THAT(words, HasSubstr(difference + (saves ? " saved" : " less")));
    }
}

TEST_F(PipelineOfTwo, cycles_of_two_gpus_have_no_difference) {
    auto other = std::make_shared<Scene>(*single_);
    other->gpu = *find_gpu("A100");
    PictureOfTwo stage(make_pipeline_view(), other, twofold_);
    EXPECT_THAT(drawn_words(stage), AllOf(HasSubstr("second run"), HasSubstr("cycles of different clocks"),
                                          Not(HasSubstr("cycles saved"))));
}

TEST_F(PipelineOfTwo, says_why_a_run_is_not_compared) {
    PictureOfTwo untimed(make_pipeline_view(), without_times(*single_), twofold_);
    EXPECT_THAT(drawn_words(untimed), HasSubstr("first run has no modelled times to compare with."));
    auto without_loads = std::make_shared<Scene>(*single_);
    auto timing = std::make_shared<SceneTiming>(*single_->timing);
    timing->pipeline = nullptr;
    without_loads->timing = timing;
    PictureOfTwo stage(make_pipeline_view(), without_loads, twofold_);
    EXPECT_THAT(drawn_words(stage),
                AllOf(HasSubstr("first run has no loads from global memory to compare with."),
                      Not(HasSubstr("second run"))));
}

TEST(tree_of_two_runs, states_rounds_and_idle_warps_of_both) {
    const auto before = timed_kernel("reduce_interleaved"), after = timed_kernel("reduce_sequential");
    const auto figures_of = [](const Scene& scene) {
        return tree_figures(*scene.trees, scene.trees->trees.front());
    };
    const TreeFigures was = figures_of(*before), now = figures_of(*after);
    ASSERT_EQ(was.rounds, now.rounds);
    ASSERT_LT(was.idle_rounds, now.idle_rounds);
    for (const ImVec2 size : picture_sizes) {
        PictureOfTwo stage(make_tree_view(), before, after, size);
        const std::string words = drawn_words(stage);
        EXPECT_THAT(words, HasSubstr(fmt::format("{} rounds in both runs", now.rounds)));
        EXPECT_THAT(words, HasSubstr(fmt::format("{} → {} of them", was.idle_rounds, now.idle_rounds)));
        for (const TreeFigures* one : {&was, &now})
            EXPECT_THAT(words, HasSubstr(fmt::format("in {} rounds, warps idle in {}", one->rounds,
                                                     one->idle_rounds)));
        expect_legible(stage, size);
    }
}

/// The smaller tree takes the part of the room that its rows and columns have of the larger one's.
TEST(tree_of_two_runs, has_cells_of_one_size) {
    const auto small = timed_kernel("reduce_sequential", {{"block", "64"}}),
               large = timed_kernel("reduce_sequential", {{"block", "256"}});
    const auto& tree = large->trees->trees.front();
    ASSERT_GT(tree.rows.size(), small->trees->trees.front().rows.size());
    PictureOfTwo stage(make_tree_view(), small, large);
    const std::string words = drawn_words(stage);
    EXPECT_THAT(words, HasSubstr(fmt::format("{} → {} rounds",
                                             tree_figures(*small->trees, small->trees->trees.front()).rounds,
                                             tree_figures(*large->trees, tree).rounds)));
    EXPECT_FALSE(stage.headless.find(fmt::format("tree before row {}", tree.rows.size() - 1)));
    EXPECT_TRUE(stage.headless.find(fmt::format("tree row {}", tree.rows.size() - 1)));
    for (const int row : {0, 1, 2}) {
        const HitBox *was = stage.headless.find(fmt::format("tree before row {}", row)),
                     *now = stage.headless.find(fmt::format("tree row {}", row));
        ASSERT_TRUE(was && now);
        EXPECT_FLOAT_EQ(was->min.y, now->min.y);
        EXPECT_FLOAT_EQ(was->max.y, now->max.y);
        EXPECT_NEAR(was->max.x - was->min.x, now->max.x - now->min.x, 0.1) << "the same room for columns";
    }
}

TEST(tree_of_two_runs, compares_the_block_that_is_selected) {
    const auto before = timed_kernel("reduce_interleaved"), after = timed_kernel("reduce_sequential");
    PictureOfTwo stage(make_tree_view(), before, after);
    for (std::uint32_t warp = 0; warp < after->trace->warps.size(); ++warp)
        if (after->trace->warps[warp].block == 3) stage.selection.chosen.warp_record = warp;
    EXPECT_THAT(drawn_words(stage), HasSubstr("Block 3"));
    const auto trees = before->trees_of_block(3, {});
    const auto& tree = trees->trees.front();
    const std::string result = short_value(tree.nodes[tree.results.front()]);
    ASSERT_NE(result,
              short_value(before->trees->trees.front().nodes[before->trees->trees.front().results.front()]));
    const auto& texts = stage.headless.texts();
    const auto shown =
        std::ranges::count_if(texts, [&](const DrawnText& text) { return text.words == result; });
    EXPECT_EQ(shown, 2) << "both trees end with " << result;
}

TEST(tree_of_two_runs, says_why_a_run_is_not_compared) {
    const auto run = timed_kernel("reduce_sequential");
    PictureOfTwo without_tree(make_tree_view(), timed_kernel("saxpy"), run);
    EXPECT_THAT(drawn_words(without_tree),
                AllOf(HasSubstr("first run has no tree to compare with."), Not(HasSubstr("second run"))));
    auto not_followed = std::make_shared<Scene>(*run);
    not_followed->trees = nullptr;
    PictureOfTwo stage(make_tree_view(), not_followed, run);
    EXPECT_THAT(drawn_words(stage), HasSubstr("first run has no values that were followed."));
}

}  // namespace
}  // namespace warplens::app
