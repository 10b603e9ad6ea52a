// Differences that two traces may have and still agree: memory outside their buffers, a block's own part of
// its cluster's shared memory, and the number of polls of a waiting lane.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/cluster.h"
#include "trace/agreement.h"
#include "trace/recorder.h"

namespace warplens::trace {
namespace {

using testing::HasSubstr;

constexpr BasicBlockId begin = 0, loop = 1, leave_block = 2;
constexpr SiteId first_load = 0, looping_load = 1, back = 2;
constexpr LaneMask lane_0{1u};

Site site(const char* opcode, SiteKind kind, BasicBlockId block, bool guarded = false) {
    Site made;
    made.opcode = made.text = opcode;
    made.kind = kind;
    made.basic_block = block;
    made.guarded = guarded;
    if (kind == SiteKind::memory) {
        made.operation = Operation::load;
        made.bytes_per_lane = 4;
    }
    return made;
}

/// A generic load; a loop of one block around another load; the end.
Program program(const char* looping = "ld.acquire.gpu.u32") {
    Program made;
    made.entry = "k";
    made.sites = {site("ld.u32", SiteKind::memory, begin), site(looping, SiteKind::memory, loop),
                  site("bra", SiteKind::branch, loop, true), site("ret", SiteKind::exit, leave_block)};
    made.basic_blocks = {{0, 1}, {1, 2}, {3, 1}};
    return made;
}

/// One lane: the first load, `rounds` rounds of the loop, each with the address that `looks_at` gives, and
/// the end.
Trace trace(const Program& of, Space space, std::uint64_t first, int rounds,
            const std::function<std::uint64_t(int)>& looks_at,
            LaunchGeometry geometry = {{1, 1, 1}, {1, 1, 1}, 0}, std::uint64_t block = 0) {
    Launch launch;
    launch.kernel = "k";
    launch.geometry = geometry;
    Recorder recorder(launch, of);
    auto to = recorder.begin_block(block);
    const auto load = [&](SiteId id, Space where, std::uint64_t address) {
        Addresses addresses{};
        addresses[0] = address;
        to->access(0, {id, lane_0, where, Operation::load, 4, &addresses});
    };
    to->visit(0, begin, lane_0);
    load(first_load, space, first);
    for (int round = 0; round < rounds; ++round) {
        to->visit(0, loop, lane_0);
        load(looping_load, Space::global, looks_at(round));
        to->branch(0, back, lane_0, round + 1 < rounds ? lane_0 : LaneMask::none());
    }
    to->visit(0, leave_block, lane_0);
    recorder.finish(block, std::move(to));
    return recorder.take();
}

Trace waiting(const Program& of, int rounds) {
    return trace(of, Space::global, 0x5000, rounds, [](int) { return std::uint64_t{0x5004}; });
}

TEST(agreement, how_often_a_lane_looked_at_what_it_waits_for_is_reported_but_no_difference) {
    const Program of = program();
    const Agreement same = compare(waiting(of, 3), waiting(of, 3));
    EXPECT_TRUE(same.exact());
    EXPECT_EQ(same.warps_that_waited, 0u);
    for (const int rounds : {1, 2, 40}) {
        const Agreement agreement = compare(waiting(of, 3), waiting(of, rounds));
        EXPECT_TRUE(agreement.exact())
            << rounds << ": " << (agreement.first ? agreement.first->sentence : "");
        EXPECT_EQ(agreement.warps_that_waited, 1u);
        EXPECT_FALSE(agreement.first);
    }
    EXPECT_FALSE(compare(waiting(of, 3), waiting(of, 0)).exact());
}

TEST(agreement, rounds_of_any_other_loop_are_compared) {
    const Program plain = program("ld.global.u32");
    EXPECT_FALSE(compare(waiting(plain, 3), waiting(plain, 4)).exact());
    // Volatile, but each round reads another word.
    const Program of = program("ld.volatile.global.u32");
    const auto next = [](int round) { return 0x5004u + 4u * static_cast<std::uint64_t>(round); };
    const Agreement agreement =
        compare(trace(of, Space::global, 0x5000, 3, next), trace(of, Space::global, 0x5000, 4, next));
    ASSERT_TRUE(agreement.first);
    EXPECT_EQ(agreement.warps_that_waited, 0u);
}

TEST(agreement, addresses_in_no_buffer_are_compared_by_their_distances) {
    const Program of = program();
    const auto at = [&](std::uint64_t first, std::uint64_t second) {
        return trace(of, Space::global, first, 1, [=](int) { return second; });
    };
    EXPECT_TRUE(compare(at(0x5000, 0x5010), at(0x7f0000001000, 0x7f0000001010)).exact());
    const Agreement other = compare(at(0x5000, 0x5010), at(0x7f0000001000, 0x7f0000001014));
    ASSERT_TRUE(other.first);
    EXPECT_EQ(other.first->kind, Divergence::Kind::address);
    // An address in a buffer of one trace differs from an address outside all buffers of the other.
    Trace held = at(0x7f0000001000, 0x7f0000001010);
    held.launch.buffers.push_back({"b", "u32", 4, 0x7f0000001000, 64});
    EXPECT_FALSE(compare(at(0x5000, 0x5010), held).exact());
}

TEST(agreement, a_blocks_own_shared_memory_is_the_same_by_either_name) {
    const Program of = program();
    const LaunchGeometry geometry{.grid = {4, 1, 1}, .block = {1, 1, 1}, .cluster = {4, 1, 1}};
    const auto at = [&](Space space, std::uint64_t address) {
        return trace(
            of, space, address, 1, [](int) { return std::uint64_t{0x5000}; }, geometry, 2);
    };
    const std::uint64_t own = std::uint64_t{2} << rank_shift, other = std::uint64_t{1} << rank_shift;
    EXPECT_TRUE(compare(at(Space::shared, 16), at(Space::shared_cluster, own | 16)).exact());
    EXPECT_TRUE(
        compare(at(Space::shared_cluster, other | 16), at(Space::shared_cluster, other | 16)).exact());
    for (const std::uint64_t wrong : {other | 16, own | 20}) {
        const Agreement agreement = compare(at(Space::shared, 16), at(Space::shared_cluster, wrong));
        ASSERT_TRUE(agreement.first);
        EXPECT_THAT(agreement.first->sentence, HasSubstr("ld.u32"));
    }
}

}  // namespace
}  // namespace warplens::trace
