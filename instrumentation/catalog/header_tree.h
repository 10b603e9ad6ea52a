// HeaderNode: a TOML document as plain data with line numbers and keys in the order they were written. The
// TOML library is known only to header_tree.cpp; what the keys mean is kernel_header.cpp's business.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"

namespace warplens::instrumentation {

struct HeaderNode {
    using Array = std::vector<HeaderNode>;
    struct Member;
    using Table = std::vector<Member>;  // in the order written
    struct Other {};                    // dates and times

    int line = 0;  // 1-based in the file
    std::variant<Other, bool, std::int64_t, double, std::string, Array, Table> value;

    const Table* table() const { return std::get_if<Table>(&value); }
    const Array* array() const { return std::get_if<Array>(&value); }
};

struct HeaderNode::Member {
    std::string key;
    HeaderNode node;
};

/// Parses TOML whose first line is line `first_line` of `path`; both are for error messages.
Result<HeaderNode> parse_header_tree(std::string_view toml, const std::string& path, int first_line);

}  // namespace warplens::instrumentation
