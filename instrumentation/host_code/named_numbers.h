// Named numbers: the names that a CUDA C++ source gives one decimal number each — `#define BLOCK_SIZE 256`,
// `const int threads = 256;` — and where the number stands. Any text may be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/host_code/tokens.h"

namespace warplens::instrumentation::host_code {

/// The number's decimal digits are the `digits` characters of the source from `offset`, without a suffix.
struct NamedNumber {
    std::string name;
    std::uint64_t value = 0;
    std::size_t offset = 0, digits = 0;
    std::uint32_t line = 0;    // 1-based
    bool is_constant = false;  // a macro, an enumerator, or said to be `const`
};
/// Macros, constants, variables and enumerators of the source, in its order; of macros those whose line holds
/// nothing else.
std::vector<NamedNumber> named_numbers(const std::string& source);

/// The numbers of the tokens from `begin` to `end`, without names.
std::vector<NamedNumber> numbers_in(const Tokens& tokens, std::size_t begin, std::size_t end,
                                    const std::string& source);

}  // namespace warplens::instrumentation::host_code
