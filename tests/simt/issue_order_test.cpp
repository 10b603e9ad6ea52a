// Which warp a scheduler takes, and what instructions in a queue keep from those behind them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

TEST(issue_order, a_scheduler_stays_with_a_warp_while_it_can_issue) {
    TinyLaunch launch;
    launch.warps = 5;
    launch.barrier();
    for (std::uint16_t i = 0; i < 16; ++i) launch.arithmetic(Pipe::fma, {}, i);
    const auto schedule = launch.run();
    ASSERT_EQ(schedule.warps[0].scheduler, schedule.warps[4].scheduler);
    const auto one = issue_cycles(schedule, 0), other = issue_cycles(schedule, 4);
    // Behind the barrier, one of them issues all before the other begins.
    EXPECT_TRUE(one.back() < other.at(1) || other.back() < one.at(1));
}

TEST(issue_order, a_scheduler_turns_to_another_warp_behind_a_yield_bit) {
    TinyLaunch launch;
    launch.warps = 5;
    launch.barrier();
    for (std::uint16_t i = 1; i <= 16; ++i) {
        launch.arithmetic(Pipe::fma, {}, i);
        launch.control().yield = i == 8;
    }
    const auto schedule = launch.run();
    auto first = issue_cycles(schedule, 0), second = issue_cycles(schedule, 4);
    if (second.at(1) < first.at(1)) std::swap(first, second);
    EXPECT_LT(first.at(8), second.at(1));
    EXPECT_LT(second.at(8), first.at(9));
}

TEST(issue_order, a_warp_keeps_its_turn_while_a_stall_count_lasts_unless_it_yields) {
    const auto first_comes_before_third = [](bool yields, bool own_turns = true) {
        TinyLaunch launch;
        launch.warps = 9;
        launch.barrier();
        for (std::uint16_t i = 1; i <= 16; ++i) {
            launch.arithmetic(Pipe::fma, {}, i);
            launch.control().stall = i == 4 || i == 8 ? 3 : 1;
            launch.control().yield = i == 1 ? own_turns : yields && launch.control().stall > 1;
        }
        const auto schedule = launch.run();
        // Of one scheduler, in the order in which they begin.
        std::vector three{issue_cycles(schedule, 0), issue_cycles(schedule, 4), issue_cycles(schedule, 8)};
        std::ranges::sort(three, {}, [](const auto& cycles) { return cycles.at(1); });
        EXPECT_LT(three[1].at(4), three[0].at(5));  // another one fills the gap, to its own
        return three[0].at(5) < three[2].at(2);
    };
    EXPECT_TRUE(first_comes_before_third(false));
    EXPECT_FALSE(first_comes_before_third(true));
    // From the barrier on all have the same turn: then the one goes that issued longest ago.
    EXPECT_FALSE(first_comes_before_third(false, false));
}

TEST(issue_order, a_load_is_kept_five_cycles_behind_the_product_that_is_its_address) {
    const auto gap = [](std::uint8_t stall, std::uint16_t address) {
        TinyLaunch launch;
        launch.arithmetic(Pipe::fma_heavy, {}, 4);
        launch.control().stall = stall;
        launch.last().product = {4, 2};
        launch.load({}, {}, 0);
        launch.last().address = {address, 2};
        const auto issued = issue_cycles(launch.run(), 0);
        return issued.at(1) - issued.at(0);
    };
    EXPECT_EQ(gap(5, 4), 7u);
    EXPECT_EQ(gap(5, 8), 5u);
    EXPECT_EQ(gap(6, 4), 6u);
}

TEST(issue_order, the_first_warp_of_a_block_goes_one_scheduler_further_than_that_of_the_block_before) {
    TinyLaunch launch;
    launch.warps = 4;
    launch.blocks = 5;
    launch.arithmetic(Pipe::fma, {}, 0);
    const auto schedule = launch.run();
    for (std::uint32_t warp = 0; warp < 20; ++warp)
        EXPECT_EQ(schedule.warps[warp].scheduler, (warp / 4 + warp % 4) % 4) << warp;
}

TEST(issue_order, the_instruction_behind_a_wait_for_a_scoreboard_waits) {
    TinyLaunch launch;
    launch.load({}, {}, 0);
    launch.control().write_scoreboard = 0;
    launch.scoreboard_wait(0);
    launch.arithmetic(Pipe::fma, {}, 1);
    const auto schedule = launch.run();
    const auto cycles = issue_cycles(schedule, 0);
    EXPECT_LT(cycles.at(1) - cycles.at(0), 4u);
    EXPECT_GT(cycles.at(2) - cycles.at(1), 300u);
    EXPECT_GT(schedule.totals.states[WarpState::long_scoreboard], 300u);
}

TEST(issue_order, the_oldest_block_goes_first) {
    // Chains of one warp per block and scheduler, of which two fill the pipe.
    const SmTiming& timing = sm_timing(default_gpu());
    ASSERT_EQ(timing[Pipe::alu].latency, 2 * timing[Pipe::alu].interval);
    TinyLaunch launch;
    launch.warps = 4;
    launch.blocks = 3;
    for (int i = 0; i < 128; ++i) launch.arithmetic(Pipe::alu, {0}, 0);
    TimingRequest warm, in_turn;
    warm.options.data_in_l2 = in_turn.options.data_in_l2 = true;  // no block waits for its code
    const auto schedule = launch.run(warm);
    // Each block begins one scheduler further.
    constexpr std::uint32_t of_third = 8 + 2;
    const auto first = issue_cycles(schedule, 0), third = issue_cycles(schedule, of_third);
    ASSERT_EQ(schedule.warps[0].scheduler, schedule.warps[of_third].scheduler);
    const auto arrived =
        schedule.warps[of_third].arrival + static_cast<std::uint32_t>(timing.instruction_fetch);
    EXPECT_LT(arrived + 200, first.back());
    EXPECT_GT(third.at(4), first.back());

    in_turn.options.policy = SchedulerPolicy::round_robin;
    const auto fair = launch.run(in_turn);
    EXPECT_LT(issue_cycles(fair, of_third).at(4), issue_cycles(fair, 0).back());
}

TEST(issue_order, a_register_is_free_when_the_load_that_reads_it_has_left_its_queue) {
    const auto waited = [](int loads) {
        TinyLaunch launch;
        for (int i = 0; i < loads; ++i) {
            launch.load({.stride = 128, .round_stride = 0}, {}, 0);
            launch.control().read_scoreboard = i + 1 == loads ? 0 : no_scoreboard;
        }
        launch.arithmetic(Pipe::fma, {}, 1);
        launch.control().wait_mask = 1;
        return launch.run().totals.states[WarpState::long_scoreboard];
    };
    const auto read = static_cast<std::uint64_t>(sm_timing(default_gpu()).operand_read_latency);
    EXPECT_EQ(waited(1), read - 1);  // one cycle of it is the stall count
    EXPECT_GT(waited(8), 2 * read);
}

TEST(issue_order, a_load_waits_while_the_queue_of_the_mio_is_full) {
    const auto waited = [](int stores) {
        TinyLaunch launch;
        for (int i = 0; i < stores; ++i) launch.store({.space = Space::shared, .stride = 128}, {});
        launch.load({}, {}, 0);
        const auto issued = issue_cycles(launch.run(), 0);
        return issued.at(static_cast<std::size_t>(stores)) - issued.at(static_cast<std::size_t>(stores) - 1);
    };
    EXPECT_LE(waited(4), 4u);
    EXPECT_GT(waited(16), 32u);
}

TEST(issue_order, special_registers_do_not_wait_for_shared_memory) {
    const auto cycles = [](bool special) {
        TinyLaunch launch;
        for (int i = 0; i < 8; ++i) launch.store({.space = Space::shared, .stride = 128}, {});
        if (special) launch.special_register(0);
        else launch.constant_read(0);
        launch.arithmetic(Pipe::fma, {0}, 1);
        const auto issued = issue_cycles(launch.run(), 0);
        return issued.at(9) - issued.at(8);
    };
    EXPECT_EQ(cycles(true), 30u);
    EXPECT_GT(cycles(false), 200u);
}

TEST(issue_order, a_scheduler_waits_while_registers_are_read) {
    // Three registers of one bank take three cycles of its port.
    const auto run = [](std::uint16_t step, int warps = 1) {
        TinyLaunch launch;
        launch.warps = warps;
        if (warps > 1) launch.barrier();
        for (std::uint16_t i = 0; i < 16; ++i) {
            launch.arithmetic(Pipe::fma, {}, i);
            for (std::uint16_t slot = 0; slot < 3; ++slot)
                launch.reads()[slot] = {static_cast<std::uint16_t>(32 + slot * step), 1, false};
        }
        return launch.run();
    };
    const auto apart = run(2), same = run(0);
    EXPECT_EQ(same.totals.states[WarpState::dispatch_stall], 0u);
    // The first two read within their windows.
    EXPECT_EQ(apart.totals.states[WarpState::dispatch_stall], 2u * 14);
    // Every ready warp has this state: five warps, of which two share a scheduler and begin together.
    const auto five = run(2, 5);
    EXPECT_EQ(five.totals.states[WarpState::dispatch_stall], 3u * 28 + 2 * 28 + 32);
}

}  // namespace
}  // namespace warplens::simt
