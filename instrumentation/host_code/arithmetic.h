// C++'s operators over values that may be unknown. What overflows is unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "instrumentation/host_code/value.h"

namespace warplens::instrumentation::host_code {

/// A number: 1024, 0x10u, 2.5f, 1'000'000.
Value number_of(const Token& token);
/// A number, 'a', or a text such as "block_max", of which only the letters are known.
Value literal_of(const Tokens& tokens, std::size_t& at, std::size_t end);

/// C's conversion of a real number to an integer; nothing where 64 bits do not hold it.
std::optional<std::int64_t> integer_of(double real);

/// (type)value, with the type's aliases resolved.
Value cast_to(Value value, const std::string& type);

/// Of an operator of two operands, 1 to 10; 0: it is none.
int precedence_of(const Token& token);

/// !value
Value negation(const Value& value);

/// `text` is an operator of two operands: "+", "<<", "&&", …
Value combine(std::string_view text, const Value& a, const Value& b);

}  // namespace warplens::instrumentation::host_code
