// Callouts: numbered circles on what a person names in a picture of a view, and the person's words to each
// number below the view. Circles cover no text. app/ui/marks.h finds what is named.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/ui/hit_boxes.h"
#include "app/ui/ink.h"
#include "core/result.h"

namespace warplens::app {

struct Annotation {
    std::string mark;   // "lane:3"
    std::string words;  // "the conflict begins here"
};

/// The height of the words under a picture of this width; 0 without annotations.
float callout_words_height(const Theme& theme, const std::vector<Annotation>& annotations, float width);
void draw_callout_words(const Ink& ink, const std::vector<Annotation>& annotations, const Box& box);

/// Circles around the marks that `notes` has of the view, and inside `area`. The error names a mark that is
/// not there.
Status draw_callouts(const Ink& ink, const FrameNotes& notes, std::string_view view,
                     const std::vector<Annotation>& annotations, const Box& area);

/// Where circles of this radius go, one per mark: on the mark or beside it, over no text and no other circle
/// where there is such a place.
std::vector<ImVec2> place_callouts(const std::vector<HitBox>& marks, const std::vector<DrawnText>& texts,
                                   float radius, const Box& area);

}  // namespace warplens::app
