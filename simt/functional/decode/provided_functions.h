// The functions that device code may call without any module having their text, since CUDA provides them.
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
