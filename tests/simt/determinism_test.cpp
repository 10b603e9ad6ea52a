#include <sstream>

#include "kernel_under_test.h"

namespace warplens::simt {
namespace {

/// Notes every event, block by block.
class Transcript final : public trace::Observer {
  public:
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t) override {
        return std::make_unique<Block>();
    }
    void finish(std::uint64_t block, std::unique_ptr<trace::BlockObserver> observer) override {
        text += "block " + std::to_string(block) + "\n" + static_cast<Block&>(*observer).text.str();
    }
    std::string text;

  private:
    struct Block final : trace::BlockObserver {
        std::ostringstream text;
        void visit(int warp, BasicBlockId block, LaneMask active) override {
            text << "visit " << warp << ' ' << block << ' ' << active.bits << '\n';
        }
        void access(int warp, const trace::Access& access) override {
            text << "access " << warp << ' ' << access.site << ' ' << access.mask.bits;
            for_each_lane(access.mask, [&](int lane) {
                text << ' ' << (*access.addresses)[static_cast<std::size_t>(lane)];
            });
            text << '\n';
        }
        void guard(int warp, SiteId site, LaneMask executed) override {
            text << "guard " << warp << ' ' << site << ' ' << executed.bits << '\n';
        }
        void branch(int warp, SiteId site, LaneMask active, LaneMask taken) override {
            text << "branch " << warp << ' ' << site << ' ' << active.bits << ' ' << taken.bits << '\n';
        }
        void barrier(int warp, SiteId site, LaneMask arrived) override {
            text << "barrier " << warp << ' ' << site << ' ' << arrived.bits << '\n';
        }
        void barrier_release() override { text << "release\n"; }
    };
};

// A histogram into global memory, a barrier, a branch, and a read out of bounds in some blocks.
const std::string mixed =
    to_own_word +
    "mov.u32 %r2, %ctaid.x;\nand.b32 %r3, %r1, 7;\nadd.u32 %r3, %r3, %r2;\nand.b32 %r3, %r3, 15;\n"
    "mul.wide.u32 %d3, %r3, 4;\nadd.s64 %d3, %d1, %d3;\natom.global.add.u32 %r4, [%d3], 1;\nbar.sync 0;\n"
    "and.b32 %r5, %r2, 3;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra END;\nld.global.u32 %r6, [%d2+4];\nEND:\nret;";

struct Seen {
    std::vector<std::uint32_t> memory;
    std::string events;
    std::vector<std::string> problems;
    std::uint64_t steps;
};

Seen run_with(int threads) {
    KernelUnderTest test(mixed);
    test.geometry.grid = {37, 1, 1};
    test.geometry.block = {64, 1, 1};
    test.options.threads = threads;
    test.buffer(zeros(64));
    Transcript transcript;
    RunResult result = test.run(&transcript);
    EXPECT_TRUE(result.completed);
    Seen seen{test.contents(), transcript.text, {}, result.steps};
    for (const Problem& problem : result.problems)
        seen.problems.push_back(problem.message + std::to_string(problem.count) + to_string(problem.block));
    return seen;
}

TEST(determinism, two_threads_give_what_one_gives) {
    const Seen one = run_with(1), two = run_with(2);
    EXPECT_EQ(one.memory, two.memory);
    EXPECT_EQ(one.events, two.events);
    EXPECT_EQ(one.problems, two.problems);
    EXPECT_EQ(one.steps, two.steps);
    EXPECT_EQ(one.problems.size(), 1u);
    std::uint32_t counted = 0;
    for (std::size_t i = 0; i < 16; ++i) counted += one.memory[i];
    EXPECT_EQ(counted, 37u * 64);
}

TEST(determinism, steps_are_sites_executed_and_thread_steps_their_lanes) {
    KernelUnderTest test(
        "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra FEW;\nret;\nFEW:\nmov.u32 %r2, 1;\nret;");
    test.buffer(zeros(1));
    RunResult result = test.run();
    EXPECT_EQ(result.steps, 3u + 1 + 2);
    EXPECT_EQ(result.thread_steps, 3u * 32 + 24 + 2 * 8);
}

TEST(determinism, only_the_chosen_blocks_run) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d2, %r1, 4;\n"
        "add.s64 %d2, %d1, %d2;\nst.global.u32 [%d2], 1;\nret;");
    test.geometry.grid = {6, 1, 1};
    test.options.blocks = {1, 4};
    test.buffer(zeros(6));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents(), (std::vector<std::uint32_t>{0, 1, 0, 0, 1, 0}));
}

/// Runs out of memory at one block, in a worker thread or where the blocks come together.
struct Exhausted final : trace::Observer {
    std::uint64_t begins, finishes;
    Exhausted(std::uint64_t in_begin, std::uint64_t in_finish) : begins(in_begin), finishes(in_finish) {}
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t block) override {
        if (block == begins) throw std::bad_alloc();
        return nullptr;
    }
    void finish(std::uint64_t block, std::unique_ptr<trace::BlockObserver>) override {
        if (block == finishes) throw std::bad_alloc();
    }
};

TEST(determinism, a_run_whose_observer_lacks_memory_ends_at_once) {
    for (int threads : {1, 2, 4}) {
        for (auto [begins, finishes] : {std::pair{5u, 1000u}, {1000u, 5u}, {40u, 3u}}) {
            KernelUnderTest test("ret;");
            test.geometry.grid = {500, 1, 1};
            test.options.threads = threads;
            test.buffer(zeros(1));
            Exhausted observer(begins, finishes);
            EXPECT_THROW(test.run(&observer), std::bad_alloc);
        }
    }
}

TEST(determinism, a_cancelled_run_says_so) {
    KernelUnderTest test("LOOP:\nbra.uni LOOP;");
    test.options.cancelled = [] { return true; };
    test.buffer(zeros(1));
    RunResult result = test.run();
    EXPECT_TRUE(result.cancelled);
    EXPECT_FALSE(result.completed);
}

}  // namespace
}  // namespace warplens::simt
