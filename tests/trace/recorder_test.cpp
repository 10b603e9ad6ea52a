#include "trace/recorder.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/synthetic.h"
#include "trace/check.h"
#include "trace/query.h"

namespace warplens::trace {
namespace {

Launch launch_of(std::uint32_t blocks, std::uint32_t threads) {
    Launch launch;
    launch.geometry.grid = {blocks, 1, 1};
    launch.geometry.block = {threads, 1, 1};
    return launch;
}

Program one_load() {
    Program program;
    Site site;
    site.opcode = "ld.global.f32";
    site.kind = SiteKind::memory;
    site.space = Space::global;
    site.operation = Operation::load;
    site.bytes_per_lane = 4;
    program.sites = {site};
    program.basic_blocks = {{0, 1}};
    return program;
}

Trace record_request(const Addresses& addresses, LaneMask mask) {
    Recorder recorder(launch_of(1, 32), one_load());
    auto block = recorder.begin_block(0);
    block->visit(0, 0, mask);
    block->access(0, {0, mask, Space::global, Operation::load, 4, &addresses});
    recorder.finish(0, std::move(block));
    return recorder.take();
}

Addresses strided(std::uint64_t base, std::int64_t stride) {
    Addresses addresses{};
    for (std::size_t lane = 0; lane < addresses.size(); ++lane)
        addresses[lane] = base + static_cast<std::uint64_t>(static_cast<std::int64_t>(lane) * stride);
    return addresses;
}

/// The recording returns the addresses, lane by lane.
void expect_given_back(const Trace& trace, const Addresses& addresses, LaneMask mask) {
    ASSERT_EQ(trace.accesses.size(), 1u);
    const Addresses found = addresses_of(trace, trace.accesses[0]);
    for_each_lane(mask, [&](int lane) {
        EXPECT_EQ(found[static_cast<std::size_t>(lane)], addresses[static_cast<std::size_t>(lane)])
            << "lane " << lane;
    });
}

TEST(recorder, strided_addresses_are_kept_as_base_and_stride) {
    for (const std::int64_t stride : {0, 4, 128, -4, 1 << 30}) {
        const Addresses addresses = strided(0x7f0000000000, stride);
        const Trace trace = record_request(addresses, LaneMask::all());
        expect_given_back(trace, addresses, LaneMask::all());
        EXPECT_FALSE(trace.accesses[0].scattered);
        EXPECT_EQ(trace.accesses[0].stride, stride);
        EXPECT_TRUE(trace.exceptions.empty());
    }
}

TEST(recorder, any_lane_off_the_stride_makes_a_request_scattered) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
        Addresses addresses = strided(4096, 4);
        addresses[lane] += 4;
        const Trace trace = record_request(addresses, LaneMask::all());
        EXPECT_TRUE(trace.accesses[0].scattered) << "lane " << lane;
        EXPECT_EQ(trace.exceptions.size(), 32u);
        expect_given_back(trace, addresses, LaneMask::all());
    }
}

TEST(recorder, a_stride_beyond_32_bits_makes_a_request_scattered) {
    const Addresses wide = strided(0, std::int64_t{1} << 31);
    EXPECT_TRUE(record_request(wide, LaneMask::all()).accesses[0].scattered);
    EXPECT_TRUE(record_request(wide, LaneMask{0x3}).accesses[0].scattered);
    const Addresses widest = strided(0, std::numeric_limits<std::int32_t>::max());
    EXPECT_FALSE(record_request(widest, LaneMask::all()).accesses[0].scattered);
}

Addresses addresses_of_runs(const LaneRuns& runs) {
    Addresses addresses{};
    constexpr std::size_t half = warp_size / 2;
    for (std::size_t i = 0; i < half; ++i) {
        addresses[i] = runs.low.first + i * runs.low.step;
        addresses[half + i] = runs.high.first + i * runs.high.step;
    }
    return addresses;
}

/// Of 70 sites in turn, two of which share the place of a known shape. `described`: with the runs, where all
/// lanes are two.
Trace record_runs(bool described) {
    Recorder recorder(launch_of(1, 32), one_load());
    auto block = recorder.begin_block(0);
    const std::uint32_t steps[] = {0, 4, 8};
    const std::uint64_t distances[] = {64, 0, 2048, 128, std::uint64_t{0} - 512};
    SiteId site = 0;
    for (std::uint64_t i = 0; i < 900; ++i) {
        const LaneRun low{0x7'0000'0000 + 4 * i, steps[i / 50 % 3]};
        const LaneRuns runs{low, {low.first + distances[i / 10 % 5], steps[i / 150 % 3]}};
        Addresses addresses = addresses_of_runs(runs);
        const bool has_runs = i % 5 != 4;
        if (!has_runs) addresses[i % 32] += 1024;
        const LaneMask mask = i % 5 == 3 ? LaneMask{0xfffffff0u} : LaneMask::all();
        const bool tells = described && has_runs && mask.full();
        block->access(0,
                      {site, mask, Space::global, Operation::load, 4, &addresses, tells ? &runs : nullptr});
        site = (site + 1) % 70;
    }
    recorder.finish(0, std::move(block));
    return recorder.take();
}

TEST(recorder, a_request_that_is_described_as_two_runs_is_stored_as_if_it_was_not) {
    const Trace described = record_runs(true), plain = record_runs(false);
    EXPECT_EQ(described.accesses, plain.accesses);
    EXPECT_EQ(described.exceptions, plain.exceptions);
    std::size_t repeated = 0, strided = 0;
    for (const AccessRecord& access : plain.accesses) {
        repeated += access.scattered && access.stride != 0;
        strided += !access.scattered;
    }
    EXPECT_GT(repeated, 100u);
    EXPECT_GT(strided, 40u);
}

TEST(recorder, lanes_that_are_off_do_not_matter_to_the_stride) {
    Addresses addresses = strided(4096, 8);
    addresses[0] = 1;
    addresses[5] = 2;
    const LaneMask mask{0xffffffdeu};
    const Trace trace = record_request(addresses, mask);
    EXPECT_FALSE(trace.accesses[0].scattered);
    EXPECT_EQ(trace.accesses[0].base, addresses[1]);
    EXPECT_EQ(trace.accesses[0].stride, 8);
    expect_given_back(trace, addresses, mask);
}

TEST(recorder, a_partial_warp_stores_one_exception_for_each_lane_on) {
    Addresses addresses = strided(4096, 8);
    addresses[17] = 64;
    const LaneMask mask{0x000a0102u};  // lanes 1, 8, 17, 19
    const Trace trace = record_request(addresses, mask);
    EXPECT_TRUE(trace.accesses[0].scattered);
    EXPECT_EQ(trace.exceptions, (std::vector<std::uint64_t>{4104, 4160, 64, 4248}));
    expect_given_back(trace, addresses, mask);
}

TEST(recorder, lanes_whose_distance_is_no_multiple_of_their_gap_are_scattered) {
    Addresses addresses{};
    addresses[3] = 100;
    addresses[5] = 105;
    const LaneMask mask{0x28};
    const Trace trace = record_request(addresses, mask);
    EXPECT_TRUE(trace.accesses[0].scattered);
    expect_given_back(trace, addresses, mask);
}

TEST(recorder, a_lone_lane_has_stride_zero) {
    const Addresses addresses = strided(4096, 12);
    const Trace trace = record_request(addresses, LaneMask{0x80000000u});
    EXPECT_FALSE(trace.accesses[0].scattered);
    EXPECT_EQ(trace.accesses[0].stride, 0);
    expect_given_back(trace, addresses, LaneMask{0x80000000u});
}

TEST(recorder, warps_that_interleave_are_stored_one_after_another) {
    Recorder recorder(launch_of(1, 64), one_load());
    auto block = recorder.begin_block(0);
    const Addresses first = strided(0, 4), second = strided(1000, 4);
    for (int i = 0; i < 3; ++i) {
        block->visit(1, 0, LaneMask::all());
        block->access(1, {0, LaneMask::all(), Space::global, Operation::load, 4, &second});
        block->visit(0, 0, LaneMask::all());
        block->access(0, {0, LaneMask::all(), Space::global, Operation::load, 4, &first});
    }
    recorder.finish(0, std::move(block));
    const Trace trace = recorder.take();
    ASSERT_EQ(trace.warps.size(), 2u);
    EXPECT_EQ(trace.warps[0], (WarpRecord{0, 0, 0, 3, 0, 3, 0, 0}));
    EXPECT_EQ(trace.warps[1], (WarpRecord{0, 1, 3, 6, 3, 6, 0, 0}));
    EXPECT_EQ(trace.accesses[2].base, 0u);
    EXPECT_EQ(trace.accesses[3].base, 1000u);
}

TEST(recorder, exceptions_of_later_warps_and_blocks_point_to_their_own_addresses) {
    const Trace trace = make_example({3, 96, 2});
    const RecordedSites sites(trace.program);
    std::uint64_t scattered = 0, next = 0;
    for (const AccessRecord& access : trace.accesses)
        if (access.scattered) {
            ++scattered;
            if (access.stride != 0) continue;  // lies like an earlier one
            EXPECT_EQ(access.base, next);
            next += static_cast<std::uint64_t>(access.mask.count());
        }
    EXPECT_EQ(scattered, 3u * 3u * 2u);
    EXPECT_EQ(next, trace.exceptions.size());
    // The gather of thread 64 + 2 of block 2 in round 1, as the kernel's index says.
    const WarpSteps steps(trace, sites, *find_warp(trace, 2, 2));
    const SiteId gather = *[&]() -> std::optional<SiteId> {
        for (SiteId id = 0; id < trace.program.sites.size(); ++id)
            if (trace.program.sites[id].text == "ld.global.f32 %f3, [%rd8];") return id;
        return std::nullopt;
    }();
    const auto first = steps.find_site(gather);
    ASSERT_TRUE(first);
    const auto second = steps.find_site(gather, *first + 1);
    ASSERT_TRUE(second);
    const Step step = steps.at(*second);
    EXPECT_EQ(addresses_of(trace, trace.accesses[step.access])[2],
              trace.launch.buffers[0].base + 4 * ((7919 * (2 * 96 + 64 + 2) + 1) % 1024));
}

/// Two rows of 16 lanes, as a 16 x 16 block reads a matrix.
Addresses two_rows(std::uint64_t base, std::uint64_t pitch) {
    Addresses addresses{};
    for (std::size_t lane = 0; lane < addresses.size(); ++lane)
        addresses[lane] = base + lane / 16 * pitch + lane % 16 * 4;
    return addresses;
}

TEST(recorder, requests_that_lie_like_an_earlier_one_share_its_exceptions) {
    Recorder recorder(launch_of(2, 64), one_load());
    const LaneMask most{0x7ffffffeu};
    std::vector<std::pair<Addresses, LaneMask>> received;
    for (const std::uint64_t block_index : {0u, 1u}) {
        auto block = recorder.begin_block(block_index);
        for (const int warp : {0, 1}) {
            for (std::uint64_t round = 0; round < 5; ++round) {
                const Addresses low = two_rows(4096 + 64 * round + block_index, 512);
                const Addresses far = two_rows(4096 + 64 * round, 1024);
                for (const auto& [addresses, mask] :
                     {std::pair{low, LaneMask::all()}, {far, LaneMask::all()}, {low, most}}) {
                    block->visit(warp, 0, mask);
                    block->access(warp, {0, mask, Space::global, Operation::load, 4, &addresses});
                    received.push_back({addresses, mask});
                }
            }
        }
        recorder.finish(block_index, std::move(block));
    }
    const Trace trace = recorder.take();
    EXPECT_TRUE(check(trace));
    ASSERT_EQ(trace.accesses.size(), received.size());
    for (std::size_t i = 0; i < received.size(); ++i) {
        EXPECT_TRUE(trace.accesses[i].scattered);
        const Addresses found = addresses_of(trace, trace.accesses[i]);
        for_each_lane(received[i].second, [&](int lane) {
            EXPECT_EQ(found[static_cast<std::size_t>(lane)],
                      received[i].first[static_cast<std::size_t>(lane)])
                << "request " << i << " lane " << lane;
        });
    }
}

TEST(recorder, a_loop_over_rows_keeps_one_set_of_exceptions_a_warp) {
    Recorder recorder(launch_of(1, 64), one_load());
    auto block = recorder.begin_block(0);
    for (std::uint64_t round = 0; round < 100; ++round) {
        for (const int warp : {0, 1}) {
            const Addresses addresses = two_rows(1 << 20 | (512 * round + 8), 4096);
            block->visit(warp, 0, LaneMask::all());
            block->access(warp, {0, LaneMask::all(), Space::global, Operation::load, 4, &addresses});
        }
    }
    recorder.finish(0, std::move(block));
    const Trace trace = recorder.take();
    EXPECT_EQ(trace.exceptions.size(), 2u * 32u);
    EXPECT_EQ(trace.accesses.front().stride, 0);
    EXPECT_EQ(trace.accesses[99].stride, 1);
    EXPECT_EQ(trace.accesses[199].stride, 33);
    EXPECT_EQ(addresses_of(trace, trace.accesses[199])[16], (1u << 20 | (512 * 99 + 8)) + 4096);
}

TEST(recorder, sites_of_an_unrolled_loop_share_two_sets_of_exceptions) {
    constexpr SiteId sites = 100;  // more than a warp's recorder has places for
    Program program = one_load();
    program.sites.resize(sites, program.sites.front());
    program.basic_blocks = {{0, sites}};
    Recorder recorder(launch_of(1, 32), program);
    auto block = recorder.begin_block(0);
    for (std::uint64_t round = 0; round < 3; ++round) {
        block->visit(0, 0, LaneMask::all());
        for (SiteId site = 0; site < sites; ++site) {
            const Addresses addresses = two_rows(4096 * (round + site), site % 2 == 0 ? 512 : 1024);
            block->access(0, {site, LaneMask::all(), Space::global, Operation::load, 4, &addresses});
        }
    }
    recorder.finish(0, std::move(block));
    const Trace trace = recorder.take();
    EXPECT_EQ(trace.accesses.size(), 3u * sites);
    EXPECT_EQ(trace.exceptions.size(), 2u * 32u);
    EXPECT_EQ(addresses_of(trace, trace.accesses[2 * sites + 31])[16], 4096u * 33 + 1024);
}

TEST(recorder, only_the_chosen_blocks_are_recorded) {
    const ExampleShape shape{5, 32, 1};
    Recorder recorder(example_launch(shape), example_program(), {{1, 4}, 1 << 20});
    run_example(shape, recorder);
    EXPECT_FALSE(recorder.truncated());
    EXPECT_EQ(recorder.blocks_recorded(), 2u);
    const Trace some = recorder.take(), whole = make_example(shape);
    EXPECT_EQ(recorded_blocks(some), (std::vector<std::uint64_t>{1, 4}));
    const WarpRecord& there = *find_warp(whole, 4, 0);
    const WarpRecord& here = *find_warp(some, 4, 0);
    EXPECT_TRUE(std::equal(some.visits.begin() + static_cast<std::ptrdiff_t>(here.visits_begin),
                           some.visits.begin() + static_cast<std::ptrdiff_t>(here.visits_end),
                           whole.visits.begin() + static_cast<std::ptrdiff_t>(there.visits_begin),
                           whole.visits.begin() + static_cast<std::ptrdiff_t>(there.visits_end)));
}

TEST(recorder, blocks_past_the_memory_limit_are_left_out_whole_and_reported) {
    const ExampleShape shape{8, 64, 4};
    const Trace whole = make_example(shape);
    const std::uint64_t bytes = whole.visits.size() * sizeof(Visit) +
                                whole.accesses.size() * sizeof(AccessRecord) +
                                whole.masks.size() * sizeof(MaskRecord) + whole.exceptions.size() * 8 +
                                whole.warps.size() * sizeof(WarpRecord);
    Recorder recorder(example_launch(shape), example_program(), {{}, bytes / 8 * 3 + 100});
    run_example(shape, recorder);
    EXPECT_TRUE(recorder.truncated());
    EXPECT_EQ(recorder.blocks_recorded(), 3u);
    EXPECT_EQ(recorder.blocks_left_out(), 5u);
    EXPECT_EQ(recorded_blocks(recorder.take()), (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(recorder, an_endless_block_stops_being_recorded_at_the_memory_limit) {
    Recorder recorder(launch_of(1, 32), one_load(), {{}, 1 << 16});
    auto block = recorder.begin_block(0);
    Addresses addresses = strided(0, 4);
    for (int i = 0; i < 100'000; ++i) {
        addresses[7] =
            static_cast<std::uint64_t>(i) * i;  // never the same shape, so that the exceptions grow too
        block->visit(0, 0, LaneMask::all());
        block->guard(0, 0, LaneMask::all());
        block->access(0, {0, LaneMask::all(), Space::global, Operation::load, 4, &addresses});
    }
    recorder.finish(0, std::move(block));
    EXPECT_TRUE(recorder.truncated());
    EXPECT_TRUE(recorder.take().warps.empty());
}

}  // namespace
}  // namespace warplens::trace
