// Element names: an address as the source would index it. An element of a shared array with several extents
// in its declaration has several indexes, "tile[1][0]", one of a buffer of structures a member; any other is
// named as trace::describe_address does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warplens::analysis {

/// "tile[1][0]", "tile[1][0] + 2 bytes". `extents`: outermost first. `offset`: bytes from the array's begin.
std::string element_words(const std::string& name, const std::vector<std::uint32_t>& extents,
                          std::uint32_t element_bytes, std::uint64_t offset);

/// Of the shared array of this plain name and size: as its declaration has several extents, with these
/// settings of the launch. std::nullopt: it has not.
std::optional<std::string> declared_element_name(const Program& program,
                                                 const std::map<std::string, std::string>& settings,
                                                 std::string_view array, std::uint64_t array_bytes,
                                                 std::uint64_t offset);

/// "options[8].price": of a buffer of structures or vectors, as the kernel's parameter is declared.
/// std::nullopt: it is none.
std::optional<std::string> structure_element_name(const trace::Trace& trace, Space space,
                                                  std::uint64_t address, std::uint32_t bytes);

/// `bytes`: of one element of the access.
std::string element_name(const trace::Trace& trace, Space space, std::uint64_t address, std::uint32_t bytes);

}  // namespace warplens::analysis
