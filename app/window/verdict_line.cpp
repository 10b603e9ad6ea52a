#include "app/window/verdict_line.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"

namespace warplens::app {
namespace {

/// The name of the one compared with, as a field: what is typed is its name at once.
void name_field(const Theme& theme, Baselines& baselines, std::size_t index) {
    std::string name = baselines.all()[index].name;
    ImGui::PushFont(theme.fonts.words);
    ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x, 220 * theme.fonts.scale));
    ImGui::InputTextWithHint("##baseline name", "its own name", &name, ImGuiInputTextFlags_AutoSelectAll);
    hit_box_of_item("baseline name");
    if (ImGui::IsItemEdited()) baselines.rename(index, std::move(name));
    ImGui::PopFont();
}

void baseline_chooser(const Theme& theme, Baselines& baselines) {
    if (!begin_chooser(theme, "choose baseline", "compared with", baselines.chosen()->name,
                       "The run that this one is compared with."))
        return;
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < baselines.all().size(); ++i)
        if (chooser_item(theme, fmt::format("choose baseline {}", i), baselines.all()[i].name, "",
                         &baselines.all()[i] == baselines.chosen()))
            chosen = i;
    if (chosen) baselines.choose(*chosen);
    const auto index = static_cast<std::size_t>(baselines.chosen() - baselines.all().data());
    name_field(theme, baselines, index);
    if (chooser_item(theme, "forget baseline", "forget this baseline", "", false)) baselines.remove(index);
    end_chooser();
}

/// The text while there is nothing to compare.
std::string hint(Session& session, const FrameState& state) {
    if (session.comparison(state.level, state.counts)) return {};
    return session.running() ? "running …" : "change a knob or choose another kernel";
}

}  // namespace

float verdict_line(const Theme& theme, Session& session, const FrameState& state) {
    if (!session.baselines.chosen()) return 0;
    const float scale = theme.fonts.scale, margin = std::round(10 * scale), gap = std::round(12 * scale);
    const float height = control_height(theme) + 2 * std::round(6 * scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    const float top = at.y + std::round(6 * scale);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {right, at.y + height}, with_alpha(theme.ideal, 0.07));
    ImGui::SetCursorScreenPos({at.x + margin, top});
    const float chooser = chooser_width(theme, "compared with", session.baselines.chosen()->name);
    baseline_chooser(theme, session.baselines);
    const float close = right - margin - text_button_width(theme, "×");
    ImGui::SetCursorScreenPos({close, top});
    if (session.baselines.chosen() &&
        text_button(theme, "stop comparing", "×", "Stop comparing; the baselines stay in the list of B."))
        session.baselines.choose_none();
    draw_horizontal_hairline(list, theme, at.x, right, at.y + height - 1);
    if (!session.baselines.chosen()) return height;

    const analysis::Comparison* comparison = session.comparison(state.level, state.counts);
    const float y = top + std::round((control_height(theme) - text_height(theme.fonts.words)) / 2);
    float x = at.x + margin + chooser + gap;
    const std::string aside = hint(session, state);
    const float aside_width = aside.empty() ? 0 : text_width(theme.fonts.small, aside) + gap;
    if (comparison) {
        const float room = std::max(close - gap - x, 0.0f);
        const bool both = text_width(theme.fonts.words, comparison->verdict) + aside_width < room;
        const std::string words =
            fit_text(theme.fonts.words, comparison->verdict, room - (both ? aside_width : 0));
        draw_text(list, theme.fonts.words, {x, y}, theme.text, words);
        const ImVec2 end{x + text_width(theme.fonts.words, words), y + text_height(theme.fonts.words)};
        hit_box("verdict", {x, y}, end);
        if (ImGui::IsMouseHoveringRect({x, top}, {close - gap, top + control_height(theme)}))
            tooltip_card(theme, comparison->verdict, comparison->cautions);
        x = end.x + gap;
        if (!both) return height;
    }
    if (x + aside_width < close)
        draw_text(list, theme.fonts.small, {x, y + std::round(2 * scale)}, theme.text_dim, aside);
    return height;
}

}  // namespace warplens::app
