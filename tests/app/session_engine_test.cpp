// The session's choice of engine: by request, when a GPU is found, and after failures.
#include <gtest/gtest.h>

#include <latch>

#include "tests/app/example_scene.h"

namespace warplens::app {
namespace {

TEST(session_engine, the_cpu_engine_runs_until_a_gpu_is_found_and_then_the_gpu) {
    ScriptedRun script;
    // A Scene of another engine than was asked for would say that there is no GPU.
    script.answer = [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        Scene scene = example_scene({}, request.kernel);
        scene.engine = request.engine;
        return scene;
    };
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("saxpy");
    script.wait();
    session.poll();
    EXPECT_EQ(session.engine(), Engine::simt);
    EXPECT_EQ(session.found_gpu(), nullptr);
    session.look_for_gpu([]() -> Result<std::string> { return "NVIDIA H200"; });
    while (session.engine() != Engine::cuda) {  // the first run may wake more than once
        script.wait_at_most(std::chrono::milliseconds(20));
        session.poll();
    }
    ASSERT_NE(session.found_gpu(), nullptr);
    EXPECT_EQ(session.found_gpu()->value(), "NVIDIA H200");
    while (session.busy()) {
        script.wait_at_most(std::chrono::milliseconds(20));
        session.poll();
    }
    ASSERT_EQ(script.requests.size(), 2u);
    EXPECT_EQ(script.requests[0].engine, Engine::simt);
    EXPECT_EQ(script.requests[1].engine, Engine::cuda);
}

TEST(session_engine, an_engine_that_was_chosen_stays_when_a_gpu_is_found) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.set_engine(Engine::simt);
    session.open_kernel("saxpy");
    script.wait();
    session.poll();
    session.look_for_gpu([]() -> Result<std::string> { return "NVIDIA H200"; });
    script.wait();
    EXPECT_TRUE(session.poll());
    EXPECT_EQ(session.engine(), Engine::simt);
    EXPECT_EQ(script.requests.size(), 1u);
}

TEST(session_engine, no_gpu_is_remembered_with_its_reason_and_changes_nothing) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.look_for_gpu([]() -> Result<std::string> { return fail("libcuda.so.1 was not found"); });
    script.wait();
    EXPECT_TRUE(session.poll());
    ASSERT_NE(session.found_gpu(), nullptr);
    EXPECT_EQ(session.found_gpu()->error().message, "libcuda.so.1 was not found");
    EXPECT_EQ(session.engine(), Engine::simt);
    EXPECT_TRUE(script.requests.empty());
}

TEST(session_engine, a_kernel_that_the_gpu_refuses_leaves_the_scene_and_the_next_run_works) {
    ScriptedRun script;
    script.answer = [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        if (request.overrides.contains("PAD")) return fail("the kernel read an illegal address");
        Scene scene = example_scene({}, request.kernel);
        scene.engine = request.engine;
        return scene;
    };
    Session session(example_catalogue(), script.run(), script.wake());
    session.set_engine(Engine::cuda);
    session.open_kernel("transpose_tiled");
    script.wait();
    session.poll();
    const Scene* before = session.scene();
    ASSERT_NE(before, nullptr);
    session.set_parameter("PAD", "1");
    script.wait();
    session.poll();
    EXPECT_EQ(session.scene(), before);
    EXPECT_EQ(session.failure(), "the kernel read an illegal address");
    EXPECT_EQ(session.engine(), Engine::cuda);
    session.open_kernel("saxpy");
    script.wait();
    session.poll();
    EXPECT_TRUE(session.failure().empty());
    EXPECT_EQ(session.scene()->trace->launch.kernel, "saxpy");
}

TEST(session_engine, a_recording_that_is_shown_is_what_the_next_knob_asks_for) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    Scene scene = example_scene({}, example_catalogue()[0]);
    scene.engine = Engine::recorded;
    session.show(std::move(scene));
    EXPECT_EQ(session.engine(), Engine::recorded);
    session.set_parameter("n", "7");
    script.wait();
    EXPECT_EQ(script.requests.back().engine, Engine::recorded);
}

TEST(session_engine, a_run_that_fell_back_to_the_cpu_engine_asks_the_gpu_no_more) {
    ScriptedRun script;
    script.answer = [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        Scene scene = example_scene({}, request.kernel);
        if (request.engine == Engine::cuda) scene.notice = "No GPU to record on";
        return scene;
    };
    Session session(example_catalogue(), script.run(), script.wake());
    session.set_engine(Engine::cuda);
    session.open_kernel("saxpy");
    script.wait();
    session.poll();
    EXPECT_EQ(session.scene()->notice, "No GPU to record on");
    EXPECT_EQ(session.engine(), Engine::simt);
    session.run_again();
    script.wait();
    session.poll();
    EXPECT_EQ(session.scene()->notice, "");
    EXPECT_EQ(script.requests.back().engine, Engine::simt);
}

}  // namespace
}  // namespace warplens::app
