// Register ports: what instructions that follow each other cost by the banks, the positions and the reuse
// bits of their registers.
#include "simt/timing/register_ports.h"

#include <gtest/gtest.h>

#include <vector>

namespace warplens::simt {
namespace {

/// Cycles that `count` instructions take, issued as soon as the ports allow by warps in turn.
std::uint32_t cycles_of(const RegisterReads& reads, int count, std::uint32_t warps = 1) {
    RegisterPorts ports;
    for (int i = 0; i < count; ++i) ports.read(reads, static_cast<std::uint32_t>(i) % warps, ports.free_at());
    return ports.free_at();
}
RegisterReads registers(std::uint16_t a, std::uint16_t b, std::uint16_t c, bool reuse = false) {
    return {RegisterRead{a, 1, reuse}, RegisterRead{b, 1, reuse}, RegisterRead{c, 1, reuse}};
}

TEST(register_ports, one_register_of_each_bank_is_read_every_cycle) {
    EXPECT_EQ(cycles_of({RegisterRead{2, 1, false}, RegisterRead{3, 1, false}, {}}, 64), 64u);
}

TEST(register_ports, the_busier_bank_sets_the_pace) {
    EXPECT_NEAR(cycles_of(registers(2, 4, 5), 64), 2 * 64, 2);
    EXPECT_NEAR(cycles_of(registers(2, 4, 6), 64), 3 * 64, 2);
}

TEST(register_ports, a_register_at_several_positions_is_read_once) {
    EXPECT_EQ(cycles_of(registers(2, 2, 2), 64), 64u);
}

TEST(register_ports, a_pair_takes_both_banks) {
    EXPECT_NEAR(cycles_of({RegisterRead{2, 2, false}, RegisterRead{4, 2, false}, {}}, 64), 2 * 64, 2);
}

TEST(register_ports, registers_that_are_kept_are_not_read_again_by_the_same_warp) {
    EXPECT_LE(cycles_of(registers(2, 4, 6, true), 64), 64u + 2);
    EXPECT_NEAR(cycles_of(registers(2, 4, 6, true), 64, 2), 3 * 64, 2);
}

TEST(register_ports, a_read_without_the_reuse_bit_at_the_same_place_ends_it) {
    RegisterPorts kept, evicted;
    for (int i = 0; i < 32; ++i) {
        kept.read(registers(2, 4, 6, true), 0, kept.free_at());
        evicted.read(registers(2, 4, 6, true), 0, evicted.free_at());
        evicted.read(registers(8, 10, 12), 0, evicted.free_at());
    }
    EXPECT_LE(kept.free_at(), 32u + 2);
    EXPECT_NEAR(evicted.free_at(), 6 * 32, 2);
}

}  // namespace
}  // namespace warplens::simt
