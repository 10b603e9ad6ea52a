// ImGui's invisible button at any window size: ImGui asserts that neither side is zero, and a window of a few
// pixels leaves none.
#pragma once

#include <imgui.h>

namespace warplens::app {

bool invisible_button(const char* id, ImVec2 size);

}  // namespace warplens::app
