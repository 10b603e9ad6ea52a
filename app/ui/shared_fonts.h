// Shared fonts: the program's fonts, built once for each scale of a process, because drawing the glyphs takes
// longer than most pictures. For contexts that make no texture of the atlas (app/ui/interface_context.h).
#pragma once

#include <memory>

#include "app/ui/interface_context.h"

namespace warplens::app {

enum class GlyphWidths {
    whole_pixels,  // as the window has them
    designed       // for vector images
};

std::shared_ptr<FontAtlas> shared_fonts(float scale, GlyphWidths widths);

}  // namespace warplens::app
