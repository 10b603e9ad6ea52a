#include "trace/fanout.h"

#include <gtest/gtest.h>

#include "tests/support/synthetic.h"
#include "trace/recorder.h"

namespace warplens::trace {
namespace {

const ExampleShape shape{6, 64, 2};

/// Counts the events of the blocks that it observes.
struct Counter final : Observer {
    struct Block final : BlockObserver {
        std::uint64_t visits = 0;
        void visit(int, BasicBlockId, LaneMask) override { ++visits; }
    };
    std::unique_ptr<BlockObserver> begin_block(std::uint64_t block) override {
        if (block % every != 0) return nullptr;
        return std::make_unique<Block>();
    }
    void finish(std::uint64_t block, std::unique_ptr<BlockObserver> observer) override {
        finished.push_back(block);
        if (observer) visits += dynamic_cast<Block&>(*observer).visits;
    }
    std::uint64_t every = 1;
    std::uint64_t visits = 0;
    std::vector<std::uint64_t> finished;
};

Trace recorded(std::vector<std::uint64_t> blocks) {
    Recorder recorder(example_launch(shape), example_program(), {.blocks = std::move(blocks)});
    run_example(shape, recorder);
    return recorder.take();
}

TEST(fanout, each_observer_receives_what_it_would_receive_alone) {
    Counter all;
    Recorder recorder(example_launch(shape), example_program(), {.blocks = {1, 4}});
    Fanout fanout({&all, &recorder});
    run_example(shape, fanout);
    const Trace trace = recorder.take();
    const Trace alone = recorded({1, 4});
    EXPECT_EQ(trace.warps, alone.warps);
    EXPECT_EQ(trace.visits, alone.visits);
    EXPECT_EQ(trace.accesses, alone.accesses);
    EXPECT_EQ(all.visits, recorded({}).visits.size());
    EXPECT_EQ(all.finished, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(fanout, the_first_may_be_deaf_where_another_listens) {
    Counter some, all;
    some.every = 2;
    Fanout fanout({&some, &all});
    run_example(shape, fanout);
    EXPECT_EQ(some.visits, recorded({0, 2, 4}).visits.size());
    EXPECT_EQ(all.visits, recorded({}).visits.size());
    EXPECT_EQ(some.finished, all.finished);
}

TEST(fanout, a_fanout_may_stand_first_in_another) {
    Counter a, b, deaf;
    deaf.every = 100;
    Fanout inner({&a, &b});
    Fanout outer({&inner, &deaf});
    run_example(shape, outer);
    EXPECT_EQ(a.visits, b.visits);
    EXPECT_EQ(a.visits, recorded({}).visits.size());
    EXPECT_EQ(deaf.visits, recorded({0}).visits.size());
}

TEST(fanout, blocks_that_nobody_listens_to_are_finished_all_the_same) {
    Counter a, b;
    a.every = b.every = 3;
    Fanout fanout({&a, &b});
    run_example(shape, fanout);
    EXPECT_EQ(a.visits, recorded({0, 3}).visits.size());
    EXPECT_EQ(b.finished.size(), 6u);
}

}  // namespace
}  // namespace warplens::trace
