#include "instrumentation/catalog/entry_signature.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/symbol_name.h"
#include "instrumentation/catalog/scalar_type.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

namespace {

std::string trimmed_copy(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return std::string(text);
}

/// The text without comments and literals' contents, so that words in them mean nothing; same length.
std::string without_comments(std::string_view source) {
    std::string text(source);
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, text.size()); ++i)
            if (text[i] != '\n') text[i] = ' ';
        return std::min(to, text.size());
    };
    for (std::size_t at = 0; at + 1 < text.size();) {
        if (text.compare(at, 2, "//") == 0) at = blank(at, text.find('\n', at));
        else if (text.compare(at, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", at + 2);
            at = blank(at, end == std::string::npos ? end : end + 2);
        } else {
            ++at;
        }
    }
    return text;
}

/// The text between the brackets that open at `open`.
std::string_view between_brackets(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return text.substr(open + 1, i - open - 1);
    }
    return {};
}

/// The declaration "__global__ … name(…)": what stands in its brackets. Empty when there is none.
std::string declared_parameters(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find("__global__"); at != std::string::npos;
         at = text.find("__global__", at + 1)) {
        const std::size_t end = std::min(text.find_first_of("{;", at), text.size());
        for (std::size_t found = text.find(name, at); found < end; found = text.find(name, found + 1)) {
            const std::size_t behind = found + name.size();
            if (is_word(text[found - 1]) || (behind < text.size() && is_word(text[behind]))) continue;
            const std::size_t open = text.find_first_not_of(" \t\r\n", behind);
            if (open == std::string::npos || text[open] != '(') continue;
            return std::string(between_brackets(text, open));
        }
    }
    return {};
}

/// The name of the file's kernel; empty: it has none, or several.
std::string only_kernel(const std::string& text) {
    std::string name;
    constexpr std::string_view mark = "__global__";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        std::size_t open = text.find('(', at);
        const auto word_before = [&] {
            std::size_t end = open;
            while (end > at && std::isspace(static_cast<unsigned char>(text[end - 1]))) --end;
            std::size_t begin = end;
            while (begin > at && is_word(text[begin - 1])) --begin;
            return text.substr(begin, end - begin);
        };
        // __launch_bounds__(256)
        while (open != std::string::npos && word_before().starts_with("__"))
            open = text.find('(', open + between_brackets(text, open).size() + 1);
        if (open == std::string::npos) return {};
        const std::string found = word_before();
        if (!name.empty() && found != name) return {};
        name = found;
    }
    return name;
}

struct Declared {
    std::string type, name;
};

/// "const float* __restrict__ in" -> {"const float*", "in"}.
Declared read_declaration(std::string text) {
    for (const char* word : {"__restrict__", "__restrict", "__grid_constant__", "volatile"})
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
            text.erase(at, std::string_view(word).size());
    if (const std::size_t value = text.find('='); value != std::string::npos) text.resize(value);
    if (const std::size_t array = text.find('['); array != std::string::npos) {
        std::size_t name = array;
        while (name > 0 && is_word(text[name - 1])) --name;
        text = text.substr(0, name) + "* " + text.substr(name, array - name);
    }
    text = trimmed_copy(text);
    std::size_t begin = text.size();
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    Declared declared{trimmed_copy(std::string_view(text).substr(0, begin)), text.substr(begin)};
    if (declared.type.empty()) std::swap(declared.type, declared.name);  // a type alone: the name is left out
    while (declared.type.find(" *") != std::string::npos) declared.type.erase(declared.type.find(" *"), 1);
    return declared;
}

/// "int n", "Op op" and "Array<char*, 2> data" of "int n, Op op, Array<char*, 2> data"
std::vector<std::string> split_parameters(std::string_view list) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : list) {
        if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
        if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
        if (c == ',' && depth == 0) parts.emplace_back();
        else parts.back().push_back(c);
    }
    for (std::string& part : parts) part = trimmed_copy(part);
    return parts;
}

/// "float const*, int" of "void saxpy<4>(float const*, int)".
std::vector<std::string> mangled_types(const std::string& symbol) {
    const std::string name = demangled(symbol);
    if (name == symbol || name.empty() || name.back() != ')') return {};
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == ')') ++depth;
        if (name[i] == '(' && --depth == 0) {
            const std::string_view inside = std::string_view(name).substr(i + 1, name.size() - i - 2);
            if (inside.empty()) return {};
            return split_parameters(inside);
        }
    }
    return {};
}

struct Element {
    const char* written;
    const char* type;
    std::uint32_t count;
};

constexpr Element elements[] = {
    {"float", "f32", 1},          {"double", "f64", 1},         {"int", "i32", 1},
    {"unsigned", "u32", 1},       {"unsigned int", "u32", 1},   {"char", "i8", 1},
    {"signed char", "i8", 1},     {"unsigned char", "u8", 1},   {"bool", "u8", 1},
    {"short", "i16", 1},          {"unsigned short", "u16", 1}, {"long", "i64", 1},
    {"unsigned long", "u64", 1},  {"long long", "i64", 1},      {"unsigned long long", "u64", 1},
    {"int8_t", "i8", 1},          {"uint8_t", "u8", 1},         {"int16_t", "i16", 1},
    {"uint16_t", "u16", 1},       {"int32_t", "i32", 1},        {"uint32_t", "u32", 1},
    {"int64_t", "i64", 1},        {"uint64_t", "u64", 1},       {"size_t", "u64", 1},
    {"uint", "u32", 1},           {"uchar", "u8", 1},           {"float2", "f32", 2},
    {"float3", "f32", 3},         {"float4", "f32", 4},         {"double2", "f64", 2},
    {"double4", "f64", 4},        {"int2", "i32", 2},           {"int4", "i32", 4},
    {"uint2", "u32", 2},          {"uint4", "u32", 4},          {"uchar4", "u8", 4},
    {"char4", "i8", 4},           {"__half", "u16", 1},         {"half", "u16", 1},
    {"__nv_bfloat16", "u16", 1},  {"__half2", "u16", 2},        {"half2", "u16", 2},
    {"__nv_bfloat162", "u16", 2},
};

/// The type without its star and without const and volatile.
std::string pointee(std::string type) {
    if (const std::size_t star = type.rfind('*'); star != std::string::npos) type.resize(star);
    for (const std::string_view word : {"const", "volatile"})
        for (std::size_t at = type.find(word); at != std::string::npos; at = type.find(word))
            type.erase(at, word.size());
    std::string single;
    for (const char c : trimmed_copy(type))
        if (c != ' ' || single.empty() || single.back() != ' ') single.push_back(c);
    return single;
}

const Element* find_element(const std::string& written) {
    const auto known =
        std::ranges::find_if(elements, [&](const Element& known) { return written == known.written; });
    return known == std::end(elements) ? nullptr : known;
}

/// The type of a number passed by value: as written where the size agrees, else as the machine takes it.
/// Empty: the parameter is a structure.
std::string scalar_type_of(const std::string& written, const Parameter& parameter) {
    static constexpr std::pair<const char*, const char*> own_words[] = {
        {"bool", "bool"}, {"__half", "f16"}, {"half", "f16"}, {"__nv_bfloat16", "bf16"}};
    const std::string plain = pointee(written);
    std::string type;
    for (const auto& [word, name] : own_words)
        if (plain == word) type = name;
    if (const Element* const known = find_element(plain); type.empty() && known && known->count == 1)
        type = known->type;
    if (const ScalarType* const scalar = find_scalar_type(type); scalar && scalar->bytes == parameter.bytes)
        return type;
    if (parameter.type[0] == 'b' && parameter.type != "b" + std::to_string(8 * parameter.bytes)) return {};
    if (parameter.type == "f16" || parameter.type[0] == 'f') return parameter.type;
    return (parameter.type[0] == 's' ? "i" : "u") + std::to_string(8 * parameter.bytes);
}

void describe_pointer(ArgumentFacts& argument) {
    const std::string& type = argument.written_type;
    argument.is_pointer = true;
    const std::size_t star = type.rfind('*');
    argument.is_const = has_word(std::string_view(type).substr(0, star), "const");
    const std::string element = pointee(type);
    const Element* const known = find_element(element);
    if (known == nullptr) return;
    argument.element_type = known->type;
    argument.elements = known->count;
    argument.is_half = argument.element_type == "u16" && (element.find("half") != std::string::npos ||
                                                          element.find("bfloat") != std::string::npos);
}

/// False: the declaration is of no texture and no surface.
bool describe_image(ArgumentFacts& argument, const Declared& declared, const std::string& source) {
    argument.image = image_facts(declared.type, declared.name, source);
    if (!argument.image) return false;
    argument.written_type = declared.type;
    const Element* const texel = find_element(pointee(argument.image->written_texel));
    const bool fits = texel != nullptr && texel->count != 3 && texel->type[1] != '6';
    argument.element_type = fits ? texel->type : "f32";
    argument.elements = fits ? texel->count : 1;
    return true;
}

}  // namespace

std::vector<std::string> declared_names(std::string_view source, const std::string& kernel) {
    const std::string plain = without_comments(source);
    const std::string name = kernel.empty() ? only_kernel(plain) : plain_name(kernel);
    const std::string parameters = name.empty() ? "" : declared_parameters(plain, name);
    std::vector<std::string> names;
    if (trimmed_copy(parameters).empty()) return names;
    for (std::string& written : split_parameters(parameters)) {
        names.push_back(read_declaration(std::move(written)).name);
        if (names.back().empty()) return {};
    }
    return names;
}

std::vector<ArgumentFacts> arguments_of(const EntryFacts& entry, std::string_view source) {
    const std::string plain = without_comments(source);
    const std::string parameters = declared_parameters(plain, plain_name(entry.symbol));
    std::vector<std::string> written;
    if (!trimmed_copy(parameters).empty()) written = split_parameters(parameters);
    if (written.size() != entry.parameters.size()) written.clear();
    const std::vector<std::string> types = mangled_types(entry.symbol);
    std::vector<ArgumentFacts> arguments;
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
        const Parameter& parameter = entry.parameters[i];
        ArgumentFacts& argument = arguments.emplace_back();
        argument.bytes = parameter.bytes;
        Declared declared = i < written.size() ? read_declaration(written[i]) : Declared{};
        argument.name = declared.name.empty() ? "arg" + std::to_string(i) : declared.name;
        argument.written_type = types.size() == entry.parameters.size() ? types[i] : declared.type;
        if (parameter.bytes == 8 && describe_image(argument, declared, plain)) continue;
        const bool star = argument.written_type.ends_with('*');
        argument.scalar_type = scalar_type_of(argument.written_type, parameter);
        const bool aggregate = argument.scalar_type.empty();
        argument.is_structure = aggregate;
        if (argument.written_type.empty())
            argument.written_type = aggregate ? std::to_string(parameter.bytes) + " bytes" : parameter.type;
        if (!aggregate && parameter.bytes == 8 && star) describe_pointer(argument);
        // With no word from the author, eight bytes that are not a number with a point are taken for an
        // address.
        if (!aggregate && types.empty() && declared.type.empty() &&
            (parameter.type == "u64" || parameter.type == "b64")) {
            argument.is_pointer = true;
            argument.element_type = "f32";
        }
    }
    return arguments;
}

}  // namespace warplens::instrumentation
