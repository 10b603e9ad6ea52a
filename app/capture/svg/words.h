// Words: reads text back from what ImGui drew. A glyph is a quad with a place in the font atlas; the place
// says which character of which font it is, and quads that follow each other on a baseline are a line of
// text again. Blanks leave no quad: they come back from the distance they left.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/capture/svg/drawing.h"
#include "app/ui/fonts.h"

namespace warplens::app::svg {

/// One character where it was drawn.
struct Glyph {
    std::size_t face = 0;  // index into the faces given to GlyphIndex
    char32_t character = 0;
    ImVec2 pen;         // on the baseline, where the character starts
    float advance = 0;  // to where the next one starts
    float blank = 0;    // a blank's advance
    float em = 0;
    Rect bounds;  // of its ink
};

/// Finds the glyph of a quad. Holds for one built atlas.
class GlyphIndex {
  public:
    explicit GlyphIndex(std::span<const LoadedFace> faces);
    /// Corners in ImGui's order, from the upper left. Nothing when the quad shows no glyph of the faces.
    std::optional<Glyph> find(const ImDrawVert (&quad)[4]) const;

  private:
    struct Place {
        std::size_t face;
        const ImFontGlyph* glyph;
    };
    std::span<const LoadedFace> faces_;
    std::map<std::pair<float, float>, Place> places_;  // by their upper left corner in the atlas
};

/// Gathers glyphs into lines of text.
class WordsBuilder {
  public:
    bool empty() const { return text_.empty(); }
    /// False when the glyph does not go on where the last one ended; the line is to be taken first.
    bool add(const Glyph& glyph);
    /// The line so far; starts a new one.
    Words take();
    const Rect& bounds() const { return bounds_; }

  private:
    std::u32string text_;
    Glyph last_;
    ImVec2 start_;
    Rect bounds_;
};

}  // namespace warplens::app::svg
