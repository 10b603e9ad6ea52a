// Text boxes: whether the texts of a frame can be read: none covers another, and none is cut off without an
// ellipsis, unless a person can scroll to the rest.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/ui/hit_boxes.h"

namespace warplens::app {

/// Sentences, one per fault of the frame; `screen`: its size in pixels. Nobody can scroll a picture.
std::vector<std::string> text_faults(const std::vector<DrawnText>& texts, ImVec2 screen,
                                     bool is_picture = false);

}  // namespace warplens::app
