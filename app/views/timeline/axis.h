// The parts that the plots of all timelines share: the axis of time, the range that is measured with the
// mouse, the scroll bar, the names in the gutter.
#pragma once

#include <functional>
#include <string>

#include "app/views/timeline/navigation.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// Ticks with numbers as `words` writes them; `name` in the gutter is the unit.
void draw_time_axis(const TimelinePlot& plot, const Box& axis, std::string_view name,
                    const std::function<std::string(double)>& words);
/// "1,234" for an integer number of cycles.
std::string cycle_tick_words(double cycle);

/// The dragged range, with its length in words.
void draw_measure(const TimelinePlot& plot, const Box& axis, const CycleView& range,
                  const std::string& words);

void draw_scroll_bar(const TimelinePlot& plot, const TimelineNavigation& navigation);

/// Labels next to lines, from the top: a label that would touch the previous one is omitted.
class GutterNames {
  public:
    explicit GutterNames(const TimelinePlot& plot)
        : plot_(plot), free_from_(plot.gutter.y0 - plot.ink.px(3)) {}
    /// False when there was no room.
    bool name(const TimelineLine& line, std::string_view text, ImU32 colour);

  private:
    const TimelinePlot& plot_;
    float free_from_;
};
/// The share of a line of small text that digits and capitals fill.
float name_height(const Theme& theme);

}  // namespace warplens::app
