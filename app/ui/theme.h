// Theme: every colour and font of the program, by meaning: costs are always drawn in `cost`, the ideal always
// in `ideal`. No information depends on colour alone.
#pragma once

#include <imgui.h>

#include "core/warp_state.h"

namespace warplens::app {

enum class ThemeName { dark, light };

/// Sizes are of the em, in unscaled pixels, as type is measured; a line is higher: see text_height.
struct Fonts {
    ImFont* words = nullptr;       // Inter 15
    ImFont* code = nullptr;        // JetBrains Mono 14
    ImFont* title = nullptr;       // Inter 20
    ImFont* small = nullptr;       // Inter 12: provenance lines, axis labels
    ImFont* code_title = nullptr;  // JetBrains Mono 18: code inside a view's title
    ImFont* headline = nullptr;    // Inter 40: what a lecture hall reads
    float scale = 1;               // of the monitor: multiply sizes in pixels by it
};

struct Theme {
    ThemeName name = ThemeName::dark;
    Fonts fonts;
    // surfaces and words
    ImU32 background = 0, panel = 0, raised = 0, hairline = 0;
    ImU32 text = 0, text_dim = 0, text_on_fill = 0;  // text_on_fill: for words on a bright cell
    // meaning
    ImU32 cost = 0;      // warm: excess, conflict, waste
    ImU32 ideal = 0;     // cool: the ideal
    ImU32 selected = 0;  // outline of what is chosen
    ImU32 hovered = 0;   // translucent fill
    ImU32 inactive = 0;  // lanes off, padding: drawn hatched
    ImU32 error = 0;

    /// Okabe and Ito's colour-blind-safe set, 0 to 7, tuned to the background.
    ImU32 category(int index) const;
    /// Perceptually even map (viridis for dark, cividis for light), t in 0 to 1: 0 is closest to the
    /// background, 1 stands out most, in both themes.
    ImU32 amount(double t) const;
    /// One cyclic map over the 32 banks, so that neighbours differ a little and wrap-around shows.
    ImU32 bank(int bank) const;
    /// What a warp does in a cycle. Issuing contrasts most with the background; orange waits for global
    /// memory, blue for shared memory, grey for fixed latencies, purple for other warps.
    ImU32 state(WarpState state) const;
    /// Black or nearly white, whichever is legible on `fill`.
    ImU32 text_on(ImU32 fill) const;
};

/// States in which a warp waits for a full queue or a busy pipe are hatched as well as coloured.
bool is_hatched(WarpState state);

Theme make_theme(ThemeName name, const Fonts& fonts);
/// Sets ImGui's style from the theme.
void apply(const Theme& theme);
/// Mixes two colours, t in 0 to 1.
ImU32 mix(ImU32 a, ImU32 b, double t);
/// The same colour with another opacity, 0 to 1.
ImU32 with_alpha(ImU32 colour, double alpha);
/// WCAG contrast ratio of two opaque colours, 1 to 21.
double contrast(ImU32 a, ImU32 b);

}  // namespace warplens::app
