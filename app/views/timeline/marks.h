// The marks over the timeline's lines: arrivals and departures of blocks, barriers, the selection with the
// instruction's issues, requests as arcs from issue to return, and the play head.
#pragma once

#include "app/views/timeline/parts.h"

namespace warplens::app {

/// Cycles in which the chosen instruction issues, row by row. Found once per selection.
class SiteIssues {
  public:
    /// The chosen site, else all of the chosen source line; nothing when neither is chosen.
    void follow(const TimelineIndex& index, const Spot& chosen);
    void draw(const TimelineCanvas& canvas) const;

  private:
    SiteId site_ = no_index;
    std::uint32_t line_ = 0;
    std::vector<std::vector<std::uint32_t>> cycles_;  // by row, ascending
};

/// A strip of ticks: blocks that arrive point down into the plot, blocks that leave point up out of it.
void draw_blocks(const TimelineCanvas& canvas, const Box& strip);
/// Vertical strokes through the warps that a barrier releases.
void draw_barriers(const TimelineCanvas& canvas);
/// The chosen and the hovered warp, outlined from arrival to departure; the chosen span more strongly.
void draw_selection(const TimelineCanvas& canvas, const TimelinePoint& chosen, const TimelinePoint& hovered);
/// Whether even a short arc gets a label.
enum class ArcWords { if_long, always };
/// The request that the warp waits for at a point, or makes there, as an arc with a label: who served it.
void draw_flight(const TimelineCanvas& canvas, const TimelinePoint& point, ArcWords labelled);
/// Where draw_flight() puts the label: no other words are legible there. Empty: there is no label.
Box flight_label(const TimelineCanvas& canvas, const TimelinePoint& point, ArcWords labelled);
void draw_play_head(const TimelineCanvas& canvas, const Box& axis, std::uint32_t cycle);

/// "DRAM", "L2": who served a request.
std::string_view to_words(trace::ServedBy by);
/// The request at a point: made by the instruction that issues there, or waited for; nullptr for none.
const trace::Flight* flight_at(const TimelineIndex& index, const TimelinePoint& point);

}  // namespace warplens::app
