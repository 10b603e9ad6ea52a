#include "app/views/passes/sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "app/ui/hit_boxes.h"
#include "app/ui/ink.h"
#include "app/ui/legend.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

/// Without the kernel's own text and all passes together.
std::span<const PassText> single_passes(const ModePasses& mode) {
    if (mode.passes.size() < 3) return {};
    return std::span(mode.passes).subspan(1, mode.passes.size() - 2);
}

/// A pass of one or both runs; null: the run has none of this name.
struct PassOfRuns {
    std::string_view name;
    const PassText *now = nullptr, *before = nullptr;
};

std::vector<PassOfRuns> passes_of_runs(const ModePasses& mode, const PassesBefore* before) {
    std::vector<PassOfRuns> all;
    for (const PassText& pass : single_passes(mode)) all.push_back({pass.name, &pass, nullptr});
    if (!before) return all;
    for (const PassText& pass : single_passes(before->mode)) {
        const auto same = std::ranges::find(all, pass.name, &PassOfRuns::name);
        if (same != all.end()) same->before = &pass;
        else all.push_back({pass.name, nullptr, &pass});
    }
    // Of two runs, only what changes the text of one.
    std::erase_if(all, [](const PassOfRuns& pass) {
        const auto changes = [](const PassText* of) { return of && of->added + of->removed > 0; };
        return !changes(pass.now) && !changes(pass.before);
    });
    return all;
}

std::string words_of(const PassOfRuns& pass, bool two_runs) {
    const std::string now = pass.now ? pass_sum_words(*pass.now) : "none";
    if (!two_runs) return now;
    const std::string before = pass.before ? pass_sum_words(*pass.before) : "none";
    return before == now ? now : before + " → " + now;
}

std::uint32_t added_by(const PassText* pass) { return pass ? pass->added : 0; }

}  // namespace

std::string pass_sum_words(const PassText& pass) {
    return pass.removed > 0 ? fmt::format("+{} −{}", grouped(pass.added), grouped(pass.removed))
                            : fmt::format("+{}", grouped(pass.added));
}

void draw_pass_sums(const Theme& theme, const ModePasses& mode, const PassesBefore* before) {
    const std::vector<PassOfRuns> passes = passes_of_runs(mode, before);
    if (passes.empty()) return;
    const Ink ink{ImGui::GetWindowDrawList(), theme};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, gap = ink.px(28);
    const float line = text_height(theme.fonts.words) + ink.px(4);
    const auto columns =
        static_cast<std::size_t>(std::clamp(std::floor((room + gap) / (ink.px(before ? 420 : 340) + gap)),
                                            1.0f, static_cast<float>(passes.size())));
    const std::size_t rows = (passes.size() + columns - 1) / columns;
    const float width = (room + gap) / static_cast<float>(columns) - gap;
    float names = 0, numbers = 0;
    std::uint32_t most = 1;
    for (const PassOfRuns& pass : passes) {
        names = std::max(names, text_width(theme.fonts.words, pass.name));
        numbers = std::max(numbers, text_width(theme.fonts.code, words_of(pass, before != nullptr)));
        most = std::max({most, added_by(pass.now), added_by(pass.before)});
    }
    const float least_bar = ink.px(60);
    names = std::min(names + ink.px(12), std::max(width * 0.5f, width - numbers - ink.px(8) - least_bar));
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const float x = at.x + (width + gap) * static_cast<float>(i / rows);
        const float y = at.y + line * static_cast<float>(i % rows);
        Box row{x, y, x + width, y + line};
        hit_box(fmt::format("passes pass {}", i + 1), row.min(), row.max());
        ink.text(row.take_left(names), passes[i].name, theme.fonts.words, theme.text);
        ink.text(row.take_right(numbers + ink.px(8)), words_of(passes[i], before != nullptr),
                 theme.fonts.code, theme.text, Align::right);
        const auto bar = [&](const PassText* pass, float top, float bottom) {
            const float share = static_cast<float>(added_by(pass)) / static_cast<float>(most);
            return Box{row.x0, top, row.x0 + row.width() * share, bottom};
        };
        if (!before) {
            ink.fill(bar(passes[i].now, row.y0 + ink.px(6), row.y1 - ink.px(6)), theme.ideal, ink.px(2));
            continue;
        }
        const float middle = row.centre().y;
        const Box was = bar(passes[i].before, row.y0 + ink.px(3), middle - ink.px(1));
        if (was.width() > 0) ink.outline(was, theme.text_dim, ink.px(1), ink.px(1));
        ink.fill(bar(passes[i].now, middle + ink.px(1), row.y1 - ink.px(3)), theme.ideal, ink.px(1));
        hit_box(fmt::format("passes before bar {}", i + 1), was.min(), was.max());
    }
    ImGui::Dummy({room, line * static_cast<float>(rows) + ink.px(8)});
    if (!before) return;
    const LegendEntry entries[] = {
        {theme.text_dim, fmt::format("lines added in {}", before->name), LegendEntry::Shape::outlined},
        {theme.ideal, fmt::format("lines added in {}", before->other_name)}};
    legend(theme, entries);
}

}  // namespace warplens::app
