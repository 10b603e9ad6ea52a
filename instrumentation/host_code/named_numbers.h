// Named numbers: the names that a CUDA C++ source gives one decimal number each — `#define BLOCK_SIZE 256`,
// `const int threads = 256;` — and where the number stands. Any text may be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::instrumentation::host_code {

/// The number's decimal digits are the `digits` characters of the source from `offset`, without a suffix.
struct NamedNumber {
    std::string name;
    std::uint64_t value = 0;
    std::size_t offset = 0, digits = 0;
    std::uint32_t line = 0;  // 1-based
};
/// Macros, constants, variables and enumerators of the source, in its order; of macros those whose line holds
/// nothing else.
std::vector<NamedNumber> named_numbers(const std::string& source);

/// A number without a name that a launch is written with both as a template argument and in its
/// configuration: the 256 of `sum<256><<<n, 256>>>(…)`.
struct LaunchNumber {
    std::uint64_t value = 0;
    std::uint32_t line = 0;           // of `<<<`
    std::vector<NamedNumber> places;  // in the source's order, without names; those of value - 1 round up
};
std::vector<LaunchNumber> launch_numbers(const std::string& source);

}  // namespace warplens::instrumentation::host_code
