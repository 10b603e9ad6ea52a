// DeclaredShape: what the source says a shared array's extents are, "float tile[TILE][TILE + PAD]" with the
// launch's macros put in. It reads declarations, no C++: integer literals, names of parameters, macros and
// constants of the same source, + - * / and parentheses. What it cannot read it does not guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warplens::analysis {

struct DeclaredShape {
    std::vector<std::uint32_t> extents;  // outermost first; one for a flat array
    std::uint32_t element_bytes = 4;
    bool is_product = false;   // flat, but its extent is written as a product: "float tile[32 * 33]"
    std::string source;        // name of the file that declares it
    std::uint32_t line = 0;    // of it, 1-based
    std::string before;        // what is written before the extents: "__shared__ float tile"
    std::string extents_text;  // the extents as written: "[TILE][TILE + PAD]"
};

/// The declaration of shared array `variable` (plain name) that takes `bytes`. Nothing when no source at hand
/// declares it, when an extent cannot be read, or when the extents contradict `bytes`.
std::optional<DeclaredShape> declared_shape(const trace::Trace& trace, std::string_view variable,
                                            std::uint64_t bytes);

}  // namespace warplens::analysis
