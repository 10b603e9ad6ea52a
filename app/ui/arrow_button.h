// The arrows at both ends of a stepper: "◂ 32 ▸". They repeat while held.
#pragma once

#include "app/ui/theme.h"

namespace warplens::app {

float arrow_button_width(const Theme& theme);
/// At the cursor; true when it was clicked and `possible`. The caller names its hit box, as of the last item.
bool arrow_button(const Theme& theme, const char* id, ImGuiDir direction, bool possible);

}  // namespace warplens::app
