// The launch of a running program as a draft: extents, numbers and memory as the program gives them to the
// kernel. Names, types and relations ("grid: ceil_div(n, 256)") stay those of the draft that was guessed,
// where they have the program's values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/catalog/launch_draft.h"
#include "instrumentation/host_program/program_launch.h"
#include "instrumentation/host_program/stored_addresses.h"

namespace warplens::instrumentation {

/// Which memory of the program a buffer of the draft is.
struct ProgramBuffer {
    std::string name;                        // of the draft's row or target
    std::size_t allocation = 0;              // index in ProgramLaunch::allocations
    std::uint64_t offset = 0;                // bytes from its beginning
    std::uint64_t bytes = 0;                 // a multiple of the element's
    bool filled = false;                     // else it is 0, and nothing has written to it
    std::uint64_t row_bytes = 0, pitch = 0;  // of rows; contiguous memory is one row
    bool is_read = false;                    // by a texture: no launch writes to it
};

struct ProgramDraft {
    LaunchDraft draft;
    std::vector<ProgramBuffer> buffers;
};

/// The value of a texture's or surface's row with its texels in a file.
Result<std::string> with_texels_of_file(const DraftArgument& row, const std::string& path);

/// What else of the program a draft is made from.
struct ProgramContents {
    ProgramMemory memory;                            // empty: no memory leads to other memory
    std::vector<std::span<const std::byte>> others;  // variables of the device
};

/// Errors name what Warplens cannot pass to the kernel: a number of arguments or a size that differs, a
/// pointer to memory of the host, a texture that has no image here.
Result<ProgramDraft> with_program_launch(LaunchDraft guessed, const ProgramLaunch& launch,
                                         const ProgramContents& contents = {});

}  // namespace warplens::instrumentation
