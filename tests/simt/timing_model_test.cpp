// The timing model on programs small enough to calculate by hand. Every expected figure is computed from the
// GPU's own parameters, so that a better measurement does not break the test.
#include "simt/timing/timing_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "simt/timing/write_port.h"
#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

const SmTiming& sm() { return sm_timing(default_gpu()); }
int latency(Pipe pipe) { return sm()[pipe].latency; }
int interval(Pipe pipe) { return sm()[pipe].interval; }

TEST(timing_model, a_dependent_chain_issues_once_a_latency) {
    TinyLaunch launch;
    for (int i = 0; i < 4; ++i) launch.arithmetic(Pipe::fma, {0}, 0);
    const auto cycles = issue_cycles(launch.run(), 0);
    ASSERT_EQ(cycles.size(), 4u);
    for (std::size_t i = 1; i < cycles.size(); ++i)
        EXPECT_EQ(cycles[i] - cycles[i - 1], static_cast<std::uint32_t>(latency(Pipe::fma)));
}

TEST(timing_model, independent_operations_issue_every_cycle_where_the_pipe_takes_them) {
    TinyLaunch launch;
    for (std::uint16_t i = 0; i < 8; ++i) launch.arithmetic(Pipe::fma, {}, i);
    const auto cycles = issue_cycles(launch.run(), 0);
    ASSERT_EQ(cycles.size(), 8u);
    EXPECT_EQ(cycles.back() - cycles.front(), static_cast<std::uint32_t>(7 * interval(Pipe::fma)));
}

TEST(timing_model, special_functions_wait_in_a_queue_and_throttle_like_the_mio_when_it_is_full) {
    TinyLaunch launch;
    for (std::uint16_t i = 0; i < 7; ++i) launch.arithmetic(Pipe::xu, {}, i);
    launch.arithmetic(Pipe::alu, {6}, 7);
    const auto schedule = launch.run();
    const auto cycles = issue_cycles(schedule, 0);
    const auto pipe = static_cast<std::uint32_t>(interval(Pipe::xu));
    ASSERT_GT(pipe, 4u);
    // One is in the pipe and four in the queue; the next goes when the second has left it.
    EXPECT_EQ(cycles[4] - cycles[0], 4u);
    EXPECT_EQ(cycles[5] - cycles[0], pipe);
    EXPECT_EQ(cycles[6] - cycles[0], 2 * pipe);
    EXPECT_EQ(schedule.totals.states[WarpState::mio_throttle], std::uint64_t{2 * pipe - 4 - 2});
    // The seventh begins after six others.
    EXPECT_EQ(cycles[7] - cycles[0], 6 * pipe + static_cast<std::uint32_t>(latency(Pipe::xu)));
}

TEST(timing_model, five_warps_meet_on_one_scheduler_and_one_waits_unselected) {
    TinyLaunch launch;
    launch.warps = 5;
    launch.barrier();  // warps start one after another; from here on they are level
    launch.arithmetic(Pipe::fma, {}, 0);
    const auto schedule = launch.run();
    EXPECT_EQ(schedule.warps[0].scheduler, schedule.warps[4].scheduler);
    const auto first = issue_cycles(schedule, 0).at(1), fifth = issue_cycles(schedule, 4).at(1);
    EXPECT_EQ(std::max(first, fifth) - std::min(first, fifth), 1u);
    EXPECT_EQ(schedule.totals.states[WarpState::not_selected], 1u);
}

TEST(timing_model, two_dependent_chains_fill_each_other_s_gaps) {
    const auto cycles_after_barrier = [](int warps) {
        TinyLaunch launch;
        launch.warps = warps;
        launch.barrier();
        for (int i = 0; i < 16; ++i) launch.arithmetic(Pipe::fma, {0}, 0);
        const auto schedule = launch.run();
        return schedule.totals.cycles - schedule.barriers.at(0).cycle;
    };
    EXPECT_EQ(cycles_after_barrier(5), cycles_after_barrier(4) + 1);  // the fifth shares a scheduler
}

TEST(timing_model, a_taken_branch_keeps_its_scheduler_from_the_other_warps) {
    TinyLaunch launch;
    launch.warps = 5;
    launch.rounds = 2;
    launch.barrier();
    launch.branch({});
    const auto schedule = launch.run();
    const auto first = issue_cycles(schedule, 0).at(1), fifth = issue_cycles(schedule, 4).at(1);
    EXPECT_EQ(std::max(first, fifth) - std::min(first, fifth),
              static_cast<std::uint32_t>(std::max(sm().branch_dispatch, interval(Pipe::branch))));
}

TEST(timing_model, warps_that_share_a_busy_pipe_get_it_in_turn) {
    // Four warps on one scheduler, each a chain whose latency is no more than four of the pipe's intervals.
    TinyLaunch launch;
    launch.warps = 16;
    launch.barrier();
    for (int i = 0; i < 32; ++i) launch.arithmetic(Pipe::xu, {0}, 0);
    const auto schedule = launch.run();
    const std::uint64_t busy = 4u * 32u * static_cast<unsigned>(interval(Pipe::xu));
    EXPECT_LE(schedule.totals.cycles - schedule.barriers.at(0).cycle, busy + 4u);
}

TEST(timing_model, a_barrier_that_opens_right_behind_an_arrival_takes_no_second_issue_slot) {
    // Concurrent blocks, so that some barrier opens in the cycle after a warp's arrival while another warp of
    // its scheduler issues; check() finds a scheduler that issues twice.
    for (int warps = 2; warps <= 12; ++warps) {
        TinyLaunch launch;
        launch.warps = warps;
        launch.blocks = 5;
        launch.rounds = 16;
        for (std::uint16_t i = 0; i < 5; ++i) launch.arithmetic(Pipe::alu, {}, i);
        launch.barrier();
        for (std::uint16_t i = 0; i < 7; ++i) launch.arithmetic(Pipe::fma, {i}, i);
        launch.run();
    }
}

TEST(timing_model, the_warps_of_a_block_start_one_after_another) {
    TinyLaunch launch;
    launch.warps = 3;
    launch.arithmetic(Pipe::fma, {}, 0);
    const auto schedule = launch.run();
    for (std::size_t warp = 0; warp < 3; ++warp)
        EXPECT_EQ(issue_cycles(schedule, warp).front(),
                  static_cast<std::uint32_t>(sm().instruction_fetch + sm().cold_fetch) +
                      warp * static_cast<std::uint32_t>(sm().warp_start_interval));
}

TEST(timing_model, a_store_takes_the_port_by_lines_and_sectors) {
    const auto left_after = [](std::int32_t stride) {
        TinyLaunch launch;
        launch.store({Space::global, 0, stride}, {});
        const auto schedule = launch.run();
        const auto flight = trace::flights_of(schedule, schedule.warps[0])[0];
        return flight.returned - flight.issued;
    };
    const double line = sm().store_line_cycles, sector = sm().store_sector_cycles;
    // 32 lanes at 4 bytes: one line of four sectors; at 128 bytes: 32 lines of one, and the last waits
    // for more.
    EXPECT_EQ(left_after(128) - left_after(4),
              static_cast<std::uint32_t>(32 * (line + sector) + join_wait - (line + 4 * sector)));
}

TEST(timing_model, a_barrier_releases_its_warps_together_after_its_latency) {
    TinyLaunch launch;
    launch.warps = 8;
    launch.barrier();
    launch.arithmetic(Pipe::fma, {}, 0);
    const auto schedule = launch.run();
    ASSERT_EQ(schedule.barriers.size(), 1u);
    // The arrivals go through one unit; the schedulers send four per cycle.
    const auto first = issue_cycles(schedule, 0).front();
    EXPECT_EQ(schedule.barriers[0].cycle - first,
              static_cast<std::uint32_t>(8 * sm().barrier_cycles_per_warp + sm().barrier_latency));
    // Two warps per scheduler: one continues at once, the other a cycle later.
    for (std::size_t warp = 0; warp < 8; ++warp) {
        const auto after = issue_cycles(schedule, warp).at(1) - schedule.barriers[0].cycle;
        EXPECT_LE(after, 1u) << "warp " << warp;
    }
    EXPECT_GT(schedule.totals.states[WarpState::barrier], 0u);
}

TEST(timing_model, an_n_way_conflict_takes_n_wavefronts) {
    for (const int ways : {1, 2, 8, 32}) {
        TinyLaunch launch;
        launch.load({Space::shared, 0, 4 * ways}, {}, 0);
        launch.arithmetic(Pipe::fma, {0}, 1);
        const auto cycles = issue_cycles(launch.run(), 0);
        EXPECT_EQ(
            cycles[1] - cycles[0],
            static_cast<std::uint32_t>(sm().shared_load_latency + (ways - 1) * sm().warp_wavefront_interval))
            << ways << " ways";
        TimingRequest request;
        request.options.no_bank_conflicts = true;
        const auto without = issue_cycles(launch.run(request), 0);
        EXPECT_EQ(without[1] - without[0], static_cast<std::uint32_t>(sm().shared_load_latency))
            << ways << " ways";
    }
}

TEST(timing_model, a_load_hits_l1_after_another_missed) {
    TinyLaunch launch;
    launch.load({}, {}, 0);
    launch.arithmetic(Pipe::fma, {0}, 1);
    launch.load({}, {1}, 2);
    launch.arithmetic(Pipe::fma, {2}, 3);
    const auto schedule = launch.run();
    const auto flights = trace::flights_of(schedule, schedule.warps[0]);
    ASSERT_EQ(flights.size(), 2u);
    EXPECT_EQ(flights[0].served_by(), trace::ServedBy::dram);
    EXPECT_GE(flights[0].returned - flights[0].issued, static_cast<std::uint32_t>(sm().dram_latency));
    EXPECT_EQ(flights[1].served_by(), trace::ServedBy::l1);
    EXPECT_EQ(flights[1].returned - flights[1].issued, static_cast<std::uint32_t>(sm().l1_hit_latency));
}

TEST(timing_model, another_start_is_another_time_for_what_memory_does_and_for_nothing_else) {
    const auto times = [](TinyLaunch& launch) {
        std::vector<std::uint64_t> out;
        for (int start = 0; start < start_count; ++start) {
            TimingRequest request;
            request.start = start;
            out.push_back(launch.run(request).totals.cycles);
        }
        return out;
    };
    TinyLaunch computes, loads;
    computes.arithmetic(Pipe::fma, {0}, 0);
    const auto alike = times(computes);
    EXPECT_EQ(std::set<std::uint64_t>(alike.begin(), alike.end()).size(), 1u);
    loads.load({}, {}, 0);
    loads.arithmetic(Pipe::fma, {0}, 1);
    const auto apart = times(loads);
    EXPECT_NE(apart[0], apart[1]);  // near and far
    EXPECT_EQ(apart[0], loads.run().totals.cycles);
}

TEST(timing_model, data_left_in_l2_come_from_there) {
    TinyLaunch launch;
    launch.load({}, {}, 0);
    TimingRequest request;
    request.options.data_in_l2 = true;
    const auto schedule = launch.run(request);
    const auto flight = trace::flights_of(schedule, schedule.warps[0])[0];
    EXPECT_EQ(flight.served_by(), trace::ServedBy::l2);
    EXPECT_GE(flight.returned - flight.issued, static_cast<std::uint32_t>(sm().l2_hit_latency));
    EXPECT_LT(flight.returned - flight.issued, static_cast<std::uint32_t>(sm().dram_latency));
}

TEST(timing_model, a_branch_reads_its_predicate_late_and_a_jump_takes_its_time) {
    TinyLaunch launch;
    launch.rounds = 2;
    launch.arithmetic(Pipe::alu, {}, 0);
    launch.branch({0});
    const auto cycles = issue_cycles(launch.run(), 0);
    ASSERT_EQ(cycles.size(), 4u);
    EXPECT_EQ(cycles[1] - cycles[0],
              static_cast<std::uint32_t>(latency(Pipe::alu) + sm().branch_operand_latency));
    EXPECT_EQ(cycles[2] - cycles[1], static_cast<std::uint32_t>(sm().branch_latency));
}

TEST(timing_model, a_second_load_of_a_line_on_its_way_waits_for_the_first) {
    TinyLaunch launch;
    launch.warps = 2;
    launch.load({}, {}, 0);
    launch.arithmetic(Pipe::fma, {0}, 1);
    const auto schedule = launch.run();
    const auto first = trace::flights_of(schedule, schedule.warps[0])[0];
    const auto second = trace::flights_of(schedule, schedule.warps[1])[0];
    EXPECT_EQ(first.returned, second.returned);
}

TEST(timing_model, a_full_mio_queue_throttles) {
    TinyLaunch launch;
    for (std::uint16_t i = 0; i < 64; ++i) launch.load({Space::shared, 0, 128}, {}, i);
    const auto schedule = launch.run();
    EXPECT_GT(schedule.totals.states[WarpState::mio_throttle], 0u);
    // 32 wavefronts each, two cycles per wavefront for a lone sub-partition.
    const auto cycles = issue_cycles(schedule, 0);
    const auto last = cycles.size() - 1;
    EXPECT_EQ(cycles[last] - cycles[last - 1], static_cast<std::uint32_t>(32 * sm().warp_wavefront_interval));
}

/// Cycles for which warps wait for constants that they read after a store.
std::uint64_t waits_behind_stores(std::int32_t stride) {
    TinyLaunch launch;
    launch.warps = 8;
    launch.rounds = 16;
    launch.store({Space::global, 0, stride, 4096}, {});
    launch.constant_read(0);
    launch.arithmetic(Pipe::alu, {0}, 1);
    return launch.run().totals.states[WarpState::short_scoreboard];
}

TEST(timing_model, what_goes_through_the_mio_stands_behind_stores_that_hold_the_pipe) {
    EXPECT_GT(waits_behind_stores(128), 4 * waits_behind_stores(4));
}

TEST(timing_model, a_warp_leaves_as_long_after_its_exit_as_after_a_branch) {
    TinyLaunch launch;
    launch.arithmetic(Pipe::fma, {0}, 0);
    launch.exit();
    const auto schedule = launch.run();
    const auto cycles = issue_cycles(schedule, 0);
    const auto latency = static_cast<std::uint32_t>(sm().branch_latency);
    EXPECT_GE(schedule.warps[0].departure, cycles.back() + latency);
    EXPECT_EQ(schedule.totals.states[WarpState::branch_resolving], latency);
}

TEST(timing_model, the_next_block_comes_when_one_has_gone) {
    TinyLaunch launch;
    launch.warps = 32;
    launch.blocks = 5;  // two of 1024 threads fit
    for (int i = 0; i < 20; ++i) launch.arithmetic(Pipe::fma, {0}, 0);
    const auto schedule = launch.run();
    ASSERT_EQ(schedule.blocks.size(), 5u);
    EXPECT_EQ(schedule.resident_blocks, 2);
    EXPECT_GE(schedule.blocks[2].arrival,
              std::min(schedule.blocks[0].departure, schedule.blocks[1].departure) +
                  static_cast<std::uint32_t>(sm().block_replacement));
    EXPECT_LE(schedule.slots_per_scheduler, default_gpu().max_warps_per_sm / default_gpu().schedulers_per_sm);
}

TEST(timing_model, fewer_resident_warps_hide_less_latency) {
    TinyLaunch launch;
    launch.warps = 8;
    launch.blocks = 16;
    for (int i = 0; i < 32; ++i) launch.arithmetic(Pipe::fma, {0}, 0);
    TimingRequest request;
    request.options.max_resident_warps = 8;
    const auto many = launch.run(), few = launch.run(request);
    EXPECT_EQ(few.resident_blocks, 1);
    EXPECT_EQ(many.resident_blocks, 8);
    EXPECT_GT(few.totals.cycles, many.totals.cycles * 3 / 2);
    EXPECT_GT(few.totals.states[WarpState::wait] * many.totals.warp_cycles,
              many.totals.states[WarpState::wait] * few.totals.warp_cycles);
}

TEST(timing_model, blocks_left_out_go_on_at_the_rate_of_the_others) {
    TinyLaunch launch;
    launch.warps = 32;
    launch.blocks = 8;
    launch.rounds = 8;
    for (int i = 0; i < 16; ++i) launch.arithmetic(Pipe::fma, {0}, 0);
    const auto whole = launch.run();
    auto trace = launch.trace(default_gpu());
    trace.warps.resize(4 * 32);
    TimingRequest request;
    request.code = launch.code();
    const auto part = schedule(trace, default_gpu(), request);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->launch.blocks_modelled, 4u);
    EXPECT_EQ(part->launch.blocks_on_sm, 8u);
    EXPECT_NEAR(part->launch.sm_cycles / whole.launch.sm_cycles, 1, 0.1);
    EXPECT_FALSE(part->notes.empty());
}

TEST(timing_model, leaving_the_spans_out_changes_no_total) {
    TinyLaunch launch;
    launch.warps = 6;
    launch.blocks = 3;
    launch.load({Space::shared, 0, 8}, {}, 0);
    launch.arithmetic(Pipe::fma, {0}, 1);
    launch.barrier();
    launch.store({}, {1});
    TimingRequest request;
    request.keep_spans = false;
    const auto with = launch.run(), without = launch.run(request);
    EXPECT_EQ(with.totals, without.totals);
    EXPECT_EQ(with.launch, without.launch);
    EXPECT_TRUE(without.spans.empty());
}

TEST(timing_model, a_warp_with_stores_under_way_drains) {
    TinyLaunch launch;
    for (int i = 0; i < 4; ++i) launch.store({Space::global, 0, 128}, {});
    launch.exit();
    EXPECT_GT(launch.run().totals.states[WarpState::drain], 0u);
}

TEST(timing_model, a_trace_without_blocks_is_refused_with_a_sentence) {
    TinyLaunch launch;
    launch.arithmetic(Pipe::fma, {}, 0);
    auto trace = launch.trace(default_gpu());
    trace.warps.clear();
    TimingRequest request;
    request.code = launch.code();
    const auto result = schedule(trace, default_gpu(), request);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, testing::HasSubstr("no block"));
}

TEST(timing_model, a_trace_whose_ptx_is_another_kernel_s_is_refused_with_a_sentence) {
    TinyLaunch launch;
    launch.arithmetic(Pipe::fma, {}, 0);
    auto trace = launch.trace(default_gpu());
    trace.program.entry = "other";
    trace.program.ptx =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry other()\n{\n  ret;\n}\n";
    const auto result = schedule(trace, default_gpu());
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, testing::HasSubstr("does not match"));
}

TEST(timing_model, a_run_that_is_cancelled_gives_no_schedule) {
    TinyLaunch launch;
    launch.rounds = 20'000;
    launch.arithmetic(Pipe::fma, {0}, 0);
    TimingRequest request;
    request.code = launch.code();
    request.cancelled = [] { return true; };
    EXPECT_FALSE(schedule(launch.trace(default_gpu()), default_gpu(), request));
}

}  // namespace
}  // namespace warplens::simt
