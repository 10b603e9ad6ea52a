#include "app/session/bank_fix_desk.h"

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

TEST(bank_fix_desk, answers_off_the_callers_thread_and_says_which_scene_it_was_asked_about) {
    std::counting_semaphore<10> woken{0};
    BankFixDesk desk([&] { woken.release(); });
    EXPECT_FALSE(desk.poll());
    desk.start(scene_of(trace::ExampleShape::tiny(), 7), "");
    EXPECT_TRUE(desk.state().running);
    EXPECT_EQ(desk.state().generation, 7u);
    EXPECT_FALSE(desk.state().found);
    woken.acquire();
    EXPECT_TRUE(desk.poll());
    EXPECT_FALSE(desk.state().running);
    ASSERT_TRUE(desk.state().found) << desk.state().failure;
    EXPECT_TRUE(desk.state().found->fixes.gains());
    EXPECT_EQ(desk.state().generation, 7u);
    EXPECT_FALSE(desk.poll());
}

TEST(bank_fix_desk, a_newer_question_gives_up_the_older) {
    std::counting_semaphore<10> woken{0};
    BankFixDesk desk([&] { woken.release(); });
    desk.start(scene_of(trace::ExampleShape::tiny(), 1), "");
    desk.start(scene_of(trace::ExampleShape::tiny(), 2), "no such array");
    while (desk.state().running) {
        woken.acquire();
        desk.poll();
    }
    EXPECT_EQ(desk.state().generation, 2u);
    EXPECT_FALSE(desk.state().found);
    EXPECT_NE(desk.state().failure.find("no such array"), std::string::npos) << desk.state().failure;
}

TEST(bank_fix_desk, without_shared_requests_it_says_why_there_is_nothing_to_try) {
    const BankFixState state = bank_fixes_of(*scene_of(trace::ExampleShape::empty(), 3), "");
    EXPECT_FALSE(state.found);
    EXPECT_FALSE(state.failure.empty());
}

}  // namespace
}  // namespace warplens::app
