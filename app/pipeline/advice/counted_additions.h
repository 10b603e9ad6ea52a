// Counted additions: global counters and sums that a kernel only adds to, and its text where it adds to
// something of its own instead, whose content goes to memory once for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/source_edits.h"
#include "instrumentation/catalog/kernel.h"
#include "trace/trace.h"

namespace warplens::app {

/// A pointer that the kernel is given and uses only to add to its elements, with results that nobody reads.
struct GlobalCounters {
    std::size_t parameter = 0;  // which one, from 0
    std::string name, type;     // of an element
};
std::vector<GlobalCounters> global_counters(const std::string& source, std::string_view entry);

/// What a launch gives for the pointer.
struct CountedBuffer {
    std::uint64_t bytes = 0, elements = 0;
};
std::optional<CountedBuffer> counted_buffer(const instrumentation::KernelFile& kernel,
                                            const trace::Launch& launch, const GlobalCounters& counters);

/// The words of the kernel's text that change.
struct OwnAdditions {
    enum class Into { array, address, name };  // `atomicAdd(&own[i], …)`, `atomicAdd(&own, …)`, `own += …;`
    std::vector<Insertion> words;
    int opened = 0;  // braces in place of a `return`, to be closed at the kernel's end
};
/// Nothing where the text does not allow it, such as by a `return` in a loop.
std::optional<OwnAdditions> own_additions(const KernelDefinition& kernel, const std::string& source,
                                          const GlobalCounters& counters, const std::string& own,
                                          OwnAdditions::Into into);

}  // namespace warplens::app
