// The source of two runs as one listing: the lines of the current text, each with the difference of its
// costs, and between them the lines that only the baseline has.
#pragma once

#include <vector>

#include "app/views/source/code_pane.h"

namespace warplens::app {

/// Both listings have the costs of their runs. A rewritten line is compared with its earlier text; a line
/// that only one text has keeps its own costs, those of a removed one as savings.
std::vector<CodeLine> difference(const std::vector<CodeLine>& before, const std::vector<CodeLine>& after);

}  // namespace warplens::app
