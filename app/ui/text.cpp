#include "app/ui/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"

namespace warplens::app {
namespace {

/// Never null, which ImGui would read as a string's begin.
const char* begin_of(std::string_view text) { return text.data() ? text.data() : ""; }
const char* end_of(std::string_view text) { return begin_of(text) + text.size(); }

constexpr std::array<std::string_view, 18> inseparable_units{
    "%",  "ns",  "µs",  "ms",  "s",    "B",     "kB",    "MB",    "GB",
    "TB", "KiB", "MiB", "GiB", "FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"};

/// Length in bytes of the UTF-8 character that starts at `text[at]`.
std::size_t character_bytes(std::string_view text, std::size_t at) {
    std::size_t bytes = 1;
    while (at + bytes < text.size() && (static_cast<unsigned char>(text[at + bytes]) & 0xc0) == 0x80) ++bytes;
    return bytes;
}

/// A number stays on one line with its unit: "46 %", "275 µs", "4.8 TB/s".
bool separates_unit(std::string_view text, std::size_t blank) {
    if (blank == 0 || text[blank] != ' ' || !std::isdigit(static_cast<unsigned char>(text[blank - 1])))
        return false;
    const std::string_view unit = text.substr(blank + 1);
    return std::ranges::any_of(inseparable_units, [&](std::string_view of) {
        return unit.starts_with(of) &&
               (unit.size() == of.size() || !std::isalpha(static_cast<unsigned char>(unit[of.size()])));
    });
}

/// Where the word that begins at `from` ends: at one of `ends`, or at a blank that may begin a new line.
std::size_t end_of_word(std::string_view text, std::size_t from, std::string_view ends) {
    std::size_t end = text.find_first_of(ends, from);
    while (end != std::string_view::npos && separates_unit(text, end))
        end = text.find_first_of(ends, end + 1);
    return std::min(end, text.size());
}

}  // namespace

ImVec2 text_size(ImFont* font, std::string_view text) {
    return font->CalcTextSizeA(compat::font_size(font), FLT_MAX, 0, begin_of(text), end_of(text));
}

float text_width(ImFont* font, std::string_view text) { return text_size(font, text).x; }

float text_height(ImFont* font) { return compat::font_size(font); }

void draw_text(ImDrawList& list, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
    if (notes_text_at(at.y, at.y + text_height(font))) {
        const ImVec2 size = text_size(font, text);
        note_text(list, at, {at.x + size.x, at.y + size.y}, text);
    }
    list.AddText(font, compat::font_size(font), {std::round(at.x), std::round(at.y)}, colour, begin_of(text),
                 end_of(text));
}

void draw_text_right(ImDrawList& list, ImFont* font, ImVec2 right, ImU32 colour, std::string_view text) {
    draw_text(list, font, {right.x - text_width(font, text), right.y}, colour, text);
}

void draw_text_centred(ImDrawList& list, ImFont* font, ImVec2 min, ImVec2 max, ImU32 colour,
                       std::string_view text) {
    const ImVec2 size = text_size(font, text);
    draw_text(list, font, {(min.x + max.x - size.x) / 2, (min.y + max.y - size.y) / 2}, colour, text);
}

namespace {

/// What may stand at the end of a shortened text: not a number, which with "…" looks like the beginning of a
/// longer one, nor what stands before it.
bool may_end(char last) { return std::string_view("0123456789,.: ").find(last) == std::string_view::npos; }

}  // namespace

std::string fit_text(ImFont* font, std::string_view text, float width) {
    if (text_width(font, text) <= width) return std::string(text);
    constexpr std::string_view ellipsis = "…";
    const float room = width - text_width(font, ellipsis);
    std::size_t kept = 0;
    float used = 0;
    while (kept < text.size()) {
        const std::size_t bytes = character_bytes(text, kept);
        used += text_width(font, text.substr(kept, bytes));
        if (used > room) break;
        kept += bytes;
    }
    while (kept > 0 && !may_end(text[kept - 1])) --kept;
    std::string drawn = std::string(text.substr(0, kept)).append(ellipsis);
    note_shortened(drawn, text);
    return drawn;
}

namespace {

/// `drawn` with what it says, for those who look for texts: `text`.
void draw_item(ImFont* font, ImU32 colour, std::string_view drawn, std::string_view text) {
    compat::push_font(font);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(begin_of(drawn), end_of(drawn));
    note_text(*ImGui::GetWindowDrawList(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

/// The longest beginning that is no wider than `width`, ending after a blank if it has one; may be empty.
std::string_view beginning_that_fits(ImFont* font, std::string_view text, float width) {
    std::size_t fits = 0;
    for (std::size_t end = 1; end <= text.size(); ++end) {
        if (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) continue;
        if (text_width(font, text.substr(0, end)) > width) break;
        fits = end;
    }
    if (fits == text.size()) return text;
    const std::size_t blank = text.substr(0, fits).rfind(' ');
    return text.substr(0, blank == std::string_view::npos ? fits : blank + 1);
}

}  // namespace

std::string in_lines(ImFont* font, std::string_view text, float width) {
    std::string lines;
    float used = 0;
    while (!text.empty()) {
        if (text.front() == '\n') {
            lines += '\n';
            used = 0;
            text.remove_prefix(1);
            continue;
        }
        const std::string_view blanks = text.substr(0, std::min(text.find_first_not_of(' '), text.size()));
        text.remove_prefix(blanks.size());
        std::string_view word = text.substr(0, end_of_word(text, 0, " \n"));
        text.remove_prefix(word.size());
        if (used > 0 && used + text_width(font, blanks) + text_width(font, word) > width) {
            lines += '\n';
            used = 0;
        } else {
            lines += blanks;
            used += text_width(font, blanks);
        }
        while (used + text_width(font, word) > width) {
            const std::string_view part = beginning_that_fits(font, word, width - used);
            if (part.empty()) break;  // narrower than a character
            lines.append(part) += '\n';
            word.remove_prefix(part.size());
            used = 0;
        }
        lines += word;
        used += text_width(font, word);
    }
    return lines;
}

void text_item(ImFont* font, ImU32 colour, std::string_view text) { draw_item(font, colour, text, text); }

void text_wrapped(ImFont* font, ImU32 colour, std::string_view text, float width) {
    const float room = std::max(width > 0 ? width : ImGui::GetContentRegionAvail().x, 1.0f);
    draw_item(font, colour, in_lines(font, text, room), text);
}

namespace {

/// A run of a rich text where it is drawn: with its line, and its place from the text's corner.
struct RichPiece {
    ImFont* font = nullptr;
    std::string_view run;
    int line = 0;
    float x = 0, width = 0;  // `width` with the surface of code
    bool code = false;
};

/// Where a rich text ends in a given width.
struct RichExtent {
    float width = 0;
    int lines = 1, cuts = 0;  // `cuts`: ends of lines inside code
};

/// The space around code, inside its surface.
float code_pad(const Theme& theme) { return std::round(3 * theme.fonts.scale); }

/// Gives `place` every piece, line by line.
template <class Place>
RichExtent lay_out_rich(const Theme& theme, ImFont* words_font, ImFont* code_font, std::string_view text,
                        float width, Place&& place) {
    const float space = text_width(words_font, " "), pad = code_pad(theme);
    RichExtent extent;
    float x = 0;
    const auto next_line = [&] {
        x = 0;
        ++extent.lines;
    };
    bool code = false;
    // A run is the text between two blanks or backticks; a line breaks only at blanks between words.
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '`') {
            code = !code;
            ++i;
            continue;
        }
        if (text[i] == ' ' && !code) {
            x += space;
            ++i;
            continue;
        }
        if (text[i] == '\n') {
            next_line();
            ++i;
            continue;
        }
        std::size_t end = code ? std::min(text.find('`', i), text.size()) : end_of_word(text, i, " `\n");
        std::string_view run = text.substr(i, end - i);
        ImFont* font = code ? code_font : words_font;
        // What stands behind the code without a blank stays on its line.
        const std::string_view behind = code && end < text.size() ? text.substr(end + 1) : std::string_view();
        const float glue = text_width(words_font, behind.substr(0, behind.find_first_of(" `\n")));
        if (code && text_width(font, run) + 2 * pad + glue > width) {
            // Longer than a line: what fits, up to a blank where there is one.
            run = beginning_that_fits(font, run, width - x - 2 * pad);
            const bool cuts_a_word = i + run.size() < end && text[i + run.size()] != ' ' &&
                                     run.find(' ') == std::string_view::npos;
            if ((run.empty() || cuts_a_word) && x > 0) {
                next_line();
                continue;
            }
            if (run.empty()) run = text.substr(i, end - i);
            end = i + run.size();
        }
        const float run_width = text_width(font, run) + (code ? 2 * pad : 0);
        const bool is_cut = code && end < text.size() && text[end] != '`';
        if (is_cut) ++extent.cuts;
        const bool glued = i > 0 && text[i - 1] == '`' && !code;  // the comma after `code`
        if (x + run_width + (is_cut ? 0 : glue) > width && x > 0 && !glued) next_line();
        place(RichPiece{font, run, extent.lines - 1, x, run_width, code});
        x += run_width;
        extent.width = std::max(extent.width, x);
        i = end;
    }
    return extent;
}

/// The width of every line.
std::vector<float> line_widths(const Theme& theme, ImFont* words_font, ImFont* code_font,
                               std::string_view text, float width) {
    std::vector<float> widths;
    lay_out_rich(theme, words_font, code_font, text, width, [&](const RichPiece& piece) {
        widths.resize(static_cast<std::size_t>(piece.line) + 1);
        widths.back() = piece.x + piece.width;
    });
    return widths;
}

/// `indents`: how much further right each line begins; none: all at the left edge.
void draw_rich(const Theme& theme, ImFont* words_font, ImFont* code_font, ImU32 colour, std::string_view text,
               float width, const std::vector<float>& indents) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float line = std::round(std::max(text_height(words_font), text_height(code_font)) * 1.3f);
    const float pad = code_pad(theme);
    const ImU32 code_fill = with_alpha(theme.text, 0.08);
    const RichExtent extent =
        lay_out_rich(theme, words_font, code_font, text, width, [&](const RichPiece& piece) {
            const auto row = static_cast<std::size_t>(piece.line);
            const ImVec2 at{origin.x + piece.x + (row < indents.size() ? indents[row] : 0),
                            origin.y + line * static_cast<float>(piece.line)};
            if (piece.code)
                list.AddRectFilled({at.x, at.y + std::round(pad / 2)},
                                   {at.x + piece.width, at.y + line - std::round(pad / 2)}, code_fill, pad);
            list.AddText(piece.font, compat::font_size(piece.font),
                         {std::round(at.x + (piece.code ? pad : 0)),
                          at.y + std::round((line - text_height(piece.font)) / 2)},
                         colour, begin_of(piece.run), end_of(piece.run));
        });
    const float left = indents.empty() ? 0 : *std::ranges::min_element(indents);
    const float height = static_cast<float>(extent.lines) * line;
    ImGui::Dummy({left + extent.width, height});
    note_text(list, {origin.x + left, origin.y}, {origin.x + left + extent.width, origin.y + height}, text);
}

}  // namespace

void rich_text(const Theme& theme, ImFont* words_font, ImFont* code_font, ImU32 colour, std::string_view text,
               float width) {
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    draw_rich(theme, words_font, code_font, colour, text, width, {});
}

void rich_text_centred(const Theme& theme, ImFont* words_font, ImFont* code_font, ImU32 colour,
                       std::string_view text, float width) {
    const float even = even_width(theme, words_font, code_font, text, width);
    std::vector<float> indents = line_widths(theme, words_font, code_font, text, even);
    for (float& of_line : indents) of_line = std::round(std::max(0.0f, (width - of_line) / 2));
    // Lines as in `even`, each moved right by its indent.
    draw_rich(theme, words_font, code_font, colour, text, even, indents);
}

float even_width(const Theme& theme, ImFont* words_font, ImFont* code_font, std::string_view text,
                 float width) {
    const auto extent_in = [&](float in) {
        return lay_out_rich(theme, words_font, code_font, text, in, [](const RichPiece&) {});
    };
    const RichExtent full = extent_in(width);
    if (full.lines == 1) return width;
    // Fewer lines never need less width, so that halving finds the least width with as many lines.
    float enough = width, too_little = width / static_cast<float>(full.lines + 1);
    while (enough - too_little > 1) {
        const float middle = (enough + too_little) / 2;
        const RichExtent found = extent_in(middle);
        (found.lines <= full.lines && found.cuts <= full.cuts ? enough : too_little) = middle;
    }
    return enough;
}

}  // namespace warplens::app
