// Marks: finds what a person names in a picture, "lane:3", "cell:tile,3,4", "cycle:812" or "text:2
// wavefronts", among the hit boxes, axes and texts that were noted while it was drawn (app/ui/hit_boxes.h).
// It draws nothing: see app/window/callouts.h.
#pragma once

#include <string>
#include <string_view>

#include "app/ui/hit_boxes.h"
#include "core/result.h"

namespace warplens::app {

/// A hit box's name or the last words of it, with ':' and ',' for blanks; of several the leftmost. `view` is
/// left out of names. The error lists what can be marked.
Result<HitBox> find_mark(const FrameNotes& notes, std::string_view view, std::string_view mark);

}  // namespace warplens::app
