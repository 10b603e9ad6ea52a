#include "app/capture/svg/forms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::app::svg {
namespace {

constexpr float close_enough = 0.06f;  // pixels

bool same(float a, float b) { return std::abs(a - b) <= close_enough; }
bool same(ImVec2 a, ImVec2 b) { return same(a.x, b.x) && same(a.y, b.y); }
float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

Rect bounds(std::span<const ImVec2> points) {
    Rect box{points.front(), points.front()};
    for (const ImVec2 point : points) {
        box.min = {std::min(box.min.x, point.x), std::min(box.min.y, point.y)};
        box.max = {std::max(box.max.x, point.x), std::max(box.max.y, point.y)};
    }
    return box;
}

std::optional<Circle> circle_of(std::span<const ImVec2> corners) {
    if (corners.size() < 8) return std::nullopt;
    const Rect box = bounds(corners);
    const ImVec2 centre{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
    const float radius = (box.max.x - box.min.x) / 2;
    if (!same(radius, (box.max.y - box.min.y) / 2)) return std::nullopt;
    for (const ImVec2 corner : corners)
        if (!same(distance(corner, centre), radius)) return std::nullopt;
    return Circle{snapped(centre), snapped(radius)};
}

/// Every corner is on the boundary of the rounded rectangle, and each of its four arcs begins and ends on
/// two of them.
std::optional<Rect> round_rect_of(std::span<const ImVec2> corners) {
    if (corners.size() < 8) return std::nullopt;
    Rect box = bounds(corners);
    // The radius is the part of the top edge, at either end, that its corners leave free.
    float left = box.max.x, right = box.min.x;
    for (const ImVec2 corner : corners)
        if (same(corner.y, box.min.y)) {
            left = std::min(left, corner.x);
            right = std::max(right, corner.x);
        }
    const float radius = left - box.min.x;
    if (radius < 0.5f || !same(box.max.x - right, radius) ||
        2 * radius > std::min(box.max.x - box.min.x, box.max.y - box.min.y) + close_enough)
        return std::nullopt;
    int in_quarter[4] = {};
    for (const ImVec2 corner : corners) {
        const bool is_right = corner.x > (box.min.x + box.max.x) / 2;
        const bool is_lower = corner.y > (box.min.y + box.max.y) / 2;
        const ImVec2 arc_centre{is_right ? box.max.x - radius : box.min.x + radius,
                                is_lower ? box.max.y - radius : box.min.y + radius};
        if (!same(distance(corner, arc_centre), radius)) return std::nullopt;
        ++in_quarter[(is_lower ? 2 : 0) + (is_right ? 1 : 0)];
    }
    if (std::ranges::any_of(in_quarter, [](int count) { return count < 2; })) return std::nullopt;
    return Rect{snapped(box.min), snapped(box.max), snapped(radius)};
}

/// Whether every point, offset by half a stroke, is at the center of a pixel.
template <class Points>
bool in_mid_pixel(const Points& points, float ImVec2::*axis, float stroke) {
    return std::ranges::all_of(points, [&](const ImVec2& point) {
        const float edge = point.*axis - stroke / 2;
        return std::abs(edge - std::floor(edge) - 0.5f) < 0.01f;
    });
}

bool is_square(const Line& line) {
    for (std::size_t i = 1; i < line.points.size(); ++i) {
        const ImVec2 a = line.points[i - 1], b = line.points[i];
        if (a.x != b.x && a.y != b.y) return false;
    }
    return true;
}

}  // namespace

float snapped(float length) { return std::round(length * 20) / 20; }
ImVec2 snapped(ImVec2 point) { return {snapped(point.x), snapped(point.y)}; }

std::optional<Rect> rect_of(std::span<const ImVec2> corners) {
    if (corners.size() != 4) return std::nullopt;
    const Rect box = bounds(corners);
    for (int i = 0; i < 4; ++i) {
        const ImVec2 a = corners[i], b = corners[(i + 1) % 4], c = corners[(i + 2) % 4];
        const bool across = a.y == b.y && b.x == c.x, down = a.x == b.x && b.y == c.y;
        if (!across && !down) return std::nullopt;
    }
    return Rect{snapped(box.min), snapped(box.max)};
}

std::variant<Rect, Circle, Path, Words> form_of(std::vector<ImVec2> corners) {
    if (const auto rect = rect_of(corners)) return *rect;
    if (const auto circle = circle_of(corners)) return *circle;
    if (const auto rect = round_rect_of(corners)) return *rect;
    for (ImVec2& corner : corners) corner = snapped(corner);
    return Path{{{std::move(corners), true}}};
}

std::optional<Segment> segment_of(std::span<const ImVec2> corners) {
    if (corners.size() != 4) return std::nullopt;
    const ImVec2 a = corners[0], b = corners[1], c = corners[2], d = corners[3];
    // Both long sides are the same vector, and the short ones are perpendicular to it.
    if (!same({b.x - a.x, b.y - a.y}, {c.x - d.x, c.y - d.y})) return std::nullopt;
    const float length = distance(a, b), width = distance(a, d);
    const float dot = (b.x - a.x) * (d.x - a.x) + (b.y - a.y) * (d.y - a.y);
    if (length <= 0 || width <= 0 || std::abs(dot) > 0.02f * length * width) return std::nullopt;
    return Segment{{(a.x + d.x) / 2, (a.y + d.y) / 2}, {(b.x + c.x) / 2, (b.y + c.y) / 2}, width};
}

bool goes_on(const Segment& segment, const Segment& next) {
    return same(segment.to, next.from) && same(segment.width, next.width);
}

Line line_of(std::span<const Segment> segments) {
    Line line;
    line.points.push_back(snapped(segments.front().from));
    for (const Segment& segment : segments) line.points.push_back(snapped(segment.to));
    if (segments.size() > 2 && same(segments.back().to, segments.front().from)) {
        line.points.pop_back();
        line.closed = true;
    }
    return line;
}

void settle_on_pixels(Shape& shape) {
    for (float ImVec2::*axis : {&ImVec2::x, &ImVec2::y}) {
        if (auto* rect = std::get_if<Rect>(&shape.form)) {
            if (!in_mid_pixel(std::array{rect->min, rect->max}, axis, shape.stroke)) continue;
            rect->min.*axis -= 0.5f;
            rect->max.*axis -= 0.5f;
        } else if (auto* path = std::get_if<Path>(&shape.form); path && shape.stroke > 0) {
            for (Line& line : path->lines)
                if (is_square(line) && in_mid_pixel(line.points, axis, shape.stroke))
                    for (ImVec2& point : line.points) point.*axis -= 0.5f;
        }
    }
}

}  // namespace warplens::app::svg
