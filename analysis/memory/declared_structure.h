// DeclaredStructure: the structure that an array of the kernel consists of according to the source, "const
// Option* options" with "struct Option { float price, strike; };", so that an address has an element and a
// member. It reads declarations, not C++: numbers, the built-in vectors, pointers, arrays of a literal
// extent, and structures of these. It does not guess what it cannot read: base classes, virtual functions,
// bit fields, templates, packing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace warplens::analysis {

struct DeclaredStructure {
    struct Member {
        std::string path;  // "pos.x", "ids[2]"
        std::uint32_t offset = 0, bytes = 0;
    };
    std::string name;  // "Option", "float4"
    std::uint32_t bytes = 0;
    std::vector<Member> members;  // ascending by offset, numbers only
};

/// Of the kernel's parameter of this name, a pointer. std::nullopt: it points to plain numbers, or its type
/// cannot be read.
std::optional<DeclaredStructure> declared_structure(const Program& program, std::string_view array);

/// "options[8].price", "options[8]" of an access to the whole of it, "options[8].price + 2 bytes";
/// "options[8] + 12 bytes" where no member is. `offset`: bytes from the array's begin. `bytes`: of the
/// access.
std::string member_words(std::string_view array, const DeclaredStructure& structure, std::uint64_t offset,
                         std::uint32_t bytes);

}  // namespace warplens::analysis
