// The location of everything with a name: the functions' scopes, the module's variables with their initial
// values.
#pragma once

#include <vector>

#include "ptx/program.h"
#include "simt/functional/decode/decoder.h"

namespace warplens::simt {

/// Fills the kernel's functions, variables and sizes; returns a scope for each function, the entry first.
std::vector<Scope> lay_out(const ptx::Module& module, const std::vector<ptx::SiteOrigin>& origins,
                           Decoder& decoder, DecodedKernel& kernel);

}  // namespace warplens::simt
