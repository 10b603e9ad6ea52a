#include "app/session/sweep_desk.h"

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
    return [](const std::vector<std::string>&, int) -> Result<std::shared_ptr<const analysis::LaunchReport>> {
        return std::make_shared<const analysis::LaunchReport>();
    };
}

TEST(sweep_desk, shows_a_sweep_once_it_is_whole) {
    SweepDesk desk;
    std::counting_semaphore<100> woken{0};
    EXPECT_FALSE(desk.state().possible);
    desk.employ([](const SweepRequest& asked,
                   const SweepOptions& options) { return run_sweep(asked.plan, nothing(), options); },
                [&] { woken.release(); });
    EXPECT_TRUE(desk.state().possible);
    desk.start(request({"1", "2", "3"}));
    EXPECT_TRUE(desk.state().running);
    EXPECT_EQ(desk.state().points, 3u);
    for (int i = 0; i < 4; ++i) woken.acquire();  // three points and the end
    EXPECT_TRUE(desk.poll());
    EXPECT_FALSE(desk.state().running);
    ASSERT_TRUE(desk.state().sweep);
    EXPECT_EQ(desk.state().sweep->rows.size(), 3u);
}

TEST(sweep_desk, gives_an_older_sweep_up_for_a_newer_and_keeps_the_last_that_finished) {
    SweepDesk desk;
    std::counting_semaphore<100> woken{0}, begun{0};
    desk.employ(
        [&](const SweepRequest& asked, const SweepOptions& options) -> Result<Sweep> {
            begun.release();
            if (asked.plan.points() == 1)
                while (!options.cancelled()) std::this_thread::yield();
            return run_sweep(asked.plan, nothing(), options);
        },
        [&] { woken.release(); });
    desk.start(request({"endless"}));
    begun.acquire();
    desk.start(request({"1", "2"}));
    for (int i = 0; i < 3; ++i) woken.acquire();
    EXPECT_TRUE(desk.poll());
    ASSERT_TRUE(desk.state().sweep);
    EXPECT_EQ(desk.state().sweep->rows.size(), 2u);
    desk.start(request({"endless"}));
    begun.acquire();
    desk.cancel();
    EXPECT_FALSE(desk.state().running);
    EXPECT_FALSE(desk.poll());
    EXPECT_EQ(desk.state().sweep->rows.size(), 2u) << "the last that finished stays";
}

}  // namespace
}  // namespace warplens::app
