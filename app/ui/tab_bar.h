// Tab bar: one row of titles, the current one underlined.
#pragma once

#include <span>

#include "app/ui/theme.h"

namespace warplens::app {

struct Tab {
    const char* name;     // names its hit box: "tab banks"
    const char* title;    // as drawn
    const char* help;     // tooltip; may be null
    bool dimmed = false;  // there is nothing behind it now
};

struct TabBarResult {
    int current = 0;
    bool opened = false;  // another tab was clicked
    bool filled = false;  // a title was double-clicked: maximize or restore the view
};

TabBarResult tab_bar(const Theme& theme, const char* id, std::span<const Tab> tabs, int current);

}  // namespace warplens::app
