#include "app/window/text_under_mouse.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/ui/button.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/letter_keys.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"

namespace warplens::app {
namespace {

constexpr double seconds_of_rest = 0.35;  // before a definition is shown
constexpr std::size_t longest_term = 48, longest_preview = 32;
constexpr const char* copy_popup = "copy text";

/// "wavefronts" of "32 wavefronts:", "shared_load.conflict_ways" as it is.
std::string term_in(std::string_view words) {
    const auto letter = [](unsigned char c) { return std::isalpha(c) != 0; };
    const auto begin = std::ranges::find_if(words, letter);
    auto end = words.end();
    while (end != begin && !letter(static_cast<unsigned char>(*(end - 1)))) --end;
    return {begin, end};
}

std::string preview(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    if (line.size() <= longest_preview) return line;
    std::size_t end = longest_preview;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    return line.substr(0, end) + "…";
}

bool same_row(const DrawnText& a, const DrawnText& b) {
    const float middle = (a.min.y + a.max.y) / 2;
    return middle >= b.min.y && middle < b.max.y && b.max.y - b.min.y < 1.6f * (a.max.y - a.min.y);
}

std::string joined(std::vector<const DrawnText*> row) {
    std::ranges::stable_sort(row, {}, [](const DrawnText* text) { return text->min.x; });
    std::string words;
    float end = 0;
    for (const DrawnText* text : row) {
        // A word of the same sentence follows closely; another column does not.
        const bool follows = text->min.x - end < 0.6f * (text->max.y - text->min.y);
        if (!words.empty()) {
            if (!follows) words += '\t';
            else if (!words.ends_with(' ')) words += ' ';
        }
        words += text->whole;
        end = text->max.x;
    }
    while (words.ends_with(' ')) words.pop_back();
    return words;
}

}  // namespace

TextsAt texts_at(const FrameNotes& notes, ImVec2 at) {
    const DrawnText* target = nullptr;
    for (const DrawnText& text : notes.texts)
        if (at.x >= text.min.x && at.x < text.max.x && at.y >= text.min.y && at.y < text.max.y)
            target = &text;
    if (!target) return {};
    std::vector<const DrawnText*> left;
    for (const DrawnText& text : notes.texts)
        if (text.surface == target->surface) left.push_back(&text);
    std::ranges::stable_sort(left, {}, [](const DrawnText* text) { return text->min.y; });
    TextsAt texts{target->whole, {}, {}};
    while (!left.empty()) {
        const DrawnText& first = *left.front();
        std::vector<const DrawnText*> row;
        std::erase_if(left, [&](const DrawnText* text) {
            const bool in_row = text == &first || same_row(first, *text);
            if (in_row) row.push_back(text);
            return in_row;
        });
        const std::string words = joined(row);
        if (std::ranges::find(row, target) != row.end()) texts.row = words;
        texts.all += words + "\n";
    }
    return texts;
}

void TextUnderMouse::begin_frame() {
    installed_ = frame_notes() == nullptr;
    if (!installed_) return;
    notes_ = {};
    notes_.everything = asked_ != Asked::nothing;
    record_notes(&notes_);
}

void TextUnderMouse::end_frame(const Theme& theme, FrameState& state) {
    const FrameNotes& notes = *frame_notes();
    if (asked_ != Asked::nothing && notes.everything) take(notes, state);
    ask(state);
    show_definition(theme, notes, state);
    menu(theme, state);
    if (installed_) record_notes(nullptr);
}

/// All texts are noted in the next frame.
void TextUnderMouse::ask(FrameState& state) {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
    const float still = io.MouseDragThreshold * io.MouseDragThreshold;
    if (!io.WantTextInput && !io.KeyShift && compat::ctrl_with('C')) asked_ = Asked::copy;
    else if (ImGui::IsMouseReleased(1) && io.MouseDragMaxDistanceSqr[1] < still) asked_ = Asked::menu;
    else return;
    asked_at_ = io.MousePos;
    state.moving = true;
}

void TextUnderMouse::take(const FrameNotes& notes, FrameState& state) {
    const Asked asked = std::exchange(asked_, Asked::nothing);
    TextsAt texts = texts_at(notes, asked_at_);
    if (asked == Asked::copy) {
        if (!texts.text.empty()) ImGui::SetClipboardText(texts.text.c_str());
        state.notice = texts.text.empty() ? "Nothing to copy here. Point at a number, a name or a sentence."
                                          : "Copied “" + preview(texts.text) + "”.";
    } else if (!texts.text.empty()) {
        text_ = std::move(texts.text);
        row_ = std::move(texts.row);
        all_ = std::move(texts.all);
        ImGui::OpenPopup(copy_popup);
    }
}

void TextUnderMouse::menu(const Theme& theme, FrameState& state) {
    if (!ImGui::IsPopupOpen(copy_popup)) return;
    const float scale = theme.fonts.scale;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {6 * scale, 6 * scale});
    if (ImGui::BeginPopup(copy_popup)) {
        const auto item = [&](const char* name, const std::string& words, const std::string& text) {
            if (!chooser_item(theme, name, words, preview(text), false)) return;
            ImGui::SetClipboardText(text.c_str());
            state.notice = "Copied “" + preview(text) + "”.";
        };
        item("copy text", "Copy", text_);
        if (row_ != text_) item("copy row", "Copy the row", row_);
        if (all_ != row_ + "\n") item("copy all", "Copy all of it", all_);
        if (chooser_item(theme, "copy picture", "Copy the open view as a picture", "Ctrl+Shift+C", false))
            state.take_picture = PictureTarget::clipboard;
        if (compat::key_pressed(compat::Key::escape)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

void TextUnderMouse::show_definition(const Theme& theme, const FrameNotes& notes, FrameState& state) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool moved = io.MousePos.x != rests_at_.x || io.MousePos.y != rests_at_.y;
    std::string word = notes.under_mouse.size() <= longest_term ? term_in(notes.under_mouse) : std::string();
    if (word != word_) {
        word_ = std::move(word);
        definition_ = word_.empty() ? analysis::Definition{} : analysis::definition_in(word_);
    }
    if (moved) {
        rests_at_ = io.MousePos;
        since_ = ImGui::GetTime();
    }
    const bool busy = ImGui::IsAnyMouseDown() || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
    const bool nothing_to_say = definition_.sentence.empty() && notes.cut_under_mouse.empty();
    if (nothing_to_say || notes.tooltip || busy) return;
    if (const double left = since_ + seconds_of_rest - ImGui::GetTime(); left > 0) {
        state.due_in = state.due_in > 0 ? std::min(state.due_in, left) : left;
        return;
    }
    if (definition_.sentence.empty()) tooltip_card(theme, notes.cut_under_mouse);
    else tooltip_card(theme, "`" + definition_.word + "`: " + definition_.sentence);
}

}  // namespace warplens::app
