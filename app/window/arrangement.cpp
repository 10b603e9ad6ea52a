#include "app/window/arrangement.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {
namespace {

enum class Side { left, right, top, bottom };

/// Takes panes off the sides of what remains, each with the splitter that moves its edge.
class Carver {
  public:
    Carver(Arrangement& made, Box rest, float between) : made_(made), rest_(rest), between_(between) {}

    /// The remembered value is a share of what remains. `least` is kept of both parts where there is room.
    Box take_share(Side side, const char* name, float Layout::*share, const Layout& layout, float least) {
        const float room = lies_across(side) ? rest_.width() : rest_.height();
        return take(side, {name, lies_across(side), {}, share, 0, 0.1f, 0.9f}, layout.*share, room, least);
    }
    /// The remembered value is a width in unscaled pixels.
    Box take_width(Side side, const char* name, float Layout::*width, const Layout& layout, float scale,
                   float least) {
        return take(side, {name, true, {}, width, 0, least_pane_width, greatest_pane_width}, layout.*width,
                    scale, least);
    }
    const Box& rest() const { return rest_; }

  private:
    static bool lies_across(Side side) { return side == Side::left || side == Side::right; }

    /// `unit`: pixels of one unit of the remembered value.
    Box take(Side side, PaneSplitter splitter, float remembered, float unit, float least) {
        const float room = std::max(0.0f, (splitter.is_vertical ? rest_.width() : rest_.height()) - between_);
        const float low = std::min(least, room / 2);
        const float size = std::floor(std::clamp(remembered * unit, low, room - low));
        Box pane;
        switch (side) {
            case Side::left:
                pane = rest_.take_left(size), splitter.box = rest_.take_left(between_);
                break;
            case Side::right:
                pane = rest_.take_right(size), splitter.box = rest_.take_right(between_);
                break;
            case Side::top:
                pane = rest_.take_top(size), splitter.box = rest_.take_top(between_);
                break;
            case Side::bottom:
                pane = rest_.take_bottom(size), splitter.box = rest_.take_bottom(between_);
                break;
        }
        const float sign = side == Side::left || side == Side::top ? 1.0f : -1.0f;
        splitter.per_pixel = unit > 0 ? sign / unit : 0;
        made_.splitters.push_back(splitter);
        return pane;
    }

    Arrangement& made_;
    Box rest_;
    float between_;
};

constexpr float least_timeline = 140, least_above_timeline = 260;  // unscaled pixels

bool has_room_for_timeline(const Box& area, float scale) {
    return area.height() >= (least_timeline + least_above_timeline) * scale;
}

void arrange_columns(Arrangement& made, Carver& all, const Layout& layout, float scale) {
    const float least = 160 * scale;
    if (has_room_for_timeline(all.rest(), scale))
        made.bottom = all.take_share(Side::bottom, "splitter bottom", &Layout::bottom_share, layout,
                                     least_timeline * scale);
    if (shows_kernels(layout, made.order))
        made.kernels =
            all.take_width(Side::left, "splitter kernels", &Layout::kernels_width, layout, scale, least);
    made.explain =
        all.take_width(Side::right, "splitter explain", &Layout::explain_width, layout, scale, least);
    made.source = all.take_share(Side::left, "splitter source", &Layout::source_share, layout, least);
    made.centre = all.rest();
}

/// A column of what is read, next to a column of what is seen.
void arrange_halves(Arrangement& made, Carver& all, const Layout& layout, float scale, float between) {
    if (shows_kernels(layout, made.order))
        made.kernels = all.take_width(Side::left, "splitter kernels", &Layout::kernels_width, layout, scale,
                                      160 * scale);
    const Box column =
        all.take_share(Side::left, "splitter source", &Layout::text_share, layout, 160 * scale);
    Carver read(made, column, between), seen(made, all.rest(), between);
    made.source = read.take_share(Side::top, "splitter explain", &Layout::source_height, layout, 100 * scale);
    made.explain = read.rest();
    if (has_room_for_timeline(seen.rest(), scale))
        made.bottom = seen.take_share(Side::bottom, "splitter bottom", &Layout::bottom_share, layout,
                                      least_timeline * scale);
    made.centre = seen.rest();
}

void arrange_stack(Arrangement& made, Carver& all, const Layout& layout, float scale, float between) {
    if (has_room_for_timeline(all.rest(), scale))
        made.bottom = all.take_share(Side::bottom, "splitter bottom", &Layout::stacked_timeline, layout,
                                     least_timeline * scale);
    const Box row = all.take_share(Side::top, "splitter text", &Layout::text_height, layout, 100 * scale);
    made.centre = all.rest();
    Carver read(made, row, between);
    if (shows_kernels(layout, made.order))
        made.kernels = read.take_width(Side::left, "splitter kernels", &Layout::kernels_width, layout, scale,
                                       120 * scale);
    made.source =
        read.take_share(Side::left, "splitter source", &Layout::stacked_source, layout, 160 * scale);
    made.explain = read.rest();
}

}  // namespace

PaneOrder pane_order(float width, float height, bool presenting) {
    constexpr float four_columns = 1760, two_columns = 1100;
    if (presenting) return PaneOrder::lecture;
    if (width >= four_columns) return PaneOrder::columns;
    return width >= two_columns || width >= 1.25f * height ? PaneOrder::halves : PaneOrder::stack;
}

bool shows_kernels(const Layout& layout, PaneOrder order) {
    if (order == PaneOrder::lecture) return false;
    return layout.kernels == KernelList::by_size ? order == PaneOrder::columns
                                                 : layout.kernels == KernelList::shown;
}

Arrangement arrange(const Box& area, float scale, float between, const Layout& layout, PaneOrder order) {
    Arrangement made;
    made.order = order;
    Carver all(made, area, between);
    switch (order) {
        case PaneOrder::columns:
            arrange_columns(made, all, layout, scale);
            break;
        case PaneOrder::halves:
            arrange_halves(made, all, layout, scale, between);
            break;
        case PaneOrder::stack:
            arrange_stack(made, all, layout, scale, between);
            break;
        case PaneOrder::lecture:
            made.explain =
                all.take_share(Side::right, "splitter explain", &Layout::lecture_text, layout, 160 * scale);
            made.centre = all.rest();
            break;
    }
    return made;
}

}  // namespace warplens::app
