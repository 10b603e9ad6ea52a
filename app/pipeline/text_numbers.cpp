#include "app/pipeline/text_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "core/number_text.h"
#include "instrumentation/host_code/named_numbers.h"

namespace warplens::app {
namespace {

namespace host_code = instrumentation::host_code;
using host_code::NamedNumber;
using instrumentation::ParameterDeclaration;

constexpr std::size_t most_knobs = 8;
constexpr std::int64_t largest = std::int64_t{1} << 31;

std::vector<NamedNumber> numbers_named(const std::vector<NamedNumber>& numbers, const std::string& name) {
    std::vector<NamedNumber> found;
    std::ranges::copy_if(numbers, std::back_inserter(found),
                         [&](const NamedNumber& number) { return number.name == name; });
    return found;
}

/// How often the word stands in the text, also in its directives.
std::size_t uses_of(const std::string& text, const std::string& word) {
    std::size_t uses = 0;
    for (const host_code::Token& token : host_code::tokenize(text))
        if (token.kind == host_code::TokenKind::directive)
            uses += uses_of(std::string(token.text.substr(1)), word);
        else if (token.text == word) ++uses;
    return uses;
}

bool is_parameter(const instrumentation::KernelFile& kernel, const std::string& name) {
    return std::ranges::any_of(kernel.parameters, [&](const ParameterDeclaration& parameter) {
        return is_same_word(parameter.name, name);
    });
}

}  // namespace

bool is_same_word(const std::string& a, const std::string& b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::vector<ParameterDeclaration> text_knobs(const instrumentation::KernelFile& kernel) {
    std::vector<ParameterDeclaration> knobs;
    const std::vector<NamedNumber> numbers = host_code::named_numbers(kernel.source);
    for (const NamedNumber& number : numbers) {
        const auto now = static_cast<std::int64_t>(number.value);
        if (!number.is_constant || now < 1 || now > largest || is_parameter(kernel, number.name) ||
            numbers_named(numbers, number.name).size() > 1 || uses_of(kernel.source, number.name) < 2)
            continue;
        ParameterDeclaration& knob = knobs.emplace_back();
        knob.name = number.name;
        knob.fallback = now;
        for (std::int64_t divisor = 8; divisor > 1; divisor /= 2)
            if (now % divisor == 0) knob.values.emplace_back(now / divisor);
        for (std::int64_t factor = 1; factor <= 8; factor *= 2) knob.values.emplace_back(now * factor);
        knob.help =
            fmt::format("`{}` in line {} of the text: turning it changes the text", number.name, number.line);
        if (knobs.size() == most_knobs) break;
    }
    return knobs;
}

bool has_text_number(const std::string& source, const std::string& name) {
    return !numbers_named(host_code::named_numbers(source), name).empty();
}

Result<std::string> with_text_number(const std::string& source, const std::string& name,
                                     const std::string& value) {
    const auto found = numbers_named(host_code::named_numbers(source), name);
    if (found.empty()) return fail("the text has no number that is called `{}`", name);
    if (found.size() > 1)
        return fail("`{}` has a value in line {} and another one in line {}: change the text", name,
                    found[0].line, found[1].line);
    const auto number = number_from<std::int64_t>(value);
    if (!number || *number < 1 || *number > largest)
        return fail("`{}` is a number in line {} of the text: it takes an integer from 1 to {}, not {}", name,
                    found[0].line, largest, value);
    std::string changed = source;
    return changed.replace(found[0].offset, found[0].digits, std::to_string(*number));
}

Result<TextSettings> take_text_settings(const std::string& source, const instrumentation::KernelFile& kernel,
                                        std::map<std::string, std::string>& settings) {
    TextSettings taken{source, {}};
    const std::vector<NamedNumber> numbers = host_code::named_numbers(source);
    for (auto setting = settings.begin(); setting != settings.end();) {
        const std::string &name = setting->first, &value = setting->second;
        const auto found = numbers_named(numbers, name);
        const auto is_it = [&](const ParameterDeclaration& parameter) { return parameter.name == name; };
        if (found.empty() || std::ranges::any_of(kernel.parameters, is_it)) {
            ++setting;
            continue;
        }
        WARPLENS_TRY(taken.source, with_text_number(taken.source, name, value));
        if (value != std::to_string(found[0].value))
            taken.said.push_back(fmt::format("`{}` is {} in line {}, in place of {}", name, value,
                                             found[0].line, found[0].value));
        setting = settings.erase(setting);
    }
    return taken;
}

}  // namespace warplens::app
