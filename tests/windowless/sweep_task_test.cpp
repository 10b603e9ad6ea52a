#include "app/session/sweep_task.h"

#include <gtest/gtest.h>

#include <semaphore>

namespace warplens::app {
namespace {

SweepRequest request(std::vector<std::string> values) {
    SweepRequest request;
    request.kernel = std::make_shared<instrumentation::KernelFile>();
    request.plan.axes = {{"n", std::move(values)}};
    return request;
}

MeasurePoint nothing() {
    return [](const std::vector<std::string>&,
              const PointRun&) -> Result<std::shared_ptr<const analysis::LaunchReport>> {
        return std::make_shared<const analysis::LaunchReport>();
    };
}

TEST(sweep_task, shows_a_sweep_once_it_is_whole) {
    std::counting_semaphore<100> woken{0};
    SweepTask task([&] { woken.release(); });
    EXPECT_FALSE(task.state().possible);
    task.set_runner([](const SweepRequest& asked, const SweepOptions& options) {
        return run_sweep(asked.plan, nothing(), options);
    });
    EXPECT_TRUE(task.state().possible);
    task.start(request({"1", "2", "3"}));
    EXPECT_TRUE(task.state().running);
    EXPECT_EQ(task.state().points, 3u);
    for (int i = 0; i < 4; ++i) woken.acquire();  // three points and the end
    EXPECT_TRUE(task.poll());
    EXPECT_FALSE(task.state().running);
    ASSERT_TRUE(task.state().sweep);
    EXPECT_EQ(task.state().sweep->rows.size(), 3u);
}

TEST(sweep_task, gives_an_older_sweep_up_for_a_newer_and_keeps_the_last_that_finished) {
    std::counting_semaphore<100> woken{0}, begun{0};
    SweepTask task([&] { woken.release(); });
    task.set_runner([&](const SweepRequest& asked, const SweepOptions& options) -> Result<Sweep> {
        begun.release();
        if (asked.plan.points() == 1)
            while (!options.cancelled()) std::this_thread::yield();
        return run_sweep(asked.plan, nothing(), options);
    });
    task.start(request({"endless"}));
    begun.acquire();
    task.start(request({"1", "2"}));
    for (int i = 0; i < 3; ++i) woken.acquire();
    EXPECT_TRUE(task.poll());
    ASSERT_TRUE(task.state().sweep);
    EXPECT_EQ(task.state().sweep->rows.size(), 2u);
    task.start(request({"endless"}));
    begun.acquire();
    task.cancel();
    EXPECT_FALSE(task.state().running);
    EXPECT_FALSE(task.poll());
    EXPECT_EQ(task.state().sweep->rows.size(), 2u) << "the last that finished stays";
}

TEST(sweep_task, runs_the_baseline_s_sweep_after_the_other) {
    std::counting_semaphore<100> woken{0};
    SweepTask task([&] { woken.release(); });
    task.set_runner([](const SweepRequest& asked, const SweepOptions& options) -> Result<Sweep> {
        if (asked.gpu == "broken") return fail("no such GPU");
        return run_sweep(asked.plan, nothing(), options);
    });
    SweepRequest before = request({"1", "2"});
    before.gpu = "A100";
    task.start(request({"1", "2"}), before);
    EXPECT_EQ(task.state().points, 4u);
    for (int i = 0; i < 5; ++i) woken.acquire();
    EXPECT_TRUE(task.poll());
    ASSERT_TRUE(task.state().before);
    EXPECT_EQ(task.state().before->rows.size(), 2u);
    EXPECT_EQ(task.state().before_kernel, before.kernel);
    before.gpu = "broken";
    task.start(request({"1", "2"}), before);
    for (int i = 0; i < 3; ++i) woken.acquire();
    EXPECT_TRUE(task.poll());
    EXPECT_TRUE(task.state().sweep) << "the sweep itself is there";
    EXPECT_FALSE(task.state().before);
}

TEST(sweep_task, a_run_is_swept_by_the_parameters_that_its_kernel_has) {
    auto kernel = std::make_shared<instrumentation::KernelFile>();
    instrumentation::ParameterDeclaration pad, n;
    pad.name = "PAD";
    n.name = "n";
    kernel->parameters = {pad, n};
    Scene one, other;
    one.kernel = other.kernel = kernel;
    one.parameters = {{"PAD", std::int64_t{0}}, {"n", std::int64_t{64}}};
    other.parameters = {{"PAD", std::int64_t{1}}, {"n", std::int64_t{64}}};
    SweepPlan over_pad;
    over_pad.axes = {{"PAD", {"0", "1"}}};
    const auto found = sweep_of_run(one, over_pad);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->overrides.at("n"), "64");
    EXPECT_TRUE(on_one_sweep(one, other, over_pad));
    other.parameters["n"] = std::int64_t{128};
    EXPECT_FALSE(on_one_sweep(one, other, over_pad));
    SweepPlan over_tile;
    over_tile.axes = {{"TILE", {"8", "16"}}};
    EXPECT_FALSE(sweep_of_run(one, over_tile));
}

}  // namespace
}  // namespace warplens::app
