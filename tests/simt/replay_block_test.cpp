// The state at a step: registers, last writers and histories of kernels whose values are known, and the same
// steps as the recorder's.
#include "simt/functional/block/replay_block.h"

#include "simt/functional/block/memory_history.h"
#include "tests/simt/kernel_under_test.h"
#include "trace/query.h"
#include "trace/recorder.h"

namespace warplens::simt {
namespace {

StepState state_at(KernelUnderTest& test, StepAt at) {
    StepReplay replay(test.kernel(), test.module(), test.geometry, at);
    test.options.watch = &replay;
    test.run(&replay);
    test.options.watch = nullptr;
    return replay.take();
}

/// Of the register with this name.
const RegisterState& value(const KernelUnderTest& test, const StepState& state, const std::string& name) {
    const auto& registers = test.module().functions[state.function].registers;
    for (const RegisterState& one : state.registers)
        if (registers[one.index].name == name) return one;
    throw std::runtime_error(name + " is not used");
}

trace::Trace recorded(KernelUnderTest& test) {
    trace::Launch launch;
    launch.geometry = test.geometry;
    trace::Recorder recorder(launch, test.kernel().program());
    test.run(&recorder);
    return recorder.take();
}

/// The first step of a warp at an instruction that begins so.
std::uint64_t step_of(KernelUnderTest& test, std::uint32_t warp, const std::string& text,
                      std::uint64_t block = 0) {
    const trace::Trace trace = recorded(test);
    const trace::RecordedSites sites(trace.program);
    const trace::WarpSteps steps(trace, sites, *trace::find_warp(trace, block, warp));
    for (std::uint64_t i = 0; i < steps.size(); ++i)
        if (trace.program.sites[steps.at(i).site].text.find(text) != std::string::npos) return i;
    throw std::runtime_error("no step executes " + text);
}

std::uint32_t word_of(const PlaceBytes& bytes) {
    std::uint32_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    return word;
}

TEST(replay_block, reads_registers_before_and_after_a_guarded_step) {
    KernelUnderTest test(
        "mov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, 3;\nsetp.lt.u32 %p1, %r1, 8;\n"
        "@%p1 add.u32 %r3, %r2, 100;\nret;");
    test.buffer(zeros(1));
    const StepState state = state_at(test, {0, 0, 3});
    EXPECT_EQ(state.active.bits, 0xffffffffu);
    EXPECT_EQ(state.executed.bits, 0xffu);
    EXPECT_EQ(value(test, state, "%r2").before[5], 15u);
    EXPECT_EQ(value(test, state, "%p1").before[7], 1u);
    EXPECT_EQ(value(test, state, "%p1").before[8], 0u);
    const RegisterState& sum = value(test, state, "%r3");
    EXPECT_EQ(sum.written_before.bits, 0u);
    EXPECT_EQ(sum.written_after.bits, 0xffu);
    EXPECT_EQ(sum.after[3], 109u);
}

TEST(replay_block, knows_no_site_past_the_last_step) {
    KernelUnderTest test("mov.u32 %r1, %tid.x;\nret;");
    test.buffer(zeros(1));
    EXPECT_NE(state_at(test, {0, 0, 1}).site, no_index);
    EXPECT_EQ(state_at(test, {0, 0, 2}).site, no_index);
}

// Lanes leave a loop one after the other; each step has the recorder's site and lanes.
TEST(replay_block, counts_steps_as_the_trace_does) {
    KernelUnderTest test(
        "mov.u32 %r1, %laneid;\nmov.u32 %r2, 0;\nLOOP:\nadd.u32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra LOOP;\n@!%p1 mov.u32 %r3, %r2;\nbar.sync 0;\nret;");
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(1));
    const trace::Trace trace = recorded(test);
    const trace::RecordedSites sites(trace.program);
    for (const std::uint32_t warp : {0u, 1u}) {
        const trace::WarpSteps steps(trace, sites, trace.warps[warp]);
        ASSERT_GT(steps.size(), 90u);
        for (std::uint64_t i = 0; i < steps.size(); ++i) {
            const StepState state = state_at(test, {0, warp, i});
            ASSERT_EQ(state.site, steps.at(i).site) << i;
            EXPECT_EQ(state.active.bits, steps.at(i).active.bits) << i;
            if (trace.program.sites[state.site].kind != SiteKind::branch) {
                EXPECT_EQ(state.executed.bits, steps.at(i).executed.bits) << i;
            }
        }
    }
}

const std::string row_of_64 = ".shared .align 4 .b8 row[256];";
/// Thread t stores t to row[t], and after a barrier 100 + t to row[63 - t].
const std::string store_twice =
    "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, row;\nadd.u32 %r4, %r3, %r2;\n"
    "st.shared.u32 [%r4], %r1;\nbar.sync 0;\nsub.u32 %r5, 63, %r1;\nshl.b32 %r6, %r5, 2;\n"
    "add.u32 %r7, %r3, %r6;\nadd.u32 %r8, %r1, 100;\nst.shared.u32 [%r7], %r8;\nret;";

KernelUnderTest twice() {
    KernelUnderTest test(store_twice, ".param .u64 out", row_of_64);
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(1));
    return test;
}

TEST(replay_block, names_the_last_writer_of_each_word) {
    KernelUnderTest test = twice();
    const std::uint64_t second = step_of(test, 0, "[%r7]");
    // Warp 1 arrives last at the barrier and continues first.
    const StepState state = state_at(test, {0, 0, second});
    ASSERT_EQ(state.shared.writers.size(), 64u);
    std::vector<std::uint32_t> words(64);
    std::memcpy(words.data(), state.shared.bytes.data(), 256);
    for (std::uint32_t word = 0; word < 64; ++word) {
        const std::uint32_t thread = 63 - word;
        EXPECT_EQ(words[word], 100 + thread);
        EXPECT_EQ(state.shared.writers[word].at, (StepAt{0, thread / 32, second}));
        EXPECT_EQ(state.shared.writers[word].lane, static_cast<int>(thread % 32));
    }
    const StepState before = state_at(test, {0, 0, step_of(test, 0, "[%r4]")});
    EXPECT_EQ(before.shared.writers[5].lane, 5);
    EXPECT_EQ(before.shared.writers[40].site, no_index) << "warp 1 has not stored yet";
}

TEST(replay_block, lists_every_write_to_a_word_with_its_values) {
    KernelUnderTest test = twice();
    const StepAt at{0, 0, step_of(test, 0, "[%r7]")};
    MemoryHistory history(test.kernel(), test.geometry, at, MemoryPlace{Space::shared, 4 * 60, 4},
                          {MemoryPlace{Space::shared, 4 * 60, 4}});
    test.options.watch = &history;
    test.run(&history);
    EXPECT_TRUE(history.done());
    ASSERT_EQ(history.writes().size(), 2u);
    const MemoryWrite &first = history.writes()[0], &second = history.writes()[1];
    EXPECT_EQ(first.at.warp, 1u);
    EXPECT_EQ(first.lanes.bits, 1u << 28);
    EXPECT_EQ(word_of(first.after), 60u);
    EXPECT_EQ(second.at, at);
    EXPECT_EQ(second.lanes.bits, 1u << 3);
    EXPECT_EQ(word_of(second.before), 60u);
    EXPECT_EQ(word_of(second.after), 103u);
    EXPECT_EQ(history.writes_before_step(), 1u);
    EXPECT_EQ(word_of(history.around()[0].before), 60u);
    EXPECT_EQ(word_of(history.around()[0].after), 103u);
}

TEST(replay_block, adds_up_atomics_over_blocks_in_the_engines_order) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\ncvta.to.global.u64 %d1, %d1;\nred.global.add.u32 [%d1], 2;\nret;");
    test.geometry.grid = {3, 1, 1};
    const std::uint64_t out = test.buffer(zeros(1));
    MemoryHistory history(test.kernel(), test.geometry, {2, 0, 2}, MemoryPlace{Space::global, out, 4}, {});
    test.options.watch = &history;
    test.run(&history);
    ASSERT_EQ(history.writes().size(), 3u);
    for (std::uint32_t block = 0; block < 3; ++block) {
        EXPECT_EQ(history.writes()[block].at.block, block);
        EXPECT_EQ(word_of(history.writes()[block].before), 64 * block);
        EXPECT_EQ(word_of(history.writes()[block].after), 64 * (block + 1));
    }
    EXPECT_EQ(history.writes_before_step(), 2u);
    EXPECT_EQ(word_of(history.initial()), 128u);
}

TEST(replay_block, gives_an_asynchronous_copy_its_value_once_it_has_arrived) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\ncvta.to.global.u64 %d1, %d1;\nmov.u32 %r1, row;\n"
        "cp.async.ca.shared.global [%r1], [%d1], 4;\nmov.u32 %r2, 1;\ncp.async.wait_all;\n"
        "ld.shared.u32 %r3, [%r1];\nret;",
        ".param .u64 out", row_of_64);
    test.geometry.block = {1, 1, 1};
    test.buffer(std::vector<std::uint32_t>{77});
    MemoryHistory history(test.kernel(), test.geometry, {0, 0, 4}, MemoryPlace{Space::shared, 0, 4},
                          {MemoryPlace{Space::shared, 0, 4}});
    test.options.watch = &history;
    test.run(&history);
    ASSERT_EQ(history.writes().size(), 1u);
    EXPECT_TRUE(history.writes()[0].asynchronous);
    EXPECT_EQ(word_of(history.writes()[0].after), 77u);
    EXPECT_EQ(word_of(history.around()[0].after), 0u) << "not waited for yet";
}

TEST(replay_block, keeps_what_lanes_gave_and_received) {
    KernelUnderTest test(
        "mov.u32 %r1, %laneid;\nmul.lo.u32 %r2, %r1, 10;\n"
        "shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\nadd.u32 %r4, %r2, %r3;\n"
        "shfl.sync.bfly.b32 %r5, %r4, 2, 31, -1;\nret;");
    test.buffer(zeros(1));
    const StepState state = state_at(test, {0, 0, 4});
    ASSERT_EQ(state.exchanges.size(), 2u);
    EXPECT_EQ(state.exchanges[0].step, 2u);
    EXPECT_EQ(state.exchanges[0].before[6], 60u);
    EXPECT_EQ(state.exchanges[0].after[6], 70u);
    EXPECT_EQ(state.exchanges[1].before[6], 130u);
    EXPECT_EQ(state.exchanges[1].after[6], 90u) << "lanes 4 and 5";
}

// Watching changes nothing: same memory, same steps, and the last state is what the run left.
TEST(replay_block, leaves_the_results_as_they_are) {
    KernelUnderTest plain = twice(), watched = twice();
    const RunResult expected = plain.run();
    MemoryHistory history(watched.kernel(), watched.geometry, {0, 0, 0}, std::nullopt, {});
    watched.options.watch = &history;
    const RunResult result = watched.run(&history);
    EXPECT_EQ(result.steps, expected.steps);
    EXPECT_EQ(result.thread_steps, expected.thread_steps);
    EXPECT_EQ(watched.contents(), plain.contents());
}

}  // namespace
}  // namespace warplens::simt
