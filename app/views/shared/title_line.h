// Title line and provenance line: the first and the last thing every view draws. The title answers a question
// with its numbers ("Load of `tile[threadIdx.x][threadIdx.y]`, line 14: 32 lanes, 1 bank, 32 wavefronts
// (ideal 1)"); the provenance line says what kind of numbers they are and how much of the launch was
// executed.
#pragma once

#include <string>
#include <string_view>

#include "app/scene/scene.h"
#include "app/ui/theme.h"

namespace warplens::app {

/// A pane or picture of this height, in pixels, is so low that its drawing takes precedence over words.
bool is_compact(const Theme& theme, float height);
/// In the title font, or where the room below the cursor is compact in that of words; `code` between
/// backticks in the code font; wrapped into lines about equally long; leaves a little space below.
void title_line(const Theme& theme, std::string_view text);
/// "exact · PTX level" and so on in `words`, then what `sampled_words` says.
void provenance_line(const Theme& theme, const Scene& scene, std::string_view words);
/// Height that provenance_line will take: leave it free below the drawing.
float provenance_line_height(const Theme& theme);

}  // namespace warplens::app
