#include "simt/timing/front_end.h"

#include <algorithm>
#include <utility>

namespace warplens::simt {

ThreadsByBasicBlock threads_by_basic_block(const trace::Trace& trace, std::uint32_t first_warp,
                                           std::uint32_t warp_count) {
    ThreadsByBasicBlock threads(trace.program.basic_blocks.size(), 0);
    std::vector<LaneMask> lanes;
    for (std::uint32_t i = first_warp; i < first_warp + warp_count; ++i) {
        lanes.assign(threads.size(), {});
        for (std::uint64_t at = trace.warps[i].visits_begin; at < trace.warps[i].visits_end; ++at)
            lanes[trace.visits[at].basic_block] =
                lanes[trace.visits[at].basic_block] | trace.visits[at].active;
        for (std::size_t block = 0; block < threads.size(); ++block)
            threads[block] += static_cast<std::uint32_t>(lanes[block].count());
    }
    return threads;
}

FrontEnd::FrontEnd(const trace::Trace& trace, const trace::RecordedSites& sites, const MachineProgram& code,
                   PollingLoops& polls, const trace::WarpRecord& warp,
                   std::shared_ptr<const ThreadsByBasicBlock> full_warps)
    : trace_(&trace),
      sites_(&sites),
      code_(&code),
      polls_(&polls),
      warp_(&warp),
      cursor_(trace, warp),
      visit_(warp.visits_begin),
      full_warps_(std::move(full_warps)) {
    if (full_warps_ && visit_ < warp.visits_end) {
        lanes_of_warp_ = static_cast<std::uint32_t>(trace.visits[visit_].active.count());
        // What each warp visits once is issued by some of them: each begins with another number.
        const auto number = static_cast<std::size_t>(&warp - trace.warps.data());
        left_out_ = static_cast<double>(number * 13 % lanes_of_warp_) / lanes_of_warp_;
    }
    enter_visit();
}

std::uint32_t FrontEnd::step() const { return step_of(*op_); }

std::uint32_t FrontEnd::next_write() const {
    for (const MachineOp* op = op_; op != end_; ++op) {
        const bool writes = op->kind == MachineKind::store || op->kind == MachineKind::atomic ||
                            op->kind == MachineKind::reduction;
        if (writes && op->pipe == Pipe::lsu && !in_skipped_) return step_of(*op);
    }
    return no_index;
}

std::uint32_t FrontEnd::step_of(const MachineOp& op) const {
    const trace::Visit& visit = trace_->visits[visit_];
    const BasicBlock& block = trace_->program.basic_blocks[visit.basic_block];
    return static_cast<std::uint32_t>(first_step_ + op.copy * std::uint64_t{block.site_count} +
                                      (op.site - block.first_site));
}

trace::SiteRecords FrontEnd::records_of(std::uint16_t record) const {
    if (record == no_record) return {active_, {}, trace::no_access, 0};
    return records_[op_->copy * records_per_visit_ + record];
}

bool FrontEnd::others_follow() const {
    const std::uint64_t next = visit_ + visits_in_group_;
    return next < warp_->visits_end && (trace_->visits[next].active & active_).empty();
}

bool FrontEnd::jumps() const {
    const std::uint64_t next = visit_ + visits_in_group_;
    return next < warp_->visits_end &&
           trace_->visits[next].basic_block != trace_->visits[visit_].basic_block + 1;
}

void FrontEnd::advance() {
    if (++op_ != end_) return;
    if (enter_skipped()) return;
    const BasicBlockId block = trace_->visits[visit_].basic_block;
    first_step_ += visits_in_group_ * trace_->program.basic_blocks[block].site_count;
    visit_ += visits_in_group_;
    enter_visit();
}

bool FrontEnd::enter_skipped() {
    const MachineBlock& block = code_->blocks[trace_->visits[visit_].basic_block];
    const std::uint64_t next = visit_ + visits_in_group_;
    const bool goes_there = next < warp_->visits_end && trace_->visits[next].basic_block == block.skips;
    if (in_skipped_ || block.skipped.size() == 0 || goes_there) return false;
    in_skipped_ = true;
    op_ = code_->ops.data() + block.skipped.begin;
    end_ = code_->ops.data() + block.skipped.end;
    return true;
}

bool FrontEnd::unrolls(const MachineBlock& block) const {
    if (block.unrolled.size() == 0 || visit_ + block.unroll > warp_->visits_end) return false;
    for (std::uint64_t i = 1; i < block.unroll; ++i) {
        if (!(trace_->visits[visit_ + i] == trace_->visits[visit_])) return false;
    }
    return true;
}

void FrontEnd::read_records(std::uint32_t visits) {
    const trace::Visit& visit = trace_->visits[visit_];
    const auto entries = sites_->of(visit.basic_block);
    records_per_visit_ = entries.size();
    records_.clear();
    for (std::uint32_t i = 0; i < visits; ++i) {
        for (const auto& entry : entries) records_.push_back(cursor_.next(entry, visit.active));
    }
}

/// Keeps only the last two of equal rounds that poll a word of memory.
void FrontEnd::leave_out_fruitless_rounds() {
    while (const std::uint64_t visits = polls_->round_at(visit_, warp_->visits_end)) {
        trace::RecordCursor first = cursor_;
        std::uint64_t steps = 0;
        const auto requests = [&](std::uint64_t from) {
            std::vector<trace::AccessRecord> requests;
            for (std::uint64_t i = from; i < from + visits; ++i) {
                const trace::Visit& visit = trace_->visits[i];
                for (const auto& entry : sites_->of(visit.basic_block)) {
                    const trace::SiteRecords records = first.next(entry, visit.active);
                    for (std::uint32_t j = 0; records.access != trace::no_access && j < records.access_count;
                         ++j)
                        requests.push_back(trace_->accesses[records.access + j]);
                }
            }
            return requests;
        };
        const auto once = requests(visit_);
        const trace::RecordCursor behind = first;
        if (once != requests(visit_ + visits)) return;
        for (std::uint64_t i = visit_; i < visit_ + visits; ++i)
            steps += trace_->program.basic_blocks[trace_->visits[i].basic_block].site_count;
        cursor_ = behind;
        first_step_ += steps;
        visit_ += visits;
        polls_->leave_out_round();
    }
}

/// Whether the lanes of this visit would fit into another visit by full warps. Of visits with a quarter of
/// the warp's lanes, for example, every fourth is issued. Threads share a warp only with others of their
/// block: what one thread does for its block is always issued. So are barriers, exits and atomics: fuller
/// warps update the same words as often, and combining what lanes add is another question.
bool FrontEnd::saved_by_full_warps() {
    if (lanes_of_warp_ == 0) return false;
    const trace::Visit& visit = trace_->visits[visit_];
    const auto lanes = static_cast<std::uint32_t>(visit.active.count());
    const std::uint32_t most = std::min(lanes_of_warp_, (*full_warps_)[visit.basic_block]);
    if (lanes >= most) return false;
    const OpRange range = code_->blocks[visit.basic_block].once;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const MachineKind kind = code_->ops[i].kind;
        if (kind == MachineKind::block_barrier || kind == MachineKind::barrier_arrive ||
            kind == MachineKind::exit || kind == MachineKind::atomic || kind == MachineKind::reduction)
            return false;
    }
    constexpr double rounding = 1e-9;
    left_out_ += static_cast<double>(lanes) / most;
    if (left_out_ < 1 - rounding) return true;
    left_out_ -= 1;
    return false;
}

void FrontEnd::enter_visit() {
    for (; visit_ < warp_->visits_end; visit_ += visits_in_group_) {
        leave_out_fruitless_rounds();
        const trace::Visit& visit = trace_->visits[visit_];
        const MachineBlock& block = code_->blocks[visit.basic_block];
        active_ = visit.active;
        in_skipped_ = false;
        const bool unrolled = unrolls(block);
        visits_in_group_ = unrolled ? block.unroll : 1;
        const OpRange range = unrolled ? block.unrolled : block.once;
        read_records(static_cast<std::uint32_t>(visits_in_group_));
        const bool saved = saved_by_full_warps();
        if (range.size() > 0 && !saved) {
            op_ = code_->ops.data() + range.begin;
            end_ = code_->ops.data() + range.end;
            return;
        }
        if (!saved && enter_skipped()) return;
        first_step_ += visits_in_group_ * trace_->program.basic_blocks[visit.basic_block].site_count;
    }
    op_ = end_ = nullptr;
}

}  // namespace warplens::simt
