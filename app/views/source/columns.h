// The heat columns of a listing: where there is little room, those that say least are left out, so that the
// code is not cut.
#pragma once

#include "app/views/source/code_pane.h"
#include "app/views/source/links.h"

namespace warplens::app {

const HeatTitles& all_columns(CodeLevel level);
/// Without all that may be left out.
HeatTitles fewest_columns(const Theme& theme, const CodeListing& listing, CodeLevel level);
/// In a pane of this width, in pixels.
HeatTitles columns_in(const Theme& theme, const CodeListing& listing, CodeLevel level, float width);

}  // namespace warplens::app
