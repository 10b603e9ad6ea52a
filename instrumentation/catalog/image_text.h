// A texture or surface in one line, as --arg and the window's form take it:
// "texture:f32x4[640,480]=random,filter=linear,address=clamp". A header declares the same in its tables:
// instrumentation/catalog/images_header.h.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// An image with a buffer of its own for its texels.
struct ImageText {
    ImageDeclaration image;
    BufferDeclaration texels;
};

/// Whether an argument's text begins as a texture or surface does.
bool is_image_text(std::string_view text);

/// Whether it is called as one of the options after the fill is: "filter=linear", "cube".
bool is_image_option(std::string_view text);

/// Extents and values may be expressions. Errors hold the text and what would be right; what the extents
/// come to is seen when the launch is prepared.
Result<ImageText> parse_image_text(const std::string& text, const std::string& name);

/// The opposite. Of an image that shows a buffer declared for itself, with that buffer's fill.
std::string image_text(const ImageText& written);

}  // namespace warplens::instrumentation
