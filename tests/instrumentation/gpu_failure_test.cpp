// Whatever happens in the recorder's child, this process survives and reports why, and the next run works.
#include <dirent.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "instrumentation/device/child_process.h"
#include "tests/instrumentation/recorder_fixture.h"

namespace warplens::instrumentation {

using testing::AllOf;
using testing::HasSubstr;
using FailureKind = GpuFailure::Kind;

namespace {

int open_descriptors() {
    int count = 0;
    DIR* const folder = opendir("/proc/self/fd");
    while (readdir(folder)) ++count;
    closedir(folder);
    return count;
}

/// The processes that this one started and that still exist, zombies included.
std::vector<int> children() {
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(entry.path() / "children");
        for (int process = 0; file >> process;) found.push_back(process);
    }
    return found;
}

class GpuFailureTest : public GpuRecorderTest {
  protected:
    void expect_next_run_works(GpuRecorder& recorder) {
        const auto next = recorder.run(launch(), {variant()}, {});
        EXPECT_TRUE(next.has_value()) << message_of(next);
    }
};

struct FaultCase {
    int code;
    const char* words;
    ProblemKind problem = ProblemKind::trap;
};

TEST_F(GpuFailureTest, a_fault_is_reported_in_words_and_the_next_run_works) {
    GpuRecorder recorder({runner()});
    for (const FaultCase& fault :
         {FaultCase{700, "belongs to no buffer (CUDA_ERROR_ILLEGAL_ADDRESS)", ProblemKind::out_of_bounds},
          FaultCase{716, "not a multiple of", ProblemKind::misaligned},
          FaultCase{702, "the driver's own time limit", ProblemKind::endless_loop},
          FaultCase{710, "an assertion"}, FaultCase{714, "stack", ProblemKind::stack_overflow},
          FaultCase{715, "instruction"}, FaultCase{717, "memory that"}, FaultCase{718, "no code"},
          FaultCase{719, "trap"}, FaultCase{214, "memory error"}}) {
        const auto result = recorder.run(launch({"fault " + std::to_string(fault.code)}), {}, {});
        ASSERT_FALSE(result.has_value()) << fault.code;
        EXPECT_EQ(result.error().kind, FailureKind::kernel_fault) << fault.code;
        EXPECT_EQ(result.error().problem, fault.problem) << fault.code;
        EXPECT_THAT(result.error().message,
                    AllOf(HasSubstr("saxpy "), HasSubstr(fault.words), HasSubstr("--engine simt")));
    }
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, a_fault_under_recording_names_the_recording) {
    GpuRecorder recorder({runner()});
    const auto result = recorder.run(launch(), {variant({"fault 700"})}, {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, FailureKind::recording_fault);
    EXPECT_THAT(result.error().message, AllOf(HasSubstr("saxpy with light recording read or wrote"),
                                              HasSubstr("without recording it came to its end")));
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, a_driver_that_is_lost_is_started_again) {
    GpuRecorder recorder({runner()});
    const auto result = recorder.run(launch({"fault 999"}), {}, {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, FailureKind::child_died);
    EXPECT_THAT(result.error().message, AllOf(HasSubstr("driver failed while"), HasSubstr("999")));
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, an_endless_kernel_is_stopped_at_the_time_limit) {
    GpuRecorder recorder({runner()});
    GpuRunOptions options;
    options.time_limit_s = 0.05;
    const auto result = recorder.run(launch({"endless 1"}), {}, options);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, FailureKind::time_limit);
    EXPECT_THAT(result.error().message, AllOf(HasSubstr("saxpy ran longer than 0.05 s"), HasSubstr("simt")));
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, a_run_can_be_cancelled_while_its_kernel_runs_and_before_it_begins) {
    GpuRecorder recorder({runner()});
    GpuRunOptions options;
    options.time_limit_s = 100;
    options.cancelled = [] { return true; };
    for (const char* order : {"endless 1", "add 1"}) {
        const auto result = recorder.run(launch({order}), {}, options);
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().kind, FailureKind::cancelled) << message_of(result);
        expect_next_run_works(recorder);
    }
}

TEST_F(GpuFailureTest, a_cancelled_run_between_kernels_keeps_the_child) {
    GpuRecorder recorder({runner()});
    bool kept = false;
    // On a busy machine the child's message may be late.
    for (int attempt = 0; attempt < 20 && !kept; ++attempt) {
        expect_next_run_works(recorder);
        const std::vector<int> before = children();
        forget_log();
        GpuRunOptions options;
        options.repeats = 20000;
        options.cancelled = [this] { return log()["launch"].first > 50; };
        const auto result = recorder.run(launch(), {}, options);
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().kind, FailureKind::cancelled);
        kept = children() == before;
    }
    EXPECT_TRUE(kept);
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, a_child_that_is_killed_in_a_kernel_is_reported) {
    GpuRecorder recorder({runner()});
    const auto result = recorder.run(launch({"kill 1"}), {}, {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, FailureKind::child_died);
    EXPECT_THAT(result.error().message, HasSubstr("was killed by signal 9 (SIGKILL) while saxpy ran"));
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, a_child_that_dies_between_runs_is_replaced) {
    GpuRecorder recorder({runner()});
    expect_next_run_works(recorder);
    ASSERT_EQ(children().size(), 1u);
    ASSERT_EQ(kill(children().front(), SIGKILL), 0);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    siginfo_t ended{};
    while (std::chrono::steady_clock::now() < until && ended.si_pid == 0) {
        waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT);
    }
    expect_next_run_works(recorder);
    EXPECT_TRUE(recorder.device().has_value());
}

TEST_F(GpuFailureTest, full_memory_says_how_much_was_needed_and_is_free) {
    set("FAKE_CUDA_MEMORY", "0x1000000");  // 16 MiB
    GpuRecorder recorder({runner()});
    const std::vector<std::uint32_t> large(std::size_t{6} << 18);
    GpuLaunch both = launch();
    both.buffers[1].data = std::as_bytes(std::span(large));
    const auto result = recorder.run(both, {variant()}, {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, FailureKind::out_of_memory);
    EXPECT_THAT(result.error().message,
                AllOf(HasSubstr("saxpy needs 24 MiB of the GPU's memory"), HasSubstr("16 MiB are free")));
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, a_recording_gives_way_to_buffers) {
    set("FAKE_CUDA_MEMORY", "0x2000000");  // 32 MiB
    GpuRecorder recorder({runner()});
    GpuRunOptions patient;
    patient.time_limit_s = 60;  // megabytes are cleared: seconds under a sanitizer
    GpuVariant greedy = variant();
    greedy.space_bytes = std::uint64_t{20} << 20;
    ASSERT_TRUE(recorder.run(launch(), {greedy}, patient).has_value());
    const std::vector<std::uint32_t> large(std::size_t{6} << 18);
    GpuLaunch both = launch();
    both.buffers[1].data = std::as_bytes(std::span(large));
    const auto result = recorder.run(both, {greedy}, patient);
    EXPECT_TRUE(result.has_value()) << message_of(result);
}

TEST_F(GpuFailureTest, what_the_assembler_refuses_is_reported_as_it_said_it) {
    GpuRecorder recorder({runner()});
    const auto result = recorder.run(launch(), {variant({"refuse Unknown symbol 'z'"})}, {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, FailureKind::load_failed);
    EXPECT_THAT(result.error().message,
                AllOf(HasSubstr("saxpy with light recording"), HasSubstr("line 7"), HasSubstr("symbol 'z'")));
    const auto newer = recorder.run(launch({"refuse x", "code 222"}), {}, {});
    ASSERT_FALSE(newer.has_value());
    EXPECT_EQ(newer.error().kind, FailureKind::load_failed);
    EXPECT_THAT(newer.error().message, AllOf(HasSubstr("version 8.0"), HasSubstr("CUDA 13.0")));
    GpuLaunch nameless = launch();
    nameless.entry = "axpy";
    EXPECT_THAT(message_of(recorder.run(nameless, {}, {})), HasSubstr("no kernel axpy"));
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, a_launch_that_cannot_be_is_refused_with_the_reason) {
    GpuRecorder recorder({runner()});
    const auto refused = [&](const GpuLaunch& launch, const std::vector<GpuVariant>& variants,
                             const char* why) {
        const auto result = recorder.run(launch, variants, {});
        ASSERT_FALSE(result.has_value()) << why;
        EXPECT_EQ(result.error().kind, FailureKind::launch_refused) << why;
        EXPECT_THAT(result.error().message, HasSubstr(why));
    };
    refused(launch(), {variant({"threads 32", "registers 255"})}, "with 255 registers per thread");
    GpuLaunch wrong = launch();
    wrong.geometry.dynamic_shared_bytes = 300 * 1024;
    refused(wrong, {}, "bytes of shared memory");
    wrong = launch();
    wrong.geometry.grid.y = 0;
    refused(wrong, {}, "without blocks");
    wrong = launch();
    wrong.geometry.block = {1024, 2, 1};
    refused(wrong, {}, "2048 threads");
    wrong = launch();
    wrong.pointers = {{5, 0}};
    refused(wrong, {}, "pointer at byte 5");
    wrong.pointers = {{0, 2}};
    refused(wrong, {}, "pointer at byte 0");
    GpuVariant odd = variant();
    odd.chunk_units = 12;
    refused(launch(), {odd}, "a power of two");
    odd = variant();
    odd.space_bytes = 500;
    odd.symbols = 25;
    refused(launch(), {odd}, "the head and one chunk take 640");
    odd = variant();
    odd.blocks = {1, 4};
    refused(launch(), {odd}, "block 4");
    odd.blocks = {1, 1};
    refused(launch(), {odd}, "ascend");
    expect_next_run_works(recorder);
}

TEST_F(GpuFailureTest, a_machine_without_a_driver_or_a_gpu_is_reported) {
    set("WARPLENS_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    GpuRecorder without({runner()});
    for (int time = 0; time < 2; ++time) {
        const auto facts = without.device();
        ASSERT_FALSE(facts.has_value());
        EXPECT_EQ(facts.error().kind, FailureKind::no_driver);
        EXPECT_THAT(facts.error().message, AllOf(HasSubstr("no NVIDIA driver"), HasSubstr("/nowhere/")));
    }
    EXPECT_EQ(without.run(launch(), {}, {}).error().kind, FailureKind::no_driver);

    set("WARPLENS_CUDA_DRIVER", "libm.so.6");
    GpuRecorder other({runner()});
    EXPECT_THAT(message_of(other.device()), HasSubstr("no cuInit"));

    set("WARPLENS_CUDA_DRIVER", fake_driver());
    set("FAKE_CUDA_GPUS", "0");
    GpuRecorder blind({runner()});
    const auto facts = blind.device();
    ASSERT_FALSE(facts.has_value());
    EXPECT_EQ(facts.error().kind, FailureKind::no_device);
    EXPECT_THAT(facts.error().message, HasSubstr("sees no GPU"));
    set("FAKE_CUDA_GPUS", "1");
    EXPECT_TRUE(blind.device().has_value()) << "a GPU that came since";
}

TEST_F(GpuFailureTest, a_program_that_is_not_there_is_reported) {
    GpuRecorder recorder({"/nowhere/warplens", "gpu-runner"});
    const auto facts = recorder.device();
    ASSERT_FALSE(facts.has_value());
    EXPECT_EQ(facts.error().kind, FailureKind::child_died);
    EXPECT_THAT(facts.error().message, AllOf(HasSubstr("/nowhere/warplens"), HasSubstr("No such file")));
}

TEST_F(GpuFailureTest, nothing_is_left_behind) {
    {
        GpuRecorder first({runner()});
        ASSERT_TRUE(first.run(launch(), {variant()}, {}).has_value());
    }
    const int before = open_descriptors();
    {
        GpuRecorder recorder({runner()});
        for (const char* order : {"add 1", "fault 700", "kill 1", "refuse x"}) {
            const auto result = recorder.run(launch({order}), {variant(), variant({"add 2"})}, {});
            EXPECT_EQ(result.has_value(), std::string(order) == "add 1") << message_of(result);
            EXPECT_LE(children().size(), 1u);
        }
    }
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_TRUE(children().empty());
}

/// The thread that started the child may end before the program does.
TEST_F(GpuFailureTest, a_child_outlives_the_thread_that_started_it) {
    GpuRecorder recorder({runner()});
    std::thread([&] { EXPECT_TRUE(recorder.device().has_value()); }).join();
    const std::vector<int> before = children();
    expect_next_run_works(recorder);
    EXPECT_EQ(children(), before);
}

/// A parent that has ended: its end of the socket closes, whatever the child is doing.
TEST_F(GpuFailureTest, a_child_ends_with_its_parent_even_in_an_endless_kernel) {
    auto child = ChildProcess::start({runner()});
    ASSERT_TRUE(child.has_value()) << child.error().message;
    const auto soon = [] { return Clock::now() + std::chrono::seconds(10); };
    ASSERT_TRUE(child->channel().send({{"ask", "hello"}}, soon()));
    Json message;
    ASSERT_EQ(child->channel().receive(message, soon()), Receipt::message);
    child->channel().close();
    EXPECT_TRUE(child->ended_by(soon()));
    EXPECT_EQ(child->how_it_ended(), "ended with exit code 0");
}

}  // namespace

}  // namespace warplens::instrumentation
