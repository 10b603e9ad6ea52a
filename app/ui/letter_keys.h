// Letter keys held with Ctrl, where Dear ImGui 1.86 and later releases differ: the complement of
// app/ui/imgui_compat.h for what edits text.
#pragma once

#include <imgui.h>

namespace warplens::app::compat {

#if IMGUI_VERSION_NUM >= 18700

/// 'A' to 'Z'.
inline bool letter_pressed(char letter) {
    return ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'A')), false);
}
inline void feed_letter(char letter, bool down) {
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'A')), down);
}
inline void feed_ctrl(bool down) { ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down); }

#else

/// 'A' to 'Z'. The platform numbers its keys; GLFW gives letters their ASCII code.
inline bool letter_pressed(char letter) { return ImGui::IsKeyPressed(letter, false); }
inline void feed_letter(char letter, bool down) { ImGui::GetIO().KeysDown[static_cast<int>(letter)] = down; }
inline void feed_ctrl(bool down) { ImGui::GetIO().KeyCtrl = down; }

#endif

inline bool ctrl_with(char letter) {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyCtrl && !io.KeyAlt && letter_pressed(letter);
}

}  // namespace warplens::app::compat
