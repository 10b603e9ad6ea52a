// Tooltip card: one sentence that explains, then the arithmetic with real numbers in the code font.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

/// Draws the card next to the mouse; call it while the item is hovered. `sentence` may hold `code` between
/// backticks; `arithmetic` is one line each, such as "bank = (5 × 32 + 3) mod 32 = 3".
void tooltip_card(const Theme& theme, std::string_view sentence,
                  std::span<const std::string> arithmetic = {});
/// The same for a single line of arithmetic.
void tooltip_card(const Theme& theme, std::string_view sentence, const std::string& arithmetic);

}  // namespace warplens::app
