#include "app/scene/paired_index.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::app {

PairedIndex::PairedIndex(std::shared_ptr<const trace::Schedule> schedule,
                         std::shared_ptr<const MeasuredIndex> measured)
    : schedule_(std::move(schedule)),
      measured_(std::move(measured)),
      recorded_(measured_->trace().program),
      spent_(measured_->trace().program.basic_blocks.size()) {
    const std::vector<analysis::MeasuredBlock> timed = analysis::measured_blocks(measured_->measured());
    for (const trace::ScheduledBlock& of : schedule_->blocks) {
        Block block;
        block.block = of.block;
        block.first = pairs_.size();
        block.modelled_begin = of.arrival;
        block.modelled_cycles = of.departure - of.arrival;
        for (std::uint32_t w = of.first_warp; w < of.first_warp + of.warp_count; ++w) {
            const std::uint32_t warp = measured_->warp_of_record(schedule_->warps[w].warp_record);
            if (warp == no_index) continue;
            pairs_.push_back({w, warp});
            block_of_pair_.push_back(static_cast<std::uint32_t>(blocks_.size()));
        }
        block.count = pairs_.size() - block.first;
        if (block.count == 0) continue;
        const analysis::MeasuredBlock* on_gpu = analysis::find_block(timed, of.block);
        block.measured_begin = on_gpu->begin;
        block.measured_cycles = on_gpu->cycles();
        cycles_ = std::max({cycles_, block.measured_cycles, block.modelled_cycles});
        blocks_.push_back(block);
    }
    for (std::uint32_t i = 0; i < spent_.size(); ++i) spent_[i].basic_block = i;
}

std::uint32_t PairedIndex::pair_of_record(std::uint32_t record) const {
    const auto found = std::ranges::find_if(
        pairs_, [&](const Pair& pair) { return schedule_->warps[pair.scheduled].warp_record == record; });
    return found == pairs_.end() ? no_index : static_cast<std::uint32_t>(found - pairs_.begin());
}

const std::vector<std::uint32_t>& PairedIndex::entered(std::size_t pair) const {
    const auto [kept, fresh] = entered_.try_emplace(pair);
    std::vector<std::uint32_t>& entered = kept->second;
    if (!fresh) return entered;
    const trace::Trace& trace = measured_->trace();
    const trace::ScheduledWarp& scheduled = schedule_->warps[pairs_[pair].scheduled];
    const trace::WarpRecord& record = trace.warps[scheduled.warp_record];
    const auto clocks = measured_->visits(pairs_[pair].measured);
    const auto spans = trace::spans_of(*schedule_, scheduled);
    std::uint64_t step = 0;
    std::size_t at = 0;
    for (std::uint64_t visit = record.visits_begin; visit < record.visits_end; ++visit) {
        const std::size_t v = visit - record.visits_begin;
        const BasicBlockId block = trace.visits[visit].basic_block;
        if (v >= clocks.size() || clocks[v].basic_block != block) break;
        // A warp that waits at a barrier is about to issue the instruction after it.
        while (at < spans.size() && (spans[at].step < step || spans[at].state() == WarpState::barrier)) ++at;
        entered.push_back(at < spans.size() ? spans[at].begin : trace::no_time);
        step += trace.program.basic_blocks[block].site_count;
    }
    return entered;
}

bool PairedIndex::sum_on(std::size_t visits) {
    for (std::size_t done = 0; summed_ < pairs_.size() && done < visits; ++summed_) {
        const std::vector<std::uint32_t>& modelled = entered(summed_);
        const auto clocks = measured_->visits(pairs_[summed_].measured);
        const std::uint32_t departure = schedule_->warps[pairs_[summed_].scheduled].departure;
        done += modelled.size() + 1;
        // From one timed visit to the next one; the visits between them have no times.
        for (std::size_t v = 0; v < modelled.size();) {
            std::size_t next = v + 1;
            while (next < modelled.size() && clocks[next].entered == trace::no_time) ++next;
            if (clocks[v].entered != trace::no_time && modelled[v] != trace::no_time) {
                const bool last = next >= modelled.size();
                const std::uint32_t measured_end =
                    last ? measured_->measured().warps[pairs_[summed_].measured].end : clocks[next].entered;
                const std::uint32_t modelled_end =
                    last || modelled[next] == trace::no_time ? departure : modelled[next];
                Spent& spent = spent_[clocks[v].basic_block];
                ++spent.visits;
                spent.measured += measured_end > clocks[v].entered ? measured_end - clocks[v].entered : 0;
                spent.modelled += modelled_end > modelled[v] ? modelled_end - modelled[v] : 0;
            }
            v = next;
        }
    }
    return summed_ < pairs_.size();
}

std::vector<PairedIndex::Spent> PairedIndex::spent() const {
    std::vector<Spent> sorted = spent_;
    std::erase_if(sorted, [](const Spent& spent) { return spent.measured + spent.modelled <= 0; });
    std::ranges::sort(sorted, [](const Spent& a, const Spent& b) {
        return std::abs(a.difference()) > std::abs(b.difference());
    });
    return sorted;
}

}  // namespace warplens::app
