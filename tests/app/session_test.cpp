#include "app/session/session.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <map>
#include <string>

#include "tests/app/example_scene.h"

namespace warplens::app {
namespace {

TEST(session, a_chosen_kernel_is_run_with_its_defaults_and_its_scene_arrives) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    EXPECT_EQ(session.scene(), nullptr);
    session.open_kernel("saxpy");
    EXPECT_TRUE(session.running());
    script.wait();
    EXPECT_TRUE(session.poll());
    EXPECT_FALSE(session.running());
    EXPECT_FALSE(session.stale());
    ASSERT_NE(session.scene(), nullptr);
    EXPECT_EQ(session.scene()->trace->launch.kernel, "saxpy");
    ASSERT_EQ(script.requests.size(), 1u);
    EXPECT_EQ(script.requests[0].kernel->name, "saxpy");
    EXPECT_TRUE(script.requests[0].overrides.empty());
}

TEST(session, a_newer_change_cancels_the_older_run_and_only_the_newest_scene_arrives) {
    ScriptedRun script;
    std::latch first_runs(1);
    bool first_was_cancelled = false;
    script.answer = [&](const RunRequest& request, const std::function<bool()>& cancelled) -> Result<Scene> {
        if (request.overrides.empty()) {
            first_runs.count_down();
            while (!cancelled()) std::this_thread::yield();
            first_was_cancelled = true;
            return fail("cancelled");
        }
        return example_scene({}, request.kernel);
    };
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("transpose_tiled");
    first_runs.wait();
    // The first run would never end by itself; nevertheless each of these calls must return.
    EXPECT_FALSE(session.poll());
    for (const char* pad : {"1", "2", "3"}) session.set_parameter("PAD", pad);
    for (;;) {
        script.wait();
        if (session.poll()) break;
    }
    EXPECT_TRUE(first_was_cancelled);
    ASSERT_NE(session.scene(), nullptr);
    EXPECT_TRUE(session.failure().empty());
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "3");
}

TEST(session, requests_that_wait_are_replaced_not_queued) {
    ScriptedRun script;
    std::latch first_runs(1), go_on(1);
    script.answer = [&](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        if (request.overrides.empty()) {
            first_runs.count_down();
            go_on.wait();
        }
        return example_scene({}, request.kernel);
    };
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("transpose_tiled");
    first_runs.wait();
    for (const char* pad : {"1", "2", "3", "4"}) session.set_parameter("PAD", pad);
    go_on.count_down();
    script.wait();
    EXPECT_TRUE(session.poll());
    ASSERT_EQ(script.requests.size(), 2u);
    EXPECT_EQ(script.requests[1].overrides.at("PAD"), "4");
}

TEST(session, a_failed_run_keeps_the_last_scene_and_says_why) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("transpose_tiled");
    script.wait();
    session.poll();
    const Scene* before = session.scene();
    script.answer = [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
        return fail("PAD is 9, but must be 0 to 4.");
    };
    session.set_parameter("PAD", "9");
    script.wait();
    EXPECT_TRUE(session.poll());
    EXPECT_EQ(session.scene(), before);
    EXPECT_TRUE(session.stale());
    EXPECT_EQ(session.failure(), "PAD is 9, but must be 0 to 4.");

    script.answer = nullptr;
    session.set_parameter("PAD", "1");
    script.wait();
    EXPECT_TRUE(session.poll());
    EXPECT_TRUE(session.failure().empty());
    EXPECT_FALSE(session.stale());
}

TEST(session, an_exception_in_a_run_is_a_failure_not_the_end) {
    ScriptedRun script;
    script.answer = [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
        throw std::bad_alloc();
    };
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("saxpy");
    script.wait();
    session.poll();
    EXPECT_NE(session.failure().find("memory"), std::string::npos);
}

TEST(session, cancelling_keeps_the_last_scene_and_marks_it_stale) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("transpose_tiled");
    script.wait();
    session.poll();
    std::latch runs(1);
    script.answer = [&](const RunRequest&, const std::function<bool()>& cancelled) -> Result<Scene> {
        runs.count_down();
        while (!cancelled()) std::this_thread::yield();
        return fail("cancelled");
    };
    session.run_again();
    runs.wait();
    session.cancel();
    EXPECT_FALSE(session.running());
    EXPECT_TRUE(session.cancelled());
    EXPECT_NE(session.scene(), nullptr);
    EXPECT_FALSE(session.poll());
}

TEST(session, ending_does_not_wait_for_a_run_that_never_ends_by_itself) {
    std::latch runs(1);
    ScriptedRun script;
    script.answer = [&](const RunRequest&, const std::function<bool()>& cancelled) -> Result<Scene> {
        runs.count_down();
        while (!cancelled()) std::this_thread::yield();
        return fail("cancelled");
    };
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("saxpy");
    runs.wait();
}

TEST(session, knobs_are_remembered_kernel_by_kernel) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("transpose_tiled");
    session.set_parameter("PAD", "1");
    const auto pad = session.kernel()->parameters[1];
    EXPECT_EQ(session.value(pad), "1");
    session.open_kernel("saxpy");
    session.open_kernel("transpose_tiled");
    EXPECT_EQ(session.value(pad), "1");
}

TEST(session, a_sweep_takes_the_knobs_that_are_set_for_a_file_too) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    std::promise<SweepRequest> asked;
    session.set_sweep_runner([&](const SweepRequest& request, const SweepOptions&) -> Result<Sweep> {
        asked.set_value(request);
        return Sweep{};
    });
    auto file = std::make_shared<instrumentation::KernelFile>(*example_catalogue()[1]);
    file->path = "mine.cu";
    session.open_kernel(std::shared_ptr<const instrumentation::KernelFile>(file));
    session.set_parameter("PAD", "1");
    SweepPlan plan;
    plan.axes = {{"TILE", {"8", "16"}}};
    session.start_sweep(plan);
    const SweepRequest request = asked.get_future().get();
    EXPECT_EQ(request.kernel->path, "mine.cu");
    EXPECT_EQ(request.overrides, (std::map<std::string, std::string>{{"PAD", "1"}}));
}

TEST(session, each_new_scene_has_a_generation_of_its_own) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("saxpy");
    script.wait();
    session.poll();
    const auto first = session.scene()->generation;
    session.run_again();
    script.wait();
    session.poll();
    EXPECT_GT(session.scene()->generation, first);
}

TEST(session, the_first_scene_is_shown_at_its_worst_access) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("transpose_tiled");  // names the banks view first
    script.wait();
    session.poll();
    const auto& trace = *session.scene()->trace;
    const Spot& spot = session.selection.chosen;
    ASSERT_LT(spot.access, trace.accesses.size());
    EXPECT_EQ(trace.accesses[spot.access].space, Space::shared);
    EXPECT_EQ(trace.program.sites[spot.site].operation, Operation::load) << "the column that conflicts";
    EXPECT_EQ(trace.accesses[spot.access].stride, 128);
    EXPECT_LT(spot.warp_record, trace.warps.size());
    EXPECT_EQ(spot.source_line, trace.program.sites[spot.site].line);
}

TEST(session, a_selection_follows_the_same_access_into_the_next_scene) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("transpose_tiled");
    script.wait();
    session.poll();
    // Some other access than the default, of the last warp.
    const auto first = session.scene()->trace;  // kept alive: the session releases it with its Scene
    const auto& trace = *first;
    Spot spot;
    spot.warp_record = static_cast<std::uint32_t>(trace.warps.size() - 1);
    spot.access = trace.warps.back().accesses_begin;
    spot.site = trace.accesses[spot.access].site;
    spot.source_line = trace.program.sites[spot.site].line;
    spot.lane = 5;
    session.selection.chosen = spot;
    script.answer = [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        return example_scene({2, 72, 5}, request.kernel);  // more rounds: other access numbers
    };
    session.set_parameter("PAD", "1");
    script.wait();
    session.poll();
    const auto& fresh = *session.scene()->trace;
    const Spot& followed = session.selection.chosen;
    EXPECT_EQ(followed.lane, 5);
    EXPECT_EQ(followed.source_line, spot.source_line);
    ASSERT_LT(followed.access, fresh.accesses.size());
    EXPECT_EQ(followed.access, fresh.warps.back().accesses_begin);
    EXPECT_EQ(fresh.warps[followed.warp_record].block, trace.warps.back().block);

    // Another kernel starts at its own default.
    session.open_kernel("saxpy");
    script.wait();
    session.poll();
    EXPECT_EQ(session.selection.chosen.lane, -1);
}

TEST(session, a_scene_with_nothing_recorded_selects_nothing) {
    ScriptedRun script;
    Session session({}, script.run(), script.wake());
    session.show(example_scene(trace::ExampleShape::empty()));
    EXPECT_EQ(session.selection.chosen, Spot{});
    EXPECT_NE(session.scene(), nullptr);
}

}  // namespace
}  // namespace warplens::app
