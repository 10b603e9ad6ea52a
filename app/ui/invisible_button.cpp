#include "app/ui/invisible_button.h"

#include <algorithm>

namespace warplens::app {

bool invisible_button(const char* id, ImVec2 size) {
    return ImGui::InvisibleButton(id, {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
}

}  // namespace warplens::app
