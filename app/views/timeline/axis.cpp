#include "app/views/timeline/axis.h"

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tick_step.h"

namespace warplens::app {

void draw_time_axis(const TimelinePlot& plot, const Box& axis, std::string_view name,
                    const std::function<std::string(double)>& words) {
    const Theme& theme = plot.frame.theme;
    const Ink& ink = plot.ink;
    note_axis(name, plot.view.first, plot.view.last, plot.plot.min(), plot.plot.max());
    ink.text({plot.gutter.x0, axis.y0, plot.gutter.x1 - ink.px(6), axis.y1}, name, theme.fonts.small,
             theme.text_dim, Align::right);
    ink.line({axis.x0, axis.y1}, {axis.x1, axis.y1}, theme.hairline);
    const double step = tick_step(plot.view.size(), axis.width(), ink.px(96));
    const double minor = step >= 5 ? step / 5 : step;
    for (double at = std::ceil(plot.view.first / minor) * minor; at <= plot.view.last; at += minor) {
        const float x = std::round(plot.x_of(at));
        const bool major = std::abs(at / step - std::round(at / step)) < 1e-6;
        ink.line({x, axis.y1 - ink.px(major ? 6 : 3)}, {x, axis.y1}, major ? theme.text_dim : theme.hairline);
        if (!major) continue;
        const std::string number = words(at);
        const float width = text_width(theme.fonts.small, number);
        if (x + ink.px(4) + width <= axis.x1)
            ink.text({x + ink.px(4), axis.y0, axis.x1, axis.y1 - ink.px(2)}, number, theme.fonts.small,
                     theme.text_dim);
    }
}

std::string cycle_tick_words(double cycle) {
    return grouped(static_cast<std::uint64_t>(std::llround(cycle)));
}

void draw_measure(const TimelinePlot& plot, const Box& axis, const CycleView& range,
                  const std::string& words) {
    const Theme& theme = plot.frame.theme;
    const float x0 = std::max(plot.x_of(range.first), plot.plot.x0);
    const float x1 = std::min(plot.x_of(range.last), plot.plot.x1);
    if (x1 <= x0) return;
    const ImU32 colour = theme.ideal;
    plot.ink.fill({x0, axis.y1, x1, plot.plot.y1}, with_alpha(colour, 0.14));
    for (const float x : {x0, x1}) plot.ink.line({x, axis.y0}, {x, plot.plot.y1}, colour, plot.ink.px(1));
    const float width = text_width(theme.fonts.small, words) + plot.ink.px(10);
    const float middle = (x0 + x1) / 2;
    const float left =
        std::clamp(middle - width / 2, plot.plot.x0, std::max(plot.plot.x0, plot.plot.x1 - width));
    const Box flag{left, axis.y0, left + width, axis.y1 - plot.ink.px(1)};
    plot.ink.fill(flag, colour, plot.ink.px(3));
    plot.ink.text(flag, words, theme.fonts.small, theme.text_on(colour), Align::centre);
}

void draw_scroll_bar(const TimelinePlot& plot, const TimelineNavigation& navigation) {
    const Box& box = plot.plot;
    if (!plot.frame.interactive || navigation.content() <= box.height()) return;
    const float share = box.height() / navigation.content();
    const float top = box.y0 + navigation.scrolled() * share, width = plot.ink.px(4);
    plot.ink.fill({box.x1 + plot.ink.px(4), top, box.x1 + plot.ink.px(4) + width, top + box.height() * share},
                  with_alpha(plot.frame.theme.text_dim, 0.5), width / 2);
}

float name_height(const Theme& theme) { return text_height(theme.fonts.small) * 0.82f; }

bool GutterNames::name(const TimelineLine& line, std::string_view text, ImU32 colour) {
    const Theme& theme = plot_.frame.theme;
    const float words = text_height(theme.fonts.small), half = name_height(theme) / 2;
    const float middle = (line.y0 + line.y1) / 2;
    if (middle - half < free_from_ - 1 || middle + half > plot_.gutter.y1 + 1) return false;
    free_from_ = middle + half;
    plot_.ink.text(
        {plot_.gutter.x0, middle - words / 2, plot_.gutter.x1 - plot_.ink.px(6), middle + words / 2}, text,
        theme.fonts.small, colour, Align::right);
    return true;
}

}  // namespace warplens::app
