// Writes a Drawing as an SVG document: a group a layer, text as text, only primitives that every editor
// knows. The same Drawing gives the same bytes. Fonts are named, not embedded: every line of text says how
// wide it is, so that another font in their place stays within the layout.
#pragma once

#include <string>

#include "app/capture/svg/drawing.h"

namespace warplens::app::svg {

std::string write_svg(const Drawing& drawing);

}  // namespace warplens::app::svg
