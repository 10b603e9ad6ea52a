// FailedListing: the text that a run failed with, its lines marked that the failure names. It has no costs:
// those of the run before are of another text or of other settings.
#pragma once

#include <cstdint>
#include <string>

#include "app/scene/failed_source.h"
#include "app/views/source/code_pane.h"
#include "app/views/view.h"

namespace warplens::app {

class FailedListing {
  public:
    /// `frame.failed` is there.
    void draw(ViewFrame& frame);

  private:
    CodeListing listing_;
    CodePaneState state_;
    std::string text_;
    std::vector<FailedSource::Line> marks_;
};

}  // namespace warplens::app
