// Forms: what a polygon or a chain of line segments is to a person — a rectangle, with round corners or
// without, a circle, or a path. ImGui provides corners only; a figure that is edited later needs the shapes.
#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "app/capture/svg/drawing.h"

namespace warplens::app::svg {

/// A closed outline, filled or drawn as a line.
std::variant<Rect, Circle, Path, Words> form_of(std::vector<ImVec2> corners);

/// An axis-aligned rectangle whose corners come in any order around it; nothing otherwise.
std::optional<Rect> rect_of(std::span<const ImVec2> corners);

/// A line segment of a width, as ImGui lays a quad around it.
struct Segment {
    ImVec2 from, to;
    float width = 0;
    bool along_an_axis() const { return from.x == to.x || from.y == to.y; }
};
/// The segment whose quad this is (four corners, as ImGui orders them); nothing when its sides are not
/// perpendicular.
std::optional<Segment> segment_of(std::span<const ImVec2> corners);

/// Segments, each beginning where the previous one ends, as one line.
Line line_of(std::span<const Segment> segments);
/// Whether `next` continues where `segment` ends, with the same width.
bool goes_on(const Segment& segment, const Segment& next);

/// Moves what would begin and end in the middle of pixels, across or down, to their edges: a line two pixels
/// wide, say. A rasterizer that samples the pixels' centres, as OpenGL does, painted it there; one that
/// weights areas would blur it.
void settle_on_pixels(Shape& shape);

/// Rounds to a twentieth of a pixel: ImGui's half pixels become exact halves again, and numbers stay short.
float snapped(float length);
ImVec2 snapped(ImVec2 point);

}  // namespace warplens::app::svg
