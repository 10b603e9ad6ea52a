// One SM as a GPU recorded it: which warp is in which slot at a time, in which basic block it is or that it
// waits at a barrier. Clocks record no pipes, queues or scoreboards.
#pragma once

#include "app/scene/measured_index.h"
#include "app/views/view.h"

namespace warplens::app {

class RecordedSm {
  public:
    /// Title, diagram and provenance into the rest of the content region.
    void draw(ViewFrame& frame, std::shared_ptr<const MeasuredIndex> index);

  private:
    void follow(const ViewFrame& frame, std::shared_ptr<const MeasuredIndex> index);

    std::shared_ptr<const MeasuredIndex> index_;
    Spot seen_;
    std::uint32_t sm_ = 0;  // into MeasuredIndex::sms()
    double ns_ = 0;
};

}  // namespace warplens::app
