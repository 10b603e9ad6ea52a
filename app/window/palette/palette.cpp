#include "app/window/palette/palette.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr const char* palette_popup = "palette";
constexpr int most_rows_shown = 12;
constexpr ImGuiWindowFlags palette_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;

/// Words with the letters that were found in another colour. Returns where they end.
float draw_found(ImDrawList& list, const Theme& theme, ImVec2 at, float right, const RankedFindable& found) {
    const std::string& whole = found.findable->words;
    const std::string words = fit_text(theme.fonts.words, whole, right - at.x);
    note_words(words);
    // Nothing of the ellipsis was found.
    const auto shown = static_cast<std::size_t>(std::ranges::mismatch(words, whole).in1 - words.begin());
    const auto is_found = [&](std::size_t i) {
        return i < shown && std::ranges::binary_search(found.letters, i);
    };
    for (std::size_t begin = 0; begin < words.size();) {
        std::size_t end = begin + 1;
        while (end < words.size() && is_found(end) == is_found(begin)) ++end;
        const std::string part = words.substr(begin, end - begin);
        list.AddText(theme.fonts.words, text_height(theme.fonts.words), at,
                     is_found(begin) ? theme.ideal : theme.text, part.c_str(), part.c_str() + part.size());
        at.x += text_width(theme.fonts.words, part);
        begin = end;
    }
    return at.x;
}

}  // namespace

void Palette::find(const CommandContext& context) {
    if (found_for_ == query_ && !found_.empty()) return;
    found_for_ = query_;
    typed_values_ = typed_knob_values(context, query_);
    found_ = rank(findables_, query_);
    if (!typed_values_.empty()) {
        auto typed = rank(typed_values_, query_);
        found_.insert(found_.begin(), typed.begin(), typed.end());
        std::ranges::stable_sort(found_, std::greater<>{}, &RankedFindable::score);
    }
    current_ = 0;
    reveal_ = true;
}

/// True when Enter was pressed.
bool Palette::field(const Theme& theme, float width) {
    compat::push_font(theme.fonts.words);
    if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(width);
    const bool entered =
        ImGui::InputTextWithHint("##query", "Find kernels, views, knobs, lines, commands, lessons and terms",
                                 &query_, ImGuiInputTextFlags_EnterReturnsTrue);
    hit_box_of_item("palette field");
    ImGui::PopFont();
    return entered;
}

void Palette::take_keys(int rows_shown) {
    const auto last = static_cast<std::ptrdiff_t>(found_.size()) - 1;
    std::ptrdiff_t at = static_cast<std::ptrdiff_t>(current_);
    if (compat::key_pressed(compat::Key::down)) at = at == last ? 0 : at + 1;
    if (compat::key_pressed(compat::Key::up)) at = at == 0 ? last : at - 1;
    if (compat::key_pressed(compat::Key::page_down)) at += rows_shown;
    if (compat::key_pressed(compat::Key::page_up)) at -= rows_shown;
    at = std::clamp<std::ptrdiff_t>(at, 0, std::max<std::ptrdiff_t>(last, 0));
    reveal_ = reveal_ || at != static_cast<std::ptrdiff_t>(current_);
    current_ = static_cast<std::size_t>(at);
}

bool Palette::row(const Theme& theme, std::size_t index, ImVec2 size) {
    const RankedFindable& found = found_[index];
    const Findable& findable = *found.findable;
    const float scale = theme.fonts.scale, pad = std::round(12 * scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(index));
    const bool clicked = invisible_button("row", size);
    hit_box_of_item("found", std::string(word_of(findable.kind)) + " " + findable.words);
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0)) current_ = index;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (index == current_) list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, theme.raised, 4 * scale);
    const float words_top = at.y + std::round((size.y - text_height(theme.fonts.words)) / 2);
    const float small_top = at.y + std::round((size.y - text_height(theme.fonts.small)) / 2);
    draw_text(list, theme.fonts.small, {at.x + pad, small_top}, theme.text_dim, word_of(findable.kind));
    float right = at.x + size.x - pad;
    if (!findable.key.empty()) {
        draw_text_right(list, theme.fonts.code, {right, words_top}, theme.text_dim, findable.key);
        right -= std::ceil(text_width(theme.fonts.code, findable.key)) + pad;
    }
    const float end = draw_found(list, theme, {at.x + pad + std::round(76 * scale), words_top}, right, found);
    if (const float room = right - end - pad; room > 40 * scale && !findable.detail.empty())
        draw_text(list, theme.fonts.small, {end + pad, small_top}, theme.text_dim,
                  fit_text(theme.fonts.small, findable.detail, room));
    ImGui::PopID();
    return clicked;
}

bool Palette::list(const Theme& theme, ImVec2 size) {
    bool clicked = false;
    const float height = std::round(30 * theme.fonts.scale);
    compat::begin_child("found", size, ImGuiWindowFlags_NoNav);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    if (found_.empty()) {
        ImGui::Dummy({1, std::round(6 * theme.fonts.scale)});
        text_item(theme.fonts.words, theme.text_dim, "Nothing has a name like this. Try fewer letters.");
    }
    if (std::exchange(reveal_, false)) {
        const float top = static_cast<float>(current_) * height;
        if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
        if (top + height > ImGui::GetScrollY() + size.y) ImGui::SetScrollY(top + height - size.y);
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(found_.size()), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            if (row(theme, static_cast<std::size_t>(i), {ImGui::GetContentRegionAvail().x, height})) {
                current_ = static_cast<std::size_t>(i);
                clicked = true;
            }
    ImGui::PopStyleVar();
    ImGui::EndChild();
    return clicked;
}

/// What the current row is about, whole.
void Palette::foot(const Theme& theme, float width) const {
    draw_horizontal_hairline(*ImGui::GetWindowDrawList(), theme, ImGui::GetCursorScreenPos().x,
                             ImGui::GetCursorScreenPos().x + width, ImGui::GetCursorScreenPos().y);
    ImGui::Dummy({1, std::round(4 * theme.fonts.scale)});
    const Findable* current = found_.empty() ? nullptr : found_[current_].findable;
    if (current && !current->detail.empty())
        text_wrapped(theme.fonts.words, theme.text, current->detail, width);
    else text_item(theme.fonts.small, theme.text_dim, "↑ ↓ choose, Enter opens, Esc closes");
}

void Palette::draw(const Theme& theme, const CommandContext& context) {
    if (std::exchange(opening_, false)) {
        query_.clear();
        found_.clear();
        findables_ = collect_findables(context);
        focus_ = true;
        ImGui::OpenPopup(palette_popup);
    }
    const float scale = theme.fonts.scale;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(display.x - 32 * scale, std::round(760 * scale));
    ImGui::SetNextWindowPos({std::round((display.x - width) / 2), std::round(display.y * 0.1f)});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * scale, 12 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8 * scale);
    ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_PopupBg, theme.panel);
    shown_ = ImGui::BeginPopup(palette_popup, palette_flags);
    if (shown_) {
        const float inner = ImGui::GetContentRegionAvail().x, row_height = std::round(30 * scale);
        const bool entered = field(theme, inner);
        find(context);
        const auto fitting = static_cast<int>((display.y * 0.8f - 140 * scale) / row_height);
        const int rows = std::clamp(fitting, 3, most_rows_shown);
        take_keys(rows);
        ImGui::Dummy({1, std::round(4 * scale)});
        const bool clicked = list(theme, {inner, static_cast<float>(rows) * row_height});
        foot(theme, inner);
        const Findable* chosen =
            (entered || clicked) && !found_.empty() ? found_[current_].findable : nullptr;
        // A definition is read here; everything else is opened.
        if (chosen && !chosen->open) focus_ = true;
        if (entered && found_.empty()) focus_ = true;
        if ((chosen && chosen->open) || compat::key_pressed(compat::Key::escape)) ImGui::CloseCurrentPopup();
        if (chosen && chosen->open) {
            const auto open = chosen->open;
            open();
        }
        ImGui::EndPopup();
    } else {
        findables_.clear();
        found_.clear();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
}

}  // namespace warplens::app
