#include "app/window/failure_banner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/pipeline/kernel_code.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/window/failure_marks.h"

namespace warplens::app {
namespace {

/// A compile error of many lines begins with what matters.
constexpr std::size_t most_lines = 3;

std::string first_lines(const std::string& text) {
    std::size_t at = 0;
    for (std::size_t line = 0; line < most_lines; ++line) {
        at = text.find('\n', at);
        if (at == std::string::npos) return text;
        ++at;
    }
    const auto more = std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n') + 1;
    return text.substr(0, at) + fmt::format("… and {} more lines", more);
}

/// The line of the kernel's source that the failure names; 0: none.
std::uint32_t failed_line(const Session& session) {
    if (!session.kernel()) return 0;
    const auto marks = failure_marks(session.failure(), source_name(*session.kernel()), {});
    return marks.empty() ? 0 : marks.front().line;
}

}  // namespace

bool shows_failure(const Session& session, const FrameState& state) {
    return !session.failure().empty() && session.failure() != state.dismissed_failure;
}

float failure_banner(const Theme& theme, const Session& session, FrameState& state, bool can_edit) {
    if (session.failure().empty()) state.dismissed_failure.clear();
    if (!shows_failure(session, state)) return 0;
    const float scale = theme.fonts.scale, margin = std::round(12 * scale), gap = std::round(8 * scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const std::uint32_t line = failed_line(session);
    const std::string go = fmt::format("line {}", line);
    const bool leads = line != 0 && can_edit;
    const float buttons =
        text_button_width(theme, "×") + (leads ? text_button_width(theme, go) + gap : 0) + margin;
    const float room = std::max(1.0f, width - 2 * margin - buttons);
    const std::string reason = first_lines(session.failure());
    const bool is_listing = reason.find('\n') != std::string::npos;
    ImFont* const font = is_listing ? theme.fonts.code : theme.fonts.words;
    const std::string heading =
        fmt::format("The run failed{}.{}", line ? fmt::format(" at line {}", line) : "",
                    session.scene() ? " The previous result is shown below." : "");
    const float heading_height = std::round(text_height(theme.fonts.words) * 1.35f);
    const float reason_height = font->CalcTextSizeA(text_height(font), FLT_MAX, room, reason.c_str()).y;
    const float height = std::max(heading_height + reason_height, control_height(theme)) + 2 * gap;

    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, with_alpha(theme.error, 0.10));
    list.AddRectFilled(at, {at.x + std::round(4 * scale), at.y + height}, theme.error);
    draw_text(list, theme.fonts.words, {at.x + margin, at.y + gap}, theme.error,
              fit_text(theme.fonts.words, heading, room));
    ImGui::SetCursorScreenPos({at.x + margin, at.y + gap + heading_height});
    text_wrapped(font, theme.text, reason, room);
    hit_box("failure banner", at, {at.x + width, at.y + height});
    const float right = at.x + width - margin;
    ImGui::SetCursorScreenPos({right - text_button_width(theme, "×"), at.y + gap});
    if (text_button(theme, "close failure", "×", "Close this message (Esc)."))
        state.dismissed_failure = session.failure();
    if (leads) {
        ImGui::SetCursorScreenPos(
            {right - text_button_width(theme, "×") - gap - text_button_width(theme, go), at.y + gap});
        if (text_button(theme, "failed line", go, "Show the line in the editor."))
            state.editing = state.show_failure = true;
    }
    draw_horizontal_hairline(list, theme, at.x, at.x + width, at.y + height - 1);
    return height;
}

}  // namespace warplens::app
