#include "app/pipeline/shared_counters_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/pipeline/kernel_definition.h"
#include "app/pipeline/kernel_words.h"
#include "app/pipeline/source_edits.h"
#include "app/pipeline/token_pattern.h"
#include "core/symbol_name.h"
#include "instrumentation/catalog/fill.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

constexpr std::uint64_t most_bytes = 16 << 10;  // of shared memory

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

std::vector<Edit> shared_counters_edits(const std::string& source, std::string_view entry,
                                        const GlobalCounters& counters, std::uint64_t count,
                                        bool threads_in_rows) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const Tokens& tokens = kernel->tokens;
    const bool stands_apart = tokens[kernel->body + 1].line > tokens[kernel->body].line &&
                              tokens[kernel->body_end - 1].line < tokens[kernel->body_end].line;
    if (!stands_apart) return {};
    const std::string own = "block_" + counters.name;
    for (const Token& token : tokens)
        if (token.text == own || token.is("bin")) return {};
    std::vector<Insertion> words;
    int opened = 0, depth = 0;
    for (std::size_t at = kernel->body + 1; at < kernel->body_end; ++at) {
        if (tokens[at].is("atomicAdd")) {
            const auto addition = addition_at(tokens, at, kernel->body_end);
            if (addition && tokens[addition->array.begin].text == counters.name) {
                const Token& array = tokens[addition->array.begin];
                if (count == 1 && !addition->index.empty()) return {};
                words.push_back(
                    {offset_of(array, source), array.line, (count == 1 ? "&" : "") + own, array.text.size()});
                at = addition->end - 1;
                continue;
            }
        }
        if (tokens[at].is("return")) return {};
        if (tokens[at].is("{")) ++depth;
        if (tokens[at].is("}")) --depth;
        if (!tokens[at].is("if")) continue;
        // No thread may leave before the block's counters are added: it skips the rest instead.
        BoundNames names;
        auto after = match(tokens, {at, kernel->body_end}, "if ( $c... ) return ;", names);
        if (!after) after = match(tokens, {at, kernel->body_end}, "if ( $c... ) { return ; }", names);
        if (!after) continue;
        const Token &first = tokens[at], &last = tokens[*after - 1];
        if (first.line != last.line || depth > 0 || tokens[*after].is("else")) return {};
        const std::size_t begin = offset_of(first, source);
        words.push_back({begin, first.line, fmt::format("if ({}) {{", contrary_of(tokens, names["c"])),
                         offset_of(last, source) + last.text.size() - begin});
        ++opened;
        at = *after - 1;
    }
    if (words.empty()) return {};
    const std::string thread = threads_in_rows ? "threadIdx.y * blockDim.x + threadIdx.x" : "threadIdx.x";
    const std::string threads = threads_in_rows ? "blockDim.x * blockDim.y" : "blockDim.x";
    const std::string extent = name_of_number(source, count);
    const std::string each = fmt::format("for (int bin = {}; bin < {}; bin += {})", thread, extent, threads);
    const std::string first_thread =
        threads_in_rows ? "if (threadIdx.x == 0 && threadIdx.y == 0)" : "if (threadIdx.x == 0)";
    std::vector<Edit> edits;
    const auto insert = [&](std::uint32_t line, const std::string& code) {
        edits.push_back({Edit::Kind::insert, line, "    " + code});
    };
    const std::uint32_t begin = tokens[kernel->body].line + 1, end = tokens[kernel->body_end].line;
    if (count == 1) {
        insert(begin, fmt::format("__shared__ {} {};", counters.type, own));
        insert(begin, fmt::format("{} {} = 0;", first_thread, own));
    } else {
        insert(begin, fmt::format("__shared__ {} {}[{}];", counters.type, own, extent));
        insert(begin, fmt::format("{} {}[bin] = 0;", each, own));
    }
    insert(begin, "__syncthreads();");
    for (Edit& edit : edits_of(source, words)) edits.push_back(std::move(edit));
    for (int i = 0; i < opened; ++i) insert(end, "}");
    insert(end, "__syncthreads();");
    if (count == 1) {
        insert(end, fmt::format("{} atomicAdd({}, {});", first_thread, counters.name, own));
    } else {
        insert(end, each);
        insert(end,
               fmt::format("    if ({1}[bin] != 0) atomicAdd(&{0}[bin], {1}[bin]);", counters.name, own));
    }
    return edits;
}

std::optional<Proposal> proposed_shared_counters(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now) {
    const trace::Launch& launch = now.trace->launch;
    const Dim3 block = launch.geometry.block;
    if (kernel->language != instrumentation::Language::cuda || block.z != 1) return std::nullopt;
    const std::string entry = plain_name(now.trace->program.entry);
    for (const GlobalCounters& counters : global_counters(kernel->source, entry)) {
        if (counters.parameter >= kernel->arguments.size()) continue;
        const auto buffer = std::ranges::find(kernel->buffers, kernel->arguments[counters.parameter],
                                              &instrumentation::BufferDeclaration::name);
        if (buffer == kernel->buffers.end() || buffer->guessed_length) continue;
        const auto placed = std::ranges::find(launch.buffers, buffer->name, &trace::Buffer::name);
        if (placed == launch.buffers.end() || placed->bytes == 0 || placed->bytes > most_bytes) continue;
        const std::uint64_t count = placed->bytes / instrumentation::element_bytes(buffer->element_type);
        auto edits = shared_counters_edits(kernel->source, entry, counters, count, block.y > 1);
        if (edits.empty()) continue;
        Proposal proposal = with_changed_lines(
            kernel, overrides, std::move(edits),
            fmt::format("`{}` counted in shared memory first, added once per block", counters.name));
        if (count > 1)
            proposal.change.condition = fmt::format("right for {} elements of {}", count, counters.name);
        return proposal;
    }
    return std::nullopt;
}

}  // namespace warplens::app
