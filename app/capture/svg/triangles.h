// Triangles: takes ImGui's triangle lists apart into the polygons they came from. ImGui draws a convex shape
// as a fan, a line as one quad per segment, and a rectangle or a glyph as one quad; views that write their
// own triangles share corners between neighbours. All of them come back as outlines with no seams inside.
#pragma once

#include <imgui.h>

#include <span>
#include <vector>

namespace warplens::app::svg {

/// Corners in order around the shape, as indices of vertices; a shape with holes has several rings.
struct Outline {
    std::vector<std::vector<unsigned>> rings;
    bool is_quad() const { return rings.size() == 1 && rings.front().size() == 4; }
};

/// `indices` holds three per triangle. Neighbouring triangles that share an edge belong together.
std::vector<Outline> outlines_of(std::span<const ImDrawIdx> indices);

}  // namespace warplens::app::svg
