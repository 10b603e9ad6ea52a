// The parts of the timeline: the state that they share while a frame is drawn, and lookups in a Schedule that
// several of them need. The panes lay the view out and handle the keys; each other file draws or computes one
// thing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/time/schedule_sums.h"
#include "app/scene/density_pyramid.h"
#include "app/ui/ink.h"
#include "app/views/view.h"
#include "trace/query.h"

namespace warplens::app {

/// Time shown, over the width of the plot: cycles, or nanoseconds where SMs are shown side by side. Fractions
/// while zooming.
struct CycleView {
    double first = 0, last = 1;
    double size() const { return last - first; }
    friend bool operator==(const CycleView&, const CycleView&) = default;
};

/// Rows that belong together under one head: the warp slots of a scheduler under its issue slots, those of
/// an SM under its resident warps.
struct TimelineGroup {
    std::uint32_t group = 0;  // a scheduler; an index of an SM
    std::size_t first_row = 0;
    std::size_t rows = 0;  // 0: folded, the head alone is seen
};

/// A line of the plot: a group's head or one of its rows.
struct TimelineLine {
    bool head = false;
    std::uint32_t group = 0;
    std::size_t row = 0;   // the group's first for its head
    float y0 = 0, y1 = 0;  // screen pixels
};

/// A warp in a cycle.
struct TimelinePoint {
    std::uint32_t warp = no_index;  // into Schedule::warps
    std::uint32_t cycle = 0;
    friend bool operator==(const TimelinePoint&, const TimelinePoint&) = default;
};

/// Data derived once from a Schedule and its Trace. Makes the sums and the density if they are null.
class TimelineIndex {
  public:
    TimelineIndex(std::shared_ptr<const trace::Schedule> schedule, std::shared_ptr<const trace::Trace> trace,
                  std::shared_ptr<const analysis::ScheduleSums> sums,
                  std::shared_ptr<const DensityPyramid> density);

    const trace::Schedule& schedule() const { return *schedule_; }
    const trace::Trace& trace() const { return *trace_; }
    const analysis::ScheduleSums& sums() const { return *sums_; }
    const DensityPyramid& density() const { return *density_; }

    /// The scheduled warp of a warp record, or no_index; and its row.
    std::uint32_t warp_of_record(std::uint32_t record) const;
    std::size_t row_of_warp(std::uint32_t warp) const { return row_of_warp_[warp]; }
    /// The schedulers with the rows of ScheduleSums that are theirs.
    std::span<const TimelineGroup> groups() const { return groups_; }
    /// "block 132 warp 3".
    std::string warp_words(std::uint32_t warp) const;
    /// "warp 3 of block (132, 0)".
    std::string warp_sentence(std::uint32_t warp) const;
    /// nullptr when the program has no such site.
    const Site* site(SiteId id) const;

    /// The spot that selects a warp's instruction in a cycle everywhere: its step, access, line. Empty when
    /// the warp was not resident.
    Spot spot_of(const TimelinePoint& point) const;
    /// The time of a spot: its cycle, else when its instruction issued, else when its warp arrived.
    TimelinePoint point_of(const Spot& spot) const;
    /// When the warp issued a step for the first time; no_index when it did not.
    std::uint32_t issue_cycle(std::uint32_t warp, std::uint32_t step) const;
    /// The request of a step; nullptr when it made none.
    const trace::Flight* flight_of(std::uint32_t warp, std::uint32_t step) const;
    /// The step that made an access of a warp (index into Trace::accesses), or no_index.
    std::uint32_t step_of_access(std::uint32_t warp, std::uint64_t access) const;

  private:
    const trace::WarpSteps* steps_of(std::uint32_t warp) const;

    std::shared_ptr<const trace::Schedule> schedule_;
    std::shared_ptr<const trace::Trace> trace_;
    std::shared_ptr<const analysis::ScheduleSums> sums_;
    std::shared_ptr<const DensityPyramid> density_;
    std::vector<std::uint32_t> warp_of_record_;
    std::vector<std::uint32_t> row_of_warp_;
    std::vector<TimelineGroup> groups_;
    trace::RecordedSites recorded_;
    // Of the last requested warp: building it walks the warp once, and the mouse usually stays on one warp.
    mutable std::unique_ptr<trace::WarpSteps> steps_;
    mutable std::uint32_t steps_warp_ = no_index;
};

/// The plot of a frame, whatever its rows are.
struct TimelinePlot {
    ViewFrame& frame;
    const Ink& ink;
    CycleView view;                       // cycles; of a measured timeline nanoseconds
    Box plot;                             // where time is; lines may reach beyond it up and down
    Box gutter;                           // names of the lines, left of the plot
    std::span<const TimelineLine> lines;  // those that are seen, from the top

    float x_of(double cycle) const {
        return plot.x0 + static_cast<float>((cycle - view.first) / view.size() * plot.width());
    }
    double cycle_at(float x) const {
        return view.first + view.size() * static_cast<double>(x - plot.x0) / plot.width();
    }
    float cycle_width() const { return plot.width() / static_cast<float>(view.size()); }
    /// The visible cycles, as integers.
    analysis::CycleRange cycles() const;
    /// The line of a row, or nullptr while it is scrolled away.
    const TimelineLine* line_of_row(std::size_t row) const;
    /// The line at a height of the screen; nullptr between lines.
    const TimelineLine* line_at(float y) const;
};

/// The state that the parts of the modelled timeline share in a frame.
struct TimelineCanvas : TimelinePlot {
    const TimelineIndex& index;
};

}  // namespace warplens::app
