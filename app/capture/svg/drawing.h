// Drawing: one frame as shapes instead of pixels — rectangles, circles, paths and words, in painting order.
// Plain data between app/capture/svg/draw_data.h, which recognises the shapes in what ImGui drew, and
// app/capture/svg/write_svg.h. Lengths are pixels, y runs down; colours are ImGui's 0xAABBGGRR.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens::app::svg {

struct Rect {
    ImVec2 min, max;
    float rounding = 0;
    friend bool operator==(const Rect& a, const Rect& b) {
        return a.min.x == b.min.x && a.min.y == b.min.y && a.max.x == b.max.x && a.max.y == b.max.y &&
               a.rounding == b.rounding;
    }
};

struct Circle {
    ImVec2 centre;
    float radius = 0;
};

struct Line {
    std::vector<ImVec2> points;
    bool closed = false;
};

/// One or more lines painted as one: the strokes of a hatch, say.
struct Path {
    std::vector<Line> lines;
};

/// One line of text in one face. `width` is what ImGui's layout gave it.
struct Words {
    std::string text;  // UTF-8
    ImVec2 start;      // left end of the baseline
    float width = 0;
    std::size_t face = 0;  // index into Drawing::faces
    float em = 0;
};

struct Shape {
    std::variant<Rect, Circle, Path, Words> form;
    ImU32 colour = 0;
    float stroke = 0;  // width of the outline; 0: filled
    /// Filled rectangles only: from `colour` to this one, left to right or top to bottom.
    std::optional<ImU32> to_right = std::nullopt, to_bottom = std::nullopt;
    std::optional<Rect> clip = std::nullopt;  // only where the shape reaches beyond it
};

struct Layer {
    std::string name;  // of the ImGui window it was drawn by
    std::vector<Shape> shapes;
};

struct DrawnFace {
    std::string name;      // "words", "code-title"
    std::string families;  // as CSS lists them, the best first
    int weight = 400;      // as CSS counts it
};

struct Drawing {
    float width = 0, height = 0;
    ImU32 background = 0;
    std::string title;
    std::vector<DrawnFace> faces;
    std::vector<Layer> layers;
};

}  // namespace warplens::app::svg
