// The port to L2: what comes to a line that still waits joins it. Every expected figure is computed from the
// GPU's own parameters.
#include "simt/timing/write_port.h"

#include <gtest/gtest.h>

#include <vector>

namespace warplens::simt {
namespace {

const SmTiming& port_timing() { return sm_timing(default_gpu()); }
double port_cycles(int lines, int sectors) {
    return lines * port_timing().store_line_cycles + sectors * port_timing().store_sector_cycles;
}

/// The first sectors of a line.
std::vector<SectorId> first_sectors(SectorId line, int count) {
    std::vector<SectorId> sectors;
    for (int i = 0; i < count; ++i) sectors.push_back(line * sectors_per_line + static_cast<SectorId>(i));
    return sectors;
}

TEST(write_port, a_store_joins_a_line_that_waits_and_pays_for_its_new_sectors) {
    WritePort port(port_timing(), 1);
    port.store(0, first_sectors(1, 4));
    const double leaves = port.store(0, first_sectors(2, 1)).leaves;
    EXPECT_DOUBLE_EQ(leaves, port_cycles(2, 5) + join_wait);
    EXPECT_DOUBLE_EQ(port.store(0, first_sectors(2, 1)).leaves, leaves);
    EXPECT_DOUBLE_EQ(port.store(0, first_sectors(2, 3)).leaves, leaves + port_cycles(0, 2));
    EXPECT_DOUBLE_EQ(port.store(0, first_sectors(3, 1)).leaves, port_cycles(3, 8) + join_wait);
}

TEST(write_port, a_store_does_not_join_a_line_that_has_begun_to_leave) {
    WritePort port(port_timing(), 1);
    const double leaves = port.store(0, first_sectors(1, 4)).leaves;
    EXPECT_DOUBLE_EQ(port.store(0, first_sectors(1, 4)).leaves, leaves + port_cycles(1, 4));
}

TEST(write_port, a_store_does_not_join_a_line_that_too_many_have_followed) {
    for (const std::size_t others : {join_lines - 1, join_lines}) {
        WritePort port(port_timing(), 1);
        port.store(0, first_sectors(1, 4));
        const double first = port.store(0, first_sectors(2, 1)).leaves;
        double last = first;
        for (SectorId i = 0; i < others; ++i) last = port.store(0, first_sectors(3 + i, 1)).leaves;
        const double again = port.store(0, first_sectors(2, 1)).leaves;
        if (others < join_lines) EXPECT_DOUBLE_EQ(again, first);
        else EXPECT_DOUBLE_EQ(again, last + port_cycles(1, 1));
    }
}

TEST(write_port, a_line_that_is_not_whole_waits_and_leaves_the_port_to_others) {
    WritePort port(port_timing(), 1);
    EXPECT_DOUBLE_EQ(port.store(0, first_sectors(1, 3)).leaves, port_cycles(1, 3) + join_wait);
    EXPECT_DOUBLE_EQ(port.store(0, first_sectors(2, 4)).leaves, port_cycles(2, 7));
}

TEST(write_port, atomics_join_nothing) {
    WritePort port(port_timing(), 1);
    port.store(0, first_sectors(1, 4));
    port.store(0, first_sectors(2, 1));
    EXPECT_DOUBLE_EQ(port.atomic(0, 1), port_cycles(3, 6));
    EXPECT_DOUBLE_EQ(port.atomic(0, 1), port_cycles(4, 7));
}

TEST(write_port, a_line_written_whole_takes_less_of_a_port_that_all_write_to_and_no_less_of_an_idle_one) {
    WritePort alone(port_timing(), 1), shared(port_timing(), 4);
    EXPECT_DOUBLE_EQ(alone.store(0, first_sectors(1, 4)).takes, port_cycles(1, 4));
    EXPECT_DOUBLE_EQ(shared.store(0, first_sectors(1, 4)).takes,
                     4 * port_cycles(1, 4) * whole_line_store_share);
    EXPECT_DOUBLE_EQ(shared.store(0, first_sectors(2, 3)).takes, 4 * port_cycles(1, 3));
}

TEST(write_port, blocking_says_by_how_much_the_port_is_later) {
    WritePort port(port_timing(), 1);
    EXPECT_DOUBLE_EQ(port.block(100), 100);
    EXPECT_DOUBLE_EQ(port.block(90), 0);
    EXPECT_DOUBLE_EQ(port.store(0, first_sectors(1, 4)).leaves, 100 + port_cycles(1, 4));
}

}  // namespace
}  // namespace warplens::simt
