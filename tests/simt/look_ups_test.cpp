// Where special registers and indices of threads wait: behind what goes to the pipe of shared memory, or
// behind other look-ups.
#include <gtest/gtest.h>

#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

/// Cycles of mio_throttle of a read behind so many shared loads with conflicts, or behind other look-ups.
std::uint64_t throttled(int shared_loads, int look_ups, bool thread_index) {
    TinyLaunch launch;
    std::uint16_t number = 0;
    for (int i = 0; i < shared_loads; ++i) launch.load({Space::shared, 0, 128}, {}, number++);
    for (int i = 0; i < look_ups; ++i) launch.special_register(number++);
    launch.special_register(number);
    launch.last().thread_index = thread_index;
    return launch.run().site_states[number][WarpState::mio_throttle];
}

/// aes_tables, whose blocks replace others that read shared memory: 17 % of its samples are at S2R of an
/// index, for mio_throttle. In launches of one wave, whose warps all look up constants, none is.
TEST(look_ups, an_index_of_a_thread_waits_for_shared_accesses_and_not_for_other_look_ups) {
    EXPECT_GT(throttled(24, 0, true), 32u);
    EXPECT_EQ(throttled(0, 48, true), 0u);
}

TEST(look_ups, a_special_register_waits_for_both) {
    EXPECT_GT(throttled(24, 0, false), 32u);
    EXPECT_GT(throttled(0, 48, false), 0u);
}

}  // namespace
}  // namespace warplens::simt
