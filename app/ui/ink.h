// Ink: fills, threads and text in boxes on a draw list, for views that lay out every pixel themselves. Text
// never leaves its box: it is shortened with "…" or left out. It knows no data and reacts to no mouse. Pieces
// that are ImGui items are in widgets/.
#pragma once

#include <imgui.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/theme.h"

namespace warplens::app {

/// A rectangle in screen pixels, half-open on the right and at the bottom.
struct Box {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    float width() const { return x1 - x0; }
    float height() const { return y1 - y0; }
    ImVec2 min() const { return {x0, y0}; }
    ImVec2 max() const { return {x1, y1}; }
    ImVec2 centre() const { return {(x0 + x1) / 2, (y0 + y1) / 2}; }
    bool has(ImVec2 at) const { return at.x >= x0 && at.x < x1 && at.y >= y0 && at.y < y1; }
    Box inset(float by) const { return {x0 + by, y0 + by, x1 - by, y1 - by}; }
    /// Takes `height` off the top and returns it.
    Box take_top(float height);
    Box take_bottom(float height);
    Box take_left(float width);
    Box take_right(float width);
};

enum class Align { left, centre, right };

/// A part of a line in one font and color; code has a faint background.
struct TextRun {
    std::string text;
    ImFont* font = nullptr;
    ImU32 colour = 0;
    bool code = false;
    bool together = false;  // never broken, as code is not
};

/// The parts of a text that are joined by " · ", each kept together.
std::vector<TextRun> runs_of(std::string_view text, ImFont* font, ImU32 colour);

/// The same parts without the joints, for a card of short lines.
std::vector<std::string> parts_of(std::string_view text);

struct Ink {
    ImDrawList* list;
    const Theme& theme;

    /// A length in pixels of the design, on this monitor.
    float px(float design_pixels) const { return design_pixels * theme.fonts.scale; }

    void fill(const Box& box, ImU32 colour, float rounding = 0) const;
    void outline(const Box& box, ImU32 colour, float thickness = 1, float rounding = 0) const;
    void line(ImVec2 from, ImVec2 to, ImU32 colour, float thickness = 1) const;
    /// A curve that leaves `from` and reaches `to` vertically.
    void thread(ImVec2 from, ImVec2 to, ImU32 colour, float thickness) const;
    /// What is off, padding, or fetched and not used.
    void hatch(const Box& box, ImU32 colour, float spacing = 5) const;

    /// One line, centred vertically, shortened to the box's width. Returns the width drawn.
    float text(const Box& box, std::string_view text, ImFont* font, ImU32 colour,
               Align align = Align::left) const;
    /// The same, or nothing when it does not fit both ways.
    bool text_if_fits(const Box& box, std::string_view text, ImFont* font, ImU32 colour,
                      Align align = Align::centre) const;
    /// The first of the wordings, longest first, that fits; else the last, shortened.
    void heading(const Box& box, std::initializer_list<std::string_view> wordings) const;
    /// Runs on a common baseline, broken at spaces into at most `max_lines` lines of `width`. Returns the
    /// height they take; draws only if `draw`.
    float paragraph(ImVec2 at, float width, std::span<const TextRun> runs, int max_lines,
                    bool draw = true) const;
};

}  // namespace warplens::app
