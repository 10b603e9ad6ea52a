// The visible part of the timeline: the cycles and the scroll position, moved by keys, wheel and drags. Plain
// state and arithmetic; the panes find what the mouse is over.
#pragma once

#include <optional>

#include "app/views/timeline/parts.h"

namespace warplens::app {

class TimelineNavigation {
  public:
    /// `label_share`: how much time can be labelled, once rows are high enough for text.
    explicit TimelineNavigation(double label_share = 1) : label_share_(label_share) {}

    /// Another schedule is shown: all of it, or the previous range if it is still within it.
    void follow(double cycles);
    void show_all() { view_ = {0, cycles_}; }
    bool shows_all() const { return view_.size() >= cycles_; }
    void show(const CycleView& view);
    /// By a share of what is seen.
    void pan(double share) { show({view_.first + share * view_.size(), view_.last + share * view_.size()}); }
    /// `at` stays where it is; a factor below 1 zooms in.
    void zoom(double at, double factor);
    /// Moves just far enough to show a cycle, with a margin.
    void reveal(double cycle);
    const CycleView& view() const { return view_; }
    /// Where times are cycles: those shown, or nothing when all are.
    std::optional<WantedCycles> shown_cycles() const;

    /// The lines that `plot` shows, scrolled. Rows grow with the zoom until words fit into them; without
    /// `scrolls` all of them fit. Folded groups share what the others leave, within limits.
    std::vector<TimelineLine> lay_out(std::span<const TimelineGroup> groups, const Box& plot, float scale,
                                      bool scrolls);
    void scroll_by(float pixels) { scroll_ += pixels; }
    /// With the next layout, the line at this height of the plot stays where it is.
    void hold(float y) { held_ = y; }
    /// With the next layout, a row is brought into sight.
    void reveal_row(std::size_t row) { wanted_row_ = row; }
    /// Height of all lines, and how much of it is above the plot.
    float content() const { return content_; }
    float scrolled() const { return scroll_; }

  private:
    struct Heights;
    Heights heights(std::span<const TimelineGroup> groups, const Box& plot, float scale, bool scrolls) const;

    double label_share_;
    double cycles_ = 1;
    CycleView view_;
    float scroll_ = 0, content_ = 0;
    std::optional<float> held_;
    std::optional<std::size_t> wanted_row_;
};

}  // namespace warplens::app
