// The static part of a .wltrace as JSON: launch, program, the amount recorded; and the problems. Unknown keys
// are ignored and missing ones keep their default, so that either side may be older.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "trace/trace.h"

namespace warplens::trace {

struct Description {
    Launch launch;
    Program program;
    std::uint64_t recorded_blocks = 0;  // as written, to report how much of a damaged file is left
    bool has_exchanges = false;         // each warp then has a range of them, possibly empty
};

/// Bytes that are not UTF-8 (a source file in another encoding) become U+FFFD.
std::string describe(const Trace& trace);
Result<Description> parse_description(std::string_view json);

std::string describe_problems(const std::vector<Problem>& problems);
Result<std::vector<Problem>> parse_problems(std::string_view json);

}  // namespace warplens::trace
