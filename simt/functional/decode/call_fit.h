// The function at an address, and whether it accepts a call's parameters.
#pragma once

#include <string>

#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

/// Index into DecodedKernel::functions; no_index if no function whose address the kernel takes is there.
u32 function_at(const DecodedKernel& kernel, u64 address);

/// Whether the numbers and sizes of parameters and results match the call.
bool fits(const CallSite& site, const DecodedFunction& function);
/// The mismatch as text: "it takes 2 of 8 and 4 bytes, but gets 1 of 8 bytes".
std::string misfit(const CallSite& site, const DecodedFunction& function);

}  // namespace warplens::simt
