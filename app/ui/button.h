// Buttons: words on a quiet surface, and the chooser that opens a list. Their hit boxes are named by `name`.
#pragma once

#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

/// Height of every control in a row.
float control_height(const Theme& theme);

/// True when clicked. `help` is a tooltip sentence and may be empty.
bool text_button(const Theme& theme, std::string_view name, std::string_view words, std::string_view help);
float text_button_width(const Theme& theme, std::string_view words);

/// "caption value ▾". True while its list is open: then add chooser_items and call end_chooser.
bool begin_chooser(const Theme& theme, std::string_view name, std::string_view caption,
                   std::string_view value, std::string_view help);
float chooser_width(const Theme& theme, std::string_view caption, std::string_view value);
/// One row of the open list: text followed by a dimmed detail. True when chosen, which closes the list.
bool chooser_item(const Theme& theme, std::string_view name, std::string_view words, std::string_view detail,
                  bool current);
void end_chooser();

}  // namespace warplens::app
