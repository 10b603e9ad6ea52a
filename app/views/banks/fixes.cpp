// The wavefronts of other layouts of the shown array: a table, best first, and the change to make.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/banks/parts.h"

namespace warplens::app {
namespace {

using analysis::BankFix;
using analysis::BankFixes;

constexpr std::size_t columns = 4;
constexpr std::array<const char*, columns> titles{"wavefronts", "worst ways", "bytes", "blocks per SM"};
constexpr std::array<float, columns> widths{104, 84, 80, 92};
constexpr float name_width = 150, row_height = 21;

/// How many of the columns fit next to the name; the cost and its bytes have priority.
std::array<bool, columns> columns_shown(const Ink& ink, float width) {
    std::array<bool, columns> shown{};
    float left = width - ink.px(name_width);
    for (const std::size_t column : {0u, 2u, 1u, 3u}) {
        left -= ink.px(widths[column]);
        shown[column] = left >= 0 || column == 0;
    }
    return shown;
}

std::array<std::string, columns> figures_of(const BankFix& fix) {
    return {grouped(fix.wavefronts), decimal(fix.conflict_ways), grouped(fix.bytes),
            grouped(static_cast<std::uint64_t>(std::max(0, fix.blocks_per_sm)))};
}

/// The best ones that fit; the current layout stays in sight.
std::vector<const BankFix*> rows_for(const BankFixes& fixes, std::size_t room) {
    std::vector<const BankFix*> rows = analysis::distinct_fixes(fixes);
    std::erase_if(rows, [](const BankFix* fix) { return !fix->refused.empty(); });
    const bool has_now = std::ranges::any_of(rows, &BankFix::changes_nothing);
    if (!has_now) {
        const auto after = std::ranges::find_if(
            rows, [&](const BankFix* fix) { return fix->wavefronts > fixes.now.wavefronts; });
        rows.insert(after, &fixes.now);
    }
    while (rows.size() > std::max<std::size_t>(room, 2)) {
        auto last = std::prev(rows.end());
        if ((*last)->changes_nothing()) --last;
        rows.erase(last);
    }
    return rows;
}

void draw_row(const Ink& ink, const BankFixes& fixes, const BankFix& fix, const Box& box,
              const std::array<bool, columns>& shown) {
    const Theme& theme = ink.theme;
    const bool best = fixes.gains() && &fix == &fixes.best();
    if (best) {
        ink.fill(box, with_alpha(theme.ideal, 0.14), ink.px(3));
        ink.outline(box, theme.ideal, ink.px(1), ink.px(3));
    }
    // The share of the current wavefronts that remains, as a bar if there is room for one.
    const double most = static_cast<double>(std::max<std::uint64_t>(
        1, fixes.ranked.empty() ? fixes.now.wavefronts : std::max(fixes.now.wavefronts, fix.wavefronts)));
    Box row = box;
    row.x0 += ink.px(8), row.x1 -= ink.px(8);
    const auto figures = figures_of(fix);
    Box cells = row;
    for (std::size_t i = columns; i-- > 0;) {
        if (!shown[i]) continue;
        Box cell = cells.take_right(ink.px(widths[i]));
        const bool costs = i <= 1 && fix.wavefronts > fixes.ideal_wavefronts;
        ink.text(cell, figures[i], theme.fonts.code,
                 i > 1   ? theme.text
                 : costs ? theme.cost
                         : theme.ideal,
                 Align::right);
    }
    if (Box bar = cells; bar.width() > ink.px(name_width + 90)) {
        bar.take_left(ink.px(name_width + 24));
        const ImU32 colour = fix.wavefronts > fixes.ideal_wavefronts ? theme.cost : theme.ideal;
        ink.fill(
            {bar.x0, bar.y0 + ink.px(6),
             bar.x0 + bar.width() * static_cast<float>(double(fix.wavefronts) / most), bar.y1 - ink.px(6)},
            colour, ink.px(2));
    }
    std::string name = name_of(fix, fixes.array);
    if (fix.changes_nothing()) name += " now";
    ink.text(cells, name, theme.fonts.code, theme.text);
}

/// "128 B more", "256 B less"
std::string size_change(const BankFix& fix, const analysis::SharedArray& array) {
    return fix.bytes >= array.bytes ? bytes_words(fix.bytes - array.bytes) + " more"
                                    : bytes_words(array.bytes - fix.bytes) + " less";
}

/// The sentences under the table; the second where a pad does nearly as well as a swizzle.
std::vector<std::string> changes_of(const BankFixRun& run) {
    const BankFixes& fixes = run.fixes;
    if (!fixes.gains())
        return {fixes.now.wavefronts == fixes.ideal_wavefronts
                    ? "No change needed: every request takes its ideal number of wavefronts."
                    : "No change helps: no padding and no swizzle takes fewer wavefronts."};
    const BankFix& best = fixes.best();
    std::vector<std::string> lines{fmt::format("Recommended change: `{}`", change_of(best, fixes.array))};
    if (const BankFix* pad = fixes.best_pad(); pad && best.is_swizzle())
        lines.push_back(fmt::format("Alternative with {}: `{}`", size_change(*pad, fixes.array),
                                    change_of(*pad, fixes.array)));
    return lines;
}

}  // namespace

std::string shared_array_of(const trace::Trace& trace, std::uint64_t access) {
    const std::string name = analysis::shared_layout(trace, access).variable;
    return name == "shared memory" ? std::string() : name;
}

BankFixAnswer draw_bank_fixes(const Ink& ink, const BankFixState& state, bool interactive, const Box& whole) {
    const Theme& theme = ink.theme;
    BankFixAnswer answer;
    Box box = whole;
    Box head = box.take_top(std::max(ink.px(26), interactive ? control_height(theme) : 0));
    if (interactive) {
        const float width = text_button_width(theme, "back");
        ImGui::SetCursorScreenPos({head.x1 - width, head.y0});
        answer.closed =
            text_button(theme, "close paddings", "back", "Return to the heatmap of all requests.");
        head.x1 -= width + ink.px(8);
    }
    if (!state.found) {
        ink.heading(head, {state.running ? "Trying paddings and swizzles …" : "No layout could be tried"});
        ImGui::SetCursorScreenPos({box.x0, box.y0 + ink.px(4)});
        if (!state.running) text_wrapped(theme.fonts.words, theme.text_dim, state.failure, box.width());
        return answer;
    }
    const BankFixRun& run = *state.found;
    const BankFixes& fixes = run.fixes;
    const std::string requests = counted(fixes.requests, "request");
    ink.heading(head,
                {fmt::format("Alternative layouts of {}: wavefronts of its {}", fixes.array.name, requests),
                 fmt::format("Alternative layouts of {}, {}", fixes.array.name, requests),
                 fmt::format("Alternative layouts of {}", fixes.array.name)});
    const auto lines = changes_of(run);
    const float line_height = std::round(text_height(theme.fonts.words) * 1.35f);
    const bool knob = interactive && run.setting.has_value();
    Box foot = box.take_bottom(line_height * static_cast<float>(lines.size()) + ink.px(8) +
                               (knob ? control_height(theme) + ink.px(6) : 0));
    const auto shown = columns_shown(ink, box.width());
    Box titles_row = box.take_top(ink.px(20));
    titles_row.x0 += ink.px(8), titles_row.x1 -= ink.px(8);
    for (std::size_t i = columns; i-- > 0;)
        if (shown[i])
            ink.text(titles_row.take_right(ink.px(widths[i])), titles[i], theme.fonts.small, theme.text_dim,
                     Align::right);
    ink.text(titles_row, "change", theme.fonts.small, theme.text_dim);
    const auto room = static_cast<std::size_t>(std::max(0.0f, box.height() / ink.px(row_height)));
    std::size_t number = 0;
    for (const BankFix* fix : rows_for(fixes, room)) {
        const Box row = box.take_top(ink.px(row_height));
        const std::string name = fmt::format("padding {}", number++);
        const auto setting = run.settings.find(fix->pad);
        if (interactive && !fix->is_swizzle() && setting != run.settings.end()) {
            ImGui::SetCursorScreenPos(row.min());
            if (invisible_button(name.c_str(), {row.width(), row.height()})) answer.set = setting->second;
            if (ImGui::IsItemHovered()) {
                ink.fill(row, theme.hovered, ink.px(3));
                tooltip_card(theme, fmt::format("Click to set `{} {}`.", setting->second.first,
                                                setting->second.second));
            }
        }
        draw_row(ink, fixes, *fix, row, shown);
        hit_box(name, row.min(), row.max());
    }
    foot.y0 = box.y0;  // right below the rows
    foot.take_top(ink.px(8));
    for (const std::string& line : lines) {
        std::vector<TextRun> runs;
        for (std::size_t begin = 0, part = 0; begin <= line.size(); ++part) {
            const std::size_t end = std::min(line.find('`', begin), line.size());
            if (end > begin)
                runs.push_back({line.substr(begin, end - begin),
                                part % 2 ? theme.fonts.code : theme.fonts.words, theme.text, part % 2 == 1});
            begin = end + 1;
        }
        ink.paragraph(foot.min(), foot.width(), runs, 1);
        foot.take_top(line_height);
    }
    if (knob) {
        const std::string words = run.setting->first + " " + run.setting->second;
        ImGui::SetCursorScreenPos({foot.x0, foot.y0 + ink.px(4)});
        if (text_button(theme, "padding knob", words, "The kernel has a knob that sets this padding."))
            answer.set = run.setting;
    }
    return answer;
}

}  // namespace warplens::app
