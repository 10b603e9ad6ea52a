#include "trace/query.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/synthetic.h"
#include "trace/places.h"

namespace warplens::trace {
namespace {

SiteId site_with(const Program& program, std::string_view text) {
    for (SiteId id = 0; id < program.sites.size(); ++id)
        if (program.sites[id].text == text) return id;
    ADD_FAILURE() << "no site " << text;
    return 0;
}

TEST(query, steps_follow_the_program_between_branches) {
    const Trace trace = make_example({1, 32, 2});
    const RecordedSites sites(trace.program);
    const WarpSteps steps(trace, sites, trace.warps[0]);
    // prologue 25, then two rounds of fill 3, column 2, gather 6, joined 2, again 3, and ret
    ASSERT_EQ(steps.size(), 25u + 2u * 16u + 1u);
    EXPECT_EQ(step_count(trace, trace.warps[0]), steps.size());
    EXPECT_EQ(steps.at(0).site, 0u);
    EXPECT_EQ(steps.at(24).site, 24u);
    EXPECT_EQ(trace.program.sites[steps.at(steps.size() - 1).site].text, "ret;");
    EXPECT_EQ(steps.at(25 + 16).site, steps.at(25).site);
}

TEST(query, a_step_carries_the_masks_of_its_site) {
    const Trace trace = make_example({1, 40, 1});
    const RecordedSites sites(trace.program);
    const Program& program = trace.program;
    const WarpSteps steps(trace, sites, trace.warps[1]);
    const Step branch = steps.at(*steps.find_site(site_with(program, "@%p2 bra $joined;")));
    EXPECT_EQ(branch.active, LaneMask::first(8));
    EXPECT_EQ(branch.executed, LaneMask::first(8));
    EXPECT_EQ(branch.taken, LaneMask{0xaa});
    const Step gather = steps.at(*steps.find_site(site_with(program, "ld.global.f32 %f3, [%rd8];")));
    EXPECT_EQ(gather.active, LaneMask{0x55});
    EXPECT_EQ(trace.accesses[gather.access].mask, LaneMask{0x55});
    const Step store = steps.at(*steps.find_site(site_with(program, "@%p1 st.global.f32 [%rd6], %f2;")));
    EXPECT_EQ(store.active, LaneMask::first(8));
    EXPECT_EQ(store.executed, LaneMask::first(3));  // the last 5 of 40 threads do not store
    EXPECT_EQ(trace.accesses[store.access].mask, LaneMask::first(3));
}

TEST(query, a_guard_that_stops_every_lane_leaves_a_step_without_access) {
    const Trace trace = make_example({1, 36, 3});  // the second warp has 4 threads, none of which stores
    const RecordedSites sites(trace.program);
    const WarpSteps steps(trace, sites, trace.warps[1]);
    const SiteId store = site_with(trace.program, "@%p1 st.global.f32 [%rd6], %f2;");
    const Step step = steps.at(*steps.find_site(store));
    EXPECT_TRUE(step.executed.empty());
    EXPECT_EQ(step.access, no_access);
    const auto next = steps.find_site(site_with(trace.program, "ld.global.f32 %f1, [%rd4];"), step.index);
    EXPECT_EQ(trace.accesses[steps.at(*next).access].site, steps.at(*next).site);
}

TEST(query, every_access_is_found_from_its_step_and_its_step_from_it) {
    const Trace trace = make_example({2, 72, 40});  // more visits than lie between two checkpoints
    const RecordedSites sites(trace.program);
    std::uint64_t next = 0;
    for (const WarpRecord& warp : trace.warps) {
        const WarpSteps steps(trace, sites, warp);
        steps.for_each(0, steps.size(), [&](const Step& step) {
            const Step again = steps.at(step.index);
            EXPECT_EQ(again.site, step.site);
            EXPECT_EQ(again.executed, step.executed);
            EXPECT_EQ(again.taken, step.taken);
            EXPECT_EQ(again.access, step.access);
            EXPECT_LE(steps.first_step_of_visit(step.visit), step.index);
            if (step.access == no_access) return;
            EXPECT_EQ(step.access, next++);
            EXPECT_EQ(trace.accesses[step.access].site, step.site);
            EXPECT_EQ(steps.step_of_access(step.access), step.index);
            EXPECT_EQ(&warp_of_access(trace, step.access), &warp);
        });
        EXPECT_EQ(next, warp.accesses_end);
        EXPECT_EQ(steps.find_site(0, 1), std::nullopt);
    }
    EXPECT_EQ(next, trace.accesses.size());
}

TEST(query, a_range_of_steps_begins_and_ends_inside_basic_blocks) {
    const Trace trace = make_example({1, 32, 8});
    const RecordedSites sites(trace.program);
    const WarpSteps steps(trace, sites, trace.warps[0]);
    std::vector<std::uint64_t> seen;
    steps.for_each(27, 31, [&](const Step& step) { seen.push_back(step.index); });
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{27, 28, 29, 30}));
    seen.clear();
    steps.for_each(steps.size() - 1, steps.size() + 10,
                   [&](const Step& step) { seen.push_back(step.index); });
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{steps.size() - 1}));
    steps.for_each(5, 5, [&](const Step&) { FAIL(); });
}

TEST(query, a_generic_load_that_meets_two_spaces_is_one_step_with_two_accesses) {
    Trace trace;
    Site load;
    load.opcode = "ld.f32";
    load.kind = SiteKind::memory;
    load.operation = Operation::load;
    Site branch;
    branch.opcode = "bra";
    branch.kind = SiteKind::branch;
    trace.program.sites = {load, branch};
    trace.program.basic_blocks = {{0, 2}};
    const LaneMask low{0xffff}, high{0xffff0000u};
    trace.visits = {{0, LaneMask::all()}, {0, low}, {0, high}};
    trace.accesses = {{0, low, 64, 4, Space::global, false},
                      {0, high, 0, 4, Space::shared, false},
                      {0, low, 64, 4, Space::global, false},
                      {0, high, 0, 4, Space::shared, false}};
    trace.warps = {{0, 0, 0, 3, 0, 4, 0, 0}};
    const RecordedSites sites(trace.program);
    const WarpSteps steps(trace, sites, trace.warps[0]);
    EXPECT_EQ(steps.at(0).access_count, 2u);
    EXPECT_EQ(steps.at(2).access, 2u);
    EXPECT_EQ(steps.at(2).access_count, 1u);
    EXPECT_EQ(steps.at(4).access, 3u);
    EXPECT_EQ(steps.step_of_access(1), 0u);
    EXPECT_EQ(steps.step_of_access(3), 4u);
}

TEST(query, an_asynchronous_copy_is_one_step_that_loads_and_stores) {
    Trace trace;
    Site copy;
    copy.opcode = "cp.async.ca.shared.global";
    copy.kind = SiteKind::memory;
    Site branch;
    branch.kind = SiteKind::branch;
    trace.program.sites = {copy, branch};
    trace.program.basic_blocks = {{0, 2}};
    trace.visits = {{0, LaneMask::all()}, {0, LaneMask::all()}};
    trace.accesses = {{0, LaneMask::all(), 64, 4, Space::global, false},
                      {0, LaneMask::all(), 0, 4, Space::shared, false},
                      {0, LaneMask::all(), 192, 4, Space::global, false},
                      {0, LaneMask::all(), 128, 4, Space::shared, false}};
    trace.warps = {{0, 0, 0, 2, 0, 4, 0, 0}};
    const RecordedSites sites(trace.program);
    const WarpSteps steps(trace, sites, trace.warps[0]);
    EXPECT_EQ(steps.at(0).access_count, 2u);
    EXPECT_EQ(steps.at(2).access, 2u);
    EXPECT_EQ(operation_of(trace, trace.accesses[0]), Operation::load);
    EXPECT_EQ(operation_of(trace, trace.accesses[1]), Operation::store);
}

/// A loop of one memory site; `accesses` follow from `visits` executions by all lanes.
Trace loop_of(Site site, std::size_t visits, std::vector<AccessRecord> accesses) {
    Trace trace;
    site.kind = SiteKind::memory;
    Site branch;
    branch.kind = SiteKind::branch;
    trace.program.sites = {std::move(site), branch};
    trace.program.basic_blocks = {{0, 2}};
    trace.visits.assign(visits, {0, LaneMask::all()});
    trace.warps = {{0, 0, 0, visits, 0, accesses.size(), 0, 0}};
    trace.accesses = std::move(accesses);
    return trace;
}

TEST(query, a_copy_whose_lanes_all_copy_zeros_is_a_store_alone) {
    Site copy;
    copy.opcode = "cp.async.ca.shared.global";
    copy.space = Space::global;
    const Trace trace = loop_of(copy, 2,
                                {{0, LaneMask::all(), 0, 4, Space::shared, false},
                                 {0, LaneMask{0xff}, 192, 4, Space::global, false},
                                 {0, LaneMask::all(), 128, 4, Space::shared, false}});
    const RecordedSites sites(trace.program);
    const WarpSteps steps(trace, sites, trace.warps[0]);
    EXPECT_EQ(steps.at(0).access_count, 1u);
    EXPECT_EQ(steps.at(2).access, 1u);
    EXPECT_EQ(steps.at(2).access_count, 2u);
}

TEST(query, lanes_left_out_for_a_bad_address_do_not_borrow_the_next_access) {
    Site load;
    load.opcode = "ld.global.f32";
    load.space = Space::global;
    const LaneMask low{0xffff}, high{0xffff0000u};
    const Trace trace =
        loop_of(load, 2, {{0, low, 64, 4, Space::global, false}, {0, high, 64, 4, Space::global, false}});
    const RecordedSites sites(trace.program);
    const WarpSteps steps(trace, sites, trace.warps[0]);
    EXPECT_EQ(steps.at(0).access_count, 1u);
    EXPECT_EQ(steps.at(2).access, 1u);
}

TEST(query, warps_are_found_by_block_and_index) {
    const Trace trace = make_example({3, 96, 1});
    ASSERT_NE(find_warp(trace, 2, 1), nullptr);
    EXPECT_EQ(find_warp(trace, 2, 1), &trace.warps[7]);
    EXPECT_EQ(find_warp(trace, 2, 3), nullptr);
    EXPECT_EQ(find_warp(trace, 3, 0), nullptr);
    EXPECT_EQ(find_warp(Trace{}, 0, 0), nullptr);
}

TEST(query, the_access_index_lists_each_site_in_order) {
    const Trace trace = make_example({2, 64, 3});
    const AccessIndex index(trace);
    std::size_t total = 0;
    for (SiteId site = 0; site < trace.program.sites.size(); ++site) {
        std::uint32_t previous = 0;
        for (const std::uint32_t access : index.of(site)) {
            EXPECT_EQ(trace.accesses[access].site, site);
            EXPECT_GE(access, previous);
            previous = access;
        }
        total += index.of(site).size();
    }
    EXPECT_EQ(total, trace.accesses.size());
    EXPECT_EQ(index.of(site_with(trace.program, "ld.shared.f32 %f2, [%r15];")).size(), 2u * 2u * 3u);
}

TEST(places, a_global_address_is_reported_as_buffer_and_element) {
    const Trace trace = make_example({1, 64, 1});
    const std::uint64_t in = trace.launch.buffers[0].base;
    EXPECT_EQ(describe_address(trace, Space::global, in + 4 * 1000, 4), "in[1000]");
    EXPECT_EQ(describe_address(trace, Space::global, in + 6, 2), "in[1] + 2 bytes");
    EXPECT_EQ(describe_address(trace, Space::global, in - 4, 4), "global 0x7efffffffffc");
    EXPECT_EQ(describe_address(trace, Space::global, in + trace.launch.buffers[0].bytes, 4),
              "global 0x7f0000001000");
    EXPECT_EQ(describe_address(trace, Space::global, trace.launch.buffers[1].base, 4), "out[0]");
}

TEST(places, a_shared_address_is_reported_as_variable_and_index) {
    Trace trace;
    trace.program.variables = {{"tile", Space::shared, 0, 4096, 4},
                               {"bytes", Space::shared, 4096, 64, 0},
                               {"dynamic", Space::shared, 4160, 0, 8},
                               {"table", Space::constant, 0, 1024, 2}};
    trace.launch.geometry.dynamic_shared_bytes = 256;
    EXPECT_EQ(describe_address(trace, Space::shared, 132, 4), "tile[33]");
    EXPECT_EQ(describe_address(trace, Space::shared, 4096 + 16, 8), "bytes[2]");
    EXPECT_EQ(describe_address(trace, Space::shared, 4160 + 16, 4), "dynamic[2]");
    EXPECT_EQ(describe_address(trace, Space::shared, 4160 + 256, 4), "shared byte 4416");
    EXPECT_EQ(describe_address(trace, Space::constant, 6, 2), "table[3]");
    EXPECT_EQ(describe_address(trace, Space::local, 8, 4), "local byte 8");
}

TEST(places, a_source_line_knows_its_sites) {
    const Program program = example_program();
    const LineIndex lines(program);
    ASSERT_EQ(lines.of_source(0, 10).size(), 6u);
    for (const SiteId site : lines.of_source(0, 10)) EXPECT_EQ(program.sites[site].line, 10u);
    EXPECT_TRUE(lines.of_source(0, 3).empty());
    EXPECT_TRUE(lines.of_source(1, 10).empty());
    const Site& site = program.sites[17];
    ASSERT_EQ(lines.of_ptx(site.ptx_line).size(), 1u);
    EXPECT_EQ(lines.of_ptx(site.ptx_line)[0], 17u);
}

TEST(synthetic, the_ptx_lines_hold_the_instructions_of_their_sites) {
    const Program program = example_program();
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < program.ptx.size();) {
        const std::size_t to = program.ptx.find('\n', from);
        lines.push_back(program.ptx.substr(from, to - from));
        from = to + 1;
    }
    for (const Site& site : program.sites) EXPECT_EQ(lines.at(site.ptx_line - 1), "    " + site.text);
    SiteId next = 0;
    for (const BasicBlock& block : program.basic_blocks) {
        EXPECT_EQ(block.first_site, next);
        next += block.site_count;
    }
    EXPECT_EQ(next, program.sites.size());
}

}  // namespace
}  // namespace warplens::trace
