// The few places where Dear ImGui 1.86 (the oldest that the supported distributions ship) and the newest
// release differ, under one name each. Nothing else in app/ checks ImGui's version.
#pragma once

#include <imgui.h>

namespace warplens::app::compat {

enum class Key {
    tab,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    remove,
    backspace,
    space,
    enter,
    escape
};

inline constexpr ImGuiKey imgui_keys[] = {
    ImGuiKey_Tab,       ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
    ImGuiKey_PageUp,    ImGuiKey_PageDown,  ImGuiKey_Home,       ImGuiKey_End,     ImGuiKey_Delete,
    ImGuiKey_Backspace, ImGuiKey_Space,     ImGuiKey_Enter,      ImGuiKey_Escape};

inline ImGuiKey imgui_key(Key key) { return imgui_keys[static_cast<int>(key)]; }

#if IMGUI_VERSION_NUM >= 18700

inline bool key_pressed(Key key) { return ImGui::IsKeyPressed(imgui_key(key)); }
inline void feed_key(Key key, bool down) { ImGui::GetIO().AddKeyEvent(imgui_key(key), down); }
inline void feed_mouse_position(ImVec2 at) { ImGui::GetIO().AddMousePosEvent(at.x, at.y); }
inline void feed_mouse_button(int button, bool down) { ImGui::GetIO().AddMouseButtonEvent(button, down); }
inline void feed_wheel(float steps) { ImGui::GetIO().AddMouseWheelEvent(0, steps); }
/// A context without a platform backend needs no key table.
inline void map_keys_to_themselves() {}

#else

inline bool key_pressed(Key key) {
    const int index = ImGui::GetKeyIndex(imgui_key(key));
    return index >= 0 && ImGui::IsKeyPressed(index);
}
inline void feed_key(Key key, bool down) {
    const int index = ImGui::GetIO().KeyMap[imgui_key(key)];
    if (index >= 0) ImGui::GetIO().KeysDown[index] = down;
}
inline void feed_mouse_position(ImVec2 at) { ImGui::GetIO().MousePos = at; }
inline void feed_mouse_button(int button, bool down) { ImGui::GetIO().MouseDown[button] = down; }
inline void feed_wheel(float steps) { ImGui::GetIO().MouseWheel += steps; }
/// What a platform backend does before 1.87: here each of ImGui's keys is its own number.
inline void map_keys_to_themselves() {
    for (int key = 0; key < ImGuiKey_COUNT; ++key) ImGui::GetIO().KeyMap[key] = key;
}

#endif

#if IMGUI_VERSION_NUM >= 19200

inline float font_size(const ImFont* font) { return font->LegacySize; }
inline void push_font(ImFont* font) { ImGui::PushFont(font, font->LegacySize); }

#else

inline float font_size(const ImFont* font) { return font->FontSize; }
inline void push_font(ImFont* font) { ImGui::PushFont(font); }

#endif

#if IMGUI_VERSION_NUM >= 19280

inline void add_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float rounding = 0,
                     float thickness = 1) {
    list.AddRect(min, max, colour, rounding, thickness, 0);
}
inline void add_polyline(ImDrawList& list, const ImVec2* points, int count, ImU32 colour, bool closed,
                         float thickness) {
    list.AddPolyline(points, count, colour, thickness, closed ? ImDrawFlags_Closed : 0);
}

#else

inline void add_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float rounding = 0,
                     float thickness = 1) {
    list.AddRect(min, max, colour, rounding, 0, thickness);
}
inline void add_polyline(ImDrawList& list, const ImVec2* points, int count, ImU32 colour, bool closed,
                         float thickness) {
    list.AddPolyline(points, count, colour, closed ? ImDrawFlags_Closed : 0, thickness);
}

#endif

/// A child region with neither border nor padding of its own.
inline bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags = 0) {
    return ImGui::BeginChild(id, size, false, flags);
}

}  // namespace warplens::app::compat
