#include <gtest/gtest.h>

#include "trace/recorder.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_atomics_view();

namespace {

/// One warp, two atomic requests of one site: 20 lanes at one address and 12 apart; then all apart.
std::shared_ptr<const Scene> atomic_scene() {
    auto scene = std::make_shared<Scene>(*stage_scene(trace::ExampleShape::empty()));
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
            addresses[lane] = 4096 + 4 * (contended && lane < 20 ? 0 : lane);
        block->visit(0, 0, LaneMask::all());
        block->access(0, {0, LaneMask::all(), Space::global, Operation::atomic, 4, &addresses});
    }
    recorder.finish(0, std::move(block));
    scene->trace = std::make_shared<const trace::Trace>(recorder.take());
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

}  // namespace
}  // namespace warplens::app
