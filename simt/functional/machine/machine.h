// Machine code for the CPU engine: a kernel of a cubin decoded into the operations that the engine executes.
// The engine, its memories, its observers and its problems are those of the PTX level; only decoding and
// reconvergence differ. Only with WARPLENS_SASS.
#pragma once

#include <memory>
#include <string_view>

#include "core/result.h"
#include "sass/cubin.h"
#include "simt/functional/engine.h"

namespace warplens::simt {

/// `entry` is a function of the cubin, by its mangled name. Instructions that are not executed are no
/// failure: see Kernel::unsupported(). The launch's arguments are laid out as the PTX level has them.
Result<std::shared_ptr<const Kernel>> load_machine_code(const sass::Cubin& cubin, std::string_view entry);

}  // namespace warplens::simt
