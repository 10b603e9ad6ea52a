// The figures of the catalogue's rows on costs: tile sizes, barriers, atomics, wide accesses, and how a tile
// moves a kernel's point under the roofs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "analysis/memory/contention.h"
#include "analysis/time/activity_report.h"
#include "catalogue_run.h"
#include "core/gpu_spec.h"
#include "simt/timing/timing_model.h"
#include "tests/support/folders.h"
#include "trace/file/trace_file.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;

TEST(tile_size, twice_the_tile_halves_the_global_reads_and_may_cost_occupancy) {
    const auto run = [](const char* tile) {
        return execute("matmul_tiled", {{"M", "256"}, {"N", "256"}, {"K", "256"}, {"TILE", tile}}, {}, true);
    };
    const Executed small = run("16"), large = run("32");
    EXPECT_EQ(lanes_of(small, Space::global, Operation::load),
              2 * lanes_of(large, Space::global, Operation::load));
    // Blocks of 256 threads fill an SM's 64 warps with 8, blocks of 1024 with 2.
    EXPECT_EQ(small.report->occupancy.blocks_per_sm, 8);
    EXPECT_EQ(large.report->occupancy.blocks_per_sm, 2);
    EXPECT_DOUBLE_EQ(small.report->occupancy.theoretical, 1);
    EXPECT_DOUBLE_EQ(large.report->occupancy.theoretical, 1);
    ASSERT_TRUE(small.report->schedule && large.report->schedule);
    // 256 blocks of 8 warps, or 64 of 32: an SM gets the work of 2 blocks, or of one that is twice as much.
    EXPECT_GT(large.report->schedule->launch.sm_cycles, small.report->schedule->launch.sm_cycles * 0.5);
}

TEST(tile_size, moves_the_point_that_the_requests_make_and_leaves_the_ideal_one) {
    std::vector<double> requested, ideal;
    for (const char* tile : {"8", "16", "32"}) {
        const Executed run =
            execute("matmul_tiled", {{"M", "128"}, {"N", "128"}, {"K", "128"}, {"TILE", tile}}, {}, true);
        ASSERT_TRUE(run.report->roofline);
        requested.push_back(run.report->roofline->flops / run.report->roofline->l2_bytes);
        ideal.push_back(run.report->roofline->intensity);
        // The ridge is where the GPU's own peaks meet.
        EXPECT_DOUBLE_EQ(run.report->roofline->ridge,
                         run.report->roofline->peak_flops / run.report->roofline->peak_bytes_per_second);
    }
    EXPECT_LT(requested[0] * 1.5, requested[1]);
    EXPECT_LT(requested[1] * 1.5, requested[2]);
    EXPECT_DOUBLE_EQ(ideal[0], ideal[1]);
    EXPECT_DOUBLE_EQ(ideal[1], ideal[2]);
}

TEST(barrier_phases, the_warp_that_works_longest_waits_least_and_the_first_one_most) {
    const Executed run = execute("barrier_phases", {});
    const auto modelled = simt::schedule(*run.trace, default_gpu());
    ASSERT_TRUE(modelled) << modelled.error().message;
    const trace::Schedule& schedule = *modelled;
    // Of the first block of the SM, each warp's cycles at barriers.
    const trace::ScheduledBlock& block = schedule.blocks.front();
    std::vector<std::uint64_t> waited(block.warp_count);
    for (std::uint32_t i = 0; i < block.warp_count; ++i) {
        const auto& warp = schedule.warps[block.first_warp + i];
        const auto spans = trace::spans_of(schedule, warp);
        for (std::size_t s = 0; s < spans.size(); ++s) {
            if (spans[s].state() != WarpState::barrier) continue;
            waited[run.trace->warps[warp.warp_record].warp] +=
                (s + 1 < spans.size() ? spans[s + 1].begin : warp.departure) - spans[s].begin;
        }
    }
    ASSERT_EQ(waited.size(), 8u);
    for (std::size_t warp = 1; warp < waited.size(); ++warp)
        EXPECT_LT(waited[warp], waited[warp - 1]) << warp;
    EXPECT_GT(waited[0], 20 * std::max<std::uint64_t>(waited[7], 1));
}

TEST(contention, rounds_of_a_histogram_are_the_lanes_that_meet_in_a_bin) {
    const Executed run = execute("histogram_global", {{"n", "8192"}});
    std::uint64_t rounds = 0, most = 0;
    for (std::uint32_t warp = 0; warp < 8192 / 32; ++warp) {
        std::array<std::uint32_t, 256> lanes{};
        std::uint32_t busiest = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            auto& bin = lanes[static_cast<std::uint32_t>(element(run, "values", warp * 32 + lane)) % 256];
            busiest = std::max(busiest, ++bin);
        }
        rounds += busiest;
        most = std::max<std::uint64_t>(most, busiest);
    }
    std::uint64_t counted = 0;
    for (const auto& site : run.report->sites) {
        if (run.trace->program.sites[site.site].operation != Operation::atomic) continue;
        const auto histogram = analysis::contention_of_site(*run.trace, site.site);
        EXPECT_EQ(histogram.all, 8192u / 32);
        EXPECT_EQ(histogram.lanes, 8192u);
        counted += histogram.rounds;
    }
    EXPECT_EQ(counted, rounds);
    EXPECT_EQ(run.report->global_atomic.most_lanes_per_address, most);
}

TEST(wide_accesses, a_float4_takes_four_wavefronts_as_the_floor_and_one_float_of_it_as_a_conflict) {
    std::vector<std::uint64_t> passes, floor;
    std::vector<double> ways;
    for (const char* type : {"float", "float2", "float4"}) {
        const Executed run = execute("shared_vector", {{"type", type}}, {0});
        passes.push_back(run.report->shared_store.wavefronts / run.report->shared_store.requests);
        floor.push_back(run.report->shared_store.ideal_wavefronts / run.report->shared_store.requests);
        ways.push_back(run.report->shared_load.conflict_ways());
    }
    EXPECT_THAT(passes, ElementsAre(1, 2, 4));
    EXPECT_THAT(floor, ElementsAre(1, 2, 4));
    EXPECT_THAT(ways, ElementsAre(1, 2, 4));
}

TEST(streams, copies_hide_behind_kernels_as_an_h200_measured_it) {
    const auto file =
        trace::TraceFile::open(source_folder() + "/assets/recordings/streams_pipeline/default.wltrace");
    ASSERT_TRUE(file) << file.error().message;
    const auto trace = file->read_all();
    ASSERT_TRUE(trace) << trace.error().message;
    const auto figures = analysis::activity_figures(trace->activities);
    ASSERT_GE(figures.size(), 2u);
    EXPECT_EQ(figures[0].overlap_us, 0) << "one stream does one thing after another";
    const auto& best = figures[analysis::fastest(figures)];
    EXPECT_GT(best.overlap_us, 0);
    EXPECT_GT(best.kernels_hidden(), 0.5);
    EXPECT_LT(best.total_us, figures[0].total_us);
}

}  // namespace
}  // namespace warplens::app
