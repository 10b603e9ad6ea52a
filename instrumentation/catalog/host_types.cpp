#include "instrumentation/catalog/host_types.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

using host_code::Contents;

std::string element_type_of(const std::string& written) {
    static constexpr std::pair<std::string_view, std::string_view> types[] = {
        {"int", "i32"},     {"unsigned int", "u32"},   {"unsigned", "u32"}, {"float", "f32"},
        {"double", "f64"},  {"size_t", "u64"},         {"long", "i64"},     {"bool", "bool"},
        {"char", "i8"},     {"short", "i16"},          {"int32_t", "i32"},  {"uint32_t", "u32"},
        {"int64_t", "i64"}, {"uint64_t", "u64"},       {"uint8_t", "u8"},   {"unsigned char", "u8"},
        {"half", "f16"},    {"__half", "f16"},         {"int8_t", "i8"},    {"uchar", "u8"},
        {"uint", "u32"},    {"unsigned short", "u16"}, {"int16_t", "i16"},  {"uint16_t", "u16"}};
    for (const auto& [word, type] : types)
        if (word == written) return std::string(type);
    return {};
}

std::string elements_of(const host_code::HostArgument& member) {
    constexpr std::int64_t most_elements = 256;
    const std::size_t open = member.type.find('[');
    if (open == std::string::npos || !member.storage) return {};
    const std::int64_t count = std::atoll(member.type.c_str() + open + 1);
    const std::string written = member.type.substr(0, open), type = element_type_of(written);
    const Contents& contents = member.storage->contents;
    if (type.empty() || count < 1 || count > most_elements) return {};
    if (contents.kind == Contents::Kind::unfilled) return fmt::format("{}[{}]=0", type, count);
    const bool counts_elements =
        contents.unit.empty() || host_code::size_of_type(contents.unit) == host_code::size_of_type(written);
    if (contents.kind != Contents::Kind::known || !counts_elements) return {};
    std::string text;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto value = value_at(*contents.formula, static_cast<double>(i));
        if (!value || !std::isfinite(*value)) return {};
        text += text.empty() ? type : ", " + type;
        text += is_real_type(type) ? fmt::format("={}", *value)
                                   : fmt::format("={}", static_cast<std::int64_t>(*value));
    }
    return text;
}

}  // namespace warplens::instrumentation
