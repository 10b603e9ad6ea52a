#include "app/window/kernel_list.h"

#include <cmath>

#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

/// One kernel: its name and, below, its lesson. True when clicked.
bool row(const Theme& theme, const instrumentation::KernelFile& kernel, bool current, bool reveal) {
    const float scale = theme.fonts.scale;
    const float pad = std::round(12 * scale), above = std::round(6 * scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float name_height = std::round(text_height(theme.fonts.words) * 1.25f);
    const float room = width - 2 * pad;
    // Measured as text_wrapped will draw it, to know the row's height before its surface is drawn.
    const float lesson_height =
        kernel.lesson.empty()
            ? 0
            : theme.fonts.small
                  ->CalcTextSizeA(text_height(theme.fonts.small), FLT_MAX, room, kernel.lesson.c_str())
                  .y;
    const float height = above + name_height + lesson_height + above;

    ImGui::PushID(kernel.name.c_str());
    const bool clicked = invisible_button("row", {width, height});
    hit_box_of_item("kernel", kernel.name);
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float inset = std::round(4 * scale);
    if (current || hovered)
        list.AddRectFilled({at.x + inset, at.y}, {at.x + width - inset, at.y + height},
                           current ? theme.raised : theme.hovered, 4 * scale);
    if (current)
        list.AddRectFilled({at.x + inset, at.y + above},
                           {at.x + inset + std::round(3 * scale), at.y + height - above}, theme.ideal,
                           2 * scale);
    draw_text(list, theme.fonts.words, {at.x + pad, at.y + above}, theme.text,
              fit_text(theme.fonts.words, kernel.name, room));
    ImGui::SetCursorScreenPos({at.x + pad, at.y + above + name_height});
    if (!kernel.lesson.empty()) text_wrapped(theme.fonts.small, theme.text_dim, kernel.lesson, room);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
    const float window_top = ImGui::GetWindowPos().y, window_bottom = window_top + ImGui::GetWindowHeight();
    if (current && reveal && (at.y < window_top || at.y + height > window_bottom)) {
        const float middle = at.y + height / 2 - window_top;
        ImGui::SetScrollFromPosY(middle, 0.4f);
    }
    ImGui::PopID();
    return clicked;
}

}  // namespace

void kernel_list(const Theme& theme, Session& session, FrameState& state, OwnFile* own) {
    const bool has_own = own && own->is_open();
    if (session.catalogue().empty() && !has_own) {
        empty_state(theme, "No catalogue", "Open a file: `warplens FILE.cu` or `warplens FILE.wltrace`.");
        return;
    }
    const float scale = theme.fonts.scale;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    std::string subject;
    std::shared_ptr<const instrumentation::KernelFile> clicked;
    const auto heading = [&](const std::string& words) {
        ImGui::Dummy({1, std::round(12 * scale)});
        ImGui::SetCursorScreenPos(
            {ImGui::GetCursorScreenPos().x + std::round(12 * scale), ImGui::GetCursorScreenPos().y});
        text_item(theme.fonts.small, theme.ideal, words);
        ImGui::Dummy({1, std::round(4 * scale)});
    };
    const bool shows_own = has_own && own->is_shown();
    if (has_own) {
        heading("Your file");
        instrumentation::KernelFile file;
        file.name = own->name();
        file.lesson = own->is_changed() ? "• not saved" : shows_own ? session.kernel()->lesson : "";
        if (row(theme, file, shows_own, false) && !shows_own) own->show();
    }
    for (const auto& kernel : session.catalogue()) {
        if (kernel->subject != subject) {
            subject = kernel->subject;
            heading(subject);
        }
        // By name: a picture's kernel may have been read separately from the catalogue.
        const bool current = !shows_own && session.kernel() && session.kernel()->name == kernel->name;
        if (row(theme, *kernel, current, state.reveal_kernel > 0)) clicked = kernel;
    }
    if (state.reveal_kernel > 0) --state.reveal_kernel;
    ImGui::Dummy({1, std::round(12 * scale)});
    ImGui::PopStyleVar();
    if (clicked) session.open_kernel(clicked);
}

}  // namespace warplens::app
