// Unusual recordings: too little room, only some blocks or SMs, no slabs; and kernels written as PTX with
// behaviour that the catalogue does not cover.
#include <gmock/gmock.h>

#include "app/pipeline/block_sample.h"
#include "tests/golden/recorded_in_engine.h"

namespace warplens::app {
namespace {

using instr::RecordMode;

LoadedLaunch catalogue_launch(const std::string& name, const std::map<std::string, std::string>& set = {}) {
    const auto pipeline = make_pipeline();
    auto kernels = catalogue();
    if (kernels) {
        for (const instrumentation::KernelFile& kernel : *kernels) {
            if (kernel.name != name) continue;
            auto loaded =
                pipeline->load({std::make_shared<instrumentation::KernelFile>(kernel), set, "", {}});
            if (loaded) return std::move(*loaded);
            ADD_FAILURE() << loaded.error().message;
            return {};
        }
    }
    ADD_FAILURE() << "the catalogue has no " << name;
    return {};
}

/// A kernel k(.param .u64 out): `out` has a word for each thread of the grid. Registers %r, %d, %p and the
/// array `tile` are declared, %r0 is the thread's number in its block, %r1 in the grid, %d0 its word's
/// address.
LoadedLaunch ptx_launch(const std::string& body, LaunchGeometry geometry,
                        const std::string& module_scope = "") {
    const std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 4 .b8 dynamic[];\n" +
        module_scope +
        "\n.visible .entry k(.param .u64 out)\n{\n.local .align 8 .b8 depot[64];\n"
        ".shared .align 4 .b8 unused[12]; .shared .align 4 .b8 tile[4096];\n"
        ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %d<20>;\n"
        "mov.u32 %r0, %tid.z; mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y; mad.lo.u32 %r0, %r0, %r2, %r3;\n"
        "mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r0, %r0, %r2, %r3;\n"
        "mov.u32 %r4, %ctaid.y; mov.u32 %r5, %nctaid.x; mov.u32 %r6, %ctaid.x; mad.lo.u32 %r4, %r4, %r5, "
        "%r6;\n"
        "mov.u32 %r5, %ntid.y; mul.lo.u32 %r2, %r2, %r5; mov.u32 %r5, %ntid.z; mul.lo.u32 %r2, %r2, %r5;\n"
        "mad.lo.u32 %r1, %r4, %r2, %r0; ld.param.u64 %d0, [out]; cvta.to.global.u64 %d0, %d0;\n"
        "mul.wide.u32 %d1, %r1, 4; add.s64 %d0, %d0, %d1;\n" +
        body + "\n}\n";
    LoadedLaunch launch;
    auto module = ptx::parse(text, "case.ptx");
    if (!module) {
        ADD_FAILURE() << module.error().message;
        return launch;
    }
    launch.module = std::make_shared<ptx::Module>(std::move(*module));
    auto code = simt::Kernel::load(*launch.module, "k", text);
    if (!code) {
        ADD_FAILURE() << code.error().message;
        return launch;
    }
    launch.code = *code;
    launch.program = launch.code->program();
    launch.launch.kernel = "k";
    launch.launch.geometry = launch.prepared.geometry = geometry;
    const std::uint64_t words = geometry.blocks() * geometry.block.count();
    launch.prepared.buffers.push_back({"out", "u32", 4, std::vector<std::byte>(words * 4)});
    launch.prepared.arguments.push_back({0, 0, {}, ""});
    return launch;
}

void expect_same(const EngineRecording& recording, bool addresses) {
    EXPECT_TRUE(recording.same_results) << "the instrumented kernel left other results";
    EXPECT_THAT(recording.decoded.damaged, testing::IsEmpty());
    EXPECT_THAT(recording.decoded.incomplete, testing::IsEmpty());
    EXPECT_EQ(recording.decoded.dropped_records, 0u);
    const auto agreement = trace::compare(*recording.clean, *recording.recorded, {addresses});
    EXPECT_TRUE(agreement.exact()) << agreement.warps_that_differ << " of " << agreement.warps
                                   << " warps differ: " << (agreement.first ? agreement.first->sentence : "");
    EXPECT_GT(agreement.warps, 0u);
    EXPECT_FALSE(recording.hash_difference) << recording.hash_difference->sentence;
}

void expect_recorded_in_all_modes(const std::string& body,
                                  LaunchGeometry geometry = {{3, 1, 1}, {64, 1, 1}, 0},
                                  const std::string& module_scope = "") {
    RecordingEngine engine(ptx_launch(body, geometry, module_scope));
    ASSERT_TRUE(engine.launch().code);
    for (const RecordMode mode : {RecordMode::light, RecordMode::full, RecordMode::proof}) {
        EngineRecordingOptions options;
        options.mode = mode;
        const auto recording = engine.record(options);
        ASSERT_TRUE(recording) << recording.error().message;
        SCOPED_TRACE(static_cast<int>(mode));
        expect_same(*recording, mode == RecordMode::full);
    }
}

TEST(recorded_in_engine, constants_that_lanes_choose_are_reported_from_where_the_engine_has_them) {
    for (const char* spread : {"1", "4", "32"}) {
        SCOPED_TRACE(spread);
        RecordingEngine engine(catalogue_launch("constant_broadcast", {{"SPREAD", spread}}));
        for (const RecordMode mode : {RecordMode::full, RecordMode::proof}) {
            EngineRecordingOptions options;
            options.mode = mode;
            options.recorded = options.executed = {0, 3};
            const auto recording = engine.record(options);
            ASSERT_TRUE(recording) << recording.error().message;
            expect_same(*recording, mode == RecordMode::full);
        }
    }
}

TEST(recorded_in_engine, what_finds_no_room_is_counted_and_enough_is_enough) {
    for (const char* name : {"collatz", "matmul_tiled", "branch_switch"}) {
        for (const RecordMode mode : {RecordMode::light, RecordMode::full}) {
            SCOPED_TRACE(std::string(name) + (mode == RecordMode::full ? ", full" : ", light"));
            RecordingEngine engine(catalogue_launch(name));
            EngineRecordingOptions options;
            options.mode = mode;
            options.recorded = options.executed = {0, 1, 2};
            const auto all = engine.record(options);
            ASSERT_TRUE(all) << all.error().message;
            ASSERT_EQ(all->decoded.dropped_records, 0u);
            EXPECT_EQ(all->decoded.enough_bytes, 0u);

            options.pool_chunks = 5;
            const auto some = engine.record(options);
            ASSERT_TRUE(some) << some.error().message;
            EXPECT_TRUE(some->same_results);
            EXPECT_THAT(some->decoded.damaged, testing::IsEmpty());
            EXPECT_FALSE(some->decoded.incomplete.empty());
            EXPECT_GT(some->decoded.dropped_records, 0u);
            EXPECT_EQ(some->decoded.records + some->decoded.dropped_records, all->decoded.records);

            options.space_bytes = some->decoded.enough_bytes;
            const auto enough = engine.record(options);
            ASSERT_TRUE(enough) << enough.error().message;
            expect_same(*enough, mode == RecordMode::full);
        }
    }
}

TEST(recorded_in_engine, chosen_blocks_alone_are_recorded) {
    RecordingEngine engine(catalogue_launch("reduce_interleaved"));
    for (const bool slabs : {true, false}) {
        EngineRecordingOptions options;
        options.executed = spread_blocks(40, 40);
        options.recorded = {3, 31, 32, 39};
        options.slabs = slabs;
        options.mode = RecordMode::full;
        const auto recording = engine.record(options);
        ASSERT_TRUE(recording) << recording.error().message;
        expect_same(*recording, true);
        EXPECT_EQ(trace::recorded_blocks(*recording->recorded), options.recorded);
    }
}

TEST(recorded_in_engine, chosen_sms_alone_are_recorded) {
    RecordingEngine engine(catalogue_launch("collatz"));
    EngineRecordingOptions options;
    options.executed = options.recorded = {0, 7};
    options.slabs = false;
    options.sm_set = 1u;  // the engine's only one
    const auto recorded = engine.record(options);
    ASSERT_TRUE(recorded) << recorded.error().message;
    expect_same(*recorded, false);
    options.sm_set = 6u;
    const auto none = engine.record(options);
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_TRUE(none->same_results);
    EXPECT_TRUE(none->decoded.warps.empty());
    EXPECT_EQ(none->decoded.records, 0u);
    EXPECT_THAT(none->decoded.damaged, testing::IsEmpty());
}

TEST(recorded_in_engine, blocks_of_three_dimensions_and_part_warps) {
    expect_recorded_in_all_modes(
        "and.b32 %r7, %r0, 3; setp.eq.u32 %p1, %r7, 1; @%p1 bra $Odd;\n"
        "mul.lo.u32 %r8, %r1, 3; st.global.u32 [%d0], %r8; bra $End;\n"
        "$Odd: st.global.u32 [%d0], %r1;\n$End: ret;",
        {{2, 3, 1}, {5, 3, 3}, 0});
}

TEST(recorded_in_engine, lanes_that_leave_early_and_guarded_instructions) {
    expect_recorded_in_all_modes(
        "and.b32 %r7, %r0, 7; setp.gt.u32 %p1, %r7, 5; @%p1 exit;\n"
        "setp.lt.u32 %p2, %r7, 2; @%p2 st.global.u32 [%d0], %r7; @!%p2 mov.u32 %r8, 9;\n"
        "@!%p2 st.global.u32 [%d0], %r8;\n@%p2 ret;\n"
        "ld.global.u32 %r9, [%d0]; add.u32 %r9, %r9, 1; st.global.u32 [%d0], %r9; ret;");
}

TEST(recorded_in_engine, loops_whose_lanes_go_round_differently_often) {
    expect_recorded_in_all_modes(
        "and.b32 %r7, %r1, 5; add.u32 %r7, %r7, 1; mov.u32 %r8, 0; mov.u64 %d2, %d0;\n"
        "$Outer: and.b32 %r9, %r7, 3;\n"
        "$Inner: add.u32 %r8, %r8, %r9; st.global.u32 [%d2], %r8; setp.eq.u32 %p3, %r9, 0; @%p3 bra $Next;\n"
        "sub.u32 %r9, %r9, 1; bra $Inner;\n"
        "$Next: sub.u32 %r7, %r7, 1; setp.ne.u32 %p4, %r7, 0; @%p4 bra $Outer;\nret;");
}

TEST(recorded_in_engine, shared_local_and_generic_accesses_between_barriers) {
    expect_recorded_in_all_modes(
        "mov.u32 %r10, tile; shl.b32 %r11, %r0, 2; add.u32 %r12, %r10, %r11; st.shared.u32 [%r12], %r1;\n"
        "bar.sync 0; xor.b32 %r13, %r11, 4; add.u32 %r13, %r10, %r13; ld.shared.u32 %r14, [%r13];\n"
        "mov.u64 %d5, depot; st.local.u32 [%d5+8], %r14; and.b32 %r15, %r0, 3; mul.wide.u32 %d6, %r15, 4;\n"
        "add.s64 %d6, %d5, %d6; st.local.u32 [%d6+16], %r15; ld.local.u32 %r16, [depot+8];\n"
        "cvta.local.u64 %d7, %d6; ld.u32 %r17, [%d7+16];\n"
        "cvt.u64.u32 %d8, %r12; cvta.shared.u64 %d8, %d8; setp.lt.u32 %p1, %r15, 2; selp.b64 %d9, %d8, %d7, "
        "%p1;\n"
        "st.u32 [%d9], %r16; bar.sync 0; ld.shared.u32 %r18, [tile+128]; add.u32 %r18, %r18, %r17;\n"
        "mov.u32 %r20, dynamic; add.u32 %r20, %r20, %r11; st.shared.u32 [%r20], %r18;\n"
        "atom.shared.add.u32 %r21, [tile], 1; red.global.add.u32 [%d0], %r18; ret;",
        {{3, 1, 1}, {64, 1, 1}, 256});
}

TEST(recorded_in_engine, functions_that_call_and_recur) {
    expect_recorded_in_all_modes(
        "and.b32 %r7, %r0, 3; setp.ne.u32 %p1, %r7, 3; mov.u32 %r8, 7;\n"
        "@!%p1 bra $Skip;\n"
        "{ .param .b32 a; .param .b64 w; .param .b32 r; st.param.b32 [a], %r7; st.param.b64 [w], %d0;\n"
        "call (r), down, (a, w); ld.param.b32 %r8, [r]; }\n"
        "$Skip: ld.global.u32 %r9, [%d0]; add.u32 %r9, %r9, %r8; st.global.u32 [%d0], %r9; ret;",
        {{2, 1, 1}, {40, 1, 1}, 0},
        ".func (.param .b32 result) down(.param .b32 count, .param .b64 word);\n"
        ".func (.param .b32 result) down(.param .b32 count, .param .b64 word) {\n"
        ".reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p; ld.param.b32 %r0, [count]; ld.param.b64 %d0, "
        "[word];\n"
        "st.global.u32 [%d0], %r0; setp.eq.u32 %p, %r0, 0; mov.u32 %r1, 1; @%p bra $Done;\n"
        "sub.u32 %r2, %r0, 1;\n"
        "{ .param .b32 a; .param .b64 w; .param .b32 r; st.param.b32 [a], %r2; st.param.b64 [w], %d0;\n"
        "call (r), down, (a, w); ld.param.b32 %r1, [r]; }\n"
        "ld.global.u32 %r3, [%d0]; add.u32 %r1, %r1, %r3;\n"
        "$Done: st.param.b32 [result], %r1; ret; }");
}

TEST(recorded_in_engine, jumps_through_tables) {
    expect_recorded_in_all_modes(
        "and.b32 %r7, %r0, 3; mov.u32 %r8, 0;\n"
        "$Table: .branchtargets $A, $B, $C, $B;\nbrx.idx %r7, $Table;\n"
        "$A: add.u32 %r8, %r8, 1;\n$B: add.u32 %r8, %r8, 10; bra $End;\n$C: add.u32 %r8, %r8, 100;\n"
        "$End: st.global.u32 [%d0], %r8; ret;");
}

TEST(recorded_in_engine, asynchronous_copies_have_two_addresses) {
    expect_recorded_in_all_modes(
        "mov.u32 %r10, tile; shl.b32 %r11, %r0, 2; add.u32 %r12, %r10, %r11; st.global.u32 [%d0], %r1;\n"
        "cp.async.ca.shared.global [%r12], [%d0], 4; cp.async.commit_group; cp.async.wait_group 0; bar.sync "
        "0;\n"
        "xor.b32 %r11, %r11, 8; add.u32 %r12, %r10, %r11; ld.shared.u32 %r13, [%r12];\n"
        "st.global.u32 [%d0], %r13; ret;");
}

}  // namespace
}  // namespace warplens::app
