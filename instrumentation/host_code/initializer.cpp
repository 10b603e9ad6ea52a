// What the host copies into variables of the device, as initializers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/device_code.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation::host_code {

namespace {

/// The shortest text that reads back as the same number, as a real literal.
std::string literal(std::string shortest) {
    return shortest.find_first_of(".e") == std::string::npos ? shortest + ".0" : shortest;
}

/// The number whose 32 bits an integer has.
double bits_as_real(double integer) {
    return static_cast<double>(
        std::bit_cast<float>(static_cast<std::uint32_t>(static_cast<std::int64_t>(integer))));
}

}  // namespace

std::optional<std::string> initializer_of(const Storage& variable) {
    constexpr std::int64_t most_elements = 16384;  // constant memory has 64 KiB
    const Contents& contents = variable.contents;
    if (contents.kind != Contents::Kind::known || !variable.bytes) return std::nullopt;
    if (contents.unit.empty()) return std::string("{}");
    const std::vector<std::string> parts =
        variable.parts.empty() ? std::vector{variable.element} : variable.parts;
    const auto size = size_of_type(contents.unit);
    if (!size || *size > 8) return std::nullopt;
    for (const std::string& part : parts)  // of half there is no constant
        if (size_of_type(part) != size || (*size == 2 && is_real_word(part))) return std::nullopt;
    const std::int64_t count = *variable.bytes / *size;
    if (count < 1 || count > most_elements) return std::nullopt;
    SplitMix64 draws{0};
    std::string list;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::string& part = parts[static_cast<std::size_t>(i) % parts.size()];
        const bool real = is_real_word(part);
        auto value = value_at(*contents.formula, static_cast<double>(i), LoopVariables::unknown, &draws);
        if (value && real && !is_real_word(contents.unit))  // members of both kinds: its bits
            value = *size == 4 ? std::optional(bits_as_real(*value)) : std::nullopt;
        if (!value || !std::isfinite(*value)) return std::nullopt;
        const auto integer = integer_of(*value);
        if (!real && (!integer || *value != std::trunc(*value))) return std::nullopt;
        list += i == 0 ? "{" : ", ";
        if (!real) list += fmt::format("{}", *integer);
        else
            list += *size == 8 ? literal(fmt::format("{}", *value))
                               : literal(fmt::format("{}", static_cast<float>(*value))) + "f";
    }
    return list + "}";
}

void add_initializers(std::vector<File>& files,
                      const std::vector<std::pair<std::string, std::string>>& initializers) {
    for (File& file : files) {
        const Tokens tokens = tokenize(file.text);
        std::vector<std::pair<std::size_t, std::string>> insertions;  // offset in the text, ascending
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
            if (!tokens[i].is("__constant__") && !tokens[i].is("__device__")) continue;
            for (std::size_t at = i + 1; at < tokens.size(); ++at) {
                if (tokens[at].is(";") || tokens[at].is("(") || tokens[at].is("{") || tokens[at].is("="))
                    break;
                const auto known = std::ranges::find_if(
                    initializers, [&](const auto& entry) { return tokens[at].text == entry.first; });
                if (known == initializers.end()) continue;
                std::size_t after = at + 1;
                while (after < tokens.size() && tokens[after].is("["))
                    after = std::min(closing(tokens, after, tokens.size()) + 1, tokens.size());
                if (after >= tokens.size() || (!tokens[after].is(";") && !tokens[after].is(","))) break;
                const std::string& text = known->second;
                const bool scalar =
                    after == at + 1 && text.starts_with('{') && text.find(',') == std::string::npos;
                const auto offset = static_cast<std::size_t>(tokens[after].text.data() - file.text.data());
                insertions.emplace_back(
                    offset, " = " + (scalar && text.size() > 2 ? text.substr(1, text.size() - 2) : text));
                at = after - 1;
            }
        }
        for (auto insertion = insertions.rbegin(); insertion != insertions.rend(); ++insertion)
            file.text.insert(insertion->first, insertion->second);
    }
}

}  // namespace warplens::instrumentation::host_code
