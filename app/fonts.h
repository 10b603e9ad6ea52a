// Fonts: finds Inter and JetBrains Mono through fontconfig and loads them into an ImGui atlas at the sizes of
// the theme. A font that is not installed is replaced by ImGui's own, and `missing` says which and how to get
// it.
#pragma once

#include <string>
#include <vector>

#include "app/theme.h"

namespace warplens::app {

struct LoadedFonts {
    Fonts fonts;
    std::vector<std::string> missing;  // one sentence a font that was not found
};

/// Fills `atlas` (which must be empty); `scale` is the monitor's factor, and ends in Fonts::scale.
LoadedFonts load_fonts(ImFontAtlas& atlas, float scale);

/// The file of a font family's upright face of the given fontconfig weight, or empty when the family is not
/// installed.
std::string find_font_file(const char* family, int weight);

}  // namespace warplens::app
