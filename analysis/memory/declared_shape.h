// DeclaredShape: a shared array's extents according to the source, "float tile[TILE][TILE + PAD]" with the
// launch's macros substituted. It parses declarations, not C++: integer literals, names of parameters, macros
// and constants of the same source, + - * / and parentheses. It does not guess what it cannot parse. Rows of
// a flat array whose extent is a product, "float tile[TILE * TILE]", are those of its factors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warplens::analysis {

struct DeclaredShape {
    std::vector<std::uint32_t> extents;  // outermost first; one for a flat array
    std::uint32_t element_bytes = 4;
    std::string element_type;  // as written: "float", "unsigned int"
    bool is_product = false;   // flat, but with a product as its extent: "float tile[32 * 33]"
    /// Of a product, a row's elements: the factor that the source multiplies a row by in "tile[y * 33 + x]",
    /// or that both factors are. 0: the source does not tell.
    std::uint32_t product_row = 0;
    std::string source;        // name of the file that declares it
    std::uint32_t line = 0;    // 1-based
    std::string before;        // the text before the extents: "__shared__ float tile"
    std::string extents_text;  // the extents as written: "[TILE][TILE + PAD]"

    /// 0: the declaration shows no rows.
    std::uint32_t row_elements() const { return extents.size() > 1 ? extents.back() : product_row; }
};

/// The declaration of shared array `variable` (plain name) that takes `bytes`. std::nullopt if no available
/// source declares it, an extent cannot be parsed, or the extents contradict `bytes`.
std::optional<DeclaredShape> declared_shape(const trace::Trace& trace, std::string_view variable,
                                            std::uint64_t bytes);
/// The same of a program that was launched with these settings, printed as in trace::Launch::parameters.
std::optional<DeclaredShape> declared_shape(const Program& program,
                                            const std::map<std::string, std::string>& settings,
                                            std::string_view variable, std::uint64_t bytes);

}  // namespace warplens::analysis
