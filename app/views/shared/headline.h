// Headline: the number that matters, in the largest type, with its unit and what qualifies it beside it.
#pragma once

#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

/// At the cursor, over the width of the content region: "8" "rounds" and, on up to two lines beside it,
/// `words`. The number is smaller only where it does not fit with its unit.
void headline(const Theme& theme, std::string_view number, std::string_view unit, std::string_view words);
float headline_height(const Theme& theme);

}  // namespace warplens::app
