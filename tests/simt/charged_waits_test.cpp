// The instruction to which a wait is charged, from the model to the analysis.
#include <gtest/gtest.h>

#include "analysis/time/exposed_cost.h"
#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

/// Shared load (site 0), a constant read (1) after it in the queue, and an addition (2) of what was read.
analysis::ExposedCost costs(std::int32_t stride) {
    TinyLaunch launch;
    launch.warps = 8;
    launch.blocks = 4;
    launch.rounds = 4;
    launch.load({Space::shared, 0, stride}, {}, 0);
    launch.constant_read(1);
    launch.arithmetic(Pipe::alu, {1}, 2);
    const trace::Schedule schedule = launch.run();
    return analysis::exposed_cost(launch.trace(default_gpu()), schedule);
}

TEST(charged_waits, what_stands_behind_bank_conflicts_waits_for_them) {
    const analysis::ExposedCost cost = costs(128);  // 32-way
    EXPECT_GT(cost.sites[0].exposed, 20 * cost.sites[1].exposed)
        << "the constant read itself takes 30 cycles";
}

TEST(charged_waits, without_conflicts_a_constant_read_is_its_own_wait) {
    const analysis::ExposedCost cost = costs(4);
    EXPECT_GT(cost.sites[1].waited, 0u);
}

/// A load (site 0), an addition of what it read (1), and a write (2) of the same warp, 16 times; then its
/// end.
template <class Write>
analysis::ExposedCost costs_with(int blocks, Write&& write) {
    TinyLaunch launch;
    launch.warps = 8;
    launch.blocks = blocks;
    launch.rounds = 16;
    launch.load({Space::global, 1 << 16, 4, 128, 1024}, {}, 0);
    launch.arithmetic(Pipe::alu, {0}, 1);
    write(launch);
    const trace::Schedule schedule = launch.run();
    return analysis::exposed_cost(launch.trace(default_gpu()), schedule);
}

TEST(charged_waits, loads_that_stand_behind_contended_atomics_wait_for_them) {
    const auto cost = costs_with(64, [](TinyLaunch& to) { to.reduction({Space::global, 0, 0}); });
    EXPECT_GT(cost.sites[2].exposed, 10 * cost.sites[0].exposed);
}

TEST(charged_waits, loads_between_stores_that_leave_at_once_are_their_own_wait) {
    const auto cost = costs_with(1, [](TinyLaunch& to) {
        to.store({Space::global, 1 << 18, 4, 128, 1024}, {1});
    });
    EXPECT_GT(cost.sites[0].exposed, cost.sites[2].exposed);
}

TEST(charged_waits, the_end_of_a_warp_waits_for_its_last_write_not_for_the_exit) {
    TinyLaunch launch;
    launch.store({Space::global, 0, 128}, {});
    launch.arithmetic(Pipe::alu, {}, 0);
    launch.exit();
    const trace::Schedule schedule = launch.run();
    ASSERT_GT(schedule.totals.states[WarpState::drain], 0u);
    const auto cost = analysis::exposed_cost(launch.trace(default_gpu()), schedule);
    EXPECT_GE(cost.sites[0].waited, schedule.totals.states[WarpState::drain]);
    EXPECT_LT(cost.sites[2].waited, schedule.totals.states[WarpState::drain]);
}

}  // namespace
}  // namespace warplens::simt
