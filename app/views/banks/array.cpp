#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/banks/parts.h"

namespace warplens::app {
namespace {

std::string array_words(const analysis::SharedLayout& layout) {
    return layout.pitch_known ? fmt::format("{}[{}][{}]", layout.variable, layout.rows, layout.columns)
                              : layout.variable;
}

/// The bank's colour, or one between two banks' where the rows are on their way to another pitch.
ImU32 cell_colour(const Theme& theme, const analysis::SharedLayout& layout, std::uint32_t row,
                  std::uint32_t column, double pitch_words) {
    const double moved = row * (pitch_words - layout.pitch_bytes / double(analysis::bank_bytes));
    const int bank = layout.at(row, column).bank;
    if (moved == 0) return theme.bank(bank);
    const double at = std::floor(moved);
    const int lower = bank + static_cast<int>(at);  // Theme::bank takes any integer modulo 32
    return mix(theme.bank(lower), theme.bank(lower + 1), moved - at);
}

}  // namespace

BankFocus draw_bank_array(const BanksPart& part, const analysis::SharedLayout& layout, double pitch_words,
                          const Box& box) {
    const Ink& ink = part.ink;
    const Theme& theme = ink.theme;
    ImFont* small = theme.fonts.small;
    BankFocus hit;
    if (layout.cells.empty() || layout.rows == 0 || layout.columns == 0) return hit;
    Box rest = box;
    const Box caption = rest.take_top(ink.px(22));
    const Box legend = rest.take_bottom(ink.px(20));
    const bool labels = rest.height() / static_cast<float>(layout.rows) >= ink.px(3);
    const float left = labels ? text_width(small, std::to_string(layout.rows - 1)) + ink.px(8) : 0;
    const float top = labels ? ink.px(14) : 0;
    const auto rows = static_cast<float>(layout.rows), columns = static_cast<float>(layout.columns);
    float width = (rest.width() - left) / columns, height = (rest.height() - top) / rows;
    width = std::min(width, std::max(height * 1.5f, 2.0f));
    height = std::min(height, width * 1.3f);
    if (width >= 4) width = std::floor(width);
    if (height >= 4) height = std::floor(height);
    const ImVec2 origin{rest.x0 + left, rest.y0 + top};
    const auto cell_at = [&](std::uint32_t row, std::uint32_t column) {
        const float x = origin.x + width * static_cast<float>(column);
        const float y = origin.y + height * static_cast<float>(row);
        const float gap = width >= 6 ? 1.0f : 0.0f;
        return Box{std::round(x), std::round(y), std::round(x + width) - gap, std::round(y + height) - gap};
    };

    {
        const std::string name = array_words(layout);
        const float x = origin.x + ink.px(2), after = x + text_width(theme.fonts.code, name) + ink.px(6);
        const std::array<TextRun, 1> code{TextRun{name, theme.fonts.code, theme.text, true}};
        ink.paragraph({x, caption.y0}, caption.x1 - x, code, 1);
        const std::string rows =
            layout.truncated ? fmt::format(", first {} rows", layout.rows) : std::string();
        const Box words{after, caption.y0, caption.x1, caption.y1};
        if (layout.pitch_known)
            ink.heading(words, {fmt::format("memory layout{}", rows), fmt::format("in memory{}", rows), ""});
        else ink.heading(words, {fmt::format("in rows of {} words{}", layout.columns, rows), ""});
    }

    const LaneMask focus = focused_lanes(part.request, part.focus);
    const bool dim_some = !(focus == part.request.lanes);
    // All numbers or none: numbers in only some of the cells would look meaningful.
    float widest = 0;
    for (int number = 0; number < analysis::bank_count; ++number)
        widest = std::max(widest, text_width(small, std::to_string(number)));
    const bool numbered = widest <= cell_at(0, 0).width();
    for (std::uint32_t row = 0; row < layout.rows; ++row) {
        for (std::uint32_t column = 0; column < layout.columns; ++column) {
            const analysis::SharedCell& cell = layout.at(row, column);
            if (cell.address >= layout.base + layout.bytes) continue;
            const Box where = cell_at(row, column);
            const ImU32 full = cell_colour(theme, layout, row, column, pitch_words);
            const bool lit = !cell.lanes.empty();
            const bool in_focus = !(cell.lanes & focus).empty();
            const ImU32 colour = lit && in_focus ? full : mix(full, theme.background, lit ? 0.35 : 0.62);
            const bool padding = column >= layout.columns_used;
            if (padding) {
                ink.fill(where, mix(full, theme.background, 0.84));
                ink.hatch(where, mix(full, theme.background, 0.3), 4);
            } else {
                ink.fill(where, colour);
                // An element wider than a bank spans several.
                const std::uint32_t words = layout.cell_bytes / 4;
                for (std::uint32_t k = 1; k < words; ++k) {
                    const float x =
                        where.x0 + where.width() * static_cast<float>(k) / static_cast<float>(words);
                    const ImU32 next = theme.bank((cell.bank + static_cast<int>(k)) % analysis::bank_count);
                    ink.fill({x, where.y0, where.x1, where.y1},
                             lit && in_focus ? next : mix(next, theme.background, lit ? 0.35 : 0.62));
                }
            }
            if (!lit && !padding && numbered)
                ink.text_if_fits(where, std::to_string(cell.bank), small,
                                 with_alpha(theme.name == ThemeName::dark ? theme.text : theme.text, 0.55));
            if (part.mouse && where.has(*part.mouse)) {
                if (lit) hit.lane = cell.lanes.lowest();
                else hit.bank = cell.bank;
            }
        }
    }
    // Lanes last, so that their outlines cover the neighbors.
    for (std::uint32_t row = 0; row < layout.rows; ++row) {
        for (std::uint32_t column = 0; column < layout.columns; ++column) {
            const analysis::SharedCell& cell = layout.at(row, column);
            if (cell.lanes.empty()) continue;
            const Box where = cell_at(row, column);
            const bool in_focus = !(cell.lanes & focus).empty();
            const ImU32 full = cell_colour(theme, layout, row, column, pitch_words);
            const std::string words = cell.lanes.count() == 1 ? std::to_string(cell.lanes.lowest())
                                                              : fmt::format("×{}", cell.lanes.count());
            if (numbered) ink.text_if_fits(where, words, small, theme.text_on(full));
            const float thick = width >= 12 ? ink.px(2) : ink.px(1);
            ink.outline({where.x0 - 1, where.y0 - 1, where.x1 + 1, where.y1 + 1},
                        dim_some && !in_focus ? with_alpha(theme.selected, 0.35) : theme.selected, thick);
            if (part.chosen_lane >= 0 && cell.lanes.has(part.chosen_lane))
                ink.outline(where.inset(-ink.px(3)), theme.selected, ink.px(2), ink.px(2));
        }
    }

    if (labels) {
        const auto every = [&](std::uint32_t count, float size, float text) {
            std::uint32_t step = 1;
            while (size * static_cast<float>(step) < text && step < count) step *= 2;
            return step;
        };
        const std::uint32_t row_step = every(layout.rows, height, text_height(small) + ink.px(2));
        for (std::uint32_t row = 0; row < layout.rows; row += row_step) {
            const Box cell = cell_at(row, 0);
            const float y = cell.centre().y, half = text_height(small) / 2;
            ink.text({rest.x0, y - half, origin.x - ink.px(6), y + half}, std::to_string(row), small,
                     theme.text_dim, Align::right);
        }
        const std::uint32_t column_step =
            every(layout.columns, width, text_width(small, std::to_string(layout.columns)) + ink.px(6));
        for (std::uint32_t column = 0; column < layout.columns; column += column_step) {
            const Box cell = cell_at(0, column);
            const float half = std::max(width, text_width(small, "000")) / 2;
            ink.text({cell.centre().x - half, origin.y - top, cell.centre().x + half, origin.y},
                     std::to_string(column), small, theme.text_dim, Align::centre);
        }
    }

    // Legend, in one line: the bank colours, the lane mark, padding.
    {
        const float bottom = origin.y + height * rows;
        Box line{legend.x0 + left, std::min(bottom + ink.px(4), legend.y0), legend.x1, 0};
        line.y1 = line.y0 + ink.px(18);
        const auto words = [&](const std::string& text) {
            line.x0 += ink.text(line, text, small, theme.text_dim) + ink.px(6);
        };
        const auto swatch = [&](float size) {
            const Box box{line.x0, std::round(line.centre().y - size / 2), line.x0 + size,
                          std::round(line.centre().y + size / 2)};
            line.x0 += size + ink.px(5);
            return box;
        };
        words("bank 0");
        for (int bank = 0; bank < 32; ++bank) {
            const float w = ink.px(3);
            ink.fill({line.x0, line.y0 + ink.px(4), line.x0 + w, line.y1 - ink.px(4)}, theme.bank(bank));
            line.x0 += w;
        }
        line.x0 += ink.px(5);
        words("31");
        line.x0 += ink.px(8);
        const auto entry_fits = [&](const char* text) {
            return line.x0 + ink.px(17) + text_width(small, text) <= line.x1;
        };
        if (entry_fits("a lane's element")) {
            ink.outline(swatch(ink.px(12)), theme.selected, ink.px(2));
            words("a lane's element");
            line.x0 += ink.px(8);
        }
        if (layout.columns_used < layout.columns && entry_fits("padding")) {
            const Box box = swatch(ink.px(12));
            ink.fill(box, mix(theme.inactive, theme.background, 0.8));
            ink.hatch(box, theme.inactive, 4);
            words("padding");
        }
    }
    return hit;
}

}  // namespace warplens::app
