// Work in a child of this program: the parent's error when the child does not answer.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <memory>

#include "instrumentation/compile/nvrtc_library.h"
#include "instrumentation/compile/work_in_child.h"
#include "instrumentation/hidden_command.h"

namespace warplens::instrumentation {
namespace {

TEST(work_in_child, says_how_a_child_ended_that_did_not_answer) {
    EXPECT_EQ(work_in_child(nvrtc_word, "", {0.0}).error().message, "did not finish within 0 s");
    // AddressSanitizer ends a program that gets no memory.
    EXPECT_THAT(work_in_child(nvrtc_word, std::string(1 << 26, 'x'), {60, 4096}).error().message,
                testing::AnyOf("needs more than 0 MiB of memory", "crashed on this source"));
}

TEST(work_in_child, a_child_starts_no_children) {
    ::setenv("WARPLENS_CHILD", "nvrtc", 1);
    const auto answer = work_in_child(nvrtc_word, "");
    ::unsetenv("WARPLENS_CHILD");
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().message, "cannot be started: this program has no command 'nvrtc'");
}

TEST(work_in_child, a_child_that_waits_for_its_question_ends_with_its_owner) {
    auto child = std::make_unique<WorkingChild>(nvrtc_word, "");
    EXPECT_TRUE(child->running());
    const auto answer = WorkingChild(nvrtc_word, "").ask("");
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    child.reset();
    EXPECT_LT(::waitpid(-1, nullptr, WNOHANG), 0) << "a child is left";
}

TEST(work_in_child, a_hidden_command_explains_itself_to_a_person) {
    char program[] = "warplens", word[] = "nvrtc", memory[] = "1", about[] = "";
    char* arguments[] = {program, word, memory, about, nullptr};
    EXPECT_EQ(run_hidden_command(4, arguments), 2);
    EXPECT_EQ(run_hidden_command(1, arguments), std::nullopt);
}

}  // namespace
}  // namespace warplens::instrumentation
