// GoldenMemory: golden checks, each computed once. The same buffers are checked again when a launch is
// executed from its machine code, too, and when a knob returns to where it was; Lua takes longer for them
// than the engine. What could not be checked is not remembered.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

class GoldenMemory {
  public:
    /// As instrumentation::check_golden. May be called from several threads at once.
    Result<instrumentation::GoldenResult> check(const instrumentation::KernelFile& kernel,
                                                const instrumentation::PreparedLaunch& launch,
                                                const std::vector<const std::byte*>& results);

  private:
    std::mutex mutex_;
    std::map<std::string, instrumentation::GoldenResult> known_;  // by everything that the check reads
};

}  // namespace warplens::app
