#include "instrumentation/compile/combinations.h"

#include <algorithm>

namespace warplens::instrumentation {

namespace {

constexpr std::size_t most_combinations = 256;

Result<std::vector<Value>> allowed_values(const ParameterDeclaration& parameter) {
    if (!parameter.values.empty()) return parameter.values;
    if (!std::holds_alternative<std::int64_t>(parameter.fallback) || !parameter.minimum ||
        !parameter.maximum) {
        return fail("the macro `{}` needs values, or min and max, so that its PTX can be shipped",
                    parameter.name);
    }
    std::vector<Value> values;
    for (double value = *parameter.minimum; value <= *parameter.maximum; value += parameter.step) {
        values.emplace_back(static_cast<std::int64_t>(value));
        if (values.size() > most_combinations) break;
    }
    return values;
}

}  // namespace

Result<std::vector<Macros>> macro_combinations(const KernelFile& kernel) {
    std::vector<Values> combinations(1);
    for (const ParameterDeclaration& parameter : kernel.parameters) {
        if (!parameter.is_macro) continue;
        const auto values = allowed_values(parameter);
        if (!values) return fail("{}: {}", kernel.name, values.error().message);
        std::vector<Values> extended;
        for (const Values& combination : combinations) {
            for (const Value& value : *values) {
                extended.push_back(combination);
                extended.back()[parameter.name] = value;
            }
        }
        combinations = std::move(extended);
        if (combinations.size() > most_combinations) {
            return fail("{} has more than {} combinations of its macros; narrow their values", kernel.name,
                        most_combinations);
        }
    }
    std::vector<Macros> result;
    for (const Values& combination : combinations) result.push_back(compile_macros(kernel, combination));
    return result;
}

CompileRequest shipped_request(const KernelFile& kernel, const Macros& macros) {
    CompileRequest request;
    request.name = "kernels/" + kernel.name + ".cu";
    request.source = kernel.source;
    request.macros = macros;
    return request;
}

}  // namespace warplens::instrumentation
