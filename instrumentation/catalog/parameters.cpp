// Parameter values: from text, checked against what the header allows, and back to text.
#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "instrumentation/catalog/expressions.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::instrumentation {

namespace {

double real_or_zero(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    const auto* real = std::get_if<double>(&value);
    return real ? *real : 0;
}

std::string number_text(double number) {
    return std::floor(number) == number && std::abs(number) < 1e15
               ? std::to_string(static_cast<long long>(number))
               : fmt::format("{}", number);
}

/// "8 to 8192 in steps of 8", "one of 8, 16, 32".
std::string allowed(const ParameterDeclaration& parameter) {
    if (!parameter.values.empty()) {
        std::vector<std::string> values;
        for (const Value& value : parameter.values) values.push_back(to_string(value));
        return "one of " + listed(values);
    }
    std::string text;
    if (parameter.minimum && parameter.maximum) {
        text = number_text(*parameter.minimum) + " to " + number_text(*parameter.maximum);
    } else if (parameter.minimum) {
        text = number_text(*parameter.minimum) + " or more";
    } else if (parameter.maximum) {
        text = number_text(*parameter.maximum) + " or less";
    }
    const bool stepped =
        std::holds_alternative<std::int64_t>(parameter.fallback) ? parameter.step != 1 : parameter.step > 0;
    if (!text.empty() && stepped) text += " in steps of " + number_text(parameter.step);
    return text;
}

Result<Value> value_from(const ParameterDeclaration& parameter, const std::string& text) {
    if (std::holds_alternative<std::int64_t>(parameter.fallback)) {
        if (const auto integer = number_from<std::int64_t>(text)) return Value{*integer};
        return fail("`{}` is not an integer", text);
    }
    if (std::holds_alternative<double>(parameter.fallback)) {
        const auto real = number_from<double>(text);
        if (real && std::isfinite(*real)) return Value{*real};
        return fail("`{}` is not a number", text);
    }
    return Value{text};
}

}  // namespace

std::string to_string(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* word = std::get_if<std::string>(&value)) return *word;
    std::string text = fmt::format("{}", std::get<double>(value));
    // A real number stays one where the text becomes source code.
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
}

Status check_parameter_value(const ParameterDeclaration& parameter, const Value& value) {
    if (!parameter.values.empty()) {
        if (std::find(parameter.values.begin(), parameter.values.end(), value) != parameter.values.end()) {
            return {};
        }
        return fail("{} = {} is not allowed; it must be {}", parameter.name, to_string(value),
                    allowed(parameter));
    }
    if (const auto* word = std::get_if<std::string>(&value)) {
        if (const auto number = number_in_word(*word); !number) {
            return fail("{}: {}", parameter.name, number.error().message);
        }
        return {};
    }
    const double number = real_or_zero(value);
    if ((parameter.minimum && number < *parameter.minimum) ||
        (parameter.maximum && number > *parameter.maximum)) {
        return fail("{} = {} is out of range; it must be {}", parameter.name, to_string(value),
                    allowed(parameter));
    }
    if (parameter.minimum && parameter.step > 0) {
        const double steps = (number - *parameter.minimum) / parameter.step;
        if (std::abs(steps - std::round(steps)) > 1e-6) {
            const double below = *parameter.minimum + std::floor(steps) * parameter.step;
            const double above = below + parameter.step;
            return fail("{} = {} is between two steps; it must be {}, such as {}", parameter.name,
                        to_string(value), allowed(parameter),
                        number_text(parameter.maximum && above > *parameter.maximum ? below : above));
        }
    }
    return {};
}

Result<Values> resolve_parameters(const KernelFile& kernel,
                                  const std::map<std::string, std::string>& overrides) {
    Values values;
    std::vector<std::string> names;
    for (const ParameterDeclaration& parameter : kernel.parameters) {
        values[parameter.name] = parameter.fallback;
        names.push_back(parameter.name);
    }
    for (const auto& [name, text] : overrides) {
        const auto declared =
            std::find_if(kernel.parameters.begin(), kernel.parameters.end(),
                         [&name = name](const ParameterDeclaration& p) { return p.name == name; });
        if (declared == kernel.parameters.end()) {
            return fail("{} has no parameter `{}`{} (parameters: {})", kernel.name, name,
                        did_you_mean(name, names), listed(names));
        }
        const Result<Value> value = value_from(*declared, text);
        if (!value) {
            const std::string right = allowed(*declared);
            return fail("{}: {}: {}{}", kernel.name, name, value.error().message,
                        right.empty() ? "" : "; it must be " + right);
        }
        if (const Status status = check_parameter_value(*declared, *value); !status) {
            return fail("{}: {}", kernel.name, status.error().message);
        }
        values[name] = *value;
    }
    return values;
}

std::vector<std::pair<std::string, std::string>> compile_macros(const KernelFile& kernel,
                                                                const Values& parameters) {
    std::map<std::string, std::string> macros;
    for (const ParameterDeclaration& parameter : kernel.parameters) {
        if (!parameter.is_macro) continue;
        const auto found = parameters.find(parameter.name);
        macros[parameter.name] = to_string(found == parameters.end() ? parameter.fallback : found->second);
    }
    return {macros.begin(), macros.end()};
}

}  // namespace warplens::instrumentation
