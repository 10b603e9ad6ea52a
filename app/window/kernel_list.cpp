#include "app/window/kernel_list.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"
#include "app/ui/text_find.h"
#include "app/window/palette/fuzzy_match.h"

namespace warplens::app {
namespace {

/// How a kernel's row is shown.
struct RowState {
    bool current = false, reveal = false;
    bool has_cursor = false;  // the keyboard's
};

/// One kernel: its name and, below, its lesson. True when clicked.
bool row(const Theme& theme, const instrumentation::KernelFile& kernel, const RowState& shown) {
    const bool current = shown.current;
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
    if (shown.has_cursor)
        compat::add_rect(list, {at.x + inset, at.y}, {at.x + width - inset, at.y + height}, theme.ideal,
                         4 * scale, 1.5f * scale);
    draw_text(list, theme.fonts.words, {at.x + pad, at.y + above}, theme.text,
              fit_text(theme.fonts.words, kernel.name, room));
    ImGui::SetCursorScreenPos({at.x + pad, at.y + above + name_height});
    if (!kernel.lesson.empty()) text_wrapped(theme.fonts.small, theme.text_dim, kernel.lesson, room);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
    const float window_top = ImGui::GetWindowPos().y, window_bottom = window_top + ImGui::GetWindowHeight();
    if (shown.reveal && (at.y < window_top || at.y + height > window_bottom)) {
        const float middle = at.y + height / 2 - window_top;
        ImGui::SetScrollFromPosY(middle, 0.4f);
    }
    ImGui::PopID();
    return clicked;
}

/// A subject's kernels that the filter leaves.
struct Subject {
    std::string name;
    std::vector<std::shared_ptr<const instrumentation::KernelFile>> kernels;
};

/// In the order of the catalogue. A filter finds names and subjects by their letters, other texts by words.
std::vector<Subject> subjects_of(const Catalogue& catalogue, const std::string& filter) {
    const auto has_words = [&](const std::string& text) { return !find_all(text, filter).empty(); };
    std::vector<Subject> subjects;
    for (const auto& kernel : catalogue) {
        if (!fuzzy_match(filter, kernel->name) && !has_words(kernel->subject) && !has_words(kernel->title) &&
            !has_words(kernel->lesson))
            continue;
        if (subjects.empty() || subjects.back().name != kernel->subject)
            subjects.push_back({kernel->subject, {}});
        subjects.back().kernels.push_back(kernel);
    }
    return subjects;
}

/// True when Enter was pressed. Esc clears it.
bool filter_field(const Theme& theme, FrameState& state) {
    const float scale = theme.fonts.scale, margin = std::round(8 * scale);
    ImGui::SetCursorPos({margin, margin});
    ImGui::SetNextItemWidth(std::max(1.0f, ImGui::GetContentRegionAvail().x - margin));
    const bool entered = ImGui::InputTextWithHint("##filter", "Filter kernels", &state.kernel_filter,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    hit_box_of_item("kernel filter");
    if (ImGui::IsItemDeactivated() && compat::key_pressed(compat::Key::escape)) state.kernel_filter.clear();
    ImGui::Dummy({1, std::round(2 * scale)});
    return entered && !state.kernel_filter.empty();
}

void heading(const Theme& theme, const std::string& words) {
    const float scale = theme.fonts.scale;
    ImGui::Dummy({1, std::round(12 * scale)});
    ImGui::SetCursorScreenPos(
        {ImGui::GetCursorScreenPos().x + std::round(12 * scale), ImGui::GetCursorScreenPos().y});
    text_item(theme.fonts.small, theme.ideal, words);
    ImGui::Dummy({1, std::round(4 * scale)});
}

/// A heading that folds its kernels away, with their number. True when clicked.
bool subject_row(const Theme& theme, const Subject& subject, bool folded) {
    const float scale = theme.fonts.scale, pad = std::round(12 * scale);
    ImGui::Dummy({1, std::round(8 * scale)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = std::round(text_height(theme.fonts.small) + 8 * scale);
    ImGui::PushID(subject.name.c_str());
    const bool clicked = invisible_button("subject", {width, height});
    hit_box_of_item("subject", subject.name);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered())
        list.AddRectFilled({at.x + pad / 3, at.y}, {at.x + width - pad / 3, at.y + height}, theme.hovered,
                           4 * scale);
    const float top = at.y + std::round((height - text_height(theme.fonts.small)) / 2);
    const std::string count = (folded ? "▸ " : "▾ ") + std::to_string(subject.kernels.size());
    const float room = width - 3 * pad - text_width(theme.fonts.small, count);
    draw_text(list, theme.fonts.small, {at.x + pad, top}, theme.ideal,
              fit_text(theme.fonts.small, subject.name, room));
    draw_text_right(list, theme.fonts.small, {at.x + width - pad, top}, theme.text_dim, count);
    ImGui::PopID();
    return clicked;
}

/// Where the arrow keys are in the list while it has the keyboard.
struct KeyboardCursor {
    const instrumentation::KernelFile* at = nullptr;
    bool moved = false, opens = false;
};

/// Up and down move through the kernels that are shown, from the current one on; Enter opens.
KeyboardCursor take_list_keys(const std::vector<Subject>& subjects, const std::string& current,
                              FrameState& state) {
    KeyboardCursor cursor;
    if (state.focused_pane != Pane::kernels) return cursor;
    std::vector<const instrumentation::KernelFile*> rows;
    for (const Subject& subject : subjects)
        if (!state.kernel_filter.empty() || !state.folded_subjects.contains(subject.name))
            for (const auto& kernel : subject.kernels) rows.push_back(kernel.get());
    if (rows.empty()) return cursor;
    const auto place_of = [&](const std::string& name) {
        return std::ranges::find(rows, name, &instrumentation::KernelFile::name);
    };
    auto at = place_of(state.kernel_cursor);
    if (at == rows.end()) at = place_of(current);
    if (at == rows.end()) at = rows.begin();
    if (!ImGui::GetIO().WantTextInput) {
        if (compat::key_pressed(compat::Key::down) && at + 1 != rows.end()) ++at, cursor.moved = true;
        if (compat::key_pressed(compat::Key::up) && at != rows.begin()) --at, cursor.moved = true;
        cursor.opens = compat::key_pressed(compat::Key::enter);
    }
    cursor.at = *at;
    state.kernel_cursor = (*at)->name;
    return cursor;
}

}  // namespace

void kernel_list(const Theme& theme, Session& session, FrameState& state, OwnFile* own) {
    const bool has_own = own && own->is_open();
    if (session.catalogue().empty() && !has_own) {
        empty_state(theme, "No catalogue", "Open a file: `warplens FILE.cu` or `warplens FILE.wltrace`.");
        return;
    }
    const float scale = theme.fonts.scale;
    const std::string filter_before = state.kernel_filter;
    const bool entered = filter_field(theme, state);
    const bool filter_changed = state.kernel_filter != filter_before;
    if (filter_changed && state.kernel_filter.empty()) state.reveal_kernel = 3;
    const std::vector<Subject> subjects = subjects_of(session.catalogue(), state.kernel_filter);
    compat::begin_child("kernel rows", {0, 0});
    if (filter_changed) ImGui::SetScrollY(0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    std::shared_ptr<const instrumentation::KernelFile> clicked;
    const bool shows_own = has_own && own->is_shown();
    if (has_own) {
        heading(theme, "Your file");
        instrumentation::KernelFile file;
        file.name = own->name();
        file.lesson = own->is_changed() ? "• not saved" : shows_own ? session.kernel()->lesson : "";
        if (row(theme, file, {shows_own}) && !shows_own) own->show();
    }
    // By name: a picture's kernel may have been read separately from the catalogue.
    const auto is_current = [&](const auto& kernel) {
        return !shows_own && session.kernel() && session.kernel()->name == kernel->name;
    };
    const bool reveal = state.reveal_kernel > 0;
    const KeyboardCursor keyboard =
        take_list_keys(subjects, session.kernel() ? session.kernel()->name : "", state);
    for (const Subject& subject : subjects) {
        const bool filtered = !state.kernel_filter.empty();
        if (reveal && std::ranges::any_of(subject.kernels, is_current))
            state.folded_subjects.erase(subject.name);
        const bool folded = !filtered && state.folded_subjects.contains(subject.name);
        if (subject_row(theme, subject, folded) && !filtered && !state.folded_subjects.erase(subject.name))
            state.folded_subjects.insert(subject.name);
        if (folded) continue;
        for (const auto& kernel : subject.kernels)
            if (const bool has_cursor = keyboard.at == kernel.get();
                row(theme, *kernel,
                    {is_current(kernel), (is_current(kernel) && reveal) || (has_cursor && keyboard.moved),
                     has_cursor}))
                clicked = kernel;
    }
    if (subjects.empty()) {
        ImGui::Dummy({1, std::round(12 * scale)});
        ImGui::Indent(std::round(12 * scale));
        text_wrapped(theme.fonts.words, theme.text_dim, "No kernel has a name like this.");
        ImGui::Unindent(std::round(12 * scale));
    } else if (entered) {
        clicked = subjects.front().kernels.front();
    }
    if (state.reveal_kernel > 0) --state.reveal_kernel;
    ImGui::Dummy({1, std::round(12 * scale)});
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (clicked) session.open_kernel(clicked);
    else if (keyboard.opens) session.open_kernel(keyboard.at->name);
}

}  // namespace warplens::app
