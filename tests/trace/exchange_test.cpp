#include "trace/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "trace/check.h"
#include "trace/file/trace_file.h"
#include "trace/query.h"
#include "trace/recorder.h"
#include "trace/replay.h"

namespace warplens::trace {
namespace {

using testing::HasSubstr;

constexpr SiteId shuffle_site = 1, vote_site = 2;

/// A lane-wise instruction, a shuffle and a vote, in one basic block.
Program two_exchanges() {
    Program program;
    for (const char* opcode : {"mov.u32", "shfl.sync.down.b32", "vote.sync.ballot.b32"}) {
        Site site;
        site.opcode = opcode;
        program.sites.push_back(site);
    }
    program.basic_blocks = {{0, 3}};
    return program;
}

Lanes down_by(int step) {
    Lanes values{};
    for (int lane = 0; lane < warp_size; ++lane)
        values[static_cast<std::size_t>(lane)] =
            static_cast<std::uint8_t>(lane + step < warp_size ? lane + step : lane);
    return values;
}

/// `blocks` blocks of two warps, each of which runs the basic block `rounds` times. In the last round the
/// lanes shuffle in two sets.
Trace record(std::uint32_t blocks, int rounds) {
    Launch launch;
    launch.geometry.grid = {blocks, 1, 1};
    launch.geometry.block = {64, 1, 1};
    Recorder recorder(launch, two_exchanges());
    for (std::uint32_t block = 0; block < blocks; ++block) {
        auto to = recorder.begin_block(block);
        for (int warp = 0; warp < 2; ++warp)
            for (int round = 0; round < rounds; ++round) {
                to->visit(warp, 0, LaneMask::all());
                const Lanes values = down_by(1 + (static_cast<int>(block) + warp + round) % 16);
                if (round + 1 < rounds) {
                    to->exchange(warp, shuffle_site, LaneMask::all(), values);
                } else {
                    to->exchange(warp, shuffle_site, LaneMask{0x0000ffffu}, values);
                    to->exchange(warp, shuffle_site, LaneMask{0xffff0000u}, values);
                }
                Lanes holds{};
                holds[static_cast<std::size_t>(round % warp_size)] = 1;
                to->exchange(warp, vote_site, LaneMask::all(), holds);
            }
        recorder.finish(block, std::move(to));
    }
    return recorder.take();
}

TEST(exchange, a_record_gives_back_what_each_lane_was_reported) {
    for (const LaneMask mask : {LaneMask::all(), LaneMask{0x0000ffffu}, LaneMask{0x80000001u}})
        for (int step = 0; step < warp_size; ++step) {
            const Lanes values = unpack_exchange(pack_exchange(7, mask, down_by(step)));
            for (int lane = 0; lane < warp_size; ++lane)
                EXPECT_EQ(values[static_cast<std::size_t>(lane)],
                          mask.has(lane) ? down_by(step)[static_cast<std::size_t>(lane)] : 0);
        }
}

TEST(exchange, steps_find_their_exchanges_again) {
    const Trace trace = record(1, 3);
    const RecordedSites sites(trace.program);
    const WarpSteps steps(trace, sites, trace.warps[1]);
    ASSERT_EQ(steps.size(), 9u);
    EXPECT_EQ(steps.at(0).exchange, no_exchange);
    EXPECT_EQ(steps.at(1).exchange, trace.warps[1].exchanges_begin);
    EXPECT_EQ(steps.at(1).exchange_count, 1u);
    EXPECT_EQ(steps.at(7).exchange, trace.warps[1].exchanges_begin + 4);
    EXPECT_EQ(steps.at(7).exchange_count, 2u) << "two sets of lanes";
    EXPECT_EQ(steps.at(8).exchange, trace.warps[1].exchanges_begin + 6);
}

TEST(exchange, steps_without_exchanges_say_that_there_are_none) {
    Trace trace = record(1, 3);
    trace.exchanges.clear();
    for (WarpRecord& warp : trace.warps) warp.exchanges_begin = warp.exchanges_end = 0;
    ASSERT_TRUE(check(trace));
    const RecordedSites sites(trace.program);
    EXPECT_EQ(WarpSteps(trace, sites, trace.warps[0]).at(1).exchange, no_exchange);
}

TEST(exchange, replay_shows_them_again) {
    struct Again final : Observer {
        explicit Again(Recorder& to) : recorder(to) {}
        std::unique_ptr<BlockObserver> begin_block(std::uint64_t block) override {
            return recorder.begin_block(block);
        }
        void finish(std::uint64_t block, std::unique_ptr<BlockObserver> observer) override {
            recorder.finish(block, std::move(observer));
        }
        Recorder& recorder;
    };
    const Trace trace = record(3, 4);
    Recorder recorder(trace.launch, trace.program);
    Again again(recorder);
    replay(trace, again);
    const Trace copy = recorder.take();
    EXPECT_EQ(copy.exchanges, trace.exchanges);
    EXPECT_EQ(copy.warps, trace.warps);
}

TEST(exchange, a_file_gives_them_back) {
    const Trace trace = record(40, 300);
    for (const bool small : {false, true}) {
        WriteOptions options;
        options.small = small;
        const auto file = TraceFile::from_memory(*to_bytes(trace, options), "a.wltrace");
        ASSERT_TRUE(file) << file.error().message;
        const auto all = file->read_all();
        ASSERT_TRUE(all) << all.error().message;
        EXPECT_EQ(all->exchanges, trace.exchanges);
        EXPECT_EQ(all->warps, trace.warps);
        const auto part = file->read_blocks(17, 18);
        ASSERT_TRUE(part) << part.error().message;
        ASSERT_EQ(part->warps.size(), 4u);
        EXPECT_TRUE(std::equal(
            part->exchanges.begin(), part->exchanges.end(),
            trace.exchanges.begin() + static_cast<std::ptrdiff_t>(trace.warps[34].exchanges_begin)));
    }
}

TEST(exchange, a_block_whose_exchanges_are_damaged_is_lost) {
    const Trace trace = record(2000, 30);
    const auto bytes = *to_bytes(trace);
    const auto whole = TraceFile::from_memory(bytes, "a.wltrace");
    for (const ChunkKind kind : {ChunkKind::exchange_ranges, ChunkKind::exchanges}) {
        const auto chunk = std::find_if(whole->chunks().begin(), whole->chunks().end(),
                                        [&](const Chunk& c) { return c.header.kind == kind; });
        ASSERT_NE(chunk, whole->chunks().end());
        auto damaged = bytes;
        damaged[chunk->offset + chunk_header_bytes + 9] ^= std::byte{4};
        const auto file = TraceFile::from_memory(damaged, "a.wltrace");
        EXPECT_FALSE(file->read_all());
        const auto rest = file->recover();
        ASSERT_TRUE(rest) << rest.error().message;
        EXPECT_FALSE(rest->trace.warps.empty());
        EXPECT_LT(rest->trace.warps.size(), trace.warps.size());
        EXPECT_EQ(rest->trace.exchanges.size(), rest->trace.warps.size() * 61) << "2 a round, 3 in the last";
    }
}

TEST(exchange, what_is_malformed_is_named) {
    struct Case {
        const char* part_of_sentence;
        std::function<void(Trace&)> break_it;
    };
    const Case cases[] = {
        {"the exchanges of a warp", [](Trace& t) { ++t.warps[1].exchanges_begin; }},
        {"but the warps own", [](Trace& t) { t.exchanges.push_back(t.exchanges.back()); }},
        {"an exchange names site", [](Trace& t) { t.exchanges[1].site = 3; }},
        {"has no active lane", [](Trace& t) { t.exchanges[1].mask = {}; }},
        {"did not participate", [](Trace& t) { t.exchanges.back().mask = {1}; }},
    };
    for (const Case& broken : cases) {
        Trace trace = record(1, 2);
        ASSERT_TRUE(check(trace));
        broken.break_it(trace);
        const auto status = check(trace);
        ASSERT_FALSE(status) << broken.part_of_sentence;
        EXPECT_THAT(status.error().message, HasSubstr(broken.part_of_sentence));
    }
}

}  // namespace
}  // namespace warplens::trace
