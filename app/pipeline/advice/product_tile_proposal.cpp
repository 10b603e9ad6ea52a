#include "app/pipeline/advice/product_tile_proposal.h"

#include <fmt/format.h>

#include "app/pipeline/advice/kernel_words.h"
#include "app/pipeline/advice/product_loop.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

class ProductWriter {
  public:
    ProductWriter(const std::string& source, const KernelDefinition& kernel, const ProductLoop& loop,
                  std::uint64_t side)
        : tokens_(kernel.tokens), loop_(loop), side_(name_of_number(source, side)) {}

    /// The lines in place of the loop and its guard; empty: a name is taken.
    std::vector<std::string> lines() {
        const std::string a = fresh("tile_" + word(loop_.a.array)),
                          b = fresh("tile_" + word(loop_.b.array) +
                                    (same_text(tokens_, loop_.a.array, loop_.b.array) ? "_2" : ""));
        const std::string k = word(loop_.k), first = fresh("first");
        std::vector<std::string> code;
        for (const auto& [factor, tile] : {std::pair(&loop_.a, &a), std::pair(&loop_.b, &b)})
            code.push_back(fmt::format("__shared__ {0} {1}[{2}][{2} + 1];", factor->type, *tile, side_));
        for (const Factor* factor : {&loop_.a, &loop_.b})
            if (is_mirrored(*factor)) code.push_back(mirror_definition(place_of(*factor)));
        if (!loop_.definitions.empty()) code.push_back(joined(loop_.definitions));
        code.push_back(fmt::format("for (int {0} = 0; {0} < {1}; {0} += {2}) {{", first,
                                   text_of(tokens_, loop_.limit), side_));
        code.push_back("    " + load(loop_.a, a, first));
        code.push_back("    " + load(loop_.b, b, first));
        code.emplace_back("    __syncthreads();");
        code.push_back(fmt::format("    for (int {0} = 0; {0} < {1}; ++{0}) {2} += {3} * {4};", k, side_,
                                   word(loop_.sum), use(loop_.a, a), use(loop_.b, b)));
        code.emplace_back("    __syncthreads();");
        code.emplace_back("}");
        if (!loop_.guard.empty()) code.push_back(joined(loop_.guard));
        return names_are_free_ ? code : std::vector<std::string>();
    }

  private:
    std::string word(TokenRange name) const { return std::string(tokens_[name.begin].text); }
    const ThreadPlace& place_of(const Factor& factor) const { return factor.along_x ? loop_.x : loop_.y; }

    /// Lanes load neighbours, whatever they compute with: with the axes exchanged where these are not along
    /// x.
    bool is_mirrored(const Factor& factor) const { return factor.along_x == factor.k_is_next; }

    std::string mirror_name(const ThreadPlace& place) { return fresh("mirror_" + word(place.name)); }
    std::string mirror_definition(const ThreadPlace& place) {
        std::string value;
        for (std::size_t at = place.value.begin; at < place.value.end; ++at)
            value += at == place.axis ? (tokens_[at].is("x") ? "y" : "x") : spaced(at, place.value.begin);
        return fmt::format("const int {} = {};", mirror_name(place), value);
    }

    std::string load(const Factor& factor, const std::string& tile, const std::string& first) {
        const bool mirrored = is_mirrored(factor);
        const std::string k = fmt::format("{} + threadIdx.{}", first, factor.k_is_next ? "x" : "y");
        const ThreadPlace& place = place_of(factor);
        const TokenRange guard = factor.along_x ? loop_.guard_x : loop_.guard_y;
        const std::string name = mirrored ? mirror_name(place) : word(place.name);
        std::string condition = fmt::format("{} < {}", k, text_of(tokens_, loop_.limit));
        if (!guard.empty()) {
            std::string own = loop_.guard_leaves ? contrary_of(tokens_, guard) : text_of(tokens_, guard);
            condition = with_name(own, word(place.name), name) + " && " + condition;
        }
        return fmt::format("{}[threadIdx.{}][threadIdx.{}] = {} ? {}[{}] : 0;", tile, mirrored ? "x" : "y",
                           mirrored ? "y" : "x", condition, word(factor.array),
                           subscript(factor, place, name, k));
    }

    std::string subscript(const Factor& factor, const ThreadPlace& place, const std::string& name,
                          const std::string& k) const {
        std::string code;
        for (std::size_t at = factor.subscript.begin; at < factor.subscript.end; ++at) {
            const std::string blank =
                spaced(at, factor.subscript.begin).substr(0, gap(at, factor.subscript.begin));
            if (tokens_[at].text == tokens_[loop_.k.begin].text)
                code += blank + (factor.k_is_next ? k : "(" + k + ")");
            else if (tokens_[at].text == tokens_[place.name.begin].text) code += blank + name;
            else code += spaced(at, factor.subscript.begin);
        }
        return code;
    }

    std::string use(const Factor& factor, const std::string& tile) const {
        return factor.along_x ? fmt::format("{}[{}][threadIdx.x]", tile, word(loop_.k))
                              : fmt::format("{}[threadIdx.y][{}]", tile, word(loop_.k));
    }

    static std::string with_name(const std::string& text, const std::string& from, const std::string& to) {
        const Tokens tokens = instrumentation::host_code::tokenize(text);
        std::string code;
        const char* end = text.data();
        for (const Token& token : tokens) {
            code.append(end, token.text.data());
            code += token.text == from ? to : std::string(token.text);
            end = token.text.data() + token.text.size();
        }
        return code;
    }

    /// On one line.
    std::string joined(TokenRange range) const {
        std::string code;
        for (std::size_t at = range.begin; at < range.end; ++at) code += spaced(at, range.begin);
        return code;
    }
    std::size_t gap(std::size_t at, std::size_t begin) const {
        if (at == begin) return 0;
        const Token& before = tokens_[at - 1];
        return before.text.data() + before.text.size() < tokens_[at].text.data() ? 1 : 0;
    }
    std::string spaced(std::size_t at, std::size_t begin) const {
        return std::string(gap(at, begin), ' ') + std::string(tokens_[at].text);
    }

    std::string fresh(const std::string& wanted) {
        const std::string name = free_name(tokens_, wanted);
        names_are_free_ = names_are_free_ && !name.empty();
        return name;
    }

    const Tokens& tokens_;
    const ProductLoop& loop_;
    std::string side_;
    bool names_are_free_ = true;
};

}  // namespace

std::vector<Edit> product_tile_edits(const std::string& source, std::string_view entry, std::uint64_t side) {
    const auto kernel = find_kernel_definition(source, entry);
    const auto loop = kernel ? product_loop(*kernel) : std::nullopt;
    if (!loop) return {};
    const Tokens& tokens = kernel->tokens;
    const std::uint32_t first = tokens[loop->begin].line, last = tokens[loop->end - 1].line;
    if (tokens[loop->begin - 1].line == first || tokens[loop->end].line == last) return {};
    const std::vector<std::string> code = ProductWriter(source, *kernel, *loop, side).lines();
    if (code.empty()) return {};
    return in_place_of_lines(source, first, last, code);
}

std::optional<Proposal> proposed_product_tiles(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now) {
    const Dim3 block = now.trace->launch.geometry.block;
    if (kernel->language != instrumentation::Language::cuda || block.x != block.y || block.x < 8 ||
        block.z != 1)
        return std::nullopt;
    auto edits = product_tile_edits(kernel->source, plain_name(now.trace->program.entry),
                                    static_cast<std::uint64_t>(block.x));
    if (edits.empty()) return std::nullopt;
    Proposal proposal =
        with_changed_lines(kernel, overrides, std::move(edits), "the product by tiles in shared memory");
    proposal.change.condition = fmt::format("right for blocks of {0} × {0} threads", block.x);
    return proposal;
}

}  // namespace warplens::app
