// What follows from the launch alone: it is not recorded, and decode() executes it again.
#include "instrumentation/decode/replay.h"

#include <gmock/gmock.h>

#include <span>

#include "instrumentation/decode/warp_hash.h"
#include "instrumentation/rewrite/instrument.h"
#include "tests/instrumentation/hand_written_space.h"

namespace warplens::instrumentation {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

namespace {

/// Two lanes of block 1.
constexpr LaunchGeometry two_lanes_of_two_blocks{{2, 1, 1}, {2, 1, 1}, 0};
constexpr std::uint64_t parameter_value = 0x7'0000'0100;

Instrumented instrumented(const std::string& ptx, InstrumentOptions options) {
    const auto module = ptx::parse(ptx, "k.ptx");
    EXPECT_TRUE(module) << module.error().message;
    auto made = instrument(*module, "k", options);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
}

InstrumentOptions full() {
    InstrumentOptions options;
    options.mode = RecordMode::full;
    options.replay = true;
    return options;
}

/// A kernel whose full recording holds a head alone.
struct Replayed {
    HandKernel kernel;
    explicit Replayed(const std::string& body) : kernel(body, two_lanes_of_two_blocks) {
        kernel.plan = instrumented(kernel.program.ptx, full()).plan;
    }

    Result<Decoded> decode(Listener& listener, std::uint32_t hash, std::size_t argument_bytes = 8) const {
        HandWrittenSpace space(kernel, kernel.plan.min_chunk_units, 8, {1});
        space.put(space.exit(1, 0, 3, 8, 3) + offsetof(WarpHead, block), hash);
        const auto bytes = std::as_bytes(std::span(&parameter_value, 1)).first(argument_bytes);
        space.read().arguments.assign(bytes.begin(), bytes.end());
        return space.decode(&listener);
    }

    std::vector<std::string> heard() const {
        Listener listener;
        const auto decoded = decode(listener, 0);
        EXPECT_TRUE(decoded) << decoded.error().message;
        return listener.heard;
    }
};

/// Loads from an address that `arithmetic` leaves in %rd3.
Replayed loading(const std::string& arithmetic) {
    return Replayed("ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; " + arithmetic +
                    " ld.global.u32 %r9, [%rd3+8]; ret;");
}

TEST(replay, addresses_of_indices_and_parameters_are_not_recorded_but_hashed) {
    const Replayed example =
        loading("mad.lo.s32 %r3, %r2, 16, %r1; mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;");
    EXPECT_EQ(example.kernel.plan.values, 0u);
    EXPECT_TRUE(example.kernel.plan.hashes_addresses);
    const std::uint32_t hash = address_sum(hash_step(0, parameter_value + 64), 0) +
                               address_sum(hash_step(0, parameter_value + 68), 1);
    for (const bool right : {true, false}) {
        Listener listener;
        const auto decoded = example.decode(listener, right ? hash : hash + 1);
        ASSERT_TRUE(decoded) << decoded.error().message;
        EXPECT_THAT(listener.heard, Contains(HasSubstr("3: 700000148 70000014c")));
        EXPECT_NE(decoded->replay_differs, right);
    }
}

TEST(replay, without_the_launchs_arguments_is_an_error) {
    Listener listener;
    const auto decoded = loading("mov.u64 %rd3, %rd1;").decode(listener, 0, 0);
    ASSERT_FALSE(decoded);
    EXPECT_THAT(decoded.error().message, HasSubstr("arguments"));
}

TEST(replay, computes_as_the_ptx_isa_says) {
    const auto address = [](const std::string& arithmetic) {
        const Replayed example = loading(arithmetic);
        EXPECT_EQ(example.kernel.plan.values, 0u) << arithmetic;
        return example.heard();
    };
    // Lane 0 has -8, lane 1 has -7: signed shifts and comparisons keep the sign, unsigned ones do not.
    const std::string negative = "add.s32 %r3, %r1, -8; ";
    EXPECT_THAT(address(negative + "shr.s32 %r4, %r3, 1; cvt.s64.s32 %rd3, %r4;"),
                Contains(HasSubstr("3: 4 4")));
    EXPECT_THAT(address(negative + "shr.u32 %r4, %r3, 1; cvt.u64.u32 %rd3, %r4;"),
                Contains(HasSubstr("3: 80000004 80000004")));
    EXPECT_THAT(address(negative + "max.s32 %r4, %r3, -7; cvt.s64.s32 %rd3, %r4;"),
                Contains(HasSubstr("3: 1 1")));
    EXPECT_THAT(address(negative + "max.u32 %r4, %r3, 5; cvt.u64.u32 %rd3, %r4;"),
                Contains(HasSubstr("3: 100000000 100000001")));
    EXPECT_THAT(address(negative + "div.s32 %r4, %r3, 3; rem.s32 %r5, %r3, 3; mad.lo.s32 %r6, %r4, 16, %r5; "
                                   "cvt.s64.s32 %rd3, %r6;"),
                Contains(HasSubstr("3: ffffffffffffffe6 ffffffffffffffe7")));
    EXPECT_THAT(
        address(negative + "setp.lt.s32 %p1, %r3, -7; selp.b32 %r4, 16, 32, %p1; cvt.u64.u32 %rd3, %r4;"),
        Contains(HasSubstr("3: 18 28")));
    EXPECT_THAT(address("setp.eq.u32 %p1, %r1, 0; mov.u64 %rd3, 64; @!%p1 mov.u64 %rd3, 128;"),
                Contains(HasSubstr("3: 48 88")));
    EXPECT_THAT(address("shl.b32 %r4, %r2, 40; cvt.u64.u32 %rd3, %r4;"), Contains(HasSubstr("3: 8 8")));
    EXPECT_THAT(address(negative + "mul.hi.s32 %r4, %r3, 0x40000000; cvt.s64.s32 %rd3, %r4;"),
                Contains(HasSubstr("3: 6 6")));
    EXPECT_THAT(address(negative + "mul.hi.u32 %r4, %r3, 0x40000000; cvt.u64.u32 %rd3, %r4;"),
                Contains(HasSubstr("3: 40000006 40000006")));
    EXPECT_THAT(address("mov.u64 %rd2, -3; mul.hi.u64 %rd3, %rd2, 4;"), Contains(HasSubstr("3: b b")));
    EXPECT_THAT(address("mov.u64 %rd2, -3; mul.hi.s64 %rd3, %rd2, 4;"), Contains(HasSubstr("3: 7 7")));
    EXPECT_THAT(address("mul.wide.u32 %rd2, %r2, -1; xor.b64 %rd3, %rd2, 1;"),
                Contains(HasSubstr("3: 100000006 100000006")));
}

TEST(replay, lanes_of_a_guard_that_follows_from_the_launch_are_not_recorded) {
    const Replayed example(
        "ld.param.u64 %rd3, [a]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 1;\n"
        "@%p1 ld.global.u32 %r9, [%rd3]; ret;");
    EXPECT_THAT(example.kernel.plan.blocks, Each(Field(&BlockPlan::guards, testing::IsEmpty())));
    EXPECT_THAT(example.heard(), Contains("1.0 guard 3 2"));
}

TEST(replay, what_was_read_from_memory_or_came_from_another_lane_is_recorded) {
    for (const char* data :
         {"ld.global.u64 %rd3, [%rd1];", "atom.global.add.u64 %rd3, [%rd1], 4;",
          "shfl.sync.idx.b32 %r4, %r1, 0, 31, -1; cvt.u64.u32 %rd3, %r4;",
          "mov.u64 %rd3, 8; @%p1 ld.global.u64 %rd3, [%rd1];", "mov.u32 %r4, %smid; cvt.u64.u32 %rd3, %r4;"})
        EXPECT_EQ(loading(data).kernel.plan.values, 1u) << data;
}

/// Lanes load a signed word each, 4 apart, from 8 bytes behind the parameter's address, and take it as an
/// index.
TEST(replay, memory_that_a_kernel_only_reads_is_loaded_again) {
    InstrumentOptions options = full();
    options.replay_loads = true;
    const std::string indexed =
        "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; "
        "add.s64 %rd2, %rd1, %rd2; ";
    const std::string used = " cvt.s64.s32 %rd3, %r4; ld.global.u32 %r9, [%rd3+64]; ret;";
    HandKernel kernel(indexed + "ld.global.s32 %r4, [%rd2+8];" + used, two_lanes_of_two_blocks);
    kernel.plan = instrumented(kernel.program.ptx, options).plan;
    EXPECT_TRUE(kernel.plan.replays_loads());
    EXPECT_EQ(kernel.plan.values, 0u);

    const std::int32_t words[] = {1, 2, -32, 7};
    const std::uint32_t hash = address_sum(hash_step(hash_step(0, parameter_value), std::uint64_t(-32)), 0) +
                               address_sum(hash_step(hash_step(0, parameter_value + 4), 7), 1);
    for (const bool is_there : {true, false}) {
        Listener listener;
        HandWrittenSpace space(kernel, kernel.plan.min_chunk_units, 8, {1});
        space.put(space.exit(1, 0, 3, 8, 3) + offsetof(WarpHead, block), hash);
        const auto bytes = std::as_bytes(std::span(&parameter_value, 1));
        space.read().arguments.assign(bytes.begin(), bytes.end());
        space.read().memory = {{parameter_value, std::as_bytes(std::span(words).first(is_there ? 4 : 3))}};
        const auto decoded = space.decode(&listener);
        ASSERT_TRUE(decoded) << decoded.error().message;
        EXPECT_NE(decoded->replay_differs, is_there);
        if (is_there) {
            EXPECT_THAT(listener.heard, Contains(HasSubstr(": 20 47")));
        }
    }

    const auto values_of = [&](const std::string& load, const std::string& behind = "") {
        const HandKernel other(indexed + load + behind + used, two_lanes_of_two_blocks);
        return instrumented(other.program.ptx, options).plan.values;
    };
    const std::string stores = "st.global.u32 [%rd1], %r1;";
    EXPECT_EQ(values_of("ld.global.s32 %r4, [%rd2];", stores), 1u) << "the kernel writes there";
    EXPECT_EQ(values_of("ld.global.nc.s32 %r4, [%rd2];", stores), 0u) << "it says that it does not";
    EXPECT_EQ(values_of("ld.volatile.global.s32 %r4, [%rd2];"), 1u);
    EXPECT_EQ(values_of("ld.global.nc.v2.s32 {%r4, %r5}, [%rd2];"), 0u);
    EXPECT_EQ(values_of("ld.global.u64 %rd4, [%rd2]; ld.global.s32 %r4, [%rd4];"), 1u)
        << "other memory, behind a pointer";
}

/// Blocks: 0 sets up; 1 loops around a barrier, 2 is behind it; 3 leaves.
std::string barrier_loop(const std::string& limit) {
    return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 "
           "n)\n{\n"
           ".reg .b32 %r<10>; .reg .b64 %rd<4>; .reg .pred %p<4>;\nld.param.u64 %rd1, [a]; " +
           limit +
           "mov.u32 %r3, 0;\n$L: add.u32 %r3, %r3, 1; bar.sync 0;\n"
           "setp.lt.u32 %p1, %r3, %r2; @%p1 bra $L;\nret;\n}\n";
}

TEST(replay, a_loop_of_known_branches_leaves_no_record_and_no_clock) {
    InstrumentOptions options;
    options.predict_whole = options.replay = true;
    options.launch = KnownLaunch{.geometry = {{8, 1, 1}, {64, 1, 1}, 0}};
    using Source = BlockPlan::Source;
    const auto known = instrumented(barrier_loop("ld.param.u32 %r2, [n]; "), options).plan;
    EXPECT_EQ(known.blocks[1].source, Source::passed);
    EXPECT_EQ(known.blocks[2].source, Source::passed);
    EXPECT_EQ(known.blocks[3].source, Source::recorded);  // the clock behind the loop
    EXPECT_THAT(known.blocks, Each(Field(&BlockPlan::extra, BlockPlan::Extra::none)));
    const auto data = instrumented(barrier_loop("ld.global.u32 %r2, [%rd1]; "), options).plan;
    EXPECT_EQ(data.blocks[2].source, Source::recorded);
    options.replay = false;
    const auto recorded = instrumented(barrier_loop("ld.param.u32 %r2, [n]; "), options).plan;
    EXPECT_THAT(recorded.blocks, Contains(Field(&BlockPlan::clock_of_arrival, true)));
}

/// Block 1 is a loop around a load from %rd2, block 2 is behind it.
Instrumented proof_of_loop(const std::string& step) {
    InstrumentOptions options;
    options.mode = RecordMode::proof;
    options.replay = true;
    return instrumented(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
        ".reg .b32 %r<10>; .reg .b64 %rd<4>; .reg .pred %p<4>;\nld.param.u64 %rd1, [a]; mov.u64 %rd2, %rd1; "
        "mov.u32 %r3, 0;\n$L: ld.global.u64 %rd3, [%rd2+8]; " +
            step +
            "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 8; @%p1 bra $L;\nst.global.u32 [%rd1], %r3; "
            "ret;\n}\n",
        options);
}

TEST(replay, a_loops_addresses_that_follow_from_the_launch_are_hashed_behind_it) {
    const Instrumented known = proof_of_loop("add.s64 %rd2, %rd2, 16; ");
    ASSERT_EQ(known.plan.addresses.size(), 2u);
    EXPECT_EQ(known.plan.addresses[0].hashed_in, 2u);
    EXPECT_EQ(known.plan.addresses[1].hashed_in, no_index);
    const Instrumented data = proof_of_loop("mov.u64 %rd2, %rd3; ");
    EXPECT_THAT(data.plan.addresses, Each(Field(&AddressPlan::hashed_in, no_index)));

    const HashTable table(known.plan);
    WarpHash hash;
    hash.begin(table);
    const auto pass = [&](std::uint64_t first, std::uint64_t second, LaneMask lanes) {
        hash.access(table, 0, lanes, trace::Addresses{first + 8, second + 8});
    };
    pass(0x7'0000'0100, 0x7'0000'0200, {3});
    pass(0x7'0000'0110, 0x7'0000'0210, {1});
    EXPECT_EQ(hash.sum({3}), address_sum(0, 0) + address_sum(0, 1));
    hash.visit(table, 2, {3});
    EXPECT_EQ(hash.sum({3}),
              address_sum(hash_step(0, 0x7'0000'0110), 0) + address_sum(hash_step(0, 0x7'0000'0200), 1));
}

TEST(replay, of_shared_addresses_the_lower_half_is_hashed) {
    const Replayed example("mov.u64 %rd3, tile; ld.shared.u32 %r1, [%rd3+4]; ret;");
    ASSERT_EQ(example.kernel.plan.addresses.size(), 1u);
    EXPECT_EQ(hashed_base(example.kernel.plan.addresses[0], 0x7'0000'0104), 0x100u);
    const Replayed global = loading("mov.u64 %rd3, %rd1;");
    EXPECT_EQ(hashed_base(global.kernel.plan.addresses[0], 0x7'0000'0108), 0x7'0000'0100u);
}

TEST(replay, only_a_kernel_with_variables_or_generic_addresses_says_where_they_lie) {
    const auto ptx = [](const std::string& body) {
        return instrumented(HandKernel(body, two_lanes_of_two_blocks).program.ptx, full()).ptx;
    };
    const std::string parameter = "ld.param.u64 %rd1, [a]; ";
    EXPECT_THAT(ptx(parameter + "ld.global.u32 %r1, [%rd1]; ret;"), testing::Not(HasSubstr("cvta.local")));
    EXPECT_THAT(ptx(parameter + "ld.u32 %r1, [%rd1]; ret;"), HasSubstr("cvta.local"));
    EXPECT_THAT(ptx("ld.shared.u32 %r1, [tile]; ret;"), HasSubstr("cvta.local"));
}

}  // namespace
}  // namespace warplens::instrumentation
