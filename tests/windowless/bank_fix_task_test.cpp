#include "app/session/bank_fix_task.h"

#include <gtest/gtest.h>

#include <semaphore>

#include "tests/support/synthetic.h"

namespace warplens::app {
namespace {

std::shared_ptr<const Scene> scene_of(const trace::ExampleShape& shape, std::uint64_t generation) {
    auto scene = std::make_shared<Scene>();
    scene->generation = generation;
    scene->trace = std::make_shared<const trace::Trace>(trace::make_example(shape));
    return scene;
}

TEST(bank_fix_task, answers_off_the_callers_thread_and_says_which_scene_it_was_asked_about) {
    std::counting_semaphore<10> woken{0};
    BankFixTask task([&] { woken.release(); });
    EXPECT_FALSE(task.poll());
    task.start(scene_of(trace::ExampleShape::tiny(), 7), "");
    EXPECT_TRUE(task.state().running);
    EXPECT_EQ(task.state().generation, 7u);
    EXPECT_FALSE(task.state().found);
    woken.acquire();
    EXPECT_TRUE(task.poll());
    EXPECT_FALSE(task.state().running);
    ASSERT_TRUE(task.state().found) << task.state().failure;
    EXPECT_TRUE(task.state().found->fixes.gains());
    EXPECT_EQ(task.state().generation, 7u);
    EXPECT_FALSE(task.poll());
}

TEST(bank_fix_task, a_newer_question_gives_up_the_older) {
    std::counting_semaphore<10> woken{0};
    BankFixTask task([&] { woken.release(); });
    task.start(scene_of(trace::ExampleShape::tiny(), 1), "");
    task.start(scene_of(trace::ExampleShape::tiny(), 2), "no such array");
    while (task.state().running) {
        woken.acquire();
        task.poll();
    }
    EXPECT_EQ(task.state().generation, 2u);
    EXPECT_FALSE(task.state().found);
    EXPECT_NE(task.state().failure.find("no such array"), std::string::npos) << task.state().failure;
}

TEST(bank_fix_task, without_shared_requests_it_says_why_there_is_nothing_to_try) {
    const BankFixState state = bank_fixes_of(*scene_of(trace::ExampleShape::empty(), 3), "");
    EXPECT_FALSE(state.found);
    EXPECT_FALSE(state.failure.empty());
}

}  // namespace
}  // namespace warplens::app
