// Structure lines: where a kernel accesses an array of structures that it is given. Neighbouring lanes that
// access one member each are then as far apart as a structure is long.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace warplens::app {

/// Of the source, 1-based. Vectors such as `float4` are not structures: they are loaded as one. `entry`: the
/// kernel's plain name.
std::set<std::uint32_t> structure_lines(const std::string& source, std::string_view entry);

}  // namespace warplens::app
