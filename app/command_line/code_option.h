// `shot --code`: which listings the source view shows, as text.
#pragma once

#include <string_view>

#include "app/scene/selection.h"
#include "core/result.h"

namespace warplens::app {

/// "cuda,machine", or one or three of cuda, ptx and machine.
Result<ShownCode> parse_code_option(std::string_view text);

}  // namespace warplens::app
