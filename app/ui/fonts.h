// Fonts: finds Inter and JetBrains Mono through fontconfig and loads them into an ImGui atlas at the sizes of
// the theme. A font that is not installed is replaced by ImGui's own, and `missing` says which and how to get
// it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/ui/theme.h"

namespace warplens::app {

/// A font of the atlas as type is named elsewhere.
struct LoadedFace {
    ImFont* font = nullptr;
    std::string name;                 // what Fonts calls it: "words"
    std::string families;             // as CSS lists them, the best first
    int weight = 400;                 // as CSS counts it
    float em = 0;                     // pixels
    std::string file, fallback_file;  // empty: ImGui's own font; no fallback
};

struct LoadedFonts {
    Fonts fonts;
    std::vector<LoadedFace> faces;
    std::vector<std::string> missing;  // one sentence a font that was not found
};

/// Fills `atlas` (which must be empty); `scale` is the monitor's factor, and ends in Fonts::scale.
LoadedFonts load_fonts(ImFontAtlas& atlas, float scale);

/// Gives every glyph of a built atlas its designed width; ImGui rounds widths up to whole pixels for sharp
/// stems. For vector images.
void use_designed_widths(std::span<const LoadedFace> faces);

/// The file of a font family's upright face of the given fontconfig weight, or empty when the family is not
/// installed.
std::string find_font_file(const char* family, int weight);

}  // namespace warplens::app
