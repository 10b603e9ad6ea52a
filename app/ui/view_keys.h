// Keys that change how the window shows things, where Dear ImGui 1.86 and later releases differ: the
// complement of app/ui/imgui_compat.h, as app/ui/letter_keys.h is.
#pragma once

#include <imgui.h>

namespace warplens::app::compat {

enum class ViewKey { present, larger, smaller, natural_size, next_pane };

#if IMGUI_VERSION_NUM >= 18700

inline constexpr ImGuiKey view_keys[][2] = {{ImGuiKey_F5, ImGuiKey_F5},
                                            {ImGuiKey_Equal, ImGuiKey_KeypadAdd},
                                            {ImGuiKey_Minus, ImGuiKey_KeypadSubtract},
                                            {ImGuiKey_0, ImGuiKey_Keypad0},
                                            {ImGuiKey_F6, ImGuiKey_F6}};
inline void feed_view_key(ViewKey key, bool down) {
    ImGui::GetIO().AddKeyEvent(view_keys[static_cast<int>(key)][0], down);
}

#else

/// The platform numbers its keys: GLFW gives signs their ASCII code, and these to F5, F6 and the keypad.
inline constexpr int view_keys[][2] = {{294, 294}, {'=', 334}, {'-', 333}, {'0', 320}, {295, 295}};
inline void feed_view_key(ViewKey key, bool down) {
    ImGui::GetIO().KeysDown[view_keys[static_cast<int>(key)][0]] = down;
}

#endif

inline bool view_key_pressed(ViewKey key) {
    const auto& keys = view_keys[static_cast<int>(key)];
    return ImGui::IsKeyPressed(keys[0], false) || ImGui::IsKeyPressed(keys[1], false);
}

}  // namespace warplens::app::compat
