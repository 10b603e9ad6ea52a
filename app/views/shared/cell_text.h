// The text of a value in a narrow cell: a number loses digits rather than its end.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/ui/ink.h"

namespace warplens::app {

/// `text` if it fits into `width`, else the number with as many significant digits as fit: "10k" where not
/// even the digits before the point do, and "…" where nothing fits: half a number would be another number.
/// What is not a decimal number stays as it is.
/// `digits`: significant digits at most, for cells that are read beside each other; 0: as many as fit.
std::string cell_text(const Ink& ink, const std::string& text, float width, int digits = 0);

/// The texts of cells that are read beside each other, in one manner: all with as many digits after the point
/// as fit in every cell, where that leaves most of them a digit, and the few smaller ones as powers of ten;
/// else as cell_text() with digits_that_fit(); and all whole numbers from 1,000 on as "1.2k" where one of
/// them has to be.
std::vector<std::string> cell_texts(const Ink& ink, std::span<const std::string> texts, float width);

/// Significant digits that fit in every cell of a row; 0: all fit as they are.
int digits_that_fit(const Ink& ink, std::span<const std::string> texts, float width);

}  // namespace warplens::app
