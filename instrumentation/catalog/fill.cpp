#include "instrumentation/catalog/fill.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <type_traits>

#include "core/half.h"
#include "core/read_file.h"
#include "instrumentation/catalog/fill_formula.h"
#include "instrumentation/catalog/scalar_type.h"
#include "instrumentation/catalog/split_mix.h"

namespace warplens::instrumentation {

namespace {

/// Calls visit with a value of the element type.
template <class Visit>
auto with_element(const std::string& type, Visit&& visit) {
    if (type == "u8") return visit(std::uint8_t{});
    if (type == "i8") return visit(std::int8_t{});
    if (type == "u16") return visit(std::uint16_t{});
    if (type == "i16") return visit(std::int16_t{});
    if (type == "u32") return visit(std::uint32_t{});
    if (type == "i32") return visit(std::int32_t{});
    if (type == "u64") return visit(std::uint64_t{});
    if (type == "i64") return visit(std::int64_t{});
    if (type == "f32") return visit(float{});
    return visit(double{});
}

template <class Element, class Next>
void fill_with(std::vector<std::byte>& data, Next&& next) {
    const std::size_t count = data.size() / sizeof(Element);
    for (std::size_t i = 0; i < count; ++i) {
        const Element element = next(i);
        std::memcpy(data.data() + i * sizeof(Element), &element, sizeof(Element));
    }
}

/// The linear congruential generator of "Numerical Recipes"; its low 8 bits are poor and thrown away.
struct Lcg {
    std::uint32_t state;
    std::uint32_t next() {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }
};

template <class Element>
Element random_element(SplitMix64& generator, std::uint64_t below) {
    const std::uint64_t bits = generator.next();
    if constexpr (std::is_same_v<Element, float>) {
        return static_cast<float>(bits >> 40) * 0x1p-24f;
    } else if constexpr (std::is_same_v<Element, double>) {
        return static_cast<double>(bits >> 11) * 0x1p-53;
    } else {
        return static_cast<Element>(scaled_below(bits, below));
    }
}

template <class Element>
Element lcg_element(Lcg& generator, std::uint64_t below) {
    const std::uint32_t bits = generator.next();
    if constexpr (std::is_floating_point_v<Element>) {
        return static_cast<Element>(bits) * static_cast<Element>(0x1p-24);
    } else {
        return static_cast<Element>(below == 0 ? bits : bits % below);
    }
}

Status fill_constant(PreparedBuffer& buffer, const Value& value) {
    const ScalarType* const type = find_scalar_type(buffer.element_type);
    if (!type) return fail("buffer `{}`: unknown type `{}`", buffer.name, buffer.element_type);
    const auto* const integer = std::get_if<std::int64_t>(&value);
    const bool below_zero = type->name == "u64" && integer && *integer < 0;
    const Result<std::uint64_t> bits =
        below_zero ? fail("the number is outside the range of u64") : bits_of_scalar(*type, value);
    if (!bits)
        return fail("buffer `{}` of {} cannot be filled with {}: {}", buffer.name, buffer.element_type,
                    to_string(value), bits.error().message);
    constexpr std::size_t most_at_once = 1 << 16;  // stays in a cache
    const std::size_t whole = buffer.data.size() / type->bytes * type->bytes;
    if (whole == 0) return {};
    std::memcpy(buffer.data.data(), &*bits, type->bytes);
    for (std::size_t done = type->bytes; done < whole;) {
        const std::size_t more = std::min({done, whole - done, most_at_once});
        std::memcpy(buffer.data.data() + done, buffer.data.data(), more);
        done += more;
    }
    return {};
}

/// The indices of a ring are its elements.
template <class Element>
Status fill_ring(PreparedBuffer& buffer, std::uint64_t step) {
    const std::size_t count = buffer.data.size() / sizeof(Element);
    if constexpr (std::is_integral_v<Element>) {
        const auto largest = static_cast<std::uint64_t>(std::numeric_limits<Element>::max());
        if (count != 0 && count - 1 > largest)
            return fail("buffer `{}`: a ring of {} elements has indices up to {}, more than {} holds ({})",
                        buffer.name, count, count - 1, buffer.element_type, largest);
    }
    fill_with<Element>(buffer.data, [&](std::size_t i) { return static_cast<Element>((i + step) % count); });
    return {};
}

Status fill_from_file(PreparedBuffer& buffer, const std::string& path, std::optional<std::uint64_t> part) {
    std::error_code error;
    if (const auto kind = kind_unless_regular(path); !kind.empty())
        return fail("buffer `{}`: `{}` is {}, not a regular file", buffer.name, path, kind);
    if (!std::filesystem::exists(path, error))
        return fail("buffer `{}`: the file `{}` does not exist", buffer.name, path);
    const auto size = std::filesystem::file_size(path, error);
    if (error) return fail("buffer `{}`: the size of `{}` cannot be read", buffer.name, path);
    if (part && (*part > size || buffer.data.size() > size - *part))
        return fail("buffer `{}` has {} bytes from byte {} of `{}` on, which has {}", buffer.name,
                    buffer.data.size(), *part, path, size);
    if (!part && size != buffer.data.size()) {
        return fail("buffer `{}` has {} bytes, but `{}` has {}: the length must be the file's", buffer.name,
                    buffer.data.size(), path, size);
    }
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(part.value_or(0)));
    file.read(reinterpret_cast<char*>(buffer.data.data()), static_cast<std::streamsize>(buffer.data.size()));
    if (!file) return fail("buffer `{}`: `{}` cannot be read", buffer.name, path);
    return {};
}

}  // namespace

std::uint32_t element_bytes(const std::string& element_type) {
    if (element_type == "f16") return 2;
    if (element_type.size() < 2 || std::string("uif").find(element_type[0]) == std::string::npos) return 0;
    const std::string bits = element_type.substr(1);
    if (bits == "8" && element_type[0] != 'f') return 1;
    if (bits == "16" && element_type[0] != 'f') return 2;
    return bits == "32" ? 4 : bits == "64" ? 8 : 0;
}

namespace {

/// Filled as f32 would be, each element rounded to the nearest half.
Status fill_halves(PreparedBuffer& buffer, const std::string& fill, const FillArguments& arguments) {
    PreparedBuffer wide;
    wide.name = buffer.name;
    wide.element_type = "f32";
    wide.element_bytes = 4;
    wide.data.resize(buffer.data.size() * 2);
    WARPLENS_TRY(fill_buffer(wide, fill, arguments));
    fill_with<std::uint16_t>(buffer.data, [&](std::size_t i) {
        float value = 0;
        std::memcpy(&value, wide.data.data() + i * sizeof(float), sizeof(float));
        return half_from_float(value);
    });
    return {};
}

}  // namespace

Status fill_buffer(PreparedBuffer& buffer, const std::string& fill, const FillArguments& arguments) {
    if (fill == "file") return fill_from_file(buffer, arguments.file, arguments.file_part);
    if (fill == "constant") return fill_constant(buffer, arguments.constant);
    if (fill == "formula") return fill_by_formula(buffer, arguments);
    if (buffer.element_type == "f16") return fill_halves(buffer, fill, arguments);
    return with_element(buffer.element_type, [&](auto zero) -> Status {
        using Element = decltype(zero);
        if (fill == "iota") {
            fill_with<Element>(buffer.data, [](std::size_t i) { return static_cast<Element>(i); });
        } else if (fill == "ring") {
            return fill_ring<Element>(buffer, arguments.step);
        } else if (fill == "random") {
            SplitMix64 generator{arguments.seed};
            fill_with<Element>(buffer.data, [&](std::size_t) {
                return random_element<Element>(generator, arguments.below);
            });
        } else if (fill == "lcg") {
            Lcg generator{static_cast<std::uint32_t>(arguments.seed)};
            fill_with<Element>(buffer.data,
                               [&](std::size_t) { return lcg_element<Element>(generator, arguments.below); });
        }
        return {};
    });
}

}  // namespace warplens::instrumentation
