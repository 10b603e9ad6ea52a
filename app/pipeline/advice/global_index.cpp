#include "app/pipeline/advice/global_index.h"

#include <algorithm>

#include "app/pipeline/advice/kernel_words.h"

namespace warplens::app {

using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

namespace {

const std::vector<std::string_view> indexes{
    "blockIdx . x * blockDim . x + threadIdx . x",     "blockDim . x * blockIdx . x + threadIdx . x",
    "threadIdx . x + blockIdx . x * blockDim . x",     "threadIdx . x + blockDim . x * blockIdx . x",
    "( blockIdx . x * blockDim . x ) + threadIdx . x", "( blockDim . x * blockIdx . x ) + threadIdx . x",
    "threadIdx . x + ( blockIdx . x * blockDim . x )", "threadIdx . x + ( blockDim . x * blockIdx . x )"};

}  // namespace

namespace {

const std::vector<std::string_view> strides{"blockDim . x * gridDim . x", "gridDim . x * blockDim . x",
                                            "( blockDim . x * gridDim . x )",
                                            "( gridDim . x * blockDim . x )"};

/// The range is one of the expressions, or a name that is defined as one.
bool stands_for(const KernelDefinition& kernel, TokenRange range,
                const std::vector<std::string_view>& expressions) {
    const Tokens& tokens = kernel.tokens;
    BoundNames names;
    if (matches_all_of(tokens, range, expressions, names)) return true;
    if (range.end != range.begin + 1) return false;
    for (std::size_t at = kernel.body + 2; at < range.begin; ++at) {
        if (!tokens[at].is("=") || tokens[at - 1].text != tokens[range.begin].text ||
            !tokens[at - 2].is_word())
            continue;
        std::size_t end = at + 1;
        while (end < kernel.body_end && !tokens[end].is(";") && !tokens[end].is(",")) ++end;
        return matches_all_of(tokens, {at + 1, end}, expressions, names);
    }
    return false;
}

}  // namespace

std::optional<GlobalIndex> strided_index(const KernelDefinition& kernel) {
    const Tokens& tokens = kernel.tokens;
    for (std::size_t at = kernel.body + 1; at < kernel.body_end;
         at = after_statement(tokens, at, kernel.body_end)) {
        if (!tokens[at].is("for")) continue;
        BoundNames names;
        std::optional<std::size_t> end;
        for (const std::string_view head :
             {"for ( $type $i = $start... ; $i < $n... ; $i += $step... )",
              "for ( $type $sign $i = $start... ; $i < $n... ; $i += $step... )"})
            if (!end) end = match(tokens, {at, kernel.body_end}, head, names);
        if (!end || !stands_for(kernel, names["start"], indexes) ||
            !stands_for(kernel, names["step"], strides))
            return std::nullopt;
        const std::size_t after = after_statement(tokens, *end, kernel.body_end);
        if (after != kernel.body_end) return std::nullopt;
        const bool in_braces = tokens[*end].is("{");
        return GlobalIndex{names["i"],
                           names["start"],
                           names["start"].end,
                           names["n"],
                           in_braces ? TokenRange{*end + 1, after - 1} : TokenRange{*end, after},
                           names["step"]};
    }
    return std::nullopt;
}

std::optional<GlobalIndex> global_index(const KernelDefinition& kernel) {
    const Tokens& tokens = kernel.tokens;
    const auto uses_of = [&](std::string_view word) {
        return std::count_if(tokens.begin() + static_cast<std::ptrdiff_t>(kernel.body),
                             tokens.begin() + static_cast<std::ptrdiff_t>(kernel.body_end),
                             [&](const Token& token) { return token.is(word); });
    };
    if (uses_of("threadIdx") != 1 || uses_of("blockIdx") != 1 || uses_of("blockDim") != 1)
        return std::nullopt;
    GlobalIndex found;
    for (std::size_t at = kernel.body + 2; at + 2 < kernel.body_end && found.after == 0; ++at) {
        if (!tokens[at].is("=") || !tokens[at - 1].is_word() || !tokens[at - 2].is_word()) continue;
        std::size_t begin = at - 2;  // of the declaration
        while (tokens[begin].is_word()) --begin;
        const bool is_alone = tokens[begin].is("{") || tokens[begin].is(";");
        for (const std::string_view index : indexes) {
            BoundNames names;
            const auto end = match(tokens, {at + 1, kernel.body_end}, index, names);
            if (!end || !tokens[*end].is(";") || !is_alone) continue;
            found = {{at - 1, at}, {at + 1, *end}, *end, {}, {}, {}};
        }
    }
    if (found.after == 0) return std::nullopt;
    int depth = 0;
    for (std::size_t at = kernel.body; at < found.after; ++at)
        depth += (tokens[at].is("{") ? 1 : 0) - (tokens[at].is("}") ? 1 : 0);
    if (depth != 1) return std::nullopt;
    const TokenRange rest{found.after + 1, kernel.body_end};
    BoundNames names{{"i", found.name}};
    for (const std::string_view leaves :
         {"if ( $i >= $n... ) return ;", "if ( $i >= $n... ) { return ; }", "if ( $n... <= $i ) return ;"})
        if (const auto end = match(tokens, rest, leaves, names)) {
            found.guard = names["n"];
            found.guarded = {*end, kernel.body_end};
            return found;
        }
    for (const std::string_view enters : {"if ( $i < $n... )", "if ( $n... > $i )"})
        if (const auto end = match(tokens, rest, enters, names)) {
            found.guard = names["n"];
            const std::size_t after = after_statement(tokens, *end, kernel.body_end);
            const bool in_braces = tokens[*end].is("{");
            found.guarded = in_braces ? TokenRange{*end + 1, after - 1} : TokenRange{*end, after};
            // Nothing else follows.
            return after == kernel.body_end ? std::optional(found) : std::nullopt;
        }
    return std::nullopt;
}

}  // namespace warplens::app
