// How much of its thread's stack an activation of a function takes. PTX does not define this: the assembler
// chooses which registers a function saves. The estimate here is the minimum that an activation needs: its
// local variables, the registers whose values it needs after a call, and the return address. The machine's
// frames are usually larger (docs/device_functions.md).
#pragma once

#include <vector>

#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

/// What a function keeps while it calls others.
struct KeptOverCalls {
    bool calls = false;  // the function makes calls
    u32 bytes = 0;       // of registers, the maximum over its calls
};

/// Sets DecodedFunction::frame_bytes, and DecodedKernel::recurses and local_bytes from the call graph.
/// `callers`: by call, the calling function; `kept`: by function.
void measure_stack(DecodedKernel& kernel, const std::vector<u32>& callers,
                   const std::vector<KeptOverCalls>& kept);

}  // namespace warplens::simt
