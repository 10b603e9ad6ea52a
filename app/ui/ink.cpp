#include "app/ui/ink.h"

#include <algorithm>
#include <cmath>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr std::string_view joint = " · ";

std::string remaining_text(std::string_view rest, std::span<const TextRun> runs) {
    std::string text(rest);
    for (const TextRun& run : runs) text += run.text;
    return text;
}

}  // namespace

Box Box::take_top(float height) {
    const Box top{x0, y0, x1, std::min(y0 + height, y1)};
    y0 = top.y1;
    return top;
}

Box Box::take_bottom(float height) {
    const Box bottom{x0, std::max(y1 - height, y0), x1, y1};
    y1 = bottom.y0;
    return bottom;
}

Box Box::take_left(float width) {
    const Box left{x0, y0, std::min(x0 + width, x1), y1};
    x0 = left.x1;
    return left;
}

Box Box::take_right(float width) {
    const Box right{std::max(x1 - width, x0), y0, x1, y1};
    x1 = right.x0;
    return right;
}

std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t at = std::min(text.find(joint), text.size());
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(std::min(at + joint.size(), text.size()));
    }
    return parts;
}

std::vector<TextRun> runs_of(std::string_view text, ImFont* font, ImU32 colour) {
    std::vector<TextRun> runs;
    for (std::string& part : parts_of(text)) {
        if (!runs.empty()) runs.back().text += joint;
        runs.push_back({std::move(part), font, colour, false, true});
    }
    return runs;
}

void Ink::fill(const Box& box, ImU32 colour, float rounding) const {
    if (box.width() > 0 && box.height() > 0) list->AddRectFilled(box.min(), box.max(), colour, rounding);
}

void Ink::outline(const Box& box, ImU32 colour, float thickness, float rounding) const {
    // The stroke is inside the box, so that adjacent outlines do not touch.
    const Box inner = box.inset(thickness / 2);
    if (inner.width() > 0 && inner.height() > 0)
        compat::add_rect(*list, inner.min(), inner.max(), colour, rounding, thickness);
}

void Ink::line(ImVec2 from, ImVec2 to, ImU32 colour, float thickness) const {
    list->AddLine(from, to, colour, thickness);
}

void Ink::thread(ImVec2 from, ImVec2 to, ImU32 colour, float thickness) const {
    if (std::abs(from.x - to.x) < 0.5f) {
        list->AddLine(from, to, colour, thickness);
        return;
    }
    const float bend = (to.y - from.y) * 0.5f;
    list->AddBezierCubic(from, {from.x, from.y + bend}, {to.x, to.y - bend}, to, colour, thickness);
}

void Ink::hatch(const Box& box, ImU32 colour, float spacing) const {
    draw_hatched(*list, theme, box.min(), box.max(), colour, spacing);
}

float Ink::text(const Box& box, std::string_view text, ImFont* font, ImU32 colour, Align align) const {
    if (text.empty() || box.width() <= 0) return 0;
    std::string shortened;
    float taken = text_width(font, text);
    if (taken > box.width() + 0.5f) {
        shortened = fit_text(font, text, box.width());
        text = shortened;
        taken = text_width(font, text);
        if (taken > box.width()) return 0;
    }
    float x = box.x0;
    if (align == Align::centre) x = std::max(box.x0, (box.x0 + box.x1 - taken) / 2);
    if (align == Align::right) x = std::max(box.x0, box.x1 - taken);
    draw_text(*list, font, {x, (box.y0 + box.y1 - text_height(font)) / 2}, colour, text);
    return taken;
}

bool Ink::text_if_fits(const Box& box, std::string_view text, ImFont* font, ImU32 colour, Align align) const {
    // Digits and capitals fill about two thirds of a line's height, so the box may be slightly smaller.
    if (text_height(font) * 0.8f > box.height() || text_width(font, text) > box.width()) return false;
    this->text(box, text, font, colour, align);
    return true;
}

void Ink::heading(const Box& box, std::initializer_list<std::string_view> wordings) const {
    ImFont* const font = theme.fonts.words;
    text(box, wording_that_fits(font, wordings, box.width()), font, theme.text);
}

float Ink::paragraph(ImVec2 at, float width, std::span<const TextRun> runs, int max_lines, bool draw) const {
    struct Piece {
        std::string text;
        const TextRun* run;
        float x, w;
    };
    std::vector<std::vector<Piece>> lines(1);
    float x = 0;
    bool full = false;
    for (std::size_t of = 0; of < runs.size(); ++of) {
        const TextRun& run = runs[of];
        std::string_view rest = run.text;
        const auto cut = [&](std::string_view piece, float room) {
            std::string drawn = fit_text(run.font, piece, room);
            if (drawn != piece) note_shortened(drawn, remaining_text(rest, runs.subspan(of + 1)));
            return drawn;
        };
        while (!rest.empty() && !full) {
            // A word and the spaces after it.
            std::size_t end = run.code || run.together ? std::string_view::npos : rest.find(' ');
            end = end == std::string_view::npos ? rest.size() : rest.find_first_not_of(' ', end);
            end = end == std::string_view::npos ? rest.size() : end;
            const std::string_view word = rest.substr(0, end);
            const std::string_view bare = word.substr(0, word.find_last_not_of(' ') + 1);
            const float bare_width = text_width(run.font, bare);
            if (x + bare_width > width && x > 0) {
                if (static_cast<int>(lines.size()) == max_lines) {
                    Piece& last = lines.back().back();
                    // Where not even the ellipsis has room, the word before gives way.
                    if (width - x < text_width(run.font, "…")) {
                        const std::string both = last.text + std::string(word);
                        last.text = fit_text(last.run->font, both, width - last.x);
                        note_shortened(last.text,
                                       both + remaining_text(rest.substr(end), runs.subspan(of + 1)));
                    } else {
                        lines.back().push_back({cut(word, width - x), &run, x, 0});
                    }
                    full = true;
                    break;
                }
                // The space at a line's end is not drawn: it could reach beyond `width`.
                std::string& last = lines.back().back().text;
                last.resize(last.find_last_not_of(' ') + 1);
                lines.emplace_back();
                x = 0;
            }
            if (x == 0 && bare_width > width) {
                full = static_cast<int>(lines.size()) == max_lines;
                lines.back().push_back(
                    {full ? cut(bare, width) : fit_text(run.font, bare, width), &run, x, 0});
                x = width;
            } else {
                const float word_width = text_width(run.font, word);
                lines.back().push_back({std::string(word), &run, x, word_width});
                x += word_width;
            }
            rest.remove_prefix(end);
        }
    }
    float y = at.y;
    for (const auto& line : lines) {
        float height = 0;
        for (const Piece& piece : line) {
            height = std::max(height, text_height(piece.run->font));
        }
        const float advance = std::round(height * 1.3f);
        for (const Piece& piece : line) {
            if (!draw) break;
            const float drawn = text_width(piece.run->font, piece.text);
            if (piece.run->code) {
                const float pad = std::round(px(2));
                list->AddRectFilled({at.x + piece.x - pad, y + pad / 2},
                                    {at.x + piece.x + drawn + pad, y + advance - pad / 2},
                                    with_alpha(theme.text, 0.08), px(3));
            }
            draw_text(*list, piece.run->font,
                      {at.x + piece.x, y + (advance - text_height(piece.run->font)) / 2}, piece.run->colour,
                      piece.text);
        }
        y += advance;
    }
    return y - at.y;
}

}  // namespace warplens::app
