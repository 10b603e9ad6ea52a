// MeasuredIndex: derived once from a trace's measured times, so that any stretch of any SM can be drawn at
// once, however many warps it has: rows of slots with their warps in order, the warps resident on each SM
// as a curve, and the position of each warp in the launch's nanoseconds. Immutable; made off the UI thread
// with the Scene.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/time/measured_summary.h"
#include "core/program.h"
#include "trace/trace.h"

namespace warplens::app {

class MeasuredIndex {
  public:
    /// One slot of an SM.
    struct Row {
        std::uint32_t sm = 0;  // into sms()
        std::uint16_t slot = 0;
        std::size_t begin = 0, end = 0;  // into stays()
    };
    /// A warp in its slot, from begin to end: cycles of its SM.
    struct Stay {
        std::uint32_t begin = 0, end = 0;
        std::uint32_t warp = 0;  // into Measured::warps
    };
    struct Sm {
        std::uint16_t sm = 0;  // %smid
        double offset_ns = 0;
        std::size_t first_row = 0, rows = 0;
        std::uint32_t most_resident = 0;                 // warps at once
        std::size_t changes_begin = 0, changes_end = 0;  // of the curve
        analysis::Spread block_cycles;                   // of the blocks that it ran
    };

    /// `trace->measured` is there. Sorts the warps: a tenth of a second for a million.
    explicit MeasuredIndex(std::shared_ptr<const trace::Trace> trace);

    const trace::Trace& trace() const { return *trace_; }
    const trace::Measured& measured() const { return *measured_; }
    const std::vector<Sm>& sms() const { return sms_; }
    /// By SM, then slot.
    const std::vector<Row>& rows() const { return rows_; }
    std::span<const Stay> stays(std::size_t row) const {
        return {stays_.data() + rows_[row].begin, stays_.data() + rows_[row].end};
    }

    const analysis::MeasuredSummary& summary() const { return summary_; }

    double ns_per_cycle() const { return ns_per_cycle_; }
    /// From the launch's first warp to its last: at least 1.
    double length_ns() const { return length_ns_; }
    double ns_of(std::uint32_t sm, double cycle) const { return sms_[sm].offset_ns + cycle * ns_per_cycle_; }
    double cycle_of(std::uint32_t sm, double ns) const { return (ns - sms_[sm].offset_ns) / ns_per_cycle_; }

    std::size_t row_of_warp(std::uint32_t warp) const { return row_of_warp_[warp]; }
    std::uint32_t sm_of_warp(std::uint32_t warp) const { return rows_[row_of_warp_[warp]].sm; }
    /// The position of the block among the blocks of its SM, so that neighbours on an SM differ.
    std::uint32_t shade_of_warp(std::uint32_t warp) const { return shade_of_warp_[warp]; }
    /// no_index when it was not measured.
    std::uint32_t warp_of(std::uint64_t block, std::uint32_t warp) const;
    std::uint32_t warp_of_record(std::uint32_t record) const;
    /// Index into Trace::warps, or no_index.
    std::uint32_t record_of_warp(std::uint32_t warp) const;
    /// The warp in a row at a time, or no_index.
    std::uint32_t warp_at(std::size_t row, double ns) const;
    /// The visit that a warp was in at a cycle of its SM, counted within the warp; no_index before its first.
    std::uint32_t visit_at(std::uint32_t warp, double cycle) const;
    /// When a visit was left: when the next one with a time was entered (or arrived at its barrier), else the
    /// warp's end. `visit` counts within the warp.
    std::uint32_t left(std::uint32_t warp, std::uint32_t visit) const;
    std::span<const trace::MeasuredVisit> visits(std::uint32_t warp) const;

    /// Resident warps of an SM: the means of out.size() equal stretches of [begin_ns, end_ns).
    void resident(std::uint32_t sm, double begin_ns, double end_ns, std::span<float> out) const;
    std::uint32_t most_resident() const { return most_resident_; }

    /// "block 132 warp 3".
    std::string warp_words(std::uint32_t warp) const;
    /// nullptr when the program has no such basic block, or it is empty.
    const Site* first_site(std::uint32_t basic_block) const;

  private:
    struct Change {
        std::uint32_t cycle = 0, resident = 0;  // from there on
        double before = 0;                      // warp cycles up to there
    };
    void sort_into_rows();
    void shade_blocks();
    void count_resident(Sm& sm);
    double warp_cycles(const Sm& sm, double cycle, std::size_t& at) const;

    std::shared_ptr<const trace::Trace> trace_;
    std::shared_ptr<const trace::Measured> measured_;
    double ns_per_cycle_ = 1, length_ns_ = 1;
    analysis::MeasuredSummary summary_;
    std::vector<Sm> sms_;
    std::vector<Row> rows_;
    std::vector<Stay> stays_;
    std::vector<std::uint32_t> row_of_warp_;
    std::vector<std::uint8_t> shade_of_warp_;
    std::vector<Change> changes_;
    std::vector<float> coarse_;  // coarse_bins a SM: mean resident warps of a bin of the launch
    std::uint32_t most_resident_ = 0;
};

/// nullptr for a trace without measured times.
std::shared_ptr<const MeasuredIndex> index_measured(const std::shared_ptr<const trace::Trace>& trace);

}  // namespace warplens::app
