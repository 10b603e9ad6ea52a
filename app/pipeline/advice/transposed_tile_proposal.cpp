#include "app/pipeline/advice/transposed_tile_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/kernel_words.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/lane_mask.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

/// One assignment of an element, and what stands before it.
class CopyReader {
  public:
    explicit CopyReader(const KernelDefinition& kernel) : kernel_(kernel), tokens_(kernel.tokens) {}

    bool read() {
        std::size_t at = kernel_.body + 1;
        while (at < kernel_.body_end) {
            const std::size_t end = after_statement(tokens_, at, kernel_.body_end);
            if (!is_definition(tokens_, {at, end})) break;
            if (!reads_definition({at, end})) return false;
            at = end;
        }
        first_ = at;
        BoundNames names;
        if (auto end = match(tokens_, {at, kernel_.body_end}, "if ( $c... ) return ;", names)) {
            guard_ = names["c"];
            leaves_ = true;
            at = *end;
        } else if (end = match(tokens_, {at, kernel_.body_end}, "if ( $c... )", names); end) {
            guard_ = names["c"];
            at = *end;
            if (tokens_[at].is("{")) ++at;
        }
        // Behind the guard names are for its threads only: both statements get what they stand for.
        const std::size_t outside = definitions_.size();
        for (std::size_t next = at; guard_.end > 0; at = next) {
            next = after_statement(tokens_, at, kernel_.body_end);
            if (!is_definition(tokens_, {at, next})) break;
            if (!reads_definition({at, next})) return false;
        }
        for (std::size_t i = outside; i < definitions_.size(); ++i) definitions_[i].is_guarded = true;
        const auto end = match(tokens_, {at, kernel_.body_end}, "$out [ $to... ] = $value... ;", names);
        if (!end) return false;
        out_ = names["out"];
        store_ = {names["out"].begin, names["to"].end + 1};
        value_ = names["value"];
        last_ = kernel_.body_end - 1;
        for (std::size_t rest = *end; rest < kernel_.body_end; ++rest)
            if (!tokens_[rest].is("}")) return false;
        for (std::size_t of = first_; of < kernel_.body_end; ++of)
            if (tokens_[of].is("threadIdx") || tokens_[of].is("&") || tokens_[of].text.starts_with("__"))
                return false;
        return has_both_axes();
    }

    std::size_t first() const { return first_; }
    std::size_t last() const { return last_; }
    std::string_view out() const { return tokens_[out_.begin].text; }
    TokenRange store() const { return store_; }
    TokenRange value() const { return value_; }
    bool has_guard() const { return !guard_.empty(); }
    std::string guard() const { return leaves_ ? contrary_of(tokens_, guard_) : text_of(tokens_, guard_); }
    /// Where the value is one load, and nothing else.
    bool only_loads() const {
        BoundNames names;
        return match(tokens_, value_, "$in [ $from... ]", names) == value_.end;
    }

    /// `x` and `y` of the mirror image: their definitions with the threads' axes exchanged, or with the
    /// thread's place in a tile that is read by columns.
    std::vector<std::string> mirror_definitions(bool is_square) const {
        std::vector<std::string> lines;
        for (const Definition& definition : definitions_)
            if (definition.axis != 0)
                lines.push_back(fmt::format("const int {} = {};", mirrored_name(definition),
                                            exchanged(definition.value, is_square)));
        return lines;
    }
    /// The text with the mirror image's names, and what is made of them in place of its name.
    std::string mirrored(TokenRange range) const { return rewritten(range, true); }
    std::string own(TokenRange range) const { return rewritten(range, false); }
    std::string mirrored_guard() const {
        // The guard as it is used, whose words are those of the source.
        const std::string text = mirrored(guard_);
        if (!leaves_) return text;
        const Tokens tokens = instrumentation::host_code::tokenize(text);
        return contrary_of(tokens, {0, tokens.size()});
    }
    bool names_are_free() const {
        for (const Definition& definition : definitions_)
            if (definition.axis != 0 &&
                free_name(tokens_, mirrored_name(definition)) != mirrored_name(definition))
                return false;
        return std::ranges::all_of(std::array{"tile", "tile_x", "tile_y"},
                                   [&](const char* name) { return free_name(tokens_, name) == name; });
    }

  private:
    struct Definition {
        TokenRange name, value;
        char axis = 0;         // of threadIdx, in it
        bool depends = false;  // on those that have one
        bool is_guarded = false;
    };

    bool reads_definition(TokenRange statement) {
        for (const TokenRange part : parts_between(tokens_, {statement.begin, statement.end - 1})) {
            std::size_t equals = part.begin;
            while (equals < part.end && !tokens_[equals].is("=")) ++equals;
            if (equals >= part.end || equals == part.begin) return false;
            Definition definition{{equals - 1, equals}, {equals + 1, part.end}};
            for (std::size_t at = definition.value.begin; at < definition.value.end; ++at) {
                if (tokens_[at].is("threadIdx")) {
                    const bool is_axis = at + 2 < definition.value.end && tokens_[at + 1].is(".") &&
                                         (tokens_[at + 2].is("x") || tokens_[at + 2].is("y"));
                    if (definition.axis != 0 || !is_axis) return false;
                    definition.axis = tokens_[at + 2].text.front();
                }
                definition.depends = definition.depends || find(tokens_[at].text) != nullptr;
            }
            if (definition.axis != 0 && definition.depends) return false;
            definitions_.push_back(definition);
        }
        return true;
    }

    bool has_both_axes() const {
        const auto of = [&](char axis) { return std::ranges::count(definitions_, axis, &Definition::axis); };
        return of('x') == 1 && of('y') == 1 && of('z') == 0;
    }

    /// One that a thread's place in the block decides.
    const Definition* find(std::string_view name) const {
        for (const Definition& definition : definitions_)
            if (tokens_[definition.name.begin].text == name &&
                (definition.axis != 0 || definition.depends || definition.is_guarded))
                return &definition;
        return nullptr;
    }

    std::string mirrored_name(const Definition& definition) const {
        return "mirror_" + std::string(tokens_[definition.name.begin].text);
    }

    std::string exchanged(TokenRange range, bool is_square) const {
        std::string text = text_of(tokens_, range);
        const std::size_t at = text.find("threadIdx");
        const std::size_t axis = text.find_first_of("xy", at + std::string_view("threadIdx").size());
        if (is_square) text[axis] = text[axis] == 'x' ? 'y' : 'x';
        else text.replace(at, axis - at, "tile_");
        return text;
    }

    std::string rewritten(TokenRange range, bool as_mirror) const {
        std::string code;
        const char* end = nullptr;
        for (std::size_t at = range.begin; at < range.end; ++at) {
            const Token& token = tokens_[at];
            if (end != nullptr && token.text.data() > end) code += ' ';
            const Definition* definition = find(token.text);
            const bool is_index = at > range.begin && tokens_[at - 1].is("[") && tokens_[at + 1].is("]");
            if (definition == nullptr || (!as_mirror && !definition->is_guarded)) code += token.text;
            else if (definition->axis != 0) code += mirrored_name(*definition);
            else
                code +=
                    (is_index ? "" : "(") + rewritten(definition->value, as_mirror) + (is_index ? "" : ")");
            end = token.text.data() + token.text.size();
        }
        return code;
    }

    const KernelDefinition& kernel_;
    const Tokens& tokens_;
    std::vector<Definition> definitions_;
    std::size_t first_ = 0, last_ = 0;  // of the statement with its guard
    TokenRange guard_, out_, store_, value_;
    bool leaves_ = false;
};

}  // namespace

std::vector<Edit> transposed_tile_edits(const std::string& source, std::string_view entry, Dim3 block,
                                        bool mirrored_stores) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const Tokens& tokens = kernel->tokens;
    CopyReader copy(*kernel);
    if (!copy.read() || !copy.names_are_free() || (!mirrored_stores && !copy.only_loads())) return {};
    std::string type;
    for (const TokenRange parameter : parts_between(tokens, {kernel->parameters + 1, kernel->parameters_end}))
        if (!parameter.empty() && tokens[parameter.end - 1].text == copy.out())
            type = pointed_type(tokens, parameter);
    const std::uint32_t first = tokens[copy.first()].line, last = tokens[copy.last()].line;
    if (type.empty() || tokens[copy.first() - 1].line == first || tokens[copy.last() + 1].line == last)
        return {};
    const auto guarded = [&](const std::string& guard, const std::string& statement) {
        return copy.has_guard() ? fmt::format("if ({}) {}", guard, statement) : statement;
    };
    const std::string own = "tile[threadIdx.y][threadIdx.x]";
    const bool is_square = block.x == block.y;
    const std::string other = is_square ? "tile[threadIdx.x][threadIdx.y]" : "tile[tile_y][tile_x]";
    const std::string width = name_of_number(source, static_cast<std::uint64_t>(block.x));
    const std::string height = name_of_number(source, static_cast<std::uint64_t>(block.y));
    // Lanes of a column lie so many banks apart that none meets another.
    const int pad = std::max(1, warp_size / static_cast<int>(block.y));
    std::vector<std::string> code{
        fmt::format("__shared__ {} tile[{}][{} + {}];", type, height, width, is_square ? 1 : pad)};
    if (!is_square)
        code.push_back(
            fmt::format("const int tile_x = (threadIdx.y * {0} + threadIdx.x) / {1}, tile_y = "
                        "(threadIdx.y * {0} + threadIdx.x) % {1};",
                        width, height));
    const auto mirror = copy.mirror_definitions(is_square);
    const std::string value = copy.own(copy.value()), store = copy.own(copy.store());
    if (mirrored_stores) {
        code.push_back(guarded(copy.guard(), fmt::format("{} = {};", own, value)));
        code.emplace_back("__syncthreads();");
        code.insert(code.end(), mirror.begin(), mirror.end());
        code.push_back(
            guarded(copy.mirrored_guard(), fmt::format("{} = {};", copy.mirrored(copy.store()), other)));
    } else {
        code.insert(code.end(), mirror.begin(), mirror.end());
        code.push_back(
            guarded(copy.mirrored_guard(), fmt::format("{} = {};", other, copy.mirrored(copy.value()))));
        code.emplace_back("__syncthreads();");
        code.push_back(guarded(copy.guard(), fmt::format("{} = {};", store, own)));
    }
    return in_place_of_lines(source, first, last, code);
}

std::optional<Proposal> proposed_transposed_tile(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now) {
    const Dim3 block = now.trace->launch.geometry.block;
    if (kernel->language != instrumentation::Language::cuda || block.x < 8 || block.y < 8 || block.z != 1)
        return std::nullopt;
    const auto wastes = [](const analysis::AccessTotals& total) {
        return total.sectors > total.ideal_sectors;
    };
    const bool loads = wastes(now.report->global_load), stores = wastes(now.report->global_store);
    if (loads == stores) return std::nullopt;
    auto edits = transposed_tile_edits(kernel->source, plain_name(now.trace->program.entry), block, stores);
    if (edits.empty()) return std::nullopt;
    Proposal proposal = with_changed_lines(
        kernel, overrides, std::move(edits),
        fmt::format("{} in rows, through a tile in shared memory", stores ? "stores" : "loads"));
    proposal.change.condition = fmt::format("right for blocks of {} × {} threads", block.x, block.y);
    return proposal;
}

}  // namespace warplens::app
