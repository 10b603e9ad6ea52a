// Warps that wait for another block's write: the number of polls depends on the CPU engine and must not
// affect the time.
#include <algorithm>

#include "simt/timing/timing_model.h"
#include "tests/simt/kernel_under_test.h"
#include "trace/check.h"
#include "trace/recorder.h"

namespace warplens::simt {
namespace {

/// The Trace of block 0 of a launch of `blocks`.
trace::Trace trace_of(const std::string& body, std::uint32_t blocks) {
    KernelUnderTest test(body);
    test.geometry.grid = {blocks, 1, 1};
    test.buffer(zeros(64));
    trace::Launch launch;
    launch.kernel = "k";
    launch.geometry = test.geometry;
    trace::RecorderOptions options;
    options.blocks = {0};
    trace::Recorder recorder(launch, test.kernel().program(), options);
    EXPECT_TRUE(test.run(&recorder).completed);
    return recorder.take();
}

double cycles_of(const trace::Trace& trace, std::size_t* notes = nullptr) {
    const auto schedule = simt::schedule(trace, default_gpu(), {});
    if (!schedule) throw std::runtime_error(schedule.error().message);
    EXPECT_EQ(trace::check(*schedule), "");
    if (notes) *notes = schedule->notes.size();
    return schedule->launch.sm_cycles;
}

/// Block 0 waits for a word that block 1 writes.
const std::string waiting =
    "ld.param.u64 %d1, [out];\nmov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra WORK;\nWAIT:\n"
    "ld.acquire.gpu.global.u32 %r2, [%d1];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\nbra.uni END;\n"
    "WORK:\nst.release.gpu.global.u32 [%d1], 1;\nEND:\nret;";

/// The same with `more` additional polls by block 0. It has one warp: all records are its own.
trace::Trace with_more_polls(trace::Trace trace, std::size_t more) {
    const auto twice = std::ranges::adjacent_find(trace.visits);
    EXPECT_NE(twice, trace.visits.end());
    trace.visits.insert(twice, more, *twice);
    trace.accesses.insert(trace.accesses.begin(), more, trace.accesses.front());
    trace.masks.insert(trace.masks.begin() + 1, more, trace.masks[1]);  // after the branch to WORK
    trace.warps[0].visits_end += more;
    trace.warps[0].accesses_end += more;
    trace.warps[0].masks_end += more;
    return trace;
}

TEST(polling, how_often_a_warp_looked_for_what_it_waits_for_takes_no_time) {
    const trace::Trace few = trace_of(waiting, 2), many = with_more_polls(few, 1000);
    ASSERT_TRUE(trace::check(many)) << trace::check(many).error().message;
    std::size_t notes = 0;
    EXPECT_EQ(cycles_of(many, &notes), cycles_of(few));
    EXPECT_GE(notes, 1u) << "that it was left out is said";
}

/// Block 1 waits for block 0, which the engine runs first: no poll is without success.
TEST(polling, a_wait_that_is_over_at_once_in_the_trace_is_said_not_to_be_in_the_time) {
    std::string second = waiting;
    second.replace(second.find("setp.ne"), 7, "setp.eq");
    std::size_t notes = 0, without = 0;
    const auto of_block_1 = [](const std::string& body) {
        KernelUnderTest test(body);
        test.geometry.grid = {2, 1, 1};
        test.buffer(zeros(64));
        trace::Launch launch;
        launch.kernel = "k";
        launch.geometry = test.geometry;
        trace::Recorder recorder(launch, test.kernel().program(), {});
        EXPECT_TRUE(test.run(&recorder).completed);
        return recorder.take();
    };
    cycles_of(of_block_1(second), &notes);
    cycles_of(of_block_1("ld.param.u64 %d1, [out];\nld.global.u32 %r2, [%d1];\nsetp.eq.u32 %p2, %r2, 0;\n"
                         "@%p2 bra END;\nst.global.u32 [%d1], %r2;\nEND:\nret;"),
              &without);
    EXPECT_EQ(notes, without + 1);
    cycles_of(trace_of(second, 2), &notes);
    EXPECT_EQ(notes, without + 1) << "the block that waits is not in the trace";
}

TEST(polling, work_from_a_counter_that_some_of_the_blocks_took_is_said_not_to_be_shared_as_on_a_gpu) {
    const auto notes_of = [](const std::string& use) {
        std::size_t notes = 0;
        cycles_of(trace_of("ld.param.u64 %d1, [out];\nmov.u32 %r3, 0;\nLOOP:\n"
                           "atom.global.add.u32 %r1, [%d1], 1;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, " +
                               use + ", 8;\n@%p1 bra LOOP;\nret;",
                           2),
                  &notes);
        return notes;
    };
    EXPECT_EQ(notes_of("%r1"), notes_of("%r3") + 1);
}

TEST(polling, a_loop_that_reads_a_volatile_word_a_number_of_times_is_timed_as_long_as_it_is) {
    const auto counted = [](int rounds) {
        return "ld.param.u64 %d1, [out];\nmov.u32 %r3, 0;\nLOOP:\nld.volatile.global.u32 %r2, [%d1];\n"
               "add.u32 %r4, %r4, %r2;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p3, %r3, " +
               std::to_string(rounds) + ";\n@%p3 bra LOOP;\nst.global.u32 [%d1], %r4;\nret;";
    };
    EXPECT_GT(cycles_of(trace_of(counted(400), 1)), 1.5 * cycles_of(trace_of(counted(200), 1)));
}

}  // namespace
}  // namespace warplens::simt
