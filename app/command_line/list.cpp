// `warplens list`: the kernels, one per line, with their parameters and ranges.
#include <fmt/core.h>

#include <algorithm>

#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/target.h"

namespace warplens::app {
namespace {

std::string allowed(const instrumentation::ParameterDeclaration& parameter) {
    if (!parameter.values.empty()) {
        std::vector<std::string> words;
        for (const auto& value : parameter.values) words.push_back(instrumentation::to_string(value));
        return fmt::format("{}", fmt::join(words, "|"));
    }
    if (parameter.minimum && parameter.maximum) {
        const bool in_steps = parameter.step > 0 && parameter.step != 1;
        return fmt::format("{}..{}", *parameter.minimum, *parameter.maximum) +
               (in_steps ? fmt::format(":{}", parameter.step) : "");
    }
    const bool is_word = std::holds_alternative<std::string>(parameter.fallback);
    return is_word ? "a number, or lcg and a number" : "any number";
}

}  // namespace

Result<int> list_kernels() {
    WARPLENS_TRY(auto kernels, catalogue());
    std::size_t width = 0;
    for (const auto& kernel : kernels) width = std::max(width, kernel.name.size());
    for (const auto& kernel : kernels) {
        std::vector<std::string> parameters;
        for (const auto& parameter : kernel.parameters) {
            parameters.push_back(fmt::format("{}={} ({})", parameter.name,
                                             instrumentation::to_string(parameter.fallback),
                                             allowed(parameter)));
        }
        print_result(fmt::format("{:<{}}  {}\n", kernel.name, width, fmt::join(parameters, " ")));
    }
    return exit_success;
}

}  // namespace warplens::app
