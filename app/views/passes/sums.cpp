#include "app/views/passes/sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/ui/hit_boxes.h"
#include "app/ui/ink.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

void draw_pass_sums(const Theme& theme, const ModePasses& mode) {
    if (mode.passes.size() < 3) return;
    // Without the kernel's own text and all passes together.
    const auto passes = std::span(mode.passes).subspan(1, mode.passes.size() - 2);
    const Ink ink{ImGui::GetWindowDrawList(), theme};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, gap = ink.px(28);
    const float line = text_height(theme.fonts.words) + ink.px(4);
    const auto columns = static_cast<std::size_t>(
        std::clamp(std::floor((room + gap) / (ink.px(340) + gap)), 1.0f, static_cast<float>(passes.size())));
    const std::size_t rows = (passes.size() + columns - 1) / columns;
    const float width = (room + gap) / static_cast<float>(columns) - gap;
    float names = 0, numbers = 0;
    std::uint32_t most = 1;
    const auto number_of = [](const PassText& pass) {
        return pass.removed > 0 ? fmt::format("+{} −{}", grouped(pass.added), grouped(pass.removed))
                                : fmt::format("+{}", grouped(pass.added));
    };
    for (const PassText& pass : passes) {
        names = std::max(names, text_width(theme.fonts.words, pass.name));
        numbers = std::max(numbers, text_width(theme.fonts.code, number_of(pass)));
        most = std::max(most, pass.added);
    }
    names = std::min(names + ink.px(12), width * 0.5f);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const float x = at.x + (width + gap) * static_cast<float>(i / rows);
        const float y = at.y + line * static_cast<float>(i % rows);
        Box row{x, y, x + width, y + line};
        hit_box(fmt::format("passes pass {}", i + 1), row.min(), row.max());
        ink.text(row.take_left(names), passes[i].name, theme.fonts.words, theme.text);
        ink.text(row.take_right(numbers + ink.px(8)), number_of(passes[i]), theme.fonts.code, theme.text,
                 Align::right);
        const float share = static_cast<float>(passes[i].added) / static_cast<float>(most);
        ink.fill({row.x0, row.y0 + ink.px(6), row.x0 + row.width() * share, row.y1 - ink.px(6)}, theme.ideal,
                 ink.px(2));
    }
    ImGui::Dummy({room, line * static_cast<float>(rows) + ink.px(8)});
}

}  // namespace warplens::app
