// PairedIndex: the warps of a modelled schedule and the same warps as measured, block by block, each block
// from its own start; and, summed over the pairs, the cycles that each basic block took in the model
// and on the GPU. No drawing here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "app/scene/measured_index.h"
#include "trace/query.h"
#include "trace/schedule.h"

namespace warplens::app {

class PairedIndex {
  public:
    struct Pair {
        std::uint32_t scheduled = 0;  // into Schedule::warps
        std::uint32_t measured = 0;   // into Measured::warps
    };
    struct Block {
        std::uint64_t block = 0;
        std::size_t first = 0, count = 0;                       // into pairs()
        std::uint32_t measured_begin = 0, measured_cycles = 0;  // cycles of its SM
        std::uint32_t modelled_begin = 0, modelled_cycles = 0;  // cycles of the schedule
    };
    /// What a basic block's visits took over all pairs summed so far.
    struct Spent {
        std::uint32_t basic_block = 0;
        std::uint64_t visits = 0;
        double measured = 0, modelled = 0;  // cycles
        double difference() const { return modelled - measured; }
    };

    PairedIndex(std::shared_ptr<const trace::Schedule> schedule,
                std::shared_ptr<const MeasuredIndex> measured);

    const trace::Schedule& schedule() const { return *schedule_; }
    const MeasuredIndex& measured() const { return *measured_; }
    const std::vector<Block>& blocks() const { return blocks_; }  // as the model admits them
    const std::vector<Pair>& pairs() const { return pairs_; }
    const Block& block_of(std::size_t pair) const { return blocks_[block_of_pair_[pair]]; }
    /// Of the longest block, in either.
    std::uint32_t cycles() const { return cycles_; }
    /// Index into pairs(), or no_index.
    std::uint32_t pair_of_record(std::uint32_t record) const;

    /// Where the model's warp entered each visit, cycles of the schedule; no_time where it did not. As many
    /// as both have in common from the beginning. Kept after the first request.
    const std::vector<std::uint32_t>& entered(std::size_t pair) const;

    /// Adds some more pairs to the sums; false once all are included.
    bool sum_on(std::size_t visits);
    /// By the difference of the model, largest first; blocks that take no time in either are left out.
    std::vector<Spent> spent() const;

  private:
    std::shared_ptr<const trace::Schedule> schedule_;
    std::shared_ptr<const MeasuredIndex> measured_;
    trace::RecordedSites recorded_;
    std::vector<Block> blocks_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> block_of_pair_;
    std::uint32_t cycles_ = 1;
    mutable std::map<std::size_t, std::vector<std::uint32_t>> entered_;
    std::size_t summed_ = 0;
    std::vector<Spent> spent_;  // by basic block
};

}  // namespace warplens::app
