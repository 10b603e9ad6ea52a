#include "trace/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/synthetic.h"
#include "trace/check.h"
#include "trace/light.h"
#include "trace/query.h"
#include "trace/recorder.h"

namespace warplens::trace {
namespace {

using Kind = Divergence::Kind;
using testing::HasSubstr;

/// The same launch with its buffers elsewhere, as another device would have put them.
Trace elsewhere(Trace trace) {
    const auto moved = [&](std::uint64_t address) {
        for (std::size_t i = 0; i < trace.launch.buffers.size(); ++i) {
            const Buffer& buffer = trace.launch.buffers[i];
            if (address >= buffer.base && address - buffer.base < buffer.bytes)
                return address - buffer.base + 0x100000000u * (9 - i);
        }
        return address;
    };
    for (AccessRecord& access : trace.accesses) {
        if (access.space != Space::global) continue;
        if (!access.scattered || access.stride != 0) {
            access.base = moved(access.base);
            continue;
        }
        for (int i = 0; i < access.mask.count(); ++i) {
            std::uint64_t& address = trace.exceptions[access.base + static_cast<std::uint64_t>(i)];
            address = moved(address);
        }
    }
    for (std::size_t i = 0; i < trace.launch.buffers.size(); ++i)
        trace.launch.buffers[i].base = 0x100000000u * (9 - i);
    return trace;
}

/// Basic blocks of the example, and sites in them.
constexpr BasicBlockId prologue = 0, fill = 1, column = 2, gather = 3, joined = 4, again = 5, leave = 6;

/// One warp of the example, reported by hand: a site without a report has no event.
Trace by_hand(const std::function<void(BlockObserver&)>& report) {
    Launch launch = example_launch({1, 32, 1});
    Recorder recorder(launch, example_program());
    auto block = recorder.begin_block(0);
    report(*block);
    recorder.finish(0, std::move(block));
    return recorder.take();
}

SiteId site_in(BasicBlockId block, SiteKind kind) {
    const Program program = example_program();
    const BasicBlock& at = program.basic_blocks[block];
    for (SiteId id = at.first_site; id < at.first_site + at.site_count; ++id)
        if (program.sites[id].kind == kind) return id;
    return no_index;
}

void load(BlockObserver& to, SiteId site, LaneMask mask, std::uint64_t base) {
    Addresses addresses{};
    for (std::size_t lane = 0; lane < warp_size; ++lane) addresses[lane] = base + 4 * lane;
    to.access(0, {site, mask, Space::global, Operation::load, 4, &addresses});
}

/// Even lanes gather and odd ones do not; then both continue as `after` defines.
Trace split(const std::function<void(BlockObserver&)>& after, std::uint64_t address = 0x7f0000000000) {
    return by_hand([&](BlockObserver& to) {
        to.visit(0, prologue, LaneMask::all());
        to.visit(0, column, LaneMask::all());
        to.branch(0, site_in(column, SiteKind::branch), LaneMask::all(), LaneMask{0xaaaaaaaau});
        to.visit(0, gather, LaneMask{0x55555555u});
        load(to, site_in(gather, SiteKind::memory), LaneMask{0x55555555u}, address);
        after(to);
    });
}

void join(BlockObserver& to, LaneMask lanes) {
    to.visit(0, joined, lanes);
    to.guard(0, site_in(joined, SiteKind::memory), LaneMask::none());
}

TEST(agreement, a_trace_agrees_with_itself_on_another_device) {
    for (const ExampleShape& shape : {ExampleShape::empty(), ExampleShape::tiny(), ExampleShape{4, 200, 3}}) {
        const Trace cpu = make_example(shape);
        const Agreement same = compare(cpu, elsewhere(cpu));
        EXPECT_TRUE(same.exact()) << same.first->sentence;
        EXPECT_TRUE(same.lane_by_lane());
        EXPECT_FALSE(same.first);
        EXPECT_EQ(same.warps, cpu.warps.size());
        EXPECT_EQ(same.records, cpu.visits.size() + cpu.masks.size() + cpu.accesses.size());
    }
}

TEST(agreement, disjoint_lanes_may_run_in_any_order) {
    const auto even_first = split([](BlockObserver& to) {
        join(to, LaneMask{0x55555555u});
        join(to, LaneMask{0xaaaaaaaau});
        to.visit(0, again, LaneMask::all());
    });
    const auto odd_first = split([](BlockObserver& to) {
        join(to, LaneMask{0xaaaaaaaau});
        join(to, LaneMask{0x55555555u});
        to.visit(0, again, LaneMask::all());
    });
    const Agreement agreement = compare(even_first, odd_first);
    EXPECT_TRUE(agreement.exact()) << agreement.first->sentence;
    EXPECT_EQ(agreement.records, 6u + 1 + 1 + 2);
    EXPECT_EQ(compare(odd_first, even_first).records, agreement.records);
}

TEST(agreement, lanes_apart_in_one_and_together_in_the_other_are_reported_as_such) {
    const auto apart = split([](BlockObserver& to) {
        join(to, LaneMask{0x55555555u});
        join(to, LaneMask{0xaaaaaaaau});
        to.visit(0, again, LaneMask::all());
    });
    const auto together = split([](BlockObserver& to) {
        join(to, LaneMask::all());
        to.visit(0, again, LaneMask::all());
    });
    const Agreement agreement = compare(together, apart);
    EXPECT_FALSE(agreement.exact());
    EXPECT_TRUE(agreement.lane_by_lane());
    EXPECT_EQ(agreement.warps_with_other_masks, 1u);
    ASSERT_TRUE(agreement.first);
    EXPECT_EQ(agreement.first->kind, Kind::mask);
    EXPECT_EQ(agreement.first->visit, 3u);
    EXPECT_EQ(agreement.first->site, site_in(joined, SiteKind::memory));
    EXPECT_EQ(agreement.first->sentence,
              "block 0, warp 0, lane 0: the GPU ran st.global.f32 (example.cu:11) with 16 lanes (0x55555555) "
              "on, the CPU engine with lanes 0 to 31; every lane did the same in both");
    EXPECT_TRUE(compare(apart, together).lane_by_lane());
}

TEST(agreement, behind_another_mask_each_lane_is_still_held_to_its_path_and_addresses) {
    const auto ending = [](bool goes_on) {
        return [goes_on](BlockObserver& to) {
            to.visit(0, again, goes_on ? LaneMask::all() : LaneMask::first(31));
        };
    };
    const auto together = split([&](BlockObserver& to) {
        join(to, LaneMask::all());
        ending(true)(to);
    });
    const auto apart_and_shorter = split([&](BlockObserver& to) {
        join(to, LaneMask{0x55555555u});
        join(to, LaneMask{0xaaaaaaaau});
        ending(false)(to);
    });
    Agreement agreement = compare(together, apart_and_shorter);
    EXPECT_FALSE(agreement.lane_by_lane());
    EXPECT_EQ(agreement.first->kind, Kind::path);
    EXPECT_EQ(agreement.first->lane, 31);
    EXPECT_EQ(agreement.first->visit, 4u);
    EXPECT_EQ(
        agreement.first->sentence,
        "block 0, warp 0, lane 31: the GPU had ended, the CPU engine went on at add.s32 (example.cu:5)");
    agreement = compare(apart_and_shorter, together);
    EXPECT_EQ(
        agreement.first->sentence,
        "block 0, warp 0, lane 31: the GPU went on at add.s32 (example.cu:5), the CPU engine had ended");
    const auto apart_and_elsewhere = split(
        [&](BlockObserver& to) {
            join(to, LaneMask{0x55555555u});
            join(to, LaneMask{0xaaaaaaaau});
            ending(true)(to);
        },
        0x7f0000000004);
    agreement = compare(together, apart_and_elsewhere);
    EXPECT_EQ(agreement.warps_with_other_masks, 0u);
    EXPECT_EQ(agreement.first->kind, Kind::address);
    EXPECT_EQ(agreement.first->lane, 0);
    EXPECT_EQ(
        agreement.first->sentence,
        "block 0, warp 0, lane 0: in ld.global.f32 (example.cu:10) the GPU accessed in[1], the CPU engine "
        "in[0]");
}

TEST(agreement, each_kind_of_divergence_is_reported_with_block_warp_lane_and_site) {
    struct Case {
        Kind kind;
        std::uint64_t block;
        std::uint32_t warp;
        int lane;
        const char* sentence;
        std::function<void(Trace&)> change;  // of the GPU's
    };
    const Trace cpu = make_example(ExampleShape::tiny());
    const auto mask_of = [](Trace& trace, std::size_t warp, SiteKind kind) -> MaskRecord& {
        for (std::uint64_t i = trace.warps[warp].masks_begin;; ++i)
            if (trace.program.sites[trace.masks[i].site].kind == kind) return trace.masks[i];
    };
    const Case cases[] = {
        {Kind::missing_warp, 1, 2, 0, "block 1, warp 2: the trace of the GPU has no such warp",
         [](Trace& t) {
             const WarpRecord last = t.warps.back();
             t.warps.pop_back();
             t.visits.resize(last.visits_begin);
             t.masks.resize(last.masks_begin);
             t.accesses.resize(last.accesses_begin);
         }},
        {Kind::path, 0, 1, 0,
         "block 0, warp 1, lane 0: the GPU went on at add.s32 (example.cu:5), the CPU engine went on at "
         "ld.global.f32 (example.cu:6)",
         [](Trace& t) { t.visits[t.warps[1].visits_begin + 1].basic_block = again; }},
        {Kind::branch, 1, 0, 3,
         "block 1, warp 0, lane 3: of bra (example.cu:9) the GPU did not, the CPU engine took it",
         [&](Trace& t) { mask_of(t, 3, SiteKind::branch).mask.bits ^= 8; }},
        {Kind::guard, 1, 1, 31,
         "block 1, warp 1, lane 31: of st.global.f32 (example.cu:11) the GPU did not, the CPU engine "
         "executed "
         "it",
         [&](Trace& t) { mask_of(t, 4, SiteKind::memory).mask.bits ^= 0x80000000u; }},
        {Kind::address, 0, 0, 0,
         "block 0, warp 0, lane 0: in ld.global.f32 (example.cu:6) the GPU accessed in[1], the CPU engine "
         "in[0]",
         [](Trace& t) { t.accesses[0].base += 4; }},
        {Kind::address, 0, 0, 1,
         "block 0, warp 0, lane 1: in ld.global.f32 (example.cu:6) the GPU accessed in[4], the CPU engine "
         "in[2]",
         [](Trace& t) { t.accesses[0].stride *= 2; }},
    };
    for (const Case& one : cases) {
        Trace gpu = cpu;
        one.change(gpu);
        const Agreement agreement = compare(cpu, gpu);
        EXPECT_EQ(agreement.warps_that_differ, 1u) << one.sentence;
        ASSERT_TRUE(agreement.first) << one.sentence;
        EXPECT_EQ(agreement.first->kind, one.kind);
        EXPECT_EQ(agreement.first->block, one.block);
        EXPECT_EQ(agreement.first->warp, one.warp);
        EXPECT_EQ(agreement.first->lane, one.lane);
        EXPECT_EQ(agreement.first->sentence, one.sentence);
        EXPECT_FALSE(agreement.lane_by_lane());
        EXPECT_FALSE(compare(gpu, cpu).exact()) << one.sentence;
    }
}

TEST(agreement, a_lane_that_did_otherwise_comes_before_other_masks) {
    Trace cpu = make_example(ExampleShape::tiny()), gpu = cpu;
    // Warp 0 only splits a visit of lanes 0 to 31; in warp 4 an address differs.
    WarpRecord& warp = gpu.warps[0];
    const std::uint64_t last = warp.visits_end - 1;
    ASSERT_EQ(gpu.visits[last].basic_block, leave);
    gpu.visits[last].active = LaneMask::first(16);
    gpu.visits.insert(gpu.visits.begin() + static_cast<std::ptrdiff_t>(last + 1),
                      {leave, LaneMask{0xffff0000u}});
    ++warp.visits_end;
    for (std::size_t i = 1; i < gpu.warps.size(); ++i) ++gpu.warps[i].visits_begin, ++gpu.warps[i].visits_end;
    ASSERT_TRUE(check(gpu));
    EXPECT_EQ(compare(cpu, gpu).first->kind, Kind::mask);
    gpu.accesses[gpu.warps[4].accesses_begin].base += 4;
    const Agreement agreement = compare(cpu, gpu);
    EXPECT_EQ(agreement.warps_that_differ, 2u);
    EXPECT_EQ(agreement.warps_with_other_masks, 1u);
    EXPECT_EQ(agreement.first->kind, Kind::address);
    EXPECT_EQ(agreement.first->block, 1u);
}

TEST(agreement, one_flipped_bit_anywhere_is_found) {
    const Trace cpu = make_example({1, 40, 3});
    Trace gpu = elsewhere(cpu);
    ASSERT_TRUE(compare(cpu, gpu).exact());
    std::uint64_t flips = 0, flips_that_break = 0;
    const auto flip = [&](auto& value, int bit) {
        using Value = std::remove_reference_t<decltype(value)>;
        value = static_cast<Value>(static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << bit));
    };
    const auto expect_found = [&](auto& value, int bits, const std::string& what) {
        for (int bit = 0; bit < bits; ++bit) {
            flip(value, bit);
            ++flips;
            if (check(gpu)) EXPECT_FALSE(compare(cpu, gpu).exact()) << what << ", bit " << bit;
            else ++flips_that_break;
            flip(value, bit);
        }
    };
    for (std::size_t i = 0; i < gpu.visits.size(); ++i) {
        expect_found(gpu.visits[i].basic_block, 32, fmt::format("block of visit {}", i));
        expect_found(gpu.visits[i].active.bits, 32, fmt::format("mask of visit {}", i));
    }
    for (std::size_t i = 0; i < gpu.masks.size(); ++i) {
        expect_found(gpu.masks[i].site, 32, fmt::format("site of mask {}", i));
        expect_found(gpu.masks[i].mask.bits, 32, fmt::format("mask {}", i));
    }
    for (std::size_t i = 0; i < gpu.accesses.size(); ++i) {
        AccessRecord& access = gpu.accesses[i];
        expect_found(access.site, 32, fmt::format("site of access {}", i));
        expect_found(access.mask.bits, 32, fmt::format("mask of access {}", i));
        expect_found(access.base, 64, fmt::format("base of access {}", i));
        expect_found(access.space, 8, fmt::format("space of access {}", i));
        if (access.scattered ? access.stride != 0 : access.mask.count() > 1)
            expect_found(access.stride, 32, fmt::format("stride of access {}", i));
    }
    for (std::size_t i = 0; i < gpu.exceptions.size(); ++i)
        expect_found(gpu.exceptions[i], 64, fmt::format("exception {}", i));
    EXPECT_GT(flips - flips_that_break, 5'000u);
    EXPECT_TRUE(compare(cpu, gpu).exact());
}

TEST(agreement, without_addresses_paths_masks_and_branches_are_still_compared) {
    const Trace cpu = make_example({2, 200, 3});
    Trace light = cpu;
    drop_accesses(light);
    // Such a recording knows no guards, either.
    Trace bare = light;
    bare.masks.clear();
    for (WarpRecord& warp : bare.warps) {
        const std::uint64_t begin = warp.masks_begin, end = warp.masks_end;
        warp.masks_begin = bare.masks.size();
        for (std::uint64_t i = begin; i < end; ++i)
            if (cpu.program.sites[light.masks[i].site].kind == SiteKind::branch)
                bare.masks.push_back(light.masks[i]);
        warp.masks_end = bare.masks.size();
    }
    ASSERT_TRUE(check(bare));
    for (Trace* gpu : {&light, &bare}) {
        EXPECT_FALSE(compare(cpu, *gpu).exact());
        const Agreement agreement = compare(cpu, *gpu, {.addresses = false});
        EXPECT_TRUE(agreement.exact()) << agreement.first->sentence;
        gpu->masks[0].mask.bits ^= 1;
        EXPECT_EQ(compare(cpu, *gpu, {.addresses = false}).first->kind, Kind::branch);
        gpu->masks[0].mask.bits ^= 1;
    }
    light.masks[1].mask.bits ^= 2;
    EXPECT_EQ(compare(cpu, light, {.addresses = false}).first->kind, Kind::guard);
}

TEST(agreement, traces_of_different_programs_are_refused_in_a_sentence) {
    const Trace cpu = make_example(ExampleShape::tiny());
    Trace gpu = cpu;
    gpu.program.sites.pop_back();
    const Agreement agreement = compare(cpu, gpu);
    EXPECT_FALSE(agreement.exact());
    EXPECT_FALSE(agreement.lane_by_lane());
    EXPECT_THAT(agreement.first->sentence, HasSubstr("traces of different programs"));
}

/// Everything that the clock decides in the example: where the loads of `gather` are and which lanes reach
/// them.
RunDependence clock_in_gather(const Program& program) {
    RunDependence dependence;
    dependence.sources = {{0, "%clock64", RunDependence::Kind::reads}};
    dependence.sites.resize(program.sites.size());
    dependence.basic_blocks.resize(program.basic_blocks.size());
    dependence.basic_blocks[gather] = 1;
    dependence.sites[site_in(column, SiteKind::branch)].lanes = 1;
    return dependence;
}

TEST(agreement, what_depends_on_the_run_is_left_out_of_warps_that_differ) {
    const Trace cpu = split([](BlockObserver& to) { join(to, LaneMask::all()); });
    const auto by_the_clock = [](LaneMask joined_lanes) {
        return by_hand([&](BlockObserver& to) {
            to.visit(0, prologue, LaneMask::all());
            to.visit(0, column, LaneMask::all());
            to.branch(0, site_in(column, SiteKind::branch), LaneMask::all(), LaneMask{0xffff0000u});
            to.visit(0, gather, LaneMask{0x0000ffffu});
            load(to, site_in(gather, SiteKind::memory), LaneMask{0x0000ffffu}, 0x7f0000000000);
            for (const LaneMask lanes : {joined_lanes, LaneMask{~joined_lanes.bits}})
                if (!lanes.empty()) join(to, lanes);
        });
    };
    const RunDependence dependence = clock_in_gather(cpu.program);
    const Trace gpu = by_the_clock(LaneMask::all());
    EXPECT_FALSE(compare(cpu, gpu).lane_by_lane());
    const Agreement agreement = compare(cpu, gpu, {.run_dependence = &dependence});
    EXPECT_TRUE(agreement.exact()) << agreement.first->sentence;
    EXPECT_EQ(agreement.warps_that_depend_on_the_run, 1u);
    ASSERT_EQ(agreement.reasons.size(), 1u);
    EXPECT_THAT(agreement.reasons[0], HasSubstr("reads %clock64 (example.cu:"));
    const Agreement apart = compare(cpu, by_the_clock(LaneMask{0xffu}), {.run_dependence = &dependence});
    EXPECT_TRUE(apart.lane_by_lane());
    EXPECT_EQ(apart.warps_with_other_masks, 1u);
    EXPECT_EQ(apart.reasons.size(), 1u);
    const Agreement itself = compare(cpu, cpu, {.run_dependence = &dependence});
    EXPECT_TRUE(itself.reasons.empty()) << "what agrees needs no reason";
}

TEST(agreement, what_does_not_depend_on_the_run_is_still_compared) {
    const Trace cpu = split([](BlockObserver& to) { join(to, LaneMask::all()); });
    const RunDependence dependence = clock_in_gather(cpu.program);
    const Trace lost = split([](BlockObserver& to) { join(to, LaneMask{0x7fffffffu}); });
    const Agreement agreement = compare(cpu, lost, {.run_dependence = &dependence});
    EXPECT_FALSE(agreement.lane_by_lane());
    EXPECT_EQ(agreement.warps_that_depend_on_the_run, 0u);
    EXPECT_TRUE(agreement.reasons.empty());
    EXPECT_EQ(agreement.first->lane, 31);
}

}  // namespace
}  // namespace warplens::trace
