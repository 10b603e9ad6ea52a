// A launch ends with its slowest SM: how far it is behind the modelled one.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

/// Loads of a warp of each block, each behind the one before; two blocks are on one SM, one on each other.
trace::Schedule chain_of_loads(int rounds, int blocks = 2) {
    TinyLaunch launch;
    launch.blocks = blocks;
    launch.rounds = rounds;
    launch.load({Space::global, 0, 4, 128, 1 << 12}, {0}, 0);
    return launch.run();
}

TEST(slowest_sm, a_launch_ends_with_its_slowest_sm_which_is_behind_by_the_root_of_what_warps_wait) {
    const auto behind = [](int rounds) { return chain_of_loads(rounds).launch.drain_cycles; };
    EXPECT_GT(behind(64), behind(1) + 500);
    const auto for_each_root = [](const trace::Schedule& schedule) {
        const double waits =
            double(schedule.totals.states[WarpState::long_scoreboard]) / double(schedule.warps.size());
        return schedule.launch.drain_cycles / std::sqrt(waits);
    };
    EXPECT_NEAR(for_each_root(chain_of_loads(64)), 13, 0.1);
    EXPECT_NEAR(for_each_root(chain_of_loads(256)), 13, 0.1);
}

TEST(slowest_sm, of_one_sm_none_is_slower) {
    EXPECT_LT(chain_of_loads(64, 1).launch.drain_cycles, 100);  // one block
}

}  // namespace
}  // namespace warplens::simt
