// decode() in full and proof mode: addresses from base values, and hashes.
#include <gmock/gmock.h>

#include "instrumentation/decode/address_hash.h"
#include "tests/instrumentation/hand_written_space.h"

namespace warplens::instrumentation {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr LaunchGeometry two_lanes{{1, 1, 1}, {2, 1, 1}, 0};

/// One block of a single record with a value of 4 bytes per lane.
struct Addressed {
    HandKernel kernel;
    Addressed(const std::string& body, AddressPlan address, std::uint32_t bytes) : kernel(body, two_lanes) {
        kernel.plan.mode = RecordMode::full;
        kernel.plan.values = 1;
        kernel.plan.blocks[0].units = 1 + 32 * bytes / 16;
        kernel.plan.blocks[0].values = {{0, 16, bytes, bytes}};
        kernel.plan.addresses = {address};
    }

    std::vector<std::string> heard(const std::vector<std::uint32_t>& words,
                                   const std::function<void(HandWrittenSpace&)>& change = {}) {
        HandWrittenSpace space(kernel, 32, 3);
        space.record(0, 0, 0, 3, 5, 0, words);
        space.exit(0, 0, 3, 8, 3);
        if (change) change(space);
        Listener listener;
        const auto decoded = space.decode(&listener);
        EXPECT_TRUE(decoded) << decoded.error().message;
        return listener.heard;
    }
};

TEST(decoded_addresses, narrow_values_get_the_upper_half_of_all_buffers) {
    Addressed example("ld.global.u32 %r1, [%rd1+64]; ret;", {0, 0, no_index, 64, true, 0, false}, 4);
    example.kernel.plan.narrow = true;
    const auto heard = example.heard(
        {0x100, 0xffffffe0}, [](HandWrittenSpace& space) { space.read().parameter.address_high = 0x7f; });
    EXPECT_THAT(heard, Contains("0.0 global load at 0 3: 7f00000140 8000000020"));
}

TEST(decoded_addresses, only_active_lanes_count_as_written) {
    Addressed example("ld.global.u32 %r1, [%rd1]; ret;", {0, 0, no_index, 0, true, 0, false}, 4);
    HandWrittenSpace space(example.kernel, 32, 3);
    space.record(0, 0, 0, 3, 5, 0, {0x100, 0x104});
    space.exit(0, 0, 3, 8, 3);
    const auto decoded = space.decode();
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(decoded->written_bytes, 2u * unit_bytes + 2 * 4);  // head, record, two addresses
}

TEST(decoded_addresses, wide_values_and_negative_offsets) {
    Addressed example("st.global.u32 [%rd1+-8], %r1; ret;", {0, 0, no_index, -8, true, 0, false}, 8);
    const auto heard = example.heard({0x100, 0x12, 0x4, 0x13});
    EXPECT_THAT(heard, Contains("0.0 global store at 0 3: 12000000f8 12fffffffc"));
}

TEST(decoded_addresses, shared_values_of_two_bytes_are_reported_from_the_start_of_the_variables) {
    Addressed example("ld.shared.u32 %r1, [%r2+4]; ld.shared.u32 %r3, [tile+8]; ret;",
                      {0, 0, no_index, 4, false, 0, false}, 2);
    example.kernel.plan.symbols = {"tile"};
    example.kernel.plan.addresses.push_back({1, no_index, 0, 8, false, 0, false});
    const auto heard = example.heard({0x0450'0410}, [](HandWrittenSpace& space) {
        space.put(sizeof(SpaceHead), std::uint64_t{0x400});
        space.read().symbol_bases = {0x20};
    });
    EXPECT_THAT(heard, Contains("0.0 shared load at 0 3: 34 74"));
    EXPECT_THAT(heard, Contains("0.0 shared load at 1 3: 28 28"));
}

TEST(decoded_addresses, generic_addresses_are_parted_by_their_windows) {
    Addressed example("ld.u32 %r1, [%rd1]; ret;", {0, 0, no_index, 0, true, 0, false}, 8);
    const auto heard = example.heard({0x0100'0040, 0x5, 0x80, 0x7}, [](HandWrittenSpace& space) {
        space.head().shared_window = 0x5'0100'0000;
        space.head().local_window = 0x5'0200'0000;
    });
    EXPECT_THAT(heard, Contains("0.0 global load at 0 2: 700000080"));
    EXPECT_THAT(heard, Contains("0.0 shared load at 0 1: 40"));
}

TEST(decoded_addresses, guards_take_their_ballot_and_lanes_off_access_nothing) {
    Addressed example("@%p1 ld.global.u32 %r1, [%rd1]; ret;", {0, 0, no_index, 0, true, 0, false}, 8);
    example.kernel.plan.blocks[0].guards = {{0, 12}};
    const auto heard = example.heard({0x100, 0, 0x200, 0}, [](HandWrittenSpace& space) {
        const std::uint64_t record = space.chunk_at(1) + 2 * unit_bytes;
        space.put(record + 12, std::uint32_t{2});
    });
    EXPECT_THAT(heard,
                ElementsAre("0.0 visit 0 3", "0.0 guard 0 2", "0.0 global load at 0 2: 200", "0 done"));
}

TEST(decoded_addresses, hash_of_a_proof_is_the_sum_over_the_lanes_of_a_warp) {
    HandKernel kernel("ld.global.u32 %r1, [%rd1+4]; ret;", two_lanes);
    kernel.plan.mode = RecordMode::proof;
    kernel.plan.values = 1;
    kernel.plan.addresses = {{0, 0, no_index, 4, true, 0, true}};
    kernel.plan.hashes_addresses = true;
    kernel.plan.min_chunk_units = 16;
    HandWrittenSpace space(kernel, 16, 3);
    space.record(0, 0, 0, 3, 5);
    const std::uint64_t head = space.exit(0, 0, 3, 8, 3);
    space.put(head + offsetof(WarpHead, block),
              address_sum(hash_step(0, 0x7'0000'00fc), 0) + address_sum(hash_step(0, 0x7'0000'0100), 1));
    const auto decoded = space.decode();
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(decoded->records, 1u);
    ASSERT_EQ(decoded->hashes.size(), 1u);

    const auto difference = [&](std::uint64_t first, std::uint64_t second) {
        AddressHash hash(kernel.plan, kernel.program, kernel.geometry, space.read());
        auto block = hash.begin_block(0);
        trace::Addresses addresses{first, second};
        block->access(0, {0, {3}, Space::global, Operation::load, 4, &addresses});
        hash.finish(0, std::move(block));
        const auto found = hash.first_difference(*decoded);
        return found ? found->sentence : std::string("none");
    };
    EXPECT_EQ(difference(0x7'0000'0100, 0x7'0000'0104), "none");
    EXPECT_THAT(difference(0x7'0000'0100, 0x7'0000'0108),
                HasSubstr("block 0, warp 0: its addresses hash to"));
    EXPECT_THAT(difference(0x7'0000'0104, 0x7'0000'0100), HasSubstr("hash to")) << "lanes changed places";
}

}  // namespace
}  // namespace warplens::instrumentation
