// An argument that is a structure passed by value, written out: "struct:{f32=2.5, i32[4]=n, ptr=in}" member
// by member, each at its natural alignment as C lays it out, or "bytes:0000803f" as it lies in memory. Which
// parameter of the kernel it is for, and whether the sizes agree, is instrumentation/catalog/arguments.h's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warplens::instrumentation {

struct AggregateMember {
    std::string type;                     // of scalar_type.h, ptr, texture or surface
    std::uint32_t count = 1;              // an array's elements, which all get the same value
    std::string value;                    // an expression; of the last three: a buffer's or image's name
    std::uint32_t offset = 0, bytes = 0;  // of the first element, and of one
};

struct Aggregate {
    std::vector<AggregateMember> members;  // of struct:
    std::vector<std::byte> contents;       // of bytes:
    std::uint32_t bytes = 0;               // of the whole, padding at its end included
};

/// The member is the handle of a texture or surface.
bool is_image_handle(const AggregateMember& member);

/// Whether an argument's text is of one of the two forms.
bool is_aggregate(std::string_view text);

Result<Aggregate> parse_aggregate(const std::string& text);

/// "a, b[1, 2], c" -> {"a", "b[1, 2]", "c"}: parts between commas that stand in no bracket, trimmed.
std::vector<std::string> split_members(std::string_view text);

}  // namespace warplens::instrumentation
