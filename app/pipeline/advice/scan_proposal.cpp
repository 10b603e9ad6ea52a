#include "app/pipeline/advice/scan_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/kernel_words.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/token_pattern.h"
#include "core/lane_mask.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::TokenKind;
using instrumentation::host_code::Tokens;

/// Up to the step.
constexpr std::array<std::string_view, 2> scan_heads{"for ( $type $s = 1 ; $s < $limit... ;",
                                                     "for ( $type $sign $s = 1 ; $s < $limit... ;"};
constexpr std::array<std::string_view, 6> scan_steps{"$s *= 2",     "$s <<= 1",     "$s = $s * 2",
                                                     "$s = 2 * $s", "$s = $s << 1", "$s += $s"};

/// A pass without its braces; `|` stands for a barrier. Thread t has the sum of its element and the one that
/// is s before it.
constexpr std::array<std::string_view, 10> scan_passes{
    "| $type $v ; if ( $t... >= $s ) $v = $a [ $t ] + $a [ $t - $s ] ; | if ( $t >= $s ) $a [ $t ] = $v ;",
    "$type $v ; if ( $t... >= $s ) $v = $a [ $t ] + $a [ $t - $s ] ; | if ( $t >= $s ) $a [ $t ] = $v ; |",
    "$type $v = $zero ; if ( $t... >= $s ) $v = $a [ $t - $s ] ; | $a [ $t ] += $v ; |",
    "| $type $v = $zero ; if ( $t... >= $s ) $v = $a [ $t - $s ] ; | $a [ $t ] += $v ;",
    "$type $v = $zero ; if ( $t... >= $s ) $v = $a [ $t - $s ] ; | if ( $t >= $s ) $a [ $t ] += $v ; |",
    "$type $v = ( $t... >= $s ) ? $a [ $t - $s ] : $zero ; | $a [ $t ] += $v ; |",
    "$type $v = $t... >= $s ? $a [ $t - $s ] : $zero ; | $a [ $t ] += $v ; |",
    "$type $v = $a [ $t... ] ; if ( $t >= $s ) $v += $a [ $t - $s ] ; | $a [ $t ] = $v ; |",
    "$b [ $t... ] = $a [ $t ] + ( $t >= $s ? $a [ $t - $s ] : $zero ) ; | $p * $x = $a ; $a = $b ; $b = $x ;",
    "if ( $t... >= $s ) $b [ $t ] = $a [ $t ] + $a [ $t - $s ] ; else $b [ $t ] = $a [ $t ] ; | $p * $x = $a "
    "; "
    "$a = $b ; $b = $x ;",
};

struct ScanLoop {
    std::size_t begin = 0, end = 0;
    std::string lane, array, limit;
    bool barrier_first = false;  // of each pass: what is in the array need not be the lane's own
};

class ScanReader {
  public:
    explicit ScanReader(const KernelDefinition& kernel) : kernel_(kernel), tokens_(kernel.tokens) {}

    std::optional<ScanLoop> loop_at(std::size_t at) const {
        if (!tokens_[at].is("for")) return std::nullopt;
        for (const std::string_view head : scan_heads) {
            BoundNames names;
            const auto step = match(tokens_, {at, kernel_.body_end}, head, names);
            if (!step) continue;
            const std::size_t close = closing(tokens_, at + 1, kernel_.body_end);
            if (close + 1 >= kernel_.body_end || !tokens_[close + 1].is("{")) return std::nullopt;
            const std::size_t end = closing(tokens_, close + 1, kernel_.body_end);
            const bool doubles =
                matches_all_of(tokens_, {*step, close}, {scan_steps.begin(), scan_steps.end()}, names);
            if (end >= kernel_.body_end || !doubles) return std::nullopt;
            return of_passes({close + 2, end}, names,
                             {at, end + 1, "", "", text_of(tokens_, names["limit"]), false});
        }
        return std::nullopt;
    }

  private:
    /// Numbers are words for a pattern here, and braces are left out.
    std::optional<ScanLoop> of_passes(TokenRange body, const BoundNames& head, ScanLoop loop) const {
        Tokens pass;
        const std::string_view step = tokens_[head.at("s").begin].text;
        for (std::size_t at = body.begin; at < body.end; ++at) {
            if (tokens_[at].kind == TokenKind::directive) return std::nullopt;
            if (tokens_[at].is("{") || tokens_[at].is("}")) continue;
            pass.push_back(tokens_[at]);
            if (pass.back().kind == TokenKind::number) pass.back().kind = TokenKind::word;
        }
        // The step is a name that the head has bound, in other tokens.
        pass.push_back(tokens_[head.at("s").begin]);
        const std::size_t end = pass.size() - 1;
        for (const std::string_view pattern : scan_passes) {
            BoundNames names{{"s", {end, end + 1}}};
            if (match(pass, {0, end}, with_barriers(pattern), names) != end) continue;
            loop.barrier_first = pattern.starts_with('|');
            loop.lane = text_of(pass, names["t"]);
            loop.array = std::string(pass[names["a"].begin].text);
            const bool from_zero = !names.contains("zero") || is_zero(pass[names["zero"].begin].text);
            if (!from_zero || loop.lane == step || !is_lane(loop.lane)) return std::nullopt;
            return loop;
        }
        return std::nullopt;
    }

    static std::string with_barriers(std::string_view pattern) {
        std::string words(pattern);
        for (std::size_t at; (at = words.find('|')) != std::string::npos;)
            words.replace(at, 1, "__syncthreads ( ) ;");
        return words;
    }

    static bool is_zero(std::string_view text) {
        return text.find_first_not_of("0.fF") == std::string_view::npos;
    }

    bool is_lane(const std::string& lane) const {
        if (lane == "threadIdx.x") return true;
        for (std::size_t at = kernel_.body; at + 5 < kernel_.body_end; ++at) {
            BoundNames names;
            if (tokens_[at].text == lane &&
                match(tokens_, {at + 1, kernel_.body_end}, "= threadIdx . x", names))
                return tokens_[at + 5].is(";") || tokens_[at + 5].is(",");
        }
        return false;
    }

    const KernelDefinition& kernel_;
    const Tokens& tokens_;
};

/// Of `__shared__ float a[…]`, `float* a = …`.
std::string type_of_array(const KernelDefinition& kernel, const std::string& array) {
    const Tokens& tokens = kernel.tokens;
    for (std::size_t at = kernel.body + 2; at + 1 < kernel.body_end; ++at) {
        if (tokens[at].text != array) continue;
        const bool is_array = tokens[at - 1].is_word() && tokens[at + 1].is("[");
        const bool is_pointer = tokens[at - 1].is("*") && tokens[at - 2].is_word() && tokens[at + 1].is("=");
        if (is_array) return std::string(tokens[at - 1].text);
        if (is_pointer) return std::string(tokens[at - 2].text);
    }
    return {};
}

}  // namespace

ScanEdits scan_edits(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const Tokens& tokens = kernel->tokens;
    const ScanReader reader(*kernel);
    for (std::size_t at = kernel->body + 1; at + 1 < kernel->body_end; ++at) {
        const auto loop = reader.loop_at(at);
        if (!loop) continue;
        const std::uint32_t first = tokens[loop->begin].line, last = tokens[loop->end - 1].line;
        const std::string type = type_of_array(*kernel, loop->array);
        const bool has_lines = tokens[loop->begin - 1].line < first && tokens[loop->end].line > last;
        if (type.empty() || !has_lines) return {};
        for (const char* name : {"value", "other", "offset", "warp", "warp_totals"})
            if (free_name(tokens, name) != name) return {};
        const std::string &t = loop->lane, &a = loop->array;
        std::vector<std::string> code{
            fmt::format("__shared__ {} warp_totals[32];", type),
            fmt::format("{} value = {}[{}];", type, a, t),
            "for (int offset = 1; offset < 32; offset *= 2) {",
            fmt::format("    const {} other = __shfl_up_sync(0xffffffff, value, offset);", type),
            fmt::format("    if ({} % 32 >= offset) value += other;", t),
            "}",
            fmt::format("if ({0} % 32 == 31) warp_totals[{0} / 32] = value;", t),
            "__syncthreads();",
            fmt::format("for (int warp = 0; warp < {} / 32; ++warp) value += warp_totals[warp];", t),
            fmt::format("{}[{}] = value;", a, t),
            "__syncthreads();"};
        if (loop->barrier_first) code.insert(code.begin() + 1, "__syncthreads();");
        return {in_place_of_lines(source, first, last, code), loop->limit};
    }
    return {};
}

std::optional<Proposal> proposed_scan(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                      const std::map<std::string, std::string>& overrides, const Scene& now) {
    const Dim3 block = now.trace->launch.geometry.block;
    if (kernel->language != instrumentation::Language::cuda || block.y * block.z != 1 ||
        block.x % static_cast<std::uint32_t>(warp_size) != 0)
        return std::nullopt;
    ScanEdits scan = scan_edits(kernel->source, plain_name(now.trace->program.entry));
    if (scan.edits.empty()) return std::nullopt;
    Proposal proposal =
        with_changed_lines(kernel, overrides, std::move(scan.edits), "the prefix sum by shuffles");
    proposal.change.condition = scan.limit.find("blockDim") != std::string::npos
                                    ? "right for blocks of whole warps"
                                    : fmt::format("right where a block has {} threads", scan.limit);
    return proposal;
}

}  // namespace warplens::app
