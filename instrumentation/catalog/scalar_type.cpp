#include "instrumentation/catalog/scalar_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/half.h"

namespace warplens::instrumentation {

namespace {

using Kind = ScalarType::Kind;

constexpr std::array types{
    ScalarType{"bool", Kind::boolean, 1},
    ScalarType{"i8", Kind::signed_integer, 1},
    ScalarType{"u8", Kind::unsigned_integer, 1},
    ScalarType{"i16", Kind::signed_integer, 2},
    ScalarType{"u16", Kind::unsigned_integer, 2},
    ScalarType{"i32", Kind::signed_integer, 4},
    ScalarType{"u32", Kind::unsigned_integer, 4},
    ScalarType{"i64", Kind::signed_integer, 8},
    ScalarType{"u64", Kind::unsigned_integer, 8},
    ScalarType{"f16", Kind::real, 2},
    ScalarType{"bf16", Kind::real, 2},
    ScalarType{"f32", Kind::real, 4},
    ScalarType{"f64", Kind::real, 8},
};

/// The largest finite number of a type of reals.
double largest_real(const ScalarType& type) {
    if (type.name == "f16") return 65504;
    if (type.name == "bf16") return 0x1.fep127;
    return type.bytes == 4 ? double{std::numeric_limits<float>::max()} : std::numeric_limits<double>::max();
}

Result<std::uint64_t> real_bits(const ScalarType& type, double number) {
    if (std::isfinite(number) && std::abs(number) > largest_real(type))
        return fail("the number is outside the range of {}", type.name);
    if (type.bytes == 8) return std::bit_cast<std::uint64_t>(number);
    const auto single = static_cast<float>(number);
    if (type.name == "f16") return half_from_float(single);
    if (type.name == "bf16") return bfloat_from_float(single);
    return std::bit_cast<std::uint32_t>(single);
}

bool holds(const ScalarType& type, std::int64_t number) {
    if (type.kind == Kind::boolean) return number == 0 || number == 1;
    if (type.bytes == 8) return true;
    const std::int64_t span = std::int64_t{1} << (8 * type.bytes);
    return type.kind == Kind::signed_integer ? -span / 2 <= number && number < span / 2
                                             : 0 <= number && number < span;
}

}  // namespace

std::span<const ScalarType> scalar_types() { return types; }

const ScalarType* find_scalar_type(std::string_view name) {
    const auto* const found = std::ranges::find(types, name, &ScalarType::name);
    return found == types.end() ? nullptr : found;
}

bool is_real_type(std::string_view name) {
    const ScalarType* const type = find_scalar_type(name);
    return type && type->kind == Kind::real;
}

std::vector<std::string> scalar_type_names() {
    std::vector<std::string> names;
    for (const ScalarType& type : types) names.emplace_back(type.name);
    return names;
}

Result<std::uint64_t> bits_of_scalar(const ScalarType& type, const Value& value) {
    const auto* const integer = std::get_if<std::int64_t>(&value);
    const auto* const real = std::get_if<double>(&value);
    if (!integer && !real) return fail("`{}` is not a number", to_string(value));
    if (type.kind == Kind::real) return real_bits(type, real ? *real : static_cast<double>(*integer));
    if (real && *real != std::floor(*real)) return fail("{} is not an integer", to_string(value));
    // An expression's -9223372036854775808 is the negative of a number that is a real one.
    if (real && !(-0x1p63 <= *real && *real < 0x1p63))
        return fail("the number is outside the range of {}", type.name);
    const std::int64_t number = integer ? *integer : static_cast<std::int64_t>(*real);
    if (!holds(type, number)) return fail("the number is outside the range of {}", type.name);
    const std::uint64_t mask =
        type.bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * type.bytes)) - 1;
    return static_cast<std::uint64_t>(number) & mask;
}

std::optional<TypedScalar> parse_typed_scalar(std::string_view text) {
    const auto trimmed = [](std::string_view part) {
        const std::size_t begin = part.find_first_not_of(" \t");
        if (begin == std::string_view::npos) return std::string_view();
        return part.substr(begin, part.find_last_not_of(" \t") - begin + 1);
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || text.substr(equals).starts_with("==")) return std::nullopt;
    const ScalarType* const type = find_scalar_type(trimmed(text.substr(0, equals)));
    const std::string_view expression = trimmed(text.substr(equals + 1));
    if (!type || expression.empty()) return std::nullopt;
    return TypedScalar{type, std::string(expression)};
}

}  // namespace warplens::instrumentation
