#include <gtest/gtest.h>

#include "app/views/atomics/parts.h"
#include "trace/recorder.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_atomics_view();

namespace {

/// One warp, two atomic requests of one site: `together` lanes at one address and the others apart; then all
/// apart.
std::shared_ptr<const Scene> atomic_scene(std::size_t together = 20, std::uint64_t generation = 1) {
    auto scene = std::make_shared<Scene>(*stage_scene(trace::ExampleShape::empty(), generation));
    trace::Trace trace;
    trace.launch.kernel = "histogram";
    trace.launch.geometry.block = {32, 1, 1};
    Site site;
    site.opcode = "atom.global.add.u32";
    site.kind = SiteKind::memory;
    site.space = Space::global;
    site.operation = Operation::atomic;
    site.bytes_per_lane = 4;
    site.line = 41;
    trace.program.sites.push_back(site);
    trace.program.basic_blocks.push_back({0, 1});
    trace::Recorder recorder(trace.launch, trace.program);
    auto block = recorder.begin_block(0);
    for (const bool contended : {true, false}) {
        trace::Addresses addresses{};
        for (std::size_t lane = 0; lane < 32; ++lane)
            addresses[lane] = 4096 + 4 * (contended && lane < together ? 0 : lane);
        block->visit(0, 0, LaneMask::all());
        block->access(0, {0, LaneMask::all(), Space::global, Operation::atomic, 4, &addresses});
    }
    recorder.finish(0, std::move(block));
    scene->trace = std::make_shared<const trace::Trace>(recorder.take());
    scene->requests = index_requests(*scene);
    return scene;
}

TEST(atomics_view, tells_a_newcomer_what_to_do_and_where_there_are_no_atomics) {
    ViewStage none(make_atomics_view(), nullptr);
    none.headless.frame(2);
    EXPECT_TRUE(none.headless.shows("No kernel has run yet"));
    ViewStage stage(make_atomics_view(), stage_scene(trace::ExampleShape::empty()));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("no atomic request"));
}

TEST(atomics_view, opens_on_the_most_contended_request_with_its_rounds) {
    ViewStage stage(make_atomics_view(), atomic_scene());
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("32 lanes at 13 addresses"));
    EXPECT_TRUE(stage.headless.shows("20 rounds"));
    EXPECT_TRUE(stage.headless.shows("×20"));
    EXPECT_TRUE(stage.headless.shows("round 20"));
    EXPECT_TRUE(stage.headless.shows("10.5 on average"));
    EXPECT_TRUE(stage.headless.shows("mean rounds: over all recorded requests"));
}

TEST(atomics_view, shows_a_hovered_lanes_round) {
    ViewStage stage(make_atomics_view(), atomic_scene());
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.hover("atomics lane 5"));
    stage.headless.frame(2);
    EXPECT_EQ(stage.hovered().lane, 5);
    EXPECT_TRUE(stage.headless.shows("round 6 of 20"));
}

TEST(atomics_view, draws_every_size_inside_its_region) {
    for (const ImVec2 size : {ImVec2{640, 400}, ImVec2{300, 900}, ImVec2{1280, 800}, ImVec2{3840, 2160}}) {
        ViewStage stage(make_atomics_view(), atomic_scene(), size, ThemeName::light);
        stage.interactive = false;
        stage.headless.frame(2);
        EXPECT_GT(stage.headless.vertices(), 300);
        for (const char* part : {"atomics piles", "atomics histogram", "atomics sites"}) {
            const HitBox* box = stage.headless.find(part);
            ASSERT_NE(box, nullptr) << part;
            EXPECT_LE(box->max.x, size.x) << part;
            EXPECT_LE(box->max.y, size.y) << part;
        }
    }
}

TEST(atomics_view, draws_two_runs_at_one_scale) {
    ViewStage stage(make_atomics_view(), atomic_scene(8, 2), {1500, 860});
    stage.baseline = atomic_scene(20, 1);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run"));
    EXPECT_TRUE(stage.headless.shows("line 41: 32 lanes at 13 addresses, 20 rounds"));
    EXPECT_TRUE(stage.headless.shows("line 41: 32 lanes at 25 addresses, 8 rounds"));
    EXPECT_TRUE(stage.headless.shows("20 → 8 rounds"));
    EXPECT_TRUE(stage.headless.shows("60 % fewer than first run"));
    EXPECT_TRUE(stage.headless.shows("10.5 → 4.5 on average; outlined: first run"));
    const HitBox* before = stage.headless.find("atomics before");
    const HitBox* after = stage.headless.find("atomics piles");
    ASSERT_TRUE(before && after);
    EXPECT_FLOAT_EQ(before->max.x - before->min.x, after->max.x - after->min.x);
    EXPECT_FLOAT_EQ(before->max.y, after->max.y);
    ASSERT_TRUE(stage.headless.hover("atomics lane 5"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("round 6 of 8")) << "of the present run";
    stage.baseline = nullptr;
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("first run"));
}

TEST(atomics_view, a_cell_differs_when_another_lane_has_its_round) {
    AtomicRequest request;
    request.places = {"bins[0]", "bins[1]"};
    request.detail.addresses = {{0, LaneMask{0b0111}}, {4, LaneMask{0b1000}}};
    EXPECT_EQ(lane_in_round(request, "bins[0]", 2), 2);
    EXPECT_EQ(lane_in_round(request, "bins[1]", 0), 3);
    EXPECT_EQ(lane_in_round(request, "bins[1]", 1), -1);
    EXPECT_EQ(lane_in_round(request, "bins[2]", 0), -1);
}

TEST(atomics_view, says_why_a_run_without_atomics_is_not_compared_with) {
    ViewStage stage(make_atomics_view(), atomic_scene(8, 2));
    auto other = stage_scene(trace::ExampleShape::tiny(), 1);
    other->requests = index_requests(*other);
    stage.baseline = other;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run has no atomic request to compare with."));
    EXPECT_TRUE(stage.headless.find("atomics sites")) << "the present run, alone";
}

}  // namespace
}  // namespace warplens::app
