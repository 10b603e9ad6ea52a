// Layout: the settings that the window keeps from one start to the next. Lengths are unscaled pixels, so that
// a saved layout fits another monitor.
#pragma once

#include <string>

#include "app/ui/theme.h"
#include "core/result.h"

namespace warplens::app {

/// Whether the list of kernels is open: as the window's size suggests, or as a person wants it.
enum class KernelList { by_size, shown, hidden };

inline constexpr float least_text_scale = 0.6f, greatest_text_scale = 3;
inline constexpr float least_pane_width = 120, greatest_pane_width = 1000;

struct Layout {
    int window_width = 1760, window_height = 1000;
    bool maximised = false;
    ThemeName theme = ThemeName::dark;
    float kernels_width = 224;
    float explain_width = 296;
    KernelList kernels = KernelList::by_size;
    float source_share = 0.40f;    // of what the kernels and the explanation leave, across
    float bottom_share = 0.38f;    // of the height between toolbar and status line, for the timeline
    float text_share = 0.40f;      // PaneOrder::halves: source and explanation, across
    float source_height = 0.40f;   // likewise: the source, of their column
    float text_height = 0.46f;     // PaneOrder::stack: source and explanation, of what is above the timeline
    float stacked_source = 0.50f;  // likewise: the source, across
    float stacked_timeline = 0.27f;  // likewise: the timeline, of the height
    float lecture_text = 0.32f;      // PaneOrder::lecture: the explanation, across
    float text_scale = 1;            // a person's factor on the monitor's own
    bool motion = true;              // animate what moves

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
