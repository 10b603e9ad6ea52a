// Functions that CUDA provides: device code may call them although no module contains their text.
#pragma once

#include <optional>
#include <string_view>

#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

inline std::optional<Callee> provided_function(std::string_view name) {
    if (name == "vprintf") return Callee::print;
    if (name == "__assertfail") return Callee::assertion;
    if (name == "malloc") return Callee::allocate;
    if (name == "free") return Callee::release;
    return std::nullopt;
}

}  // namespace warplens::simt
