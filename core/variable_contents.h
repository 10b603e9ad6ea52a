// VariableContents: what a variable of the device holds when a launch begins, in place of its initializer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct VariableContents {
    std::string name;  // as in the PTX, or as the source writes it: "params", "sim::params"
    std::shared_ptr<const std::vector<std::byte>> bytes;
    std::uint64_t address = 0;  // where a variable in global memory lies; 0: anywhere
};

/// Whether a variable of the module is the one that the source calls `name`.
bool is_variable(std::string_view symbol, std::string_view name);

/// Null: the variable has its initializer.
const VariableContents* contents_of(std::string_view symbol, std::span<const VariableContents> all);

}  // namespace warplens
