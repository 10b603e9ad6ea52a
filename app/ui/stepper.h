// Stepper and switch: the two controls of a row of settings. A stepper is "caption ◂ value ▸", a switch a
// word with a tick box; both are outlined while they differ from their default.
#pragma once

#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

struct StepperLook {
    std::string_view name;  // of its hit boxes: "<name> -" and "<name> +"
    std::string_view caption, value;
    std::string_view widest;  // of its values, so that nothing moves while it changes
    std::string_view help;    // tooltip sentence
    bool can_go_down = true, can_go_up = true;
    bool turned = false;  // away from its usual setting
};

float stepper_width(const Theme& theme, const StepperLook& look);
/// -1 or 1 when it was stepped in this frame, else 0.
int stepper(const Theme& theme, const StepperLook& look);

float switch_width(const Theme& theme, std::string_view words);
/// True when it was clicked.
bool switch_button(const Theme& theme, std::string_view name, std::string_view words, std::string_view help,
                   bool on);

}  // namespace warplens::app
