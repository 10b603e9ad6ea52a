// --size, --scale, --theme and --annotate of a picture.
#pragma once

#include <string>
#include <vector>

#include "app/window/pictures.h"
#include "core/result.h"

namespace warplens::app {

/// `scale` enlarges type and strokes, from 1 to 4.
Result<PictureSize> parse_size(const std::string& text, float scale = 1);
Result<ThemeName> parse_theme(const std::string& text);
/// Each "MARK=WORDS".
Result<std::vector<Annotation>> parse_annotations(const std::vector<std::string>& texts);

}  // namespace warplens::app
