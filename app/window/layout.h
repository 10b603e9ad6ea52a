// Layout: the settings that the window keeps from one start to the next. Lengths are unscaled pixels, so that
// a saved layout fits another monitor.
#pragma once

#include <string>

#include "app/ui/theme.h"
#include "core/result.h"

namespace warplens::app {

struct Layout {
    int window_width = 1760, window_height = 1000;
    bool maximised = false;
    ThemeName theme = ThemeName::dark;
    float kernels_width = 224;
    float explain_width = 296;
    float source_share = 0.38f;   // of what the kernels and the explanation leave, across
    float source_height = 0.52f;  // of the column, if the explanation is below the source
    float bottom_share = 0.38f;   // of the height between toolbar and status line, for the timeline
    bool motion = true;           // animate what moves

    friend bool operator==(const Layout&, const Layout&) = default;
};

/// One "name = value" per line; unknown lines and values out of range change nothing.
Layout read_layout(const std::string& text);
std::string to_text(const Layout& layout);

/// $XDG_CONFIG_HOME/warplens/layout, or the same below ~/.config; empty when neither is known.
std::string layout_path();
/// The default layout when there is no such file.
Layout load_layout(const std::string& path);
Status save_layout(const Layout& layout, const std::string& path);

}  // namespace warplens::app
