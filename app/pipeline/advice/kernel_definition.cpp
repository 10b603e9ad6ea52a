#include "app/pipeline/advice/kernel_definition.h"

namespace warplens::app {

using instrumentation::host_code::closing;

std::optional<KernelDefinition> find_kernel_definition(const std::string& source, std::string_view entry) {
    KernelDefinition found{instrumentation::host_code::tokenize(source)};
    const auto& tokens = found.tokens;
    bool is_kernel = false;
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        if (tokens[at].is(";") || tokens[at].is("}")) is_kernel = false;
        if (tokens[at].is("__global__")) is_kernel = true, found.global = at;
        if (!is_kernel || !tokens[at].is(entry) || !tokens[at + 1].is("(")) continue;
        found.name = at;
        found.parameters = at + 1;
        found.parameters_end = closing(tokens, at + 1, tokens.size());
        found.body = found.parameters_end + 1;
        if (found.body >= tokens.size() || !tokens[found.body].is("{")) continue;
        found.body_end = closing(tokens, found.body, tokens.size());
        if (found.body_end < tokens.size()) return found;
    }
    return std::nullopt;
}

std::size_t offset_of(const instrumentation::host_code::Token& token, const std::string& source) {
    return static_cast<std::size_t>(token.text.data() - source.data());
}

}  // namespace warplens::app
