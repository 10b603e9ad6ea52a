#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/time/time_resolution.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/ink.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/whatif/parts.h"

namespace warplens::app {
namespace {

constexpr const char *set_words = "set", *unset_words = "unset";

float table_row_height(const Theme& theme) { return std::round(30 * theme.fonts.scale); }

/// A heading where `answer` is null.
struct TableRow {
    const WhatIfAnswer* answer = nullptr;
    const char* heading = "";
};

/// Changes that the kernel's author can make, changes that need other hardware, and changes without effect
/// here; each group by effect.
std::vector<TableRow> table_rows(const WhatIf& what_if) {
    std::vector<TableRow> rows;
    const auto order = by_effect(what_if);
    const auto group = [&](const char* heading, auto&& belongs) {
        const std::size_t begin = rows.size();
        for (const std::size_t at : order)
            if (belongs(what_if.answers[at])) rows.push_back({&what_if.answers[at]});
        if (rows.size() > begin)
            rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(begin), TableRow{nullptr, heading});
    };
    group("If only the kernel changed",
          [](const WhatIfAnswer& answer) { return answer.moot.empty() && answer.of_kernel; });
    group("If only the GPU or its state changed",
          [](const WhatIfAnswer& answer) { return answer.moot.empty() && !answer.of_kernel; });
    group("No effect here", [](const WhatIfAnswer& answer) { return !answer.moot.empty(); });
    return rows;
}

/// Right and left edges of the table's columns, in pixels of the screen.
struct Columns {
    float title_end, bars, bars_end, cycles_end, effect_end, button;
    double most;  // cycles at bars_end

    float x_of(double cycles) const {
        return bars + (bars_end - bars) * static_cast<float>(std::clamp(cycles / most, 0.0, 1.0));
    }
};

/// A picture has no buttons.
Columns columns_of(const Ink& ink, const WhatIf& what_if, const WhatIfGhost& ghost, float left, float right,
                   bool interactive) {
    const Theme& theme = ink.theme;
    float titles = 0, cycles = text_width(theme.fonts.code, cycle_count(what_if.baseline_cycles));
    double most = what_if.baseline_cycles;
    for (const WhatIfAnswer& answer : what_if.answers) {
        titles = std::max(titles, text_width(theme.fonts.words, answer.title));
        cycles = std::max(cycles, text_width(theme.fonts.code, cycle_count(answer.cycles)));
        most = std::max({most, answer.cycles, ghost.cycles(answer)});
    }
    if (ghost.what_if) most = std::max(most, ghost.what_if->baseline_cycles);
    Columns columns{};
    columns.title_end = left + std::min(std::ceil(titles), (right - left) * 0.32f);
    columns.button = interactive ? right - text_button_width(theme, unset_words) : right;
    columns.effect_end = columns.button - ink.px(interactive ? 16 : 0);
    columns.cycles_end =
        columns.effect_end - std::ceil(text_width(theme.fonts.code, "no change")) - ink.px(12);
    columns.bars = columns.title_end + ink.px(16);
    columns.bars_end =
        std::max(columns.cycles_end - std::ceil(cycles) - ink.px(16), columns.bars + ink.px(40));
    columns.most = std::max(most, 1.0);
    return columns;
}

/// The cycles of the launch, and the cycles that it would save (hatched, up to the baseline) or lose.
/// The other run's bar, a little higher, so that it stays in sight behind this run's.
void draw_ghost(const Ink& ink, const Columns& columns, double cycles, const Box& row) {
    if (cycles <= 0) return;
    const float half = ink.px(10), middle = row.centre().y;
    const Box ghost{columns.bars, middle - half, columns.x_of(cycles), middle + half};
    ink.fill(ghost, with_alpha(ink.theme.text, 0.06), ink.px(2));
    ink.outline(ghost, ink.theme.text_dim, ink.px(1), ink.px(2));
}

void draw_bar(const Ink& ink, const Columns& columns, const WhatIf& what_if, double cycles, const Box& row) {
    const float height = ink.px(12), middle = row.centre().y;
    const float now = columns.x_of(what_if.baseline_cycles), then = columns.x_of(cycles);
    const auto band = [&](float from, float to) {
        return Box{from, middle - height / 2, to, middle + height / 2};
    };
    ink.fill(band(columns.bars, std::min(now, then)), mix(ink.theme.panel, ink.theme.text, 0.34), ink.px(2));
    if (then < now - 0.5f) {
        ink.hatch(band(then, now), ink.theme.ideal, 4);
        ink.outline(band(then, now), ink.theme.ideal, ink.px(1));
    } else if (then > now + 0.5f) {
        ink.fill(band(now, then), ink.theme.cost);
    }
}

void draw_answer(const Ink& ink, const Columns& columns, const WhatIf& what_if, double ghost,
                 const WhatIfAnswer& answer, const Box& row) {
    const Theme& theme = ink.theme;
    const bool asked = answer.cycles > 0;
    Box title{row.x0, row.y0, columns.title_end, row.y1};
    ink.text(title, answer.title, theme.fonts.words, asked ? theme.text : theme.text_dim);
    if (!asked) {
        const std::string why = !answer.moot.empty()      ? answer.moot
                                : !answer.failure.empty() ? answer.failure
                                                          : "running the model …";
        const float left = ghost > 0 ? columns.x_of(ghost) + ink.px(8) : columns.bars;
        ink.text({left, row.y0, columns.effect_end, row.y1}, why, theme.fonts.small,
                 answer.failure.empty() ? theme.text_dim : theme.error);
        return;
    }
    draw_bar(ink, columns, what_if, answer.cycles, row);
    ink.text({columns.bars_end, row.y0, columns.cycles_end, row.y1}, cycle_count(answer.cycles),
             theme.fonts.code, theme.text, Align::right);
    const std::string effect = effect_words(what_if.baseline_cycles, answer.cycles);
    ink.text({columns.cycles_end, row.y0, columns.effect_end, row.y1}, effect, theme.fonts.code,
             effect_colour(theme, what_if.baseline_cycles, answer.cycles), Align::right);
}

void explain(const Theme& theme, const WhatIf& what_if, const WhatIfGhost& ghost,
             const WhatIfAnswer& answer) {
    std::string sentence = answer.title + ": " + answer.meaning + ".";
    if (!answer.moot.empty()) sentence += " It has no effect here: " + answer.moot + ".";
    if (answer.cycles <= 0) {
        tooltip_card(theme, sentence);
        return;
    }
    std::vector<std::string> lines{
        fmt::format("{} / {} − 1 = {}{} %", cycle_count(answer.cycles), cycle_count(what_if.baseline_cycles),
                    answer.cycles < what_if.baseline_cycles ? "−" : "",
                    decimal(std::abs(answer.cycles / what_if.baseline_cycles - 1) * 100))};
    if (const double was = ghost.cycles(answer); was > 0)
        lines.push_back(fmt::format("{}: {} → {} cycles, {}", ghost.name,
                                    cycle_count(ghost.what_if->baseline_cycles), cycle_count(was),
                                    effect_words(ghost.what_if->baseline_cycles, was)));
    tooltip_card(theme, sentence, lines);
}

}  // namespace

ImU32 effect_colour(const Theme& theme, double before, double after) {
    if (analysis::same_time(before, after, analysis::model_error)) return theme.text_dim;
    return after < before ? theme.ideal : theme.cost;
}

std::string cycle_count(double cycles) {
    return grouped(static_cast<std::uint64_t>(std::llround(std::max(cycles, 0.0))));
}

double WhatIfGhost::cycles(const WhatIfAnswer& answer) const {
    if (!what_if) return 0;
    const auto same = std::ranges::find(what_if->answers, answer.name, &WhatIfAnswer::name);
    return same == what_if->answers.end() ? 0 : same->cycles;
}

float what_if_table_height(const Theme& theme, const WhatIf& what_if) {
    return table_row_height(theme) * static_cast<float>(table_rows(what_if).size());
}

std::optional<TimingOptions> what_if_table(const Theme& theme, const WhatIf& what_if,
                                           const WhatIfGhost& ghost, const TimingOptions& options,
                                           float height, bool interactive) {
    std::optional<TimingOptions> turned;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, row_step = table_row_height(theme);
    const Ink ink{ImGui::GetWindowDrawList(), theme};
    const Columns columns = columns_of(ink, what_if, ghost, origin.x, origin.x + width, interactive);
    const std::vector<TableRow> rows = table_rows(what_if);
    const auto room = static_cast<std::size_t>(std::max(height / row_step + 0.01f, 1.0f));
    std::size_t shown = rows.size() <= room ? rows.size() : room - std::min<std::size_t>(room, 1);
    while (shown > 0 && rows[shown - 1].answer == nullptr) --shown;  // no heading without a row
    const float now = columns.x_of(what_if.baseline_cycles);

    for (std::size_t i = 0; i < shown; ++i) {
        const float y = origin.y + row_step * static_cast<float>(i);
        const Box row{origin.x, y, origin.x + width, y + row_step};
        if (rows[i].answer == nullptr) {
            ink.text({row.x0, row.y0, columns.bars_end, row.y1}, rows[i].heading, theme.fonts.words,
                     theme.text_dim);
            continue;
        }
        const WhatIfAnswer& answer = *rows[i].answer;
        const bool hovered = interactive && ImGui::IsWindowHovered() &&
                             ImGui::IsMouseHoveringRect({row.x0, row.y0}, {columns.button, row.y1});
        if (hovered) ink.fill(row, theme.hovered, ink.px(3));
        draw_ghost(ink, columns, ghost.cycles(answer), row);
        draw_answer(ink, columns, what_if, ghost.cycles(answer), answer, row);
        if (answer.cycles > 0) ink.line({now, row.y0}, {now, row.y1}, theme.text, ink.px(1.5f));
        if (answer.cycles > 0 && interactive) {
            const bool on = is_turned(options, answer.options);
            ImGui::SetCursorScreenPos({columns.button, y + ink.px(1)});
            if (text_button(theme, "whatif set " + answer.name, on ? unset_words : set_words, ""))
                turned = with_question(options, answer.options, !on);
        }
        hit_box("whatif question " + answer.name, row.min(), row.max());
        if (hovered) explain(theme, what_if, ghost, answer);
    }
    // Over the first bars, the meaning of the mark through them.
    std::string baseline = fmt::format("unchanged: {} cycles", cycle_count(what_if.baseline_cycles));
    if (ghost.what_if)
        baseline += fmt::format(" · outlined: {}, unchanged {} cycles", ghost.name,
                                cycle_count(ghost.what_if->baseline_cycles));
    const float baseline_width = text_width(theme.fonts.small, baseline);
    const float heading_end =
        origin.x + text_width(theme.fonts.words, rows.empty() ? "" : rows.front().heading) + ink.px(12);
    draw_text(*ink.list, theme.fonts.small,
              {std::max({now - baseline_width, columns.bars, heading_end}), origin.y + ink.px(8)}, theme.text,
              baseline);
    const float bottom = origin.y + row_step * static_cast<float>(shown);
    if (shown < rows.size())
        draw_text(*ink.list, theme.fonts.small, {origin.x, bottom + ink.px(6)}, theme.text_dim,
                  fmt::format("{} more in a taller view",
                              std::count_if(rows.begin() + static_cast<std::ptrdiff_t>(shown), rows.end(),
                                            [](const TableRow& row) { return row.answer != nullptr; })));
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({width, row_step * static_cast<float>(std::min(room, rows.size()))});
    return turned;
}

}  // namespace warplens::app
