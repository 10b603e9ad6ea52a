// What a time limit ends besides the CPU engine: compilers, the timing model, pictures; and what is said
// then.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "app/command_line/grammar.h"
#include "app/command_line/reported.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/pipeline/launch_time.h"
#include "core/leftovers.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

using TimeLimit = TypedCommands;

class TimeLimit_long : public TimeLimit {};

/// Waits like a parser that does not ask whether to stop.
void wait_without_asking() {
    for (;;) ::pause();
}

/// A compiler that never answers; it fails when it is ended.
void run_a_compiler_that_hangs() {
    const pid_t child = ::fork();
    if (child == 0) wait_without_asking();
    const Leftover leftover = Leftover::process(child);
    ::waitpid(child, nullptr, 0);
}

/// A command that does the work under a limit of 0.1 s and then fails.
[[noreturn]] void run_command(void (*work)()) {
    CLI::App app("", "warplens");
    Result<int> outcome = 0;
    char name[] = "warplens";
    char* arguments[] = {name, nullptr};
    const auto command = [work]() -> Result<int> {
        RunWatch::of_this_process().start(0.1);
        work();
        return fail("the compiler crashed");
    };
    ::_exit(run_words(app, outcome, command, 1, arguments) + 100);
}

TEST_F(TimeLimit, a_compiler_is_ended_at_the_limit) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EXIT(run_command(run_a_compiler_that_hangs), testing::ExitedWithCode(102),
                HasSubstr("stopped at the time limit of 0.1 s (--time-limit); there is no result"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8));
}

// What cannot ask whether to stop is ended with the process ten seconds after the limit, and what fails
// meanwhile is not said.
TEST_F(TimeLimit_long, work_that_does_not_ask_ends_some_time_after_the_limit) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(run_command(wait_without_asking), testing::ExitedWithCode(2),
                HasSubstr("ended 10 s past the time limit of 0.1 s (--time-limit)"));
}

// A report's counts of the machine code are within the limit of its run.
TEST_F(TimeLimit, a_launch_that_is_loaded_again_has_what_is_left_of_the_limit) {
    LaunchFlags flags;
    flags.target = "saxpy";
    const auto loaded = load_target(flags);
    ASSERT_TRUE(loaded) << loaded.error().message;
    RunWatch& watch = RunWatch::of_this_process();
    watch.start(0.001);
    while (!watch.should_stop()) std::this_thread::yield();
    EXPECT_TRUE(load_again(flags, loaded->pipeline));
    EXPECT_THAT(watch.reason(), HasSubstr("stopped at the time limit of 0.001 s"));
    watch.finish();
}

TEST_F(TimeLimit, the_timing_model_of_a_report_is_stopped) {
    const std::string loop =
        file("loop.cu",
             "__global__ void k(float* out) {\n    for (int i = 0; i < 20000; ++i) out[i % 32] += i;\n}\n");
    const std::string recorded = path("t.wltrace");
    const Outcome made = warplens(
        {"record", loop, "--grid", "1", "--block", "1", "--arg", "buffer:f32[32]=zero", "-o", recorded});
    if (!compiles(made)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(made.code, 0) << made.error;
    LaunchFlags flags;
    flags.target = recorded;
    const auto trace = load_trace(flags);
    ASSERT_TRUE(trace) << trace.error().message;
    const auto report = fold_trace(**trace);
    ASSERT_TRUE(time_recorded(*report, *trace, nullptr, "", [] { return true; }));
    EXPECT_FALSE(report->schedule);
    EXPECT_THAT(report->schedule_absent, HasSubstr("cancelled"));

    RunWatch& watch = RunWatch::of_this_process();
    watch.start(0.01);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto reported = report_of(flags, {});
    watch.finish();
    ASSERT_TRUE(reported) << reported.error().message;
    EXPECT_EQ(reported->stopped, "stopped at the time limit of 0.01 s (--time-limit)");
    EXPECT_EQ(report_of(flags, {})->stopped, "") << "without a limit it is modelled to its end";
}

}  // namespace
}  // namespace warplens::app
