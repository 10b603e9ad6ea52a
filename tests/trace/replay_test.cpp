#include "trace/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "tests/support/synthetic.h"
#include "trace/query.h"
#include "trace/recorder.h"

namespace warplens::trace {
namespace {

/// Notes every event, one line per event.
class Diary final : public Observer {
  public:
    std::unique_ptr<BlockObserver> begin_block(std::uint64_t block) override {
        lines.push_back(fmt::format("begin {}", block));
        return std::make_unique<Block>(lines);
    }
    void finish(std::uint64_t block, std::unique_ptr<BlockObserver>) override {
        lines.push_back(fmt::format("finish {}", block));
    }
    std::vector<std::string> lines;

  private:
    struct Block final : BlockObserver {
        explicit Block(std::vector<std::string>& to) : lines(to) {}
        void visit(int warp, BasicBlockId block, LaneMask active) override {
            lines.push_back(fmt::format("{} visit {} {:x}", warp, block, active.bits));
        }
        void access(int warp, const Access& access) override {
            std::string line =
                fmt::format("{} access {} {:x} {} {} {}", warp, access.site, access.mask.bits,
                            to_string(access.space), to_string(access.operation), access.bytes_per_lane);
            for_each_lane(access.mask, [&](int lane) {
                line += fmt::format(" {:x}", (*access.addresses)[static_cast<std::size_t>(lane)]);
            });
            lines.push_back(line);
        }
        void guard(int warp, SiteId site, LaneMask executed) override {
            lines.push_back(fmt::format("{} guard {} {:x}", warp, site, executed.bits));
        }
        void branch(int warp, SiteId site, LaneMask active, LaneMask taken) override {
            lines.push_back(fmt::format("{} branch {} {:x} {:x}", warp, site, active.bits, taken.bits));
        }
        void barrier(int warp, SiteId site, LaneMask arrived) override {
            lines.push_back(fmt::format("{} barrier {} {:x}", warp, site, arrived.bits));
        }
        void barrier_release() override { lines.push_back("release"); }
        std::vector<std::string>& lines;
    };
};

TEST(replay, an_observer_receives_again_what_the_producer_reported) {
    for (const ExampleShape& shape : {ExampleShape::empty(), ExampleShape::tiny(), ExampleShape{3, 100, 4}}) {
        Diary live, again;
        run_example(shape, live);
        replay(make_example(shape), again);
        // The producer reports a warp's steps after a barrier's release in the same order as replay does, but
        // runs all prologues first; warp by warp the two are equal.
        for (int warp = 0; warp < 4; ++warp) {
            const auto of_warp = [&](const Diary& diary) {
                std::vector<std::string> lines;
                for (const std::string& line : diary.lines)
                    if (line.starts_with(fmt::format("{} ", warp)) || !std::isdigit(line[0]))
                        lines.push_back(line);
                return lines;
            };
            EXPECT_EQ(of_warp(live), of_warp(again));
        }
    }
}

TEST(replay, recording_a_replay_gives_the_same_trace) {
    const Trace trace = make_example({3, 100, 4});
    Recorder recorder(trace.launch, trace.program);
    replay(trace, recorder);
    const Trace again = recorder.take();
    EXPECT_EQ(again.warps, trace.warps);
    EXPECT_EQ(again.visits, trace.visits);
    EXPECT_EQ(again.accesses, trace.accesses);
    EXPECT_EQ(again.masks, trace.masks);
    EXPECT_EQ(again.exceptions, trace.exceptions);
}

/// One warp, a barrier that its lanes reach in two parts.
Trace split_barrier(std::string opcode) {
    Trace trace;
    Site barrier;
    barrier.opcode = std::move(opcode);
    barrier.kind = SiteKind::barrier;
    Site exit;
    exit.opcode = "ret";
    exit.kind = SiteKind::exit;
    exit.basic_block = 1;
    trace.program.sites = {barrier, exit};
    trace.program.basic_blocks = {{0, 1}, {1, 1}};
    trace.launch.geometry.block = {32, 1, 1};
    trace.visits = {{0, LaneMask{0xff}}, {0, LaneMask{0xffffff00u}}, {1, LaneMask::all()}};
    trace.warps = {{0, 0, 0, 3, 0, 0, 0, 0}};
    return trace;
}

TEST(replay, lanes_that_arrive_in_parts_are_released_once) {
    Diary diary;
    replay(split_barrier("bar.sync"), diary);
    EXPECT_EQ(diary.lines, (std::vector<std::string>{"begin 0", "0 visit 0 ff", "0 barrier 0 ff",
                                                     "0 visit 0 ffffff00", "0 barrier 0 ffffff00", "release",
                                                     "0 visit 1 ffffffff", "finish 0"}));
}

TEST(replay, lanes_that_only_arrive_are_not_held) {
    Diary diary;
    replay(split_barrier("bar.arrive"), diary);
    EXPECT_EQ(std::count(diary.lines.begin(), diary.lines.end(), "release"), 0);
    EXPECT_EQ(diary.lines.size(), 7u);
}

TEST(replay, a_barrier_object_in_memory_is_no_block_wide_barrier) {
    Diary diary;
    replay(split_barrier("mbarrier.arrive.shared.b64"), diary);
    EXPECT_EQ(
        std::count_if(diary.lines.begin(), diary.lines.end(),
                      [](const std::string& line) { return line.find("barrier") != std::string::npos; }),
        0);
}

}  // namespace
}  // namespace warplens::trace
