#include "tests/support/headless.h"

#include <algorithm>

#include "app/ui/shared_fonts.h"

namespace warplens::app {

Headless::Headless(Draw draw, ImVec2 size, ThemeName theme, float scale)
    : context_(theme, size, shared_fonts(scale, GlyphWidths::whole_pixels)), draw_(std::move(draw)) {
    compat::map_keys_to_themselves();
    move_mouse({-1, -1});
}

void Headless::frame(int count) {
    for (int i = 0; i < count; ++i) {
        context_.make_current();
        notes_ = {};
        record_notes(&notes_);
        context_.frame(draw_);
    }
}

void Headless::move_mouse(ImVec2 to) {
    context_.make_current();
    compat::feed_mouse_position(to);
}

void Headless::click_at(ImVec2 at) {
    move_mouse(at);
    frame(2);  // hovering is known a frame later
    compat::feed_mouse_button(0, true);
    frame();
    compat::feed_mouse_button(0, false);
    frame(2);
}

void Headless::double_click_at(ImVec2 at) {
    move_mouse(at);
    frame(2);
    for (int i = 0; i < 2; ++i) {
        compat::feed_mouse_button(0, true);
        frame();
        compat::feed_mouse_button(0, false);
        frame();
    }
    frame();
}

void Headless::drag(ImVec2 from, ImVec2 to) {
    move_mouse(from);
    frame(2);
    compat::feed_mouse_button(0, true);
    frame();
    for (int i = 1; i <= 4; ++i) {
        const float share = static_cast<float>(i) / 4;
        move_mouse({from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
        frame();
    }
    compat::feed_mouse_button(0, false);
    frame(2);
}

void Headless::wheel(float steps) {
    context_.make_current();
    compat::feed_wheel(steps);
    frame(2);
}

void Headless::press(compat::Key key) {
    context_.make_current();
    compat::feed_key(key, true);
    frame();
    compat::feed_key(key, false);
    frame(2);
}

void Headless::type(std::string_view text) {
    context_.make_current();
    ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
    frame(2);
}

const HitBox* Headless::find(std::string_view box) const {
    const auto found = notes_.boxes.find(box);
    return found == notes_.boxes.end() ? nullptr : &found->second;
}

bool Headless::click(std::string_view box) {
    const HitBox* found = find(box);
    if (!found) return false;
    click_at(found->centre());
    return true;
}

bool Headless::hover(std::string_view box) {
    const HitBox* found = find(box);
    if (!found) return false;
    move_mouse(found->centre());
    frame(2);
    return true;
}

bool Headless::shows(std::string_view part) const {
    return std::ranges::any_of(
        notes_.words, [&](const std::string& words) { return words.find(part) != std::string::npos; });
}

int Headless::vertices() const {
    context_.make_current();
    return ImGui::GetDrawData()->TotalVtxCount;
}

}  // namespace warplens::app
