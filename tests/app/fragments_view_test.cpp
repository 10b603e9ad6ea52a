// The fragments view of one run and of two.
#include <gtest/gtest.h>

#include "app/views/fragments/drawing.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_fragments_view();

namespace {

constexpr const char* mma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* shorter_mma = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";

std::shared_ptr<Scene> matrix_scene(const char* opcode, std::uint64_t generation) {
    auto scene = stage_scene(trace::ExampleShape::tiny(), generation);
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    Site site;
    site.opcode = opcode;
    site.line = 12;
    trace->program.sites.push_back(site);
    scene->trace = std::move(trace);
    return scene;
}

TEST(fragments_view, draws_the_matrices_of_two_runs_with_cells_of_one_size) {
    ViewStage stage(make_fragments_view(), matrix_scene(mma, 2), {1500, 800});
    stage.baseline = matrix_scene(shorter_mma, 1);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run"));
    EXPECT_TRUE(stage.headless.shows(shorter_mma));
    EXPECT_TRUE(stage.headless.shows("another lane holds"));
    stage.baseline = matrix_scene(mma, 4);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("The same lane holds each element in both runs"));
    EXPECT_FALSE(stage.headless.shows("another lane holds")) << "nothing is outlined as different";
    stage.baseline = stage_scene(trace::ExampleShape::tiny(), 3);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run has no matrix instructions to compare with."));
}

TEST(fragments_view, an_element_moved_if_another_lane_holds_it) {
    const auto form = matrix_instruction(mma), other = matrix_instruction(shorter_mma);
    ASSERT_TRUE(form && other);
    const MatrixFragment& a = form->fragments[1];
    EXPECT_TRUE(moved_elements(a, a).empty());
    MatrixFragment swapped = a;
    std::swap(swapped.lane_bits[0], swapped.lane_bits[1]);
    EXPECT_EQ(moved_elements(a, swapped).size(), static_cast<std::size_t>(a.rows * a.columns) / 2);
    EXPECT_TRUE(moved_elements(a, other->fragments[1]).empty()) << "of another size";
}

}  // namespace
}  // namespace warplens::app
