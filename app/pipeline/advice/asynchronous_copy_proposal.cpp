#include "app/pipeline/advice/asynchronous_copy_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/kernel_words.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/token_pattern.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

/// Types of 4, 8 and 16 bytes, which the instruction copies.
bool is_copied(const std::string& type) {
    constexpr std::array<std::string_view, 20> known{
        "float",  "int",   "unsigned", "unsigned int", "uint32_t",           "int32_t",  "uint",    "double",
        "float2", "int2",  "uint2",    "long long",    "unsigned long long", "uint64_t", "int64_t", "float4",
        "int4",   "uint4", "double2",  "longlong2"};
    return std::ranges::find(known, type) != known.end();
}

/// `tile[i] = a[j];`
struct Copy {
    TokenRange array, element, from;  // the array's name, with its indexes, what it gets
    std::string type;
    std::size_t end = 0;
};

/// The copies of one kernel, and the barriers that they can wait at.
class Copies {
  public:
    explicit Copies(const KernelDefinition& kernel) : kernel_(kernel), tokens_(kernel.tokens) {
        find_shared_arrays();
        find_loops();
    }

    /// The copies that one barrier waits for; `barrier`: its token.
    struct Group {
        std::size_t barrier = 0;
        std::vector<Copy> copies;
    };

    std::vector<Group> groups() const {
        std::vector<Group> found;
        for (std::size_t at = kernel_.body + 1; at < kernel_.body_end; ++at) {
            const auto copy = copy_at(at);
            if (!copy || !is_in_loop(at)) continue;
            at = copy->end - 1;
            const auto barrier = barrier_after(*copy);
            if (!barrier) continue;
            if (found.empty() || found.back().barrier != *barrier) found.push_back({*barrier, {}});
            found.back().copies.push_back(*copy);
        }
        return found;
    }

  private:
    void find_shared_arrays() {
        for (std::size_t at = kernel_.body; at < kernel_.body_end; ++at) {
            if (!tokens_[at].is("__shared__")) continue;
            std::size_t open = at + 1;
            while (open < kernel_.body_end && !tokens_[open].is("[") && !tokens_[open].is(";")) ++open;
            if (open >= kernel_.body_end || !tokens_[open].is("[") || open < at + 3) continue;
            shared_[std::string(tokens_[open - 1].text)] = text_of(tokens_, {at + 1, open - 1});
        }
    }

    void find_loops() {
        for (std::size_t at = kernel_.body; at < kernel_.body_end; ++at)
            if (tokens_[at].is("for") || tokens_[at].is("while"))
                loops_.push_back({at, after_statement(tokens_, at, kernel_.body_end)});
    }

    bool is_in_loop(std::size_t at) const {
        return std::ranges::any_of(loops_, [&](TokenRange loop) { return loop.begin < at && at < loop.end; });
    }

    /// The type that a pointer to `const` of this name points to.
    std::string constant_type(std::string_view name) const {
        for (std::size_t at = kernel_.parameters + 1; at < kernel_.body_end; ++at) {
            if (tokens_[at].text != name) continue;
            std::size_t star = at - 1;
            while (tokens_[star].is("__restrict__") || tokens_[star].is("const")) --star;
            if (!tokens_[star].is("*")) return {};
            std::size_t begin = star;
            while (tokens_[begin - 1].is_word()) --begin;
            std::string type;
            bool is_constant = false;
            for (; begin < star; ++begin)
                if (tokens_[begin].is("const")) is_constant = true;
                else type += (type.empty() ? "" : " ") + std::string(tokens_[begin].text);
            return is_constant ? type : std::string();
        }
        return {};
    }

    std::optional<Copy> copy_at(std::size_t at) const {
        const Token& before = tokens_[at - 1];
        const bool begins =
            before.is(";") || before.is("{") || before.is("}") || before.is(")") || before.is("else");
        const auto array = shared_.find(std::string(tokens_[at].text));
        if (!begins || array == shared_.end() || !is_copied(array->second)) return std::nullopt;
        for (const std::string_view pattern :
             {"$s [ $e... ] = $g [ $f... ] ;", "$s [ $e... ] [ $d... ] = $g [ $f... ] ;"}) {
            BoundNames names;
            const auto end = match(tokens_, {at, kernel_.body_end}, pattern, names);
            if (!end) continue;
            const std::size_t from = names["g"].begin;
            if (constant_type(tokens_[from].text) != array->second ||
                tokens_[at].line != tokens_[*end - 1].line)
                return std::nullopt;
            return Copy{names["s"], {at, from - 1}, {from, *end - 1}, array->second, *end};
        }
        return std::nullopt;
    }

    /// The next barrier, where every way leads to it and nothing uses the array before.
    std::optional<std::size_t> barrier_after(const Copy& copy) const {
        int depth = 0, outermost = 0;
        for (std::size_t at = copy.end; at < kernel_.body_end; ++at) {
            const Token& token = tokens_[at];
            if (token.is("__syncthreads"))
                return depth == outermost && tokens_[at - 1].line < token.line ? std::optional(at)
                                                                               : std::nullopt;
            if (token.is("{")) ++depth;
            if (token.is("}")) outermost = std::min(outermost, --depth);
            if (token.is("return") || token.is("break") || token.is("continue") || token.is("goto"))
                return std::nullopt;
            if (token.text != tokens_[copy.array.begin].text) continue;
            const auto other = copy_at(at);
            if (!other) return std::nullopt;
            at = other->end - 1;
        }
        return std::nullopt;
    }

    const KernelDefinition& kernel_;
    const Tokens& tokens_;
    std::map<std::string, std::string> shared_;  // the type of an element by the array's name
    std::vector<TokenRange> loops_;
};

}  // namespace

std::vector<Edit> asynchronous_copy_edits(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const Tokens& tokens = kernel->tokens;
    std::vector<Insertion> words;
    std::vector<Edit> edits;
    for (const auto& group : Copies(*kernel).groups()) {
        for (const Copy& copy : group.copies) {
            const Token& first = tokens[copy.element.begin];
            const std::size_t begin = offset_of(first, source);
            const Token& last = tokens[copy.end - 1];
            words.push_back(
                {begin, first.line,
                 fmt::format("__pipeline_memcpy_async(&{}, &{}, sizeof({}));", text_of(tokens, copy.element),
                             text_of(tokens, copy.from), copy.type),
                 offset_of(last, source) + 1 - begin});
        }
        const std::uint32_t line = tokens[group.barrier].line;
        edits.push_back({Edit::Kind::insert, line, "__pipeline_commit();"});
        edits.push_back({Edit::Kind::insert, line, "__pipeline_wait_prior(0);"});
    }
    if (words.empty()) return {};
    const std::string header = "cuda_pipeline";
    if (source.find(header) == std::string::npos)
        edits.push_back({Edit::Kind::insert, tokens.front().line, "#include <" + header + ".h>"});
    std::ranges::move(edits_of(source, words), std::back_inserter(edits));
    return in_order(std::move(edits));
}

std::optional<Proposal> proposed_asynchronous_copies(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now) {
    if (kernel->language != instrumentation::Language::cuda) return std::nullopt;
    auto edits = asynchronous_copy_edits(kernel->source, plain_name(now.trace->program.entry));
    if (edits.empty()) return std::nullopt;
    Proposal proposal = with_changed_lines(kernel, overrides, std::move(edits),
                                           "copies to shared memory that do not wait for each load");
    proposal.change.condition = "right where nothing else writes what is copied";
    return proposal;
}

}  // namespace warplens::app
