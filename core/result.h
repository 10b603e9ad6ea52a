// Result<T>: a value, or an Error whose message says what was wrong, where, and what would be right.
// Errors are values and are handled once, where a person can read them; nothing here throws.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace warplens {

struct Error {
    std::string message;  // one sentence for a person, no trailing newline
};

template <class T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

/// Builds the failed side of any Result from a format string.
template <class... Args>
tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
    return tl::unexpected<Error>(Error{fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace warplens
