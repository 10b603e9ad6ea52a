// Result<T>: a value, or an Error whose message says what was wrong, where, and what would be correct.
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

/// Returns from the enclosing function with the error of a Result or Status; otherwise continues. With a
/// declaration first, that holds the value:
///   WARPLENS_TRY(check(kernel));
///   WARPLENS_TRY(const auto module, ptx::parse(text, name));
#define WARPLENS_TRY(first, ...)                    \
    WARPLENS_TRY_CHOOSE(__VA_OPT__(VALUE, ) STATUS) \
    (WARPLENS_TRY_NAME(__LINE__), first __VA_OPT__(, ) __VA_ARGS__)
#define WARPLENS_TRY_CHOOSE(...) WARPLENS_TRY_CHOSEN(__VA_ARGS__)
#define WARPLENS_TRY_CHOSEN(form, ...) WARPLENS_TRY_##form
#define WARPLENS_TRY_NAME(line) WARPLENS_TRY_NAME_OF(line)
#define WARPLENS_TRY_NAME_OF(line) result_of_line_##line
#define WARPLENS_TRY_STATUS(name, ...)                                                        \
    do {                                                                                      \
        if (auto name = (__VA_ARGS__); !name) return tl::unexpected(std::move(name).error()); \
    } while (false)
#define WARPLENS_TRY_VALUE(name, declaration, ...)             \
    auto name = (__VA_ARGS__);                                 \
    if (!name) return tl::unexpected(std::move(name).error()); \
    declaration = *std::move(name)
