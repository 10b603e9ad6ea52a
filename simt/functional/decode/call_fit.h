// Which function stands behind an address, and whether it can be called with a call's parameters.
#pragma once

#include <string>

#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

/// Index into DecodedKernel::functions; no_index where it is the address of no function whose address the
/// kernel takes.
u32 function_at(const DecodedKernel& kernel, u64 address);

/// As many parameters and results as the call has, each with as many bytes.
bool fits(const CallSite& site, const DecodedFunction& function);
/// What does not fit, in words: "it takes 2 of 8 and 4 bytes, and gets 1 of 8 bytes".
std::string misfit(const CallSite& site, const DecodedFunction& function);

}  // namespace warplens::simt
