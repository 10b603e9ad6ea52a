// Headline: the number that matters, in the largest type, with its unit and what qualifies it beside it.
#pragma once

#include <string>
#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

/// At the cursor, over the width of the content region: "8" "rounds" and, on up to two lines beside it,
/// `words`. The number is smaller only where it does not fit with its unit, and in a compact pane
/// (`is_compact`), where all of it is one line.
void headline(const Theme& theme, std::string_view number, std::string_view unit, std::string_view words,
              float width = 0);
float headline_height(const Theme& theme);

struct Headline {
    std::string number, unit, words;
};
/// The same where the pane is high enough for it, as pictures are; else nothing, and false. `width`: 0, or
/// less than the content region.
bool headline_with_room(const Theme& theme, const Headline& of, float width = 0);

}  // namespace warplens::app
