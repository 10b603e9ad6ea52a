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

}  // namespace
}  // namespace warplens::simt
