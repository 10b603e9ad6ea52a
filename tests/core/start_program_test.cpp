// A program is started with the descriptors and variables that are named, and no others.
#include "core/start_program.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace warplens {
namespace {

struct Ended {
    int code = -1;
    std::string written;  // to the child's descriptor of the pipe
};

/// What the shell's command writes to `descriptor`, a pipe; the other descriptors below 4 are /dev/null.
Ended ended(const std::string& command, std::size_t descriptor, std::vector<std::string> variables = {}) {
    Ended out;
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    std::vector<int> descriptors(4, null_device);
    descriptors[descriptor] = ends[1];
    const auto child = start_program(
        {.command = {"sh", "-c", command}, .descriptors = descriptors, .variables = std::move(variables)});
    ::close(ends[1]);
    EXPECT_TRUE(child) << child.error().message;
    char part[256];
    for (ssize_t count; (count = ::read(ends[0], part, sizeof part)) > 0;)
        out.written.append(part, static_cast<std::size_t>(count));
    ::close(ends[0]);
    int status = 0;
    EXPECT_EQ(::waitpid(*child, &status, 0), *child);
    if (WIFEXITED(status)) out.code = WEXITSTATUS(status);
    return out;
}

TEST(start_program, copies_a_descriptor_and_leaves_the_others_empty) {
    EXPECT_EQ(ended("echo out; echo error >&2; echo three >&3", 1).written, "out\n");
    EXPECT_EQ(ended("echo out; echo error >&2; echo three >&3", 3).written, "three\n");
    EXPECT_EQ(ended("cat; echo read", 1).written, "read\n");
}

TEST(start_program, copies_a_descriptor_whose_number_another_one_takes) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const int kept = ::dup(STDERR_FILENO);
    ASSERT_EQ(::dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    // The child's descriptor 2 is set before 3, whose source is our 2.
    const auto child = start_program({.command = {"sh", "-c", "echo error >&2; echo three >&3"},
                                      .descriptors = {null_device, null_device, null_device, STDERR_FILENO}});
    ::dup2(kept, STDERR_FILENO);
    for (const int descriptor : {kept, ends[1]}) ::close(descriptor);
    ASSERT_TRUE(child);
    char text[64] = {};
    EXPECT_EQ(::read(ends[0], text, sizeof text - 1), 6);
    EXPECT_STREQ(text, "three\n");
    ::close(ends[0]);
    ::waitpid(*child, nullptr, 0);
}

TEST(start_program, closes_every_other_descriptor) {
    const int open_here = ::fcntl(STDERR_FILENO, F_DUPFD, 20);  // without close-on-exec
    ASSERT_GE(open_here, 20);
    const std::string test = "test -e /proc/self/fd/" + std::to_string(open_here);
    EXPECT_EQ(ended(test, 3).code, 1);
    ::close(open_here);
}

TEST(start_program, adds_variables_to_the_environment) {
    ::setenv("WARPLENS_TEST_OWN", "own", 1);
    EXPECT_EQ(ended("echo $WARPLENS_TEST_OWN $WARPLENS_TEST_ADDED", 1, {"WARPLENS_TEST_ADDED=added"}).written,
              "own added\n");
    ::unsetenv("WARPLENS_TEST_OWN");
}

TEST(start_program, starts_with_no_signal_blocked_or_ignored) {
    const auto before = std::signal(SIGTERM, SIG_IGN);
    EXPECT_EQ(ended("kill -TERM $$; exit 0", 3).code, -1);
    std::signal(SIGTERM, before);
}

TEST(start_program, reports_why_a_program_is_not_started) {
    EXPECT_EQ(start_program({.command = {"/no/such/program"}}).error().message, "No such file or directory");
    EXPECT_EQ(start_program({.command = {}}).error().message, "No such file or directory");
    EXPECT_EQ(start_program({.command = {"true"}, .descriptors = {9999}}).error().message,
              "Bad file descriptor");
}

}  // namespace
}  // namespace warplens
