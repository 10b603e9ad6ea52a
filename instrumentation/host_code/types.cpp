// Types by their names: how large they are, and where one begins and ends among tokens.
#include <algorithm>
#include <array>

#include "instrumentation/host_code/expression.h"

namespace warplens::instrumentation::host_code {

namespace {

struct KnownType {
    std::string_view name;
    std::int64_t bytes;
};
constexpr KnownType known_types[] = {
    {"char", 1},
    {"bool", 1},
    {"uint8_t", 1},
    {"int8_t", 1},
    {"uchar", 1},
    {"short", 2},
    {"half", 2},
    {"__half", 2},
    {"int16_t", 2},
    {"uint16_t", 2},
    {"ushort", 2},
    {"__nv_bfloat16", 2},
    {"int", 4},
    {"float", 4},
    {"unsigned", 4},
    {"int32_t", 4},
    {"uint32_t", 4},
    {"uint", 4},
    {"long", 8},
    {"double", 8},
    {"size_t", 8},
    {"int64_t", 8},
    {"uint64_t", 8},
    {"ptrdiff_t", 8},
    {"float2", 8},
    {"float3", 12},
    {"float4", 16},
    {"int2", 8},
    {"int3", 12},
    {"int4", 16},
    {"uint2", 8},
    {"uint3", 12},
    {"uint4", 16},
    {"double2", 16},
    {"double4", 32},
    {"uchar4", 4},
    {"char4", 4},
    {"uchar3", 3},
    {"half2", 4},
    {"__half2", 4},
    {"short2", 4},
    {"dim3", 12},
    {"cufftComplex", 8},
    {"cuFloatComplex", 8},
    {"cuComplex", 8},
    {"cuDoubleComplex", 16},
    {"complex<float>", 8},
    {"complex<double>", 16},
    {"thrust::complex<float>", 8},
    {"thrust::complex<double>", 16},
    {"nv_bfloat16", 2},
    {"auto", 0},
    {"void", 0},
    {"cudaStream_t", 8},
    {"cudaEvent_t", 8},
    {"cudaError_t", 4},
    {"curandState", 48},
    {"curandState_t", 48},
    {"curandStateXORWOW_t", 48},
    {"curandStateMRG32k3a_t", 48},
    {"curandStatePhilox4_32_10_t", 64},
};
constexpr std::array<std::string_view, 20> qualifiers{
    "const",      "static",       "constexpr",  "volatile",    "register",   "inline",       "extern",
    "struct",     "__restrict__", "class",      "typename",    "enum",       "thread_local", "mutable",
    "__restrict", "__constant__", "__device__", "__managed__", "__shared__", "__host__"};
constexpr std::array<std::string_view, 22> never_types{
    "return",  "if",    "else",     "for",   "while",    "do",     "switch", "case",
    "default", "break", "continue", "goto",  "sizeof",   "new",    "delete", "true",
    "false",   "this",  "throw",    "using", "operator", "nullptr"};
constexpr std::array<std::string_view, 8> words_of_numbers{"unsigned", "signed", "long",   "short",
                                                           "int",      "char",   "double", "float"};

bool is_one_of(const Token& token, const auto& words) {
    return token.is_word() && std::ranges::find(words, token.text) != words.end();
}

std::string without_const(std::string type) {
    if (type.starts_with("std::")) type.erase(0, 5);
    return type;
}

}  // namespace

std::optional<std::int64_t> size_of_type(const std::string& written) {
    const std::string type = without_const(written);
    if (type.empty()) return std::nullopt;
    if (type.back() == '*') return 8;
    for (const KnownType& known : known_types)
        if (known.name == type && known.bytes != 0) return known.bytes;
    if (type.starts_with("unsigned ") || type.starts_with("signed "))
        return size_of_type(type.substr(type.find(' ') + 1));
    if (type.starts_with("long double")) return 16;
    if (type.starts_with("long ")) return 8;
    if (type.starts_with("short ")) return 2;
    return std::nullopt;
}

std::string pointed_to(std::string type) {
    while (!type.empty() && (type.back() == '*' || type.back() == '&')) {
        const bool star = type.back() == '*';
        type.pop_back();
        if (star) break;
    }
    return type;
}

bool is_real_word(const std::string& type) {
    return type == "float" || type == "double" || type == "half" || type == "__half" ||
           type == "__nv_bfloat16" || type == "long double" || type == "nv_bfloat16";
}

NumberType number_type_of(const std::string& written) {
    const std::string type = without_const(written);
    if (type == "double" || type == "long double") return NumberType::f64;
    if (is_real_word(type)) return NumberType::f32;
    const bool is_unsigned = type.starts_with("u") || type == "size_t";
    const bool wide = size_of_type(type) == 8;
    return wide                                     ? NumberType::i64
           : is_unsigned && size_of_type(type) == 4 ? NumberType::u32
                                                    : NumberType::i32;
}

std::string read_type(const Tokens& tokens, std::size_t& at, std::size_t end, Names&) {
    std::size_t i = at;
    std::string type;
    bool of_numbers = false;
    while (i < end) {
        const Token& token = tokens[i];
        if (is_one_of(token, qualifiers)) {
            ++i;
        } else if (is_one_of(token, words_of_numbers) && (type.empty() || of_numbers)) {
            type += (type.empty() ? "" : " ") + std::string(token.text);
            of_numbers = true;
            ++i;
        } else if (token.is_word() && type.empty() && !is_one_of(token, never_types)) {
            type = token.text;
            ++i;
            while (i < end) {
                const std::size_t after = after_template_arguments(tokens, i, end);
                for (; i < after; ++i) {  // vector<unsigned char>
                    const bool words = tokens[i - 1].is_word() && tokens[i].is_word();
                    type += (words ? " " : "") + std::string(tokens[i].text);
                }
                if (i + 1 >= end || !tokens[i].is("::") || !tokens[i + 1].is_word()) break;
                type += "::" + std::string(tokens[i + 1].text);
                i += 2;
            }
        } else {
            break;
        }
    }
    if (type.empty()) return {};
    for (; i < end; ++i) {
        if (tokens[i].is("*")) type += '*';
        else if (!tokens[i].is("&") && !tokens[i].is("&&") && !is_one_of(tokens[i], qualifiers)) break;
    }
    at = i;
    return without_const(type);
}

std::vector<std::string> read_template_arguments(const Tokens& tokens, std::size_t begin, std::size_t end,
                                                 Names& names) {
    std::vector<std::string> arguments;
    for (std::size_t at = begin; at < end;) {
        std::size_t type_end = at;
        const std::string type = read_type(tokens, type_end, end, names);
        const bool whole = type_end == end || (type_end < end && tokens[type_end].is(","));
        if (whole && !type.empty() && (names.is_type(type) || type.ends_with('*'))) {
            arguments.push_back(names.resolved(type));
            at = type_end;
        } else {
            std::size_t after = at;
            while (after < end && !tokens[after].is(",")) {
                const bool opens = tokens[after].is("(") || tokens[after].is("{");
                after = opens ? closing(tokens, after, end) : after;
                const std::size_t angles = after_template_arguments(tokens, after, end);
                after = std::max(after + 1, angles);
            }
            std::size_t from = at;
            const Value value = evaluate(tokens, from, after, names);
            std::string text;
            for (std::size_t i = at; i < std::min(after, end); ++i) text += tokens[i].text;
            if (value.kind == Value::Kind::integer) {
                text = std::to_string(value.integer);
                if (value.type.starts_with("::")) text = "(" + value.type + ")" + text;  // of an enum
            }
            arguments.push_back(std::move(text));
            at = after;
        }
        if (at < end) ++at;  // the comma
    }
    return arguments;
}

}  // namespace warplens::instrumentation::host_code
