// OfferedChanges: the changes that help, in Explain: a button each, with the result, that makes the setting.
// A change of the source, and every change in a picture, is a sentence.
#pragma once

#include <cstddef>
#include <vector>

#include "app/scene/advice.h"
#include "app/ui/theme.h"
#include "app/views/view.h"

namespace warplens::app {

class OfferedChanges {
  public:
    /// The first three, at the cursor of the window. Sentences are in the two fonts; `width` in pixels, 0: as
    /// wide as the pane.
    void draw(ViewFrame& frame, const std::vector<TriedChange>& changes, ImFont* words, ImFont* code,
              float width);

  private:
    std::size_t take_keys(ViewFrame& frame, const std::vector<TriedChange>& changes);

    std::size_t cursor_ = 0;  // the change that Enter makes while the pane has the keyboard
};

}  // namespace warplens::app
