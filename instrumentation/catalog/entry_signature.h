// The parameters of a kernel as its author wrote them: names from the source's text, types from the mangled
// name where there is one. What is not known is left empty; the sizes in EntryFacts are the compiled
// kernel's own and always right. This reads a declaration as a person would; it is not a C++ parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/catalog/entry_facts.h"
#include "instrumentation/catalog/image_signature.h"

namespace warplens::instrumentation {

struct ArgumentFacts {
    std::string name;            // "in"; "arg2" when the source does not say
    std::string written_type;    // "const float*"; the PTX type when nothing else is known
    std::string element_type;    // of a pointer: u8 … f64; empty: none, or of something else
    std::uint32_t elements = 1;  // of element_type in what is pointed to: 4 for float4
    bool is_pointer = false;
    bool is_const = false;            // what it points to is only read
    bool is_half = false;             // element_type u16 stands for __half or __nv_bfloat16
    bool is_structure = false;        // passed by value
    std::string scalar_type;          // of a number passed by value, of scalar_type.h; empty: none
    std::optional<ImageFacts> image;  // a texture or surface object; its texels: element_type and elements
    std::uint32_t bytes = 0;
};

/// One a parameter of the entry. `source` may be empty, and may be PTX.
std::vector<ArgumentFacts> arguments_of(const EntryFacts& entry, std::string_view source);

/// The names alone, of a file that was not compiled: of the kernel of that name ("sums::scale<float>"), or of
/// the only one where it is empty. One a parameter; empty where there is no such declaration, or a parameter
/// has no name.
std::vector<std::string> declared_names(std::string_view source, const std::string& kernel);

}  // namespace warplens::instrumentation
