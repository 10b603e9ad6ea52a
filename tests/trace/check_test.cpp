#include "trace/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/synthetic.h"

namespace warplens::trace {
namespace {

TEST(check, what_a_recorder_builds_is_well_formed) {
    for (const ExampleShape& shape :
         {ExampleShape::empty(), ExampleShape::tiny(), ExampleShape{3, 1024, 5}}) {
        const auto ok = check(make_example(shape));
        EXPECT_TRUE(ok) << ok.error().message;
    }
}

TEST(check, each_broken_index_is_named) {
    struct Case {
        const char* part_of_sentence;
        std::function<void(Trace&)> break_it;
    };
    const Case cases[] = {
        {"a grid of", [](Trace& t) { t.launch.geometry.grid.y = 0; }},
        {"a block of",
         [](Trace& t) {
             t.launch.geometry.block = {0x80000000u, 0x80000000u, 4};
         }},
        {"basic block 3 ends at", [](Trace& t) { t.program.basic_blocks[3].site_count = 0xffffffff; }},
        {"names source file 9", [](Trace& t) { t.program.sites[4].file = 9; }},
        {"belongs to basic block 99", [](Trace& t) { t.program.sites[4].basic_block = 99; }},
        {"elements of 0 bytes", [](Trace& t) { t.launch.buffers[0].element_bytes = 0; }},
        {"outside a launch", [](Trace& t) { t.warps.back().block = 2; }},
        {"warps should ascend", [](Trace& t) { t.warps[1].warp = 0; }},
        {"the visits of a warp", [](Trace& t) { ++t.warps[1].visits_begin; }},
        {"the accesses of a warp", [](Trace& t) { t.warps[0].accesses_end = 1'000'000; }},
        {"the masks of a warp", [](Trace& t) { t.warps[2].masks_end = 0; }},
        {"but the warps own",
         [](Trace& t) {
             t.visits.push_back({0, LaneMask::all()});
         }},
        {"a visit names basic block", [](Trace& t) { t.visits[5].basic_block = 7; }},
        {"a mask names site", [](Trace& t) { t.masks[1].site = 1000; }},
        {"an access names site", [](Trace& t) { t.accesses[1].site = 1000; }},
        {"has no active lane", [](Trace& t) { t.accesses[1].mask = {}; }},
        {"has no state space", [](Trace& t) { t.accesses[1].space = static_cast<Space>(9); }},
        {"begins at exception",
         [](Trace& t) { t.accesses[0] = {25, LaneMask::all(), 5, 0, Space::global, true}; }},
        {"repeats the one at exception 900",
         [](Trace& t) { t.accesses[0].scattered = true, t.accesses[0].stride = 901; }},
        {"repeats the one at exception -7",
         [](Trace& t) { t.accesses[0].scattered = true, t.accesses[0].stride = -6; }},
        {"repeats the one at exception 0",
         [](Trace& t) { t.accesses[t.warps[1].accesses_begin] = {25, {1}, 0, 1, Space::global, true}; }},
        {"exceptions, but", [](Trace& t) { t.exceptions.push_back(0); }},
        {"a cluster of",
         [](Trace& t) {
             t.launch.geometry.cluster = {1, 17, 1};
         }},
        {"dynamic shared memory", [](Trace& t) { t.launch.geometry.dynamic_shared_bytes = 0xffffffff; }},
        {"registers per thread", [](Trace& t) { t.launch.resources.registers_per_thread = 256; }},
        {"static shared memory", [](Trace& t) { t.launch.resources.shared_static_bytes = 0x80000000; }},
        {"a stack of", [](Trace& t) { t.launch.resources.stack_bytes = 0xffffffff; }},
        {"past the last address", [](Trace& t) { t.launch.buffers[0].base = ~std::uint64_t{0} - 1; }},
        {"variable v of",
         [](Trace& t) {
             t.program.variables.push_back({"v", Space::shared, ~std::uint64_t{0}, 2, 1});
         }},
        {"parameter p has",
         [](Trace& t) {
             t.program.parameters.push_back({"p", "u64", 8, 0xfffffffcu});
         }},
        {"has no instruction", [](Trace& t) { t.program.basic_blocks[1].site_count = 0; }},
        {"which does not contain it", [](Trace& t) { t.program.sites[0].basic_block = 1; }},
        // The widest tables of the sector and bank counts have room for 32 bytes per lane.
        {"accesses 33 bytes per lane", [](Trace& t) { t.program.sites[4].bytes_per_lane = 33; }},
        {"a visit of warp 2 of block 0 has active lanes without a thread",
         [](Trace& t) { t.visits[t.warps[2].visits_begin].active = LaneMask::all(); }},
        {"an access of warp 2 of block 0 has active lanes without a thread",
         [](Trace& t) { t.accesses[t.warps[2].accesses_begin].mask = LaneMask::all(); }},
        {"names a thread outside the launch",
         [](Trace& t) {
             t.problems.push_back({});
             t.problems[0].block.x = 0xffffffff;
         }},
        {"a problem names site", [](Trace& t) { t.problems.push_back({}), t.problems[0].site = 999; }},
    };
    for (const Case& broken : cases) {
        Trace trace = make_example(ExampleShape::tiny());
        broken.break_it(trace);
        const auto status = check(trace);
        ASSERT_FALSE(status) << broken.part_of_sentence;
        EXPECT_THAT(status.error().message, testing::HasSubstr(broken.part_of_sentence));
    }
}

}  // namespace
}  // namespace warplens::trace
