// How much of its thread's stack an activation of a function takes. PTX does not say: the assembler decides
// which registers a function saves, and does so after the engine has read the PTX. What is reckoned here is
// what an activation cannot do without: its local variables, the registers whose values it needs behind a
// call, and where to return to. The machine's frames are larger mostly (docs/device_functions.md).
#pragma once

#include <vector>

#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

/// What a function keeps while it calls others.
struct KeptOverCalls {
    bool calls = false;  // it makes any
    u32 bytes = 0;       // of registers, where they are most
};

/// Sets DecodedFunction::frame_bytes, and DecodedKernel::recurses and local_bytes from who calls whom.
/// `callers`: by call, the function it stands in; `kept`: by function.
void measure_stack(DecodedKernel& kernel, const std::vector<u32>& callers,
                   const std::vector<KeptOverCalls>& kept);

}  // namespace warplens::simt
