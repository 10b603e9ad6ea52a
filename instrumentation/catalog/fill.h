// Initial contents of a launch's buffers. The sequences are documented in docs/kernel_header.md and must
// never change: golden checks and hardware figures depend on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// Bytes of one element of a BufferDeclaration's type; 0 when the type is unknown.
std::uint32_t element_bytes(const std::string& element_type);

struct FillArguments {
    Value constant;           // fill constant
    std::uint64_t step = 0;   // fill ring: elements from one to the next
    std::uint64_t below = 0;  // exclusive bound of random and lcg integers; 0: none
    std::uint64_t seed = 0;
    std::string file;                        // path, already relative to the working folder
    std::optional<std::uint64_t> file_part;  // as BufferDeclaration's
    std::string formula;                     // fill formula: an expression of the element's index `i`
    Values names;                            // and of these
};

/// Fills buffer.data, whose size is set.
Status fill_buffer(PreparedBuffer& buffer, const std::string& fill, const FillArguments& arguments);

}  // namespace warplens::instrumentation
