// Kernel words: what changes of a kernel's text need to read statements and to write new ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/pipeline/advice/token_pattern.h"

namespace warplens::app {

/// Where the statement from `at` on ends, after its semicolon, or that of its braces: `end` at most.
std::size_t after_statement(const instrumentation::host_code::Tokens& tokens, std::size_t at,
                            std::size_t end);

/// A name like the wanted one that the source has not; empty: neither that nor a longer one is free.
std::string free_name(const instrumentation::host_code::Tokens& tokens, const std::string& wanted);

/// `float x = …;`, `int a, b;`: makes names and stores nothing.
bool is_definition(const instrumentation::host_code::Tokens& tokens, TokenRange statement);

/// `=`, `+=`, `++` and the like.
bool assigns(const instrumentation::host_code::Token& token);

/// A condition that holds where this one does not: `i < n` of `i >= n`.
std::string contrary_of(const instrumentation::host_code::Tokens& tokens, TokenRange condition);

/// What stands for the number in the source: the first macro that is just that, or its digits.
std::string name_of_number(const std::string& source, std::uint64_t number);

/// The words of a parameter's type up to its `*`, without `const`; empty: it is not a pointer.
std::string pointed_type(const instrumentation::host_code::Tokens& tokens, TokenRange parameter);

/// Between the brackets, one for each comma.
std::vector<TokenRange> parts_between(const instrumentation::host_code::Tokens& tokens, TokenRange brackets);

}  // namespace warplens::app
