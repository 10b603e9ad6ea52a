#include "app/views/roofline/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/roofline/words.h"

namespace warplens::app {
namespace {

constexpr float thick = 2.5f;

void dashed_line(const Ink& ink, ImVec2 from, ImVec2 to, ImU32 colour, float thickness, float dash) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const int pieces = std::max(1, static_cast<int>(length / dash));
    const auto between = [&](float share) {
        return ImVec2{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
    };
    for (int i = 0; i < pieces; i += 2)
        ink.line(between(static_cast<float>(i) / static_cast<float>(pieces)),
                 between(std::min(1.0f, static_cast<float>(i + 1) / static_cast<float>(pieces))), colour,
                 thickness);
}

/// "1/8", "4", "128".
std::string power_of_two(int exponent) {
    return exponent < 0 ? fmt::format("1/{}", std::uint64_t{1} << -exponent)
                        : grouped(std::uint64_t{1} << exponent);
}

bool overlap(const Box& a, const Box& b) { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1; }

}  // namespace

float RooflinePlot::LogAxis::at(double value) const {
    const double share = std::log(std::max(value, 1e-300) / low) / std::log(high / low);
    return begin + (end - begin) * static_cast<float>(std::clamp(share, -0.5, 1.5));
}

RooflinePlot::RooflinePlot(const Ink& ink, const Box& box, const analysis::Roofline& roofline,
                           const GpuSpec& gpu, std::span<const RooflinePoint> points,
                           const analysis::Roofline* other)
    : ink_(ink),
      roofline_(roofline),
      other_(other && other->ridge > 0 ? other : nullptr),
      gpu_(gpu.name),
      l2_(l2_bytes_per_second(gpu)) {
    double left = 1, right = 1, low = 1e300, high = roofline.peak_flops;
    for (const analysis::Roofline* of : {&roofline_, other_}) {
        if (!of || of->ridge <= 0) continue;
        left = std::min(left, of->ridge / 16);
        right = std::max(right, of->ridge * 8);
        high = std::max(high, of->peak_flops);
    }
    for (const RooflinePoint& point : points) {
        if (point.intensity <= 0 || point.rate <= 0) continue;
        left = std::min(left, point.intensity / 2);
        right = std::max(right, point.intensity * 3);
        low = std::min(low, point.rate / 4);
        high = std::max(high, point.rate * 2);
    }
    x_.low = std::exp2(std::floor(std::log2(left)));
    x_.high = std::exp2(std::ceil(std::log2(right)));
    if (roofline.ridge > 0) low = std::min(low, x_.low * roofline.peak_bytes_per_second);
    if (low > high) low = high / 1000;
    y_.low = std::max(low, high / 1e9);
    y_.high = high * 3;

    plot_ = box;
    const float small = text_height(ink.theme.fonts.small);
    plot_.take_top(small + ink.px(6));
    plot_.take_bottom(2 * small + ink.px(12));
    plot_.take_left(text_width(ink.theme.fonts.small, "100 GFLOP/s") + ink.px(8));
    plot_.take_right(ink.px(8));
    x_.begin = plot_.x0;
    x_.end = plot_.x1;
    y_.begin = plot_.y1;
    y_.end = plot_.y0 + 2 * small + ink.px(12);  // above it, the regions are named
}

double RooflinePlot::roof(double intensity) const {
    return std::min(roofline_.peak_flops, intensity * roofline_.peak_bytes_per_second);
}

ImVec2 RooflinePlot::at(const RooflinePoint& point) const {
    return {x_.at(point.intensity), y_.at(point.rate)};
}

void RooflinePlot::draw_axes() const {
    const Theme& theme = ink_.theme;
    ImFont* font = theme.fonts.small;
    const float small = text_height(font);
    ink_.fill(plot_, theme.panel, ink_.px(2));
    const int first = static_cast<int>(std::lround(std::log2(x_.low)));
    const int last = static_cast<int>(std::lround(std::log2(x_.high)));
    const float step = plot_.width() / static_cast<float>(std::max(last - first, 1));
    const int stride = std::max(1, static_cast<int>(std::ceil(ink_.px(44) / step)));
    for (int power = first; power <= last; power += stride) {
        const float x = x_.at(std::exp2(power));
        ink_.line({x, plot_.y0}, {x, plot_.y1}, theme.hairline);
        const std::string words = power_of_two(power);
        const float left = std::min(x - text_width(font, words) / 2, plot_.x1 - text_width(font, words));
        draw_text(*ink_.list, font, {left, plot_.y1 + ink_.px(4)}, theme.text_dim, words);
    }
    const float decade = (y_.begin - y_.end) / static_cast<float>(std::log10(y_.high / y_.low));
    const int every = std::max(1, static_cast<int>(std::ceil((small + ink_.px(2)) / decade)));
    for (int power = static_cast<int>(std::ceil(std::log10(y_.low))); power <= std::log10(y_.high);
         power += every) {
        const double value = std::pow(10.0, power);
        const float y = y_.at(value);
        ink_.line({plot_.x0, y}, {plot_.x1, y}, theme.hairline);
        draw_text_right(*ink_.list, font, {plot_.x0 - ink_.px(6), y - small / 2}, theme.text_dim,
                        scaled(value, "FLOP/s"));
    }
    draw_text_right(*ink_.list, font, {plot_.x1, plot_.y1 + small + ink_.px(8)}, theme.text_dim,
                    "intensity: FLOP per byte of global memory");
    draw_text(*ink_.list, font, {plot_.x0, plot_.y0 - small - ink_.px(4)}, theme.text_dim,
              "operations per second");
}

void RooflinePlot::keep_clear(ImVec2 from, ImVec2 to) {
    constexpr int pieces = 24;
    const float reach = ink_.px(1);
    const ImVec2 step{(to.x - from.x) / pieces, (to.y - from.y) / pieces};
    for (int i = 0; i < pieces; ++i) {
        const float x = from.x + step.x * static_cast<float>(i), y = from.y + step.y * static_cast<float>(i);
        taken_.push_back({std::min(x, x + step.x) - reach, std::min(y, y + step.y) - reach,
                          std::max(x, x + step.x) + reach, std::max(y, y + step.y) + reach});
    }
}

/// A label next to a point where it covers no other: to the right, left, below, above, or at a corner.
bool RooflinePlot::place_label(ImVec2 anchor, const std::string& words, ImU32 colour, float gap) {
    ImFont* font = ink_.theme.fonts.small;
    const float width = text_width(font, words), height = text_height(font);
    const std::array<ImVec2, 8> corners{{{anchor.x + gap, anchor.y - height / 2},
                                         {anchor.x - gap - width, anchor.y - height / 2},
                                         {anchor.x - width / 2, anchor.y + gap},
                                         {anchor.x - width / 2, anchor.y - gap - height},
                                         {anchor.x + gap * 0.7f, anchor.y + gap * 0.7f},
                                         {anchor.x - gap * 0.7f - width, anchor.y + gap * 0.7f},
                                         {anchor.x - gap * 0.7f - width, anchor.y - gap * 0.7f - height},
                                         {anchor.x + gap * 0.7f, anchor.y - gap * 0.7f - height}}};
    for (const ImVec2& corner : corners) {
        const Box box{corner.x, corner.y, corner.x + width, corner.y + height};
        if (box.x0 < plot_.x0 || box.x1 > plot_.x1 || box.y0 < plot_.y0 || box.y1 > plot_.y1) continue;
        if (std::ranges::any_of(taken_, [&](const Box& other) { return overlap(box, other); })) continue;
        taken_.push_back(box.inset(-ink_.px(2)));
        draw_text(*ink_.list, font, corner, colour, words);
        return true;
    }
    return false;
}

void RooflinePlot::memory_roof(double bytes_per_second, bool dashed, const std::string& words) {
    const double ridge = roofline_.peak_flops / bytes_per_second;
    // From where it enters the plot, at its left or its lower edge.
    const double begin = std::max(x_.low, y_.low / bytes_per_second);
    const ImVec2 from{x_.at(begin), y_.at(begin * bytes_per_second)};
    const ImVec2 to{x_.at(ridge), y_.at(roofline_.peak_flops)};
    const ImU32 colour = dashed ? ink_.theme.text_dim : ink_.theme.text;
    if (dashed) dashed_line(ink_, from, to, colour, ink_.px(1.5f), ink_.px(6));
    else ink_.line(from, to, colour, ink_.px(thick));
    // The label of the upper roof is above it, that of the lower one below, beside a point's headroom.
    const float width = text_width(ink_.theme.fonts.small, words);
    const float height = text_height(ink_.theme.fonts.small), gap = ink_.px(12);
    Box label{};
    for (const float share : dashed ? std::array{0.72f, 0.5f, 0.3f} : std::array{0.4f, 0.6f, 0.2f}) {
        const ImVec2 spot{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
        const float left = dashed ? std::max(spot.x - width - gap, plot_.x0 + ink_.px(4)) : spot.x + gap;
        const float top = dashed ? spot.y - height : spot.y;
        label = {left, top, left + width, top + height};
        if (std::ranges::none_of(taken_, [&](const Box& other) { return overlap(label, other); })) break;
    }
    draw_text(*ink_.list, ink_.theme.fonts.small, {label.x0, label.y0}, colour, words);
    taken_.push_back(label);
    keep_clear(from, to);
}

void RooflinePlot::draw_roofs() {
    if (roofline_.ridge <= 0) return;
    const Theme& theme = ink_.theme;
    ImFont* font = theme.fonts.small;
    const float small = text_height(font), peak = y_.at(roofline_.peak_flops), ridge = x_.at(roofline_.ridge);
    // The region under the roofs is attainable.
    const double begin = std::max(x_.low, y_.low / roofline_.peak_bytes_per_second);
    const std::array<ImVec2, 5> reachable{{{x_.at(begin), plot_.y1},
                                           {x_.at(begin), y_.at(begin * roofline_.peak_bytes_per_second)},
                                           {ridge, peak},
                                           {plot_.x1, peak},
                                           {plot_.x1, plot_.y1}}};
    ink_.list->AddConvexPolyFilled(reachable.data(), static_cast<int>(reachable.size()),
                                   with_alpha(theme.ideal, 0.07));
    dashed_line(ink_, {ridge, peak}, {ridge, plot_.y1}, theme.text_dim, ink_.px(1), ink_.px(3));
    keep_clear({ridge, peak}, {ridge, plot_.y1});
    // With roofs of another GPU beside them, these say whose they are.
    const std::string whose = other_ ? gpu_ + ": " : "";
    if (l2_ > roofline_.peak_bytes_per_second)
        memory_roof(l2_, true, fmt::format("{}L2 {}", whose, scaled(l2_, "B/s")));
    memory_roof(roofline_.peak_bytes_per_second, false,
                fmt::format("{}DRAM {}", whose, scaled(roofline_.peak_bytes_per_second, "B/s")));
    ink_.line({ridge, peak}, {plot_.x1, peak}, theme.text, ink_.px(thick));
    const std::string compute =
        fmt::format("{}{} {}", whose, roofline_.peak_unit, scaled(roofline_.peak_flops, "FLOP/s"));
    const float left = plot_.x1 - text_width(font, compute) - ink_.px(6);
    draw_text(*ink_.list, font, {left, peak - small - ink_.px(4)}, theme.text, compute);
    taken_.push_back({left, peak - small - ink_.px(4), plot_.x1, peak});

    const std::string at_ridge = fmt::format("ridge {:.3g}", roofline_.ridge);
    const float ridge_width = text_width(font, at_ridge), floor = plot_.y1 - small - ink_.px(4);
    draw_text(*ink_.list, font, {ridge + ink_.px(6), floor}, theme.text_dim, at_ridge);
    taken_.push_back({ridge, floor, ridge + ridge_width + ink_.px(8), plot_.y1});
    const auto region = [&](float from, float to, const char* words) {
        ink_.text_if_fits({from, plot_.y0 + ink_.px(4), to, plot_.y0 + ink_.px(8) + small}, words, font,
                          theme.text_dim);
    };
    region(plot_.x0, ridge, "← memory bound");
    region(ridge, plot_.x1, "compute bound →");
}

void RooflinePlot::draw_other_roofs(std::string_view gpu) {
    if (!other_) return;
    const ImU32 colour = ink_.theme.text_dim;
    const double bytes = other_->peak_bytes_per_second, flops = other_->peak_flops;
    const double begin = std::max(x_.low, y_.low / bytes);
    const ImVec2 from{x_.at(begin), y_.at(begin * bytes)}, ridge{x_.at(other_->ridge), y_.at(flops)};
    const ImVec2 end{plot_.x1, ridge.y};
    ink_.line(from, ridge, colour, ink_.px(1.5f));
    ink_.line(ridge, end, colour, ink_.px(1.5f));
    keep_clear(from, ridge);
    keep_clear(ridge, end);
    place_label({(from.x + ridge.x) / 2, (from.y + ridge.y) / 2},
                fmt::format("{}: DRAM {}", gpu, scaled(bytes, "B/s")), colour, ink_.px(12));
    place_label({(ridge.x + end.x) / 2, ridge.y},
                fmt::format("{}: {} {}", gpu, other_->peak_unit, scaled(flops, "FLOP/s")), colour,
                ink_.px(5));
}

void RooflinePlot::draw_trail(std::span<const RooflinePoint> trail, ImVec2 now) {
    const Theme& theme = ink_.theme;
    for (std::size_t i = 0; i < trail.size(); ++i) {
        const double age = static_cast<double>(trail.size() - i) / static_cast<double>(trail.size() + 1);
        const ImU32 colour = with_alpha(theme.category(0), 0.65 - 0.45 * age);
        const ImVec2 from = at(trail[i]), to = i + 1 < trail.size() ? at(trail[i + 1]) : now;
        ink_.line(from, to, colour, ink_.px(1.5f));
        keep_clear(from, to);
        if (trail[i].shape == RooflinePoint::Shape::requested)
            ink_.list->AddCircle(from, ink_.px(4.5f), colour, 0, ink_.px(2));
        else ink_.list->AddCircleFilled(from, ink_.px(4), colour);
        taken_.push_back(
            {from.x - ink_.px(4), from.y - ink_.px(4), from.x + ink_.px(4), from.y + ink_.px(4)});
    }
}

void RooflinePlot::draw_arrow(const RooflinePoint& from, ImVec2 to) {
    const Theme& theme = ink_.theme;
    const ImVec2 begin = at(from);
    const float dx = to.x - begin.x, dy = to.y - begin.y, length = std::hypot(dx, dy);
    const float radius = ink_.px(6.5f);
    const ImU32 colour = theme.text;
    if (length > 3 * radius) {
        const ImVec2 along{dx / length, dy / length}, across{-along.y, along.x};
        const ImVec2 tip{to.x - along.x * radius * 1.3f, to.y - along.y * radius * 1.3f};
        const float head = ink_.px(9);
        const ImVec2 base{tip.x - along.x * head, tip.y - along.y * head};
        ink_.line(begin, base, colour, ink_.px(2));
        ink_.list->AddTriangleFilled(tip, {base.x + across.x * head * 0.5f, base.y + across.y * head * 0.5f},
                                     {base.x - across.x * head * 0.5f, base.y - across.y * head * 0.5f},
                                     colour);
        keep_clear(begin, to);
    }
    // Filled and hollow as the points of this run are.
    if (from.shape == RooflinePoint::Shape::requested)
        ink_.list->AddCircleFilled(begin, radius - ink_.px(1), theme.panel);
    else ink_.list->AddCircleFilled(begin, radius, theme.text_dim);
    ink_.list->AddCircle(begin, radius - ink_.px(1), colour, 0, ink_.px(1.5f));
    taken_.push_back({begin.x - radius, begin.y - radius, begin.x + radius, begin.y + radius});
}

void RooflinePlot::draw_old_label(const RooflinePoint& old) {
    if (!old.label.empty()) place_label(at(old), old.label, ink_.theme.text_dim, ink_.px(9));
}

void RooflinePlot::keep_headroom_clear(const RooflinePoint& point) {
    if (roofline_.ridge > 0 && point.rate > 0)
        keep_clear(at(point), {at(point).x, y_.at(roof(point.intensity))});
}

void RooflinePlot::draw_headroom(const RooflinePoint& point) {
    if (roofline_.ridge <= 0 || point.rate <= 0) return;
    const ImVec2 from = at(point), to{from.x, y_.at(roof(point.intensity))};
    if (from.y - to.y < ink_.px(24)) return;
    dashed_line(ink_, {from.x, from.y - ink_.px(8)}, to, ink_.theme.cost, ink_.px(1.5f), ink_.px(4));
    keep_clear(from, to);
    const std::string reached = percent(point.rate / roof(point.intensity));
    for (const std::string& words : {reached + " of the roof", reached})
        if (place_label({from.x, (from.y + to.y) / 2}, words, ink_.theme.cost, ink_.px(8))) return;
}

void RooflinePlot::draw_link(const RooflinePoint& from, const RooflinePoint& to) {
    const ImVec2 a = at(from), b = at(to);
    ink_.line(a, b, with_alpha(ink_.theme.category(0), 0.5), ink_.px(1));
    keep_clear(a, b);
}

void RooflinePlot::draw_point(const RooflinePoint& point, ImVec2 at) {
    const Theme& theme = ink_.theme;
    const float radius = ink_.px(6.5f);
    const ImU32 colour = theme.category(point.shape == RooflinePoint::Shape::measured ? 1 : 0);
    switch (point.shape) {
        case RooflinePoint::Shape::modelled:
            ink_.list->AddCircleFilled(at, radius, colour);
            ink_.list->AddCircle(at, radius, theme.background, 0, ink_.px(1.5f));
            break;
        case RooflinePoint::Shape::measured:
            ink_.list->AddQuadFilled({at.x, at.y - radius * 1.3f}, {at.x + radius * 1.3f, at.y},
                                     {at.x, at.y + radius * 1.3f}, {at.x - radius * 1.3f, at.y}, colour);
            break;
        case RooflinePoint::Shape::requested:
            ink_.list->AddCircleFilled(at, radius - ink_.px(1), theme.panel);
            ink_.list->AddCircle(at, radius - ink_.px(1), colour, 0, ink_.px(2));
            break;
    }
    taken_.push_back({at.x - radius, at.y - radius, at.x + radius, at.y + radius});
    const bool requested = point.shape == RooflinePoint::Shape::requested;
    const ImU32 words = requested ? theme.text_dim : theme.text;
    if (!point.label.empty() && !place_label(at, point.label, words, ink_.px(11)) && requested)
        place_label(at, "requested", words, ink_.px(11));
}

char RooflinePlot::roof_near(ImVec2 mouse) const {
    if (roofline_.ridge <= 0 || !plot_.has(mouse)) return 0;
    const double share = (mouse.x - x_.begin) / (x_.end - x_.begin);
    const double intensity = x_.low * std::pow(x_.high / x_.low, share);
    const float reach = ink_.px(7);
    if (std::abs(y_.at(roof(intensity)) - mouse.y) < reach) return intensity < roofline_.ridge ? 'm' : 'c';
    if (l2_ > 0 && std::abs(y_.at(intensity * l2_) - mouse.y) < reach &&
        intensity * l2_ < roofline_.peak_flops)
        return 'l';
    return 0;
}

void draw_bandwidth_bars(const Ink& ink, Box box, const analysis::Roofline& roofline, const GpuSpec& gpu,
                         std::span<const RooflinePoint> trail, std::span<const RooflinePoint> requested) {
    const Theme& theme = ink.theme;
    const auto& seconds = roofline.measured_seconds ? roofline.measured_seconds : roofline.modelled_seconds;
    if (!seconds || *seconds <= 0) return;
    struct Bar {
        std::string what;
        double rate, peak;
    };
    std::vector<Bar> bars{
        {"DRAM, if every byte moves once", byte_rate_of(roofline), roofline.peak_bytes_per_second}};
    if (const double l2 = l2_bytes_per_second(gpu); l2 > 0)
        bars.push_back({"L2, all requested bytes", roofline.l2_bytes / *seconds, l2});
    double most = 0;
    for (const Bar& bar : bars) most = std::max({most, bar.rate, bar.peak});
    for (const auto& olds : {trail, requested})
        for (const RooflinePoint& old : olds) most = std::max(most, old.rate);
    if (most <= 0) return;
    const float whole = box.width(), small = text_height(theme.fonts.small);
    const float words_and_gaps = ink.px(28 + 8 + 20) + small;
    const float thickness =
        std::clamp(box.height() / static_cast<float>(bars.size()) - words_and_gaps, ink.px(16), ink.px(140));
    const auto x_of = [&](double rate) { return box.x0 + whole * static_cast<float>(rate / most); };
    for (const Bar& bar : bars) {
        Box words = box.take_top(ink.px(28));
        const std::string figures =
            scaled(bar.rate, "B/s") +
            (bar.peak > 0 ? fmt::format(" of {} ({})", scaled(bar.peak, "B/s"), percent(bar.rate / bar.peak))
                          : "");
        words.x1 -= ink.text(words, figures, theme.fonts.code, theme.text, Align::right) + ink.px(12);
        ink.text(words, bar.what, theme.fonts.words, theme.text);
        const Box row = box.take_top(thickness);
        if (bar.peak > 0) {
            // The roof: the limit of this memory.
            ink.fill({row.x0, row.y0, x_of(bar.peak), row.y1}, with_alpha(theme.ideal, 0.10));
            ink.line({x_of(bar.peak), row.y0}, {x_of(bar.peak), row.y1}, theme.text, ink.px(thick));
        }
        ink.fill({row.x0, row.y0, x_of(bar.rate), row.y1}, theme.category(0), ink.px(2));
        const Box labels = box.take_top(small + ink.px(8));
        float free_from = row.x0;
        for (const RooflinePoint& old : &bar == &bars.front() ? trail : requested) {
            const float x = x_of(old.rate), width = text_width(theme.fonts.small, old.label);
            ink.line({x, row.y0 - ink.px(2)}, {x, row.y1 + ink.px(4)}, theme.text_dim, ink.px(2));
            if (x < free_from || x + width > labels.x1) continue;
            draw_text(*ink.list, theme.fonts.small, {x, labels.y0 + ink.px(4)}, theme.text_dim, old.label);
            free_from = x + width + ink.px(12);
        }
        box.take_top(ink.px(20));
    }
}

}  // namespace warplens::app
