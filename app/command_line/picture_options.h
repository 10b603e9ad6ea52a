// --size and --theme of a picture.
#pragma once

#include <string>

#include "app/window/pictures.h"
#include "core/result.h"

namespace warplens::app {

Result<PictureSize> parse_size(const std::string& text);
Result<ThemeName> parse_theme(const std::string& text);

}  // namespace warplens::app
