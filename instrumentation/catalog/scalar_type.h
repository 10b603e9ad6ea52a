// The types of a kernel's scalar arguments by the names that headers, flags and the launch form use, the bits
// of a number in each, and the written form "f16=2.5": a type, and an expression for the value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

struct ScalarType {
    enum class Kind : std::uint8_t { boolean, signed_integer, unsigned_integer, real };
    std::string_view name;  // "u16", "bf16", "bool"
    Kind kind = Kind::signed_integer;
    std::uint32_t bytes = 0;
};

std::span<const ScalarType> scalar_types();
/// Null when there is no type of that name.
const ScalarType* find_scalar_type(std::string_view name);
bool is_real_type(std::string_view name);
/// "bool, i8, …, f64" as a list.
std::vector<std::string> scalar_type_names();

/// The number in the low `type.bytes` bytes. Reals are rounded to the nearest; an integer of u64 may be
/// written as its two's complement. The error says that the number is not an integer, or out of the type's
/// range.
Result<std::uint64_t> bits_of_scalar(const ScalarType& type, const Value& value);

/// "f16=2.5": nothing when the text does not begin with the name of a type and a single equals sign.
struct TypedScalar {
    const ScalarType* type = nullptr;
    std::string expression;
};
std::optional<TypedScalar> parse_typed_scalar(std::string_view text);

}  // namespace warplens::instrumentation
