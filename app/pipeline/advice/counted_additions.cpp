#include "app/pipeline/advice/counted_additions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "app/pipeline/advice/kernel_words.h"
#include "app/pipeline/advice/token_pattern.h"
#include "instrumentation/catalog/fill.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

/// Of an atomic: its array and, where it has one, the index; and the value.
struct Addition {
    TokenRange array, index, value;
    std::size_t end = 0;
};

std::optional<Addition> addition_at(const Tokens& tokens, std::size_t at, std::size_t end) {
    for (const std::string_view pattern :
         {"atomicAdd ( & $h [ $e... ] , $v... ) ;", "atomicAdd ( & ( $h [ $e... ] ) , $v... ) ;",
          "atomicAdd ( $h + $e... , $v... ) ;", "atomicAdd ( $h , $v... ) ;"}) {
        BoundNames names;
        const auto after = match(tokens, {at, end}, pattern, names);
        if (!after) continue;
        const Token& before = tokens[at - 1];
        // Nobody reads what it returns.
        const bool is_statement = before.is(";") || before.is("{") || before.is("}") || before.is(")") ||
                                  before.is("else") ||
                                  before.kind == instrumentation::host_code::TokenKind::directive;
        if (!is_statement) return std::nullopt;
        return Addition{names["h"], names["e"], names["v"], *after};
    }
    return std::nullopt;
}

/// The words of a parameter's type, where it is a pointer to something that can be counted.
std::string counted_type(const Tokens& tokens, TokenRange parameter) {
    std::string type = pointed_type(tokens, parameter);
    constexpr std::array<std::string_view, 10> known{
        "int",   "unsigned", "unsigned int",       "uint32_t", "uint",
        "float", "double",   "unsigned long long", "int32_t",  "unsigned long long int"};
    return std::ranges::find(known, type) == known.end() ? std::string() : type;
}

/// Of its uses in the kernel each is the array of an addition whose value is of no shared array: else the
/// block has counters already.
bool is_only_counted(const KernelDefinition& kernel, std::string_view name) {
    const Tokens& tokens = kernel.tokens;
    std::set<std::string_view> shared;
    for (std::size_t at = kernel.body; at + 1 < kernel.body_end; ++at)
        if (tokens[at].is("__shared__"))
            for (; at + 1 < kernel.body_end && !tokens[at].is(";"); ++at)
                if (tokens[at + 1].is("[") || tokens[at + 1].is(";")) shared.insert(tokens[at].text);
    bool found = false;
    for (std::size_t at = kernel.body; at < kernel.body_end; ++at) {
        if (tokens[at].is("atomicAdd"))
            if (const auto addition = addition_at(tokens, at, kernel.body_end);
                addition && tokens[addition->array.begin].text == name) {
                for (std::size_t of = addition->value.begin; of < addition->value.end; ++of)
                    if (shared.contains(tokens[of].text)) return false;
                for (std::size_t of = addition->index.begin; of < addition->index.end; ++of)
                    if (tokens[of].text == name) return false;
                found = true;
                at = addition->end - 1;
                continue;
            }
        if (tokens[at].is_word() && tokens[at].text == name) return false;
    }
    return found;
}

}  // namespace

std::vector<GlobalCounters> global_counters(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    std::vector<GlobalCounters> found;
    std::size_t index = 0;
    for (const TokenRange parameter :
         parts_between(kernel->tokens, {kernel->parameters + 1, kernel->parameters_end})) {
        const std::string type = parameter.empty() ? "" : counted_type(kernel->tokens, parameter);
        if (!type.empty()) {
            const std::string_view name = kernel->tokens[parameter.end - 1].text;
            if (is_only_counted(*kernel, name)) found.push_back({index, std::string(name), type});
        }
        ++index;
    }
    return found;
}

std::optional<OwnAdditions> own_additions(const KernelDefinition& kernel, const std::string& source,
                                          const GlobalCounters& counters, const std::string& own,
                                          OwnAdditions::Into into) {
    const Tokens& tokens = kernel.tokens;
    const bool stands_apart = tokens[kernel.body + 1].line > tokens[kernel.body].line &&
                              tokens[kernel.body_end - 1].line < tokens[kernel.body_end].line;
    if (!stands_apart) return std::nullopt;
    OwnAdditions found;
    int depth = 0;
    for (std::size_t at = kernel.body + 1; at < kernel.body_end; ++at) {
        if (tokens[at].is("atomicAdd")) {
            const auto addition = addition_at(tokens, at, kernel.body_end);
            if (addition && tokens[addition->array.begin].text == counters.name) {
                const Token &array = tokens[addition->array.begin], &last = tokens[addition->end - 1];
                if (into != OwnAdditions::Into::array && !addition->index.empty()) return std::nullopt;
                if (into == OwnAdditions::Into::name) {
                    const std::size_t begin = offset_of(tokens[at], source);
                    if (tokens[at].line != last.line) return std::nullopt;
                    found.words.push_back({begin, tokens[at].line,
                                           fmt::format("{} += {};", own, text_of(tokens, addition->value)),
                                           offset_of(last, source) + last.text.size() - begin});
                } else {
                    found.words.push_back({offset_of(array, source), array.line,
                                           (into == OwnAdditions::Into::address ? "&" : "") + own,
                                           array.text.size()});
                }
                at = addition->end - 1;
                continue;
            }
        }
        if (tokens[at].is("return")) return std::nullopt;
        if (tokens[at].is("{")) ++depth;
        if (tokens[at].is("}")) --depth;
        if (!tokens[at].is("if")) continue;
        // No thread may leave before the block's counters are added: it skips the rest instead.
        BoundNames names;
        auto after = match(tokens, {at, kernel.body_end}, "if ( $c... ) return ;", names);
        if (!after) after = match(tokens, {at, kernel.body_end}, "if ( $c... ) { return ; }", names);
        if (!after) continue;
        const Token &first = tokens[at], &last = tokens[*after - 1];
        if (first.line != last.line || depth > 0 || tokens[*after].is("else")) return std::nullopt;
        const std::size_t begin = offset_of(first, source);
        found.words.push_back({begin, first.line, fmt::format("if ({}) {{", contrary_of(tokens, names["c"])),
                               offset_of(last, source) + last.text.size() - begin});
        ++found.opened;
        at = *after - 1;
    }
    if (found.words.empty()) return std::nullopt;
    return found;
}

std::optional<CountedBuffer> counted_buffer(const instrumentation::KernelFile& kernel,
                                            const trace::Launch& launch, const GlobalCounters& counters) {
    if (counters.parameter >= kernel.arguments.size()) return std::nullopt;
    const auto buffer = std::ranges::find(kernel.buffers, kernel.arguments[counters.parameter],
                                          &instrumentation::BufferDeclaration::name);
    if (buffer == kernel.buffers.end() || buffer->guessed_length) return std::nullopt;
    const auto placed = std::ranges::find(launch.buffers, buffer->name, &trace::Buffer::name);
    if (placed == launch.buffers.end() || placed->bytes == 0) return std::nullopt;
    return CountedBuffer{placed->bytes, placed->bytes / instrumentation::element_bytes(buffer->element_type)};
}

}  // namespace warplens::app
