// Assumed sizes: which numbers of a program are sizes, by their names, and what to assume for one that the
// program reads from a file, its arguments or a person. Sides of one picture or matrix are small enough for
// their product; one count alone is larger.
#pragma once

#include <cstdint>
#include <string>

#include "instrumentation/host_code/tokens.h"

namespace warplens::instrumentation::host_code {

enum class SizeRole : std::uint8_t {
    other,
    count,
    width,
    height,
    depth,
    m,
    n,
    k,
    channels,  // of a picture
    batch,     // samples that are computed at once
    threads,   // of a block
    part       // a tile's or a filter's edge
};

/// "width" of "cols", "imageWidth" and "p.w"; `other`: the name is not a size's.
SizeRole size_role(const std::string& name);

inline constexpr std::int64_t assumed_count = 65536;  // elements along one dimension
inline constexpr std::int64_t assumed_side = 256;     // of a picture or a matrix
inline constexpr std::int64_t assumed_depth = 16;
inline constexpr std::int64_t assumed_channels = 3;
inline constexpr std::int64_t assumed_batch = 8;
inline constexpr std::int64_t assumed_tensor_side = 64;  // of one of more than one dimension
inline constexpr std::int64_t assumed_threads = 256;
inline constexpr std::int64_t assumed_part = 16;

/// For an unknown number of this name in a program of these tokens; 0: it is not a size.
std::int64_t assumed_size(const std::string& name, const Tokens& program);

/// The same for a side of a tensor, of several dimensions; `side`: where the name says nothing.
std::int64_t assumed_side_of(const std::string& name, std::int64_t side);

}  // namespace warplens::instrumentation::host_code
