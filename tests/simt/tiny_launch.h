// TinyLaunch: a launch of a few machine operations, written down by hand, for exact cycle counts. One basic
// block; each operation is a site; every warp runs them in order, `rounds` times.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu_spec.h"
#include "simt/timing/timing_model.h"

namespace warplens::simt {

/// The address of lane i is base + i * stride, and one warp's base lies `warp_stride` above the last one's.
struct TinyAccess {
    Space space = Space::global;
    std::uint64_t base = 0;
    std::int32_t stride = 4;
    std::uint64_t warp_stride = 0;
    std::uint64_t round_stride = 0;
};

class TinyLaunch {
  public:
    int warps = 1;   // a block
    int blocks = 1;  // all of which the modelled SM runs
    int rounds = 1;
    std::uint64_t buffer_bytes = 1 << 20;  // of the one buffer, from address 0

    void arithmetic(Pipe pipe, std::initializer_list<std::uint16_t> sources, std::uint16_t result) {
        add(MachineKind::arithmetic, pipe, sources, {result});
    }
    /// Through the MIO, as reading the constant bank goes.
    void constant_read(std::uint16_t result) {
        add(MachineKind::variable, Pipe::mio, {}, {result});
        code_.ops.back().latency = 30;
    }
    /// A special register: through the MIO, but not by the pipe of shared memory.
    void special_register(std::uint16_t result) {
        constant_read(result);
        code_.ops.back().looks_up = true;
    }
    /// Of the last operation. From now on all wait by these fields, not for registers.
    IssueControl& control() {
        code_.has_control_fields = true;
        return code_.ops.back().control;
    }
    RegisterReads& reads() { return last().reads; }
    MachineOp& last() { return code_.ops.back(); }
    void load(const TinyAccess& access, std::initializer_list<std::uint16_t> sources, std::uint16_t result) {
        memory(MachineKind::load, Operation::load, access, sources, {result});
    }
    void store(const TinyAccess& access, std::initializer_list<std::uint16_t> sources) {
        memory(MachineKind::store, Operation::store, access, sources, {});
    }
    /// An addition whose result is not read.
    void reduction(const TinyAccess& access) {
        memory(MachineKind::reduction, Operation::atomic, access, {}, {});
        sites_.back().opcode = "red.global.add.u32";
    }
    /// Lets go on when the scoreboard is zero.
    void scoreboard_wait(std::uint8_t scoreboard) {
        add(MachineKind::scoreboard_wait, Pipe::none, {}, {});
        code_.ops.back().awaited = scoreboard;
    }
    void barrier() { add(MachineKind::block_barrier, Pipe::none, {}, {}); }
    void branch(std::initializer_list<std::uint16_t> sources) {
        add(MachineKind::branch, Pipe::branch, sources, {});
    }
    void exit() { add(MachineKind::exit, Pipe::none, {}, {}); }

    trace::Schedule run(TimingRequest request = {}, const GpuSpec& gpu = default_gpu()) {
        request.code = code();
        auto result = schedule(trace(gpu), gpu, request);
        EXPECT_TRUE(result) << (result ? "" : result.error().message);
        if (!result) return {};
        EXPECT_EQ(check(*result), "");
        return std::move(*result);
    }

    std::shared_ptr<const MachineProgram> code() const { return std::make_shared<MachineProgram>(code_); }

    trace::Trace trace(const GpuSpec& gpu) const {
        trace::Trace trace;
        trace.program.sites = sites_;
        trace.program.basic_blocks = {{0, static_cast<std::uint32_t>(sites_.size())}};
        auto& geometry = trace.launch.geometry;
        geometry.block.x = static_cast<std::uint32_t>(warps * warp_size);
        geometry.grid.x = static_cast<std::uint32_t>((blocks - 1) * gpu.sm_count + 1);
        trace.launch.kernel = "tiny";
        trace.launch.buffers.push_back({"data", "f32", 4, 0, buffer_bytes});
        for (int block = 0; block < blocks; ++block) {
            for (int warp = 0; warp < warps; ++warp) record(trace, block * gpu.sm_count, warp);
        }
        return trace;
    }

  private:
    void add(MachineKind kind, Pipe pipe, std::initializer_list<std::uint16_t> sources,
             std::initializer_list<std::uint16_t> results) {
        MachineOp op;
        op.site = static_cast<SiteId>(sites_.size());
        op.kind = kind;
        op.pipe = pipe;
        op.operands = static_cast<std::uint32_t>(code_.operands.size());
        op.source_count = static_cast<std::uint8_t>(sources.size());
        op.result_count = static_cast<std::uint8_t>(results.size());
        for (const auto& list : {sources, results}) {
            for (const std::uint16_t operand : list) {
                code_.operands.push_back(operand);
                code_.register_count = std::max<std::uint32_t>(code_.register_count, operand + 1u);
            }
        }
        code_.ops.push_back(op);
        Site site;
        site.kind = kind == MachineKind::block_barrier ? SiteKind::barrier : SiteKind::lanewise;
        sites_.push_back(site);
        accesses_.push_back({});
        code_.blocks = {{{0, static_cast<std::uint32_t>(code_.ops.size())}, {}, 1, {}, no_index}};
    }

    void memory(MachineKind kind, Operation operation, const TinyAccess& access,
                std::initializer_list<std::uint16_t> sources, std::initializer_list<std::uint16_t> results) {
        add(kind, access.space == Space::shared ? Pipe::mio : Pipe::lsu, sources, results);
        code_.ops.back().record = records_++;
        Site& site = sites_.back();
        site.kind = SiteKind::memory;
        site.space = access.space;
        site.operation = operation;
        site.bytes_per_lane = 4;
        accesses_.back() = access;
    }

    void record(trace::Trace& trace, int block, int warp) const {
        trace::WarpRecord row{};
        row.block = static_cast<std::uint64_t>(block);
        row.warp = static_cast<std::uint32_t>(warp);
        row.visits_begin = trace.visits.size();
        row.accesses_begin = trace.accesses.size();
        for (int round = 0; round < rounds; ++round) {
            trace.visits.push_back({0, LaneMask::all()});
            for (SiteId site = 0; site < sites_.size(); ++site) {
                if (sites_[site].kind != SiteKind::memory) continue;
                const TinyAccess& access = accesses_[site];
                trace.accesses.push_back({site, LaneMask::all(),
                                          access.base +
                                              static_cast<std::uint64_t>(warp) * access.warp_stride +
                                              static_cast<std::uint64_t>(round) * access.round_stride,
                                          access.stride, access.space, false});
            }
        }
        row.visits_end = trace.visits.size();
        row.accesses_end = trace.accesses.size();
        row.masks_begin = row.masks_end = 0;
        trace.warps.push_back(row);
    }

    MachineProgram code_;
    std::vector<Site> sites_;
    std::vector<TinyAccess> accesses_;
    std::uint16_t records_ = 0;
};

/// The cycles at which a warp issued, in order.
inline std::vector<std::uint32_t> issue_cycles(const trace::Schedule& schedule, std::size_t warp) {
    std::vector<std::uint32_t> cycles;
    for (const auto& span : trace::spans_of(schedule, schedule.warps[warp])) {
        if (span.state() != WarpState::selected) continue;
        for (std::uint32_t at = span.begin; at < trace::end_of(schedule, schedule.warps[warp], span); ++at)
            cycles.push_back(at);
    }
    return cycles;
}

}  // namespace warplens::simt
