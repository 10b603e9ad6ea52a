#include "app/capture/svg/words.h"

#include <algorithm>
#include <cmath>

#include "app/capture/svg/forms.h"
#include "app/ui/imgui_compat.h"

namespace warplens::app::svg {
namespace {

std::string utf8(std::u32string_view text) {
    std::string bytes;
    const auto add = [&](char32_t bits) { bytes += static_cast<char>(bits); };
    for (const char32_t c : text) {
        if (c < 0x80) {
            add(c);
        } else if (c < 0x800) {
            add(0xc0 | (c >> 6));
            add(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            add(0xe0 | (c >> 12));
            add(0x80 | ((c >> 6) & 0x3f));
            add(0x80 | (c & 0x3f));
        } else {
            add(0xf0 | (c >> 18));
            add(0x80 | ((c >> 12) & 0x3f));
            add(0x80 | ((c >> 6) & 0x3f));
            add(0x80 | (c & 0x3f));
        }
    }
    return bytes;
}

Rect joined(const Rect& a, const Rect& b) {
    return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y)},
            {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y)}};
}

}  // namespace

GlyphIndex::GlyphIndex(std::span<const LoadedFace> faces) : faces_(faces) {
    for (std::size_t i = 0; i < faces.size(); ++i)
        for (const ImFontGlyph& glyph : faces[i].font->Glyphs)
            if (glyph.Visible) places_.emplace(std::pair{glyph.U0, glyph.V0}, Place{i, &glyph});
}

std::optional<Glyph> GlyphIndex::find(const ImDrawVert (&quad)[4]) const {
    const ImDrawVert &first = quad[0], &last = quad[2];
    // A glyph that was cut at its upper or left side is inside its rectangle in the atlas.
    auto at = places_.find({first.uv.x, first.uv.y});
    if (at == places_.end()) {
        const ImVec2 middle{(first.uv.x + last.uv.x) / 2, (first.uv.y + last.uv.y) / 2};
        at = std::ranges::find_if(places_, [&](const auto& entry) {
            const ImFontGlyph& glyph = *entry.second.glyph;
            return middle.x > glyph.U0 && middle.x < glyph.U1 && middle.y > glyph.V0 && middle.y < glyph.V1;
        });
        if (at == places_.end()) return std::nullopt;
    }
    const ImFontGlyph& glyph = *at->second.glyph;
    const LoadedFace& face = faces_[at->second.face];
    const float across = last.uv.x - first.uv.x, down = last.uv.y - first.uv.y;
    if (across <= 0 || down <= 0) return std::nullopt;
    // Pixels per unit of the atlas: the drawn size divided by the size for which it was made.
    const ImVec2 rate{(last.pos.x - first.pos.x) / across, (last.pos.y - first.pos.y) / down};
    const float scale = rate.y * (glyph.V1 - glyph.V0) / (glyph.Y1 - glyph.Y0);
    const ImVec2 upper_left{first.pos.x - (first.uv.x - glyph.U0) * rate.x,
                            first.pos.y - (first.uv.y - glyph.V0) * rate.y};
    Glyph found;
    found.face = at->second.face;
    found.character = glyph.Codepoint;
    found.pen = {upper_left.x - glyph.X0 * scale,
                 upper_left.y - glyph.Y0 * scale + std::round(face.font->Ascent) * scale};
    found.advance = glyph.AdvanceX * scale;
    found.blank = face.font->GetCharAdvance(' ') * scale;
    found.em = face.em * scale;
    found.bounds = {first.pos, last.pos};
    return found;
}

bool WordsBuilder::add(const Glyph& glyph) {
    if (text_.empty()) {
        start_ = glyph.pen;
        bounds_ = glyph.bounds;
    } else {
        const float gap = glyph.pen.x - last_.pen.x - last_.advance;
        // Words that were laid out one by one begin on whole pixels, up to one off. More than one blank is no
        // blank: numbers along an axis are separate.
        const bool follows = std::abs(gap) < 0.1f, after_blank = std::abs(gap - glyph.blank) < 1.1f;
        const bool same_line = glyph.face == last_.face && std::abs(glyph.pen.y - last_.pen.y) < 0.05f &&
                               std::abs(glyph.em - last_.em) < 0.05f;
        if (!same_line || (!follows && !after_blank)) return false;
        if (!follows) text_ += U' ';
        bounds_ = joined(bounds_, glyph.bounds);
    }
    text_ += glyph.character;
    last_ = glyph;
    return true;
}

Words WordsBuilder::take() {
    Words words{utf8(text_), snapped(start_), snapped(last_.pen.x + last_.advance - start_.x), last_.face,
                last_.em};
    text_.clear();
    return words;
}

}  // namespace warplens::app::svg
