// Text drawn at a place: left, right or centred, cut with an ellipsis where it would not fit. Positions are
// screen pixels; text never leaves the box that it is given.
#pragma once

#include <string>
#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

ImVec2 text_size(ImFont* font, std::string_view text);
float text_width(ImFont* font, std::string_view text);
float text_height(ImFont* font);

/// Top left corner at `at`.
void draw_text(ImDrawList& list, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text);
/// Ends at `right`: numbers in a column.
void draw_text_right(ImDrawList& list, ImFont* font, ImVec2 right, ImU32 colour, std::string_view text);
/// Centered in the box in both directions; drawn completely even if the box is smaller.
void draw_text_centred(ImDrawList& list, ImFont* font, ImVec2 min, ImVec2 max, ImU32 colour,
                       std::string_view text);
/// The text, or its longest beginning that fits `width` with "…" after it. It ends before a number rather
/// than inside or behind one.
std::string fit_text(ImFont* font, std::string_view text, float width);

/// The first of the wordings, longest first, that fits `width`; else the last, which may not. It is of
/// `wordings`, and lives as long.
template <class Wordings>
std::string_view wording_that_fits(ImFont* font, const Wordings& wordings, float width) {
    std::string_view chosen;
    for (const std::string_view wording : wordings) {
        chosen = wording;
        if (text_width(font, wording) <= width) break;
    }
    return chosen;
}

/// The text in lines of at most `width` pixels, broken at blanks; a word that is wider is broken inside.
/// ImGui's own wrapping ends lines after a comma, also in 14,379.
std::string in_lines(ImFont* font, std::string_view text, float width);

/// ImGui items (they take room and advance the cursor) in one font and colour of the theme.
void text_item(ImFont* font, ImU32 colour, std::string_view text);
/// Wraps at the end of the content region, or after `width` pixels when that is given.
void text_wrapped(ImFont* font, ImU32 colour, std::string_view text, float width = 0);
/// Words with `code` between backticks, which is drawn in `code_font`;
/// wraps between words like text_wrapped.
void rich_text(const Theme& theme, ImFont* words_font, ImFont* code_font, ImU32 colour, std::string_view text,
               float width = 0);
/// The same in lines about equally long, each centred in `width`.
void rich_text_centred(const Theme& theme, ImFont* words_font, ImFont* code_font, ImU32 colour,
                       std::string_view text, float width);
/// The least width, up to `width`, in which rich_text takes as many lines as in `width`: its lines are then
/// about equally long, and the last one is not a single word. In pixels.
float even_width(const Theme& theme, ImFont* words_font, ImFont* code_font, std::string_view text,
                 float width);

}  // namespace warplens::app
