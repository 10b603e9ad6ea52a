#include "app/ui/cuda_spans.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warplens::app {
namespace {

// Both sorted.
constexpr std::array keywords = std::to_array<std::string_view>({"__align__",
                                                                 "__cluster_dims__",
                                                                 "__constant__",
                                                                 "__device__",
                                                                 "__forceinline__",
                                                                 "__global__",
                                                                 "__grid_constant__",
                                                                 "__host__",
                                                                 "__inline__",
                                                                 "__launch_bounds__",
                                                                 "__managed__",
                                                                 "__noinline__",
                                                                 "__restrict__",
                                                                 "__shared__",
                                                                 "alignas",
                                                                 "asm",
                                                                 "auto",
                                                                 "bool",
                                                                 "break",
                                                                 "case",
                                                                 "char",
                                                                 "class",
                                                                 "const",
                                                                 "const_cast",
                                                                 "constexpr",
                                                                 "continue",
                                                                 "decltype",
                                                                 "default",
                                                                 "delete",
                                                                 "do",
                                                                 "double",
                                                                 "else",
                                                                 "enum",
                                                                 "explicit",
                                                                 "extern",
                                                                 "false",
                                                                 "float",
                                                                 "for",
                                                                 "goto",
                                                                 "half",
                                                                 "if",
                                                                 "inline",
                                                                 "int",
                                                                 "long",
                                                                 "mutable",
                                                                 "namespace",
                                                                 "new",
                                                                 "nullptr",
                                                                 "operator",
                                                                 "private",
                                                                 "protected",
                                                                 "public",
                                                                 "reinterpret_cast",
                                                                 "return",
                                                                 "short",
                                                                 "signed",
                                                                 "sizeof",
                                                                 "static",
                                                                 "static_assert",
                                                                 "static_cast",
                                                                 "struct",
                                                                 "switch",
                                                                 "template",
                                                                 "this",
                                                                 "true",
                                                                 "typedef",
                                                                 "typename",
                                                                 "union",
                                                                 "unsigned",
                                                                 "using",
                                                                 "virtual",
                                                                 "void",
                                                                 "volatile",
                                                                 "while"});
constexpr std::array builtins =
    std::to_array<std::string_view>({"assert", "blockDim", "blockIdx", "gridDim", "printf", "threadIdx",
                                     "tex1D", "tex2D", "tex3D", "warpSize"});
static_assert(std::ranges::is_sorted(keywords));

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool continues_word(char c) { return is_letter(c) || is_digit(c); }

std::size_t word_end(std::string_view line, std::size_t at) {
    while (at < line.size() && continues_word(line[at])) ++at;
    return at;
}

/// Digits, suffixes, hexadecimal and exponents: 1.5e-3f, 0x1F, 1'000u.
std::size_t number_end(std::string_view line, std::size_t at) {
    const bool is_hexadecimal = line.substr(at).starts_with("0x") || line.substr(at).starts_with("0X");
    for (; at < line.size(); ++at) {
        const char c = line[at];
        const char before = at > 0 ? line[at - 1] : ' ';
        const bool sign = (c == '+' || c == '-') && !is_hexadecimal && (before == 'e' || before == 'E');
        if (!continues_word(c) && c != '.' && c != '\'' && !sign) break;
    }
    return at;
}

/// After the closing quote, or the end of the line.
std::size_t quote_end(std::string_view line, std::size_t at) {
    const char quote = line[at++];
    while (at < line.size() && line[at] != quote) at += line[at] == '\\' ? 2 : 1;
    return std::min(at + 1, line.size());
}

CudaWord kind_of(std::string_view word) {
    if (std::ranges::binary_search(keywords, word)) return CudaWord::keyword;
    // CUDA's own functions: __shfl_down_sync, __ldg, atomicAdd.
    const bool own = word.starts_with("__") || word.starts_with("atomic");
    if (own || std::ranges::find(builtins, word) != builtins.end()) return CudaWord::builtin;
    return CudaWord::plain;
}

}  // namespace

std::vector<CudaSpan> cuda_spans(std::string_view line, bool& in_comment) {
    std::vector<CudaSpan> spans;
    std::size_t at = 0;
    const auto take = [&](std::size_t end, CudaWord word) {
        if (end <= at) return;
        const std::string_view text = line.substr(at, end - at);
        if (!spans.empty() && spans.back().word == word)
            spans.back().text = {spans.back().text.data(), spans.back().text.size() + text.size()};
        else spans.push_back({text, word});
        at = end;
    };
    const std::size_t first = line.find_first_not_of(" \t");
    while (at < line.size()) {
        const std::string_view rest = line.substr(at);
        if (in_comment || rest.starts_with("/*")) {
            const std::size_t close = line.find("*/", in_comment ? at : at + 2);
            in_comment = close == std::string_view::npos;
            take(in_comment ? line.size() : close + 2, CudaWord::comment);
        } else if (rest.starts_with("//")) {
            take(line.size(), CudaWord::comment);
        } else if (rest.front() == '#' && at == first) {
            const std::size_t name = line.find_first_not_of(" \t", at + 1);
            take(name == std::string_view::npos ? line.size() : word_end(line, name), CudaWord::directive);
        } else if (rest.front() == '"' || rest.front() == '\'') {
            take(quote_end(line, at), CudaWord::literal);
        } else if (is_digit(rest.front())) {
            take(number_end(line, at), CudaWord::literal);
        } else if (is_letter(rest.front())) {
            const std::size_t end = word_end(line, at);
            take(end, kind_of(line.substr(at, end - at)));
        } else {
            take(at + 1, CudaWord::plain);
        }
    }
    return spans;
}

ImU32 colour_of(const Theme& theme, CudaWord word) {
    const auto legible = [&](ImU32 colour) {
        constexpr double least = 4.5;
        for (double share = 0; share < 1; share += 0.1)
            if (const ImU32 mixed = mix(colour, theme.text, share);
                contrast(mixed, theme.background) >= least)
                return mixed;
        return theme.text;
    };
    switch (word) {
        case CudaWord::plain:
            return theme.text;
        case CudaWord::comment:
            return theme.text_dim;
        case CudaWord::literal:
            return legible(theme.category(2));
        case CudaWord::keyword:
            return legible(theme.category(0));
        case CudaWord::builtin:
            return legible(theme.category(4));
        case CudaWord::directive:
            return legible(theme.category(5));
    }
    return theme.text;
}

}  // namespace warplens::app
