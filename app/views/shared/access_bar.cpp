#include "app/views/shared/access_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/ink.h"
#include "app/ui/invisible_button.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/shared/access_words.h"

namespace warplens::app {
namespace {

/// Lays controls out from left to right and goes to the next row where one does not fit.
struct BarRow {
    float left, right, height, gap, row_gap;
    ImVec2 at;

    ImVec2 place(float width) {
        if (at.x > left && at.x + width > right) at = {left, at.y + height + row_gap};
        const ImVec2 here = at;
        at.x += width + gap;
        return here;
    }
};

bool arrow_button(const Ink& ink, const char* id, const std::string& name, const Box& box, int direction,
                  bool enabled) {
    ImGui::SetCursorScreenPos(box.min());
    const bool pressed = invisible_button(id, {box.width(), box.height()}) && enabled;
    hit_box_of_item(name);
    if (enabled && ImGui::IsItemHovered()) ink.fill(box, ink.theme.hovered, ink.px(4));
    const ImVec2 c = box.centre();
    const float r = ink.px(4), d = static_cast<float>(direction);
    ink.list->AddTriangleFilled({c.x - d * r * 0.6f, c.y - r}, {c.x + d * r * 0.8f, c.y},
                                {c.x - d * r * 0.6f, c.y + r},
                                enabled ? ink.theme.text : with_alpha(ink.theme.text_dim, 0.35));
    return pressed;
}

/// "◂ warp 5 of 32 ▸"; returns -1, 0 or +1.
int stepper(const Ink& ink, BarRow& row, const char* view, const char* what, const std::string& words,
            const std::string& widest, bool can_go_back, bool can_go_on) {
    const float arrow = ink.px(20);
    ImFont* font = ink.theme.fonts.words;
    const float text = std::ceil(std::max(text_width(font, words), text_width(font, widest))) + ink.px(8);
    const ImVec2 at = row.place(2 * arrow + text);
    const Box box{at.x, at.y, at.x + 2 * arrow + text, at.y + row.height};
    ink.fill(box, ink.theme.raised, ink.px(4));
    Box rest = box;
    const Box back = rest.take_left(arrow), on = rest.take_right(arrow);
    int by = 0;
    ImGui::PushID(what);
    if (arrow_button(ink, "back", fmt::format("{} {} back", view, what), back, -1, can_go_back)) by = -1;
    if (arrow_button(ink, "next", fmt::format("{} {} next", view, what), on, +1, can_go_on)) by = +1;
    ImGui::PopID();
    ink.text(rest, words, font, ink.theme.text, Align::centre);
    return by;
}

std::string site_row(const Scene& scene, const RequestIndex::SiteRequests& site, const char* unit,
                     bool is_short) {
    const bool shared = std::string_view(unit) == "wavefronts";
    const std::string each = decimal(double(site.cost) / double(site.requests), 1);
    const std::string cost =
        shared ? fmt::format("{}-way", decimal(site.ratio(), 1))
               : fmt::format("{} sector{}{}", each, each == "1" ? "" : "s", is_short ? "" : " per request");
    return fmt::format("{} · {}", site_words(*scene.trace, site.site), cost);
}

}  // namespace

std::optional<AccessChoice> access_bar(const ViewFrame& frame, const char* view, const char* unit,
                                       const RequestIndex& index, const AccessChoice& choice) {
    const Theme& theme = frame.theme;
    const Scene& scene = *frame.scene;
    const trace::Trace& trace = *scene.trace;
    const Ink ink{ImGui::GetWindowDrawList(), theme};
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    BarRow row{origin.x, origin.x + ImGui::GetContentRegionAvail().x, ink.px(26), ink.px(12), ink.px(4),
               origin};
    std::optional<AccessChoice> wanted;
    ImGui::PushID(view);

    // The site: arrows step through the list that the box in between drops down.
    const std::size_t rank = index.rank(choice.site);
    const float arrow = ink.px(20);
    const bool is_short = row.right - row.left < ink.px(640);
    float widest = 0;
    for (const auto& site : index.sites)
        widest = std::max(widest, text_width(theme.fonts.words, site_row(scene, site, unit, is_short)));
    const float label = std::min(std::ceil(widest) + ink.px(16), row.right - row.left - 2 * arrow);
    const ImVec2 at = row.place(2 * arrow + label);
    const Box box{at.x, at.y, at.x + 2 * arrow + label, at.y + row.height};
    ink.fill(box, theme.raised, ink.px(4));
    Box middle = box;
    const Box back = middle.take_left(arrow), on = middle.take_right(arrow);
    ImGui::PushID("site");
    if (arrow_button(ink, "back", fmt::format("{} site back", view), back, -1, rank > 0))
        wanted = step_choice(index, trace, choice, AccessStep::site, -1);
    if (arrow_button(ink, "next", fmt::format("{} site next", view), on, +1, rank + 1 < index.sites.size()))
        wanted = step_choice(index, trace, choice, AccessStep::site, +1);
    ImGui::SetCursorScreenPos(middle.min());
    if (invisible_button("list", {middle.width(), middle.height()})) ImGui::OpenPopup("sites");
    hit_box_of_item(view, "site list");
    if (ImGui::IsItemHovered()) ink.fill(middle, theme.hovered);
    ink.text(middle.inset(ink.px(4)), site_row(scene, index.sites[rank], unit, is_short), theme.fonts.words,
             theme.text, Align::centre);
    ImGui::SetNextWindowPos({box.x0, box.y1 + ink.px(2)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ink.px(8), ink.px(8)});
    if (ImGui::BeginPopup("sites")) {
        compat::push_font(theme.fonts.words);
        for (std::size_t i = 0; i < index.sites.size(); ++i) {
            ImGui::PushID(static_cast<int>(i));
            if (ImGui::Selectable(site_row(scene, index.sites[i], unit, false).c_str(), i == rank))
                wanted = choice_of(index, trace, index.sites[i].worst_access);
            ImGui::PopID();
        }
        ImGui::PopFont();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    ImGui::PopID();

    const AccessWords words = words_of(trace, choice);
    const auto& accesses = index.sites[rank].accesses;
    const trace::WarpRecord& warp = trace.warps[choice.warp_record];
    if (const int by = stepper(ink, row, view, "warp", words.thread_place, {},
                               accesses.front() < warp.accesses_begin, accesses.back() >= warp.accesses_end))
        wanted = step_choice(index, trace, choice, AccessStep::warp, by);
    if (choice.occurrences > 1) {
        const std::string most = fmt::format("request {0} of {0}", grouped(choice.occurrences));
        if (const int by = stepper(ink, row, view, "request", words.occurrence, most, choice.occurrence > 0,
                                   choice.occurrence + 1 < choice.occurrences))
            wanted = step_choice(index, trace, choice, AccessStep::occurrence, by);
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos({origin.x, row.at.y + row.height});
    return wanted;
}

}  // namespace warplens::app
