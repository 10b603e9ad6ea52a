// Reads ImGui's draw data — triangles, clip rectangles, places in the font atlas — back into a Drawing. Any
// view can be drawn this way without knowing about it. The frame must have been drawn with anti-aliasing off
// (svg/vector_capture.h), since soft edges are triangles of their own.
//
// Not read: textures other than the fonts', and callbacks; a view that draws with them shows what it shows
// without them.
#pragma once

#include <imgui.h>

#include <span>

#include "app/capture/svg/drawing.h"
#include "app/ui/fonts.h"

namespace warplens::app::svg {

/// `faces` are the fonts of the frame's atlas. The Drawing has no title and no background yet.
Drawing read_draw_data(const ImDrawData& data, std::span<const LoadedFace> faces);

}  // namespace warplens::app::svg
