#include "app/pipeline/values/value_text.h"

#include <fmt/format.h>

#include <bit>

#include "core/half.h"

namespace warplens::app {
namespace {

template <class Real>
std::string real_text(Real value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
}

}  // namespace

std::string value_text(std::uint64_t bits, ptx::Type type) {
    using ptx::Type;
    const auto low = static_cast<std::uint32_t>(bits);
    switch (type) {
        case Type::pred:
            return bits != 0 ? "true" : "false";
        case Type::f32:
        case Type::tf32:
            return real_text(std::bit_cast<float>(low));
        case Type::f64:
            return real_text(std::bit_cast<double>(bits));
        case Type::f16:
            return real_text(half_to_float(static_cast<std::uint16_t>(bits)));
        case Type::bf16:
            return real_text(std::bit_cast<float>(low << 16));
        case Type::f16x2:
            return real_text(half_to_float(static_cast<std::uint16_t>(bits))) + ", " +
                   real_text(half_to_float(static_cast<std::uint16_t>(low >> 16)));
        case Type::s8:
            return fmt::format("{}", static_cast<std::int8_t>(bits));
        case Type::s16:
            return fmt::format("{}", static_cast<std::int16_t>(bits));
        case Type::s32:
            return fmt::format("{}", static_cast<std::int32_t>(bits));
        case Type::s64:
            return fmt::format("{}", static_cast<std::int64_t>(bits));
        case Type::b8:
        case Type::u8:
            return fmt::format("{}", bits & 0xff);
        case Type::b16:
        case Type::u16:
            return fmt::format("{}", bits & 0xffff);
        case Type::b32:
        case Type::u32:
            return fmt::format("{}", low);
        case Type::u64:
            return fmt::format("{}", bits);
        default:
            return fmt::format("{:#x}", bits);
    }
}

ptx::Type element_type_from(const std::string& name) {
    if (name.starts_with("i")) return ptx::type_from("s" + name.substr(1)).value_or(ptx::Type::none);
    return ptx::type_from(name).value_or(ptx::Type::none);
}

}  // namespace warplens::app
