// PictureOrder: how a picture of the open view is to look, as its dialog asks for it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "app/ui/theme.h"

namespace warplens::app {

/// Where a picture of the open view goes.
enum class PictureTarget { file, clipboard };

/// In pixels; 0: as large as the view is on screen, times the scale.
struct PictureExtent {
    int width = 0, height = 0;
};
inline constexpr std::array<PictureExtent, 5> picture_extents{
    PictureExtent{}, {1280, 720}, {1600, 900}, {1920, 1080}, {3840, 2160}};

struct PictureOrder {
    std::size_t extent = 0;          // index into picture_extents
    int scale = 2;                   // of type and strokes, 1 to 3
    std::optional<ThemeName> theme;  // none: the window's
    bool svg = false;                // of a file; the clipboard gets a PNG
};

}  // namespace warplens::app
