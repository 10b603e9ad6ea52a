// decode() trusts nothing: an invalid record costs its block and no other.
#include <gmock/gmock.h>

#include <functional>

#include "tests/instrumentation/hand_written_space.h"

namespace warplens::instrumentation {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr std::uint32_t all_lanes = 0xffffffffu, low_lanes = 0xffffu, high_lanes = 0xffff0000u;

/// Blocks: 0 sets up; 1 loops to itself, guarded; 2 exits.
const char* const loop_block = "mov.u32 %r1, 0; $L: add.s32 %r1, %r1, 1; @%p1 bra $L; ret;";

/// Three blocks of one warp that goes round its loop three times, the last one in two halves.
struct Example {
    HandKernel kernel{loop_block, {{3, 1, 1}, {32, 1, 1}, 0}};
    HandWrittenSpace space{kernel, 4, 40};
    std::map<std::string, std::uint64_t> at;  // of block 1's parts

    Example() {
        for (const std::uint64_t block : {0u, 1u, 2u}) {
            const auto put = [&](const char* name, std::uint64_t where) {
                if (block == 1) at[name] = where;
            };
            put("first", space.record(block, 0, 0, all_lanes, 110));
            put("second", space.record(block, 0, 1, all_lanes, 120));
            put("third", space.record(block, 0, 1, all_lanes, 130));
            put("low", space.record(block, 0, 1, low_lanes, 140));
            put("high", space.record(block, 0, 1, high_lanes, 150));
            put("exit low", space.record(block, 0, 2, low_lanes, 160));
            put("exit high", space.record(block, 0, 2, high_lanes, 170));
            put("head", space.exit(block, 0, 100, 200, high_lanes));
        }
    }

    template <class T>
    T get(std::uint64_t where) {
        T value;
        std::memcpy(&value, space.bytes().data() + where, sizeof(T));
        return value;
    }
    template <class T>
    void change(std::uint64_t where, const std::function<void(T&)>& how) {
        T value = get<T>(where);
        how(value);
        space.put(where, value);
    }
    /// The chunk of a record, where its head lies.
    std::uint64_t chunk_of(const char* name) {
        const std::uint64_t first = head_bytes(0);
        return first + (at[name] - first) / 64 * 64;
    }
};

void expect_block_1_damaged(Example& example) {
    Listener listener;
    const auto decoded = example.space.decode(&listener);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(decoded->damaged, ElementsAre(1u));
    EXPECT_THAT(decoded->incomplete, IsEmpty());
    ASSERT_EQ(decoded->warps.size(), 2u);
    EXPECT_EQ(decoded->warps[1].block, 2u);
    EXPECT_EQ(decoded->warps[1].visits_begin, 7u);
    EXPECT_EQ(decoded->visits.size(), 14u);
    EXPECT_THAT(listener.heard, testing::Not(testing::Contains(HasSubstr("1 done"))));
    EXPECT_THAT(listener.heard, testing::Contains("2 done"));
}

TEST(damaged_space, the_first_block_that_is_left_out_says_what_makes_no_sense) {
    const auto first_damage = [](const std::function<void(Example&)>& change) {
        Example example;
        change(example);
        const auto decoded = example.space.decode();
        return decoded ? decoded->first_damage : decoded.error().message;
    };
    const auto third = [&](const std::function<void(VisitUnit&)>& how) {
        return first_damage([&](Example& e) { e.change<VisitUnit>(e.at["third"], how); });
    };
    EXPECT_EQ(first_damage([](Example&) {}), "");
    EXPECT_EQ(
        third([](VisitUnit& visit) { visit.block = 1; }),
        "block 1, warp 0: after 30 cycles lanes 0xffffffff entered basic block 0 (mov.u32), where not all of "
        "them can have come");
    EXPECT_EQ(
        third([](VisitUnit& visit) { visit.clock = 100'100; }),
        "block 1, warp 0: after 100000 cycles lanes 0xffffffff entered basic block 1 (add.s32), but the "
        "warp ended "
        "after 100");
    EXPECT_EQ(third([](VisitUnit& visit) { visit.active = 0; }),
              "block 1, warp 0: after its first 2 records something follows that is not a record");
    EXPECT_EQ(first_damage([](Example& e) { e.space.put(e.at["head"], WarpHead{}); }),
              "block 1, of its 1 warps 0 left a head");
    EXPECT_EQ(first_damage([](Example& e) {
                  e.change<ChunkHead>(e.chunk_of("low"), [](ChunkHead& head) { head.block = 4000; });
              }),
              "block 1, warp 0: its records end before all of its lanes have left");
}

TEST(damaged_space, the_example_is_whole) {
    Example example;
    const auto decoded = example.space.decode();
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(decoded->damaged, IsEmpty());
    EXPECT_EQ(decoded->visits.size(), 21u);
}

TEST(damaged_space, records_that_make_no_sense_cost_their_block_alone) {
    const std::vector<std::pair<const char*, std::function<void(VisitUnit&)>>> changes{
        {"a block that the program does not have", [](VisitUnit& visit) { visit.block = 77; }},
        {"a block that the last does not lead to", [](VisitUnit& visit) { visit.block = 1; }},
        {"no lane", [](VisitUnit& visit) { visit.active = 0; }},
        {"another leader", [](VisitUnit& visit) { visit.active &= ~1u; }},
        {"a clock before the last", [](VisitUnit& visit) { visit.clock = 119; }},
        {"a clock before the warp's start", [](VisitUnit& visit) { visit.clock = 99; }},
        {"a clock after the warp's end", [](VisitUnit& visit) { visit.clock = 500; }},
        {"nothing at all", [](VisitUnit& visit) { visit.block = 0; }},
    };
    for (const auto& change : changes) {
        SCOPED_TRACE(change.first);
        Example example;
        example.change<VisitUnit>(example.at["third"], change.second);
        expect_block_1_damaged(example);
    }
}

TEST(damaged_space, chunks_that_do_not_join_cost_their_block_alone) {
    const std::vector<std::pair<const char*, std::function<void(ChunkHead&)>>> changes{
        {"goes on from itself", [](ChunkHead& head) { head.previous = 9; }},
        {"goes on from nowhere", [](ChunkHead& head) { head.previous = 0x7fffffff; }},
        {"another lane's", [](ChunkHead& head) { head.marker ^= 3u << 16; }},
        {"another warp's", [](ChunkHead& head) { head.marker += 1; }},
        {"no block's", [](ChunkHead& head) { head.block = 4000; }},
        {"nobody's", [](ChunkHead& head) { head.marker = 0; }},
    };
    for (const auto& change : changes) {
        SCOPED_TRACE(change.first);
        Example example;
        example.change<ChunkHead>(example.chunk_of("low"), change.second);
        expect_block_1_damaged(example);
    }
}

TEST(damaged_space, a_warp_that_never_ended_costs_its_block_alone) {
    Example example;
    example.space.put(example.at["head"], WarpHead{});
    expect_block_1_damaged(example);
}

TEST(damaged_space, lanes_that_are_not_of_the_warp_cost_their_block) {
    const HandKernel kernel("ret;", {{1, 1, 1}, {40, 1, 1}, 0});
    HandWrittenSpace space(kernel, 4, 4);
    space.record(0, 0, 0, all_lanes, 5);
    space.exit(0, 0, 3, 8);
    space.record(0, 1, 0, 0x1ff, 5);
    space.exit(0, 1, 3, 8);
    const auto decoded = space.decode();
    ASSERT_TRUE(decoded);
    EXPECT_THAT(decoded->damaged, ElementsAre(0u));
}

TEST(damaged_space, a_block_that_lost_records_is_incomplete_and_its_records_still_count) {
    Example example;
    example.change<WarpHead>(example.at["head"], [](WarpHead& head) { head.identity |= lost_records; });
    example.space.head().dropped_records = 10;
    example.space.head().dropped_units = 10;
    example.space.head().dropped_streams = 2;
    const auto decoded = example.space.decode();
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(decoded->incomplete, ElementsAre(1u));
    EXPECT_THAT(decoded->damaged, IsEmpty());
    EXPECT_EQ(decoded->records, 21u);
    EXPECT_EQ(decoded->dropped_records, 10u);
    // Two streams of 10 units: 3 of a chunk's 4 hold records.
    EXPECT_GE(decoded->enough_bytes, chunk_offset(40 + 4 + 2, 4, 0));
    EXPECT_LE(decoded->enough_bytes, chunk_offset(40 + 10, 4, 0));
}

TEST(damaged_space, what_is_wrong_as_a_whole_is_reported_in_a_sentence) {
    const auto error_of = [](const std::function<void(Example&)>& change) {
        Example example;
        change(example);
        const auto decoded = example.space.decode();
        return decoded ? std::string("decoded") : decoded.error().message;
    };
    EXPECT_EQ(error_of([](Example& e) { e.space.read().parameter.chunk_units = 24; }),
              "the recording space has chunks of 24 units; a power of two of at least 4 is needed");
    EXPECT_EQ(error_of([](Example& e) { e.space.read().parameter.slabs = 2; }),
              "the recording space has 2 warps' first chunks where 3 blocks of 1 warps were recorded");
    EXPECT_EQ(error_of([](Example& e) { e.space.read().parameter.chunks = 3; }),
              "the recording space has 3 chunks, its 3 recorded warps need more");
    EXPECT_EQ(error_of([](Example& e) { e.space.bytes().resize(200); }),
              "of the recording space 200 bytes were read back; its head alone takes 256");
    EXPECT_EQ(error_of([](Example& e) { e.kernel.plan.blocks.pop_back(); }),
              "the recording plan has 2 basic blocks, the program 3: they are of two kernels");
    EXPECT_EQ(error_of([](Example& e) {
                  e.kernel.plan.blocks[1].values = {{0, 16, 4, 4}};
              }),
              "the recording plan of basic block 1 puts something outside of its record");
}

TEST(damaged_space, a_space_cut_short_loses_what_lay_behind) {
    Example example;
    example.space.read().bytes = {};
    example.space.bytes().resize(head_bytes(0) + 4 * 64);  // slabs, and one chunk of the pool
    ASSERT_EQ(example.space.bytes().size() % 64, 0u);
    const auto decoded = example.space.decode();
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_THAT(decoded->damaged, ElementsAre(0u, 1u, 2u));
}

}  // namespace
}  // namespace warplens::instrumentation
