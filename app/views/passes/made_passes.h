// MadePasses: the passes over one run's PTX, made on another thread when the run is another.
#pragma once

#include <memory>
#include <string>

#include "app/scene/passes.h"
#include "app/session/latest_task.h"
#include "trace/trace.h"

namespace warplens::app {

class MadePasses {
  public:
    /// Starts the passes when the PTX or its launch changes, and takes their results; true if it took some. A
    /// picture waits for them: `interactive` false.
    bool follow(const std::shared_ptr<const trace::Trace>& trace, bool interactive);
    /// Null until they are done.
    const KernelPasses* get() const { return made_.get(); }
    /// Both are made of the same PTX for the same launch.
    bool same_input(const MadePasses& other) const { return input_ == other.input_; }
    const std::string& entry() const { return input_.entry; }

  private:
    struct Input {
        std::string ptx, entry;
        LaunchGeometry geometry;
        std::uint32_t shared = 0;  // bytes of a block, static and dynamic
        friend bool operator==(const Input&, const Input&) = default;
    };
    std::shared_ptr<const trace::Trace> trace_;
    Input input_;
    LatestTask<std::shared_ptr<const KernelPasses>> task_;
    std::shared_ptr<const KernelPasses> made_;
};

}  // namespace warplens::app
