#include "app/pipeline/advice/structure_lines.h"

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/kernel_words.h"

namespace warplens::app {

std::set<std::uint32_t> structure_lines(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const auto& tokens = kernel->tokens;
    // Of the file's own: `struct Particle {`.
    std::set<std::string, std::less<>> structures;
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        if (!tokens[at].is("struct") && !tokens[at].is("}")) continue;
        const bool is_named_first = tokens[at].is("struct") && tokens[at + 2].is("{");
        const bool is_named_last = tokens[at].is("}") && tokens[at + 1].is_word() && tokens[at + 2].is(";");
        if (is_named_first || is_named_last) structures.emplace(tokens[at + 1].text);
    }
    std::set<std::string_view> arrays;
    for (const TokenRange parameter :
         parts_between(tokens, {kernel->parameters + 1, kernel->parameters_end})) {
        std::string type = pointed_type(tokens, parameter);
        if (type.starts_with("struct ")) type.erase(0, 7);
        if (structures.contains(type)) arrays.insert(tokens[parameter.end - 1].text);
    }
    std::set<std::uint32_t> lines;
    if (arrays.empty()) return lines;
    std::set<std::string_view> elements = arrays;  // and what refers to one of them
    for (std::size_t at = kernel->body + 1; at < kernel->body_end; ++at)
        if (tokens[at].is_word() && structures.contains(tokens[at].text)) {
            std::size_t name = at + 1;
            while (tokens[name].is("&") || tokens[name].is("*")) ++name;
            if (tokens[name].is_word()) elements.insert(tokens[name].text);
        }
    for (std::size_t at = kernel->body + 1; at < kernel->body_end; ++at)
        if (elements.contains(tokens[at].text)) lines.insert(tokens[at].line);
    return lines;
}

}  // namespace warplens::app
