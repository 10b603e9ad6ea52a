// Asynchronous copy proposal: a loop that fills shared memory from global memory, `tile[i] = a[j];`, waits
// for each load before it stores it. `__pipeline_memcpy_async` copies without that: only the barrier behind
// the loop waits, for all of them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The kernel's copies of 4, 8 or 16 bytes in loops, from a pointer to `const` to a shared array that nothing
/// uses before the next barrier, and the wait before that barrier. Empty: there are none.
std::vector<Edit> asynchronous_copy_edits(const std::string& source, std::string_view entry);

std::optional<Proposal> proposed_asynchronous_copies(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
