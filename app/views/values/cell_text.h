// The text of a value in a narrow cell: a number loses digits rather than its end.
#pragma once

#include <string>

#include "app/ui/ink.h"

namespace warplens::app {

/// `text` if it fits into `width`, else the number with as many significant digits as fit: "10k" where not
/// even the digits before the point do, and "…" where nothing fits: half a number would be another number.
/// What is no decimal number stays as it is.
std::string cell_text(const Ink& ink, const std::string& text, float width);

}  // namespace warplens::app
