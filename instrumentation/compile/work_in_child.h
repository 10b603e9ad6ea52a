// work_in_child: work on foreign input that cannot be interrupted and may take any time and memory, such as a
// compiler, done in a child process with limits on both. What goes wrong there ends the child alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/result.h"

namespace warplens::instrumentation {

struct ChildLimits {
    double seconds = 120;
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // beyond what this process has
};

/// The text that `work` gives. It runs in a copy of this process with one thread: it may not wait for others.
/// Errors are the end of a sentence that begins with who works: "did not finish within 120 s".
Result<std::string> work_in_child(const std::function<std::string()>& work, const ChildLimits& limits = {});

}  // namespace warplens::instrumentation
