#include "analysis/memory/declared_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/memory/source_words.h"
#include "core/number_text.h"
#include "core/symbol_name.h"

namespace warplens::analysis {
namespace {

constexpr std::size_t most_members = 256;
constexpr int deepest_structure = 8;  // structures in structures
constexpr std::string_view blank_letters = " \t\r\n";

struct NumberWord {
    std::string_view word;
    std::uint32_t bytes;
};
constexpr NumberWord number_words[] = {
    {"char", 1},    {"bool", 1},       {"int8_t", 1},  {"uint8_t", 1},  {"uchar", 1},    {"short", 2},
    {"int16_t", 2}, {"uint16_t", 2},   {"ushort", 2},  {"half", 2},     {"__half", 2},   {"__nv_bfloat16", 2},
    {"int", 4},     {"float", 4},      {"int32_t", 4}, {"uint32_t", 4}, {"uint", 4},     {"long", 8},
    {"double", 8},  {"size_t", 8},     {"int64_t", 8}, {"uint64_t", 8}, {"unsigned", 4}, {"signed", 4},
    {"clock_t", 8}, {"nv_bfloat16", 2}};

std::optional<std::uint32_t> bytes_of_number(std::string_view type) {
    for (const NumberWord& number : number_words)
        if (number.word == type) return number.bytes;
    for (const std::string_view sign : {"unsigned ", "signed "})
        if (type.starts_with(sign)) return bytes_of_number(type.substr(sign.size()));
    if (type == "long long" || type == "long int" || type == "long long int") return 8;
    if (type == "short int") return 2;
    return std::nullopt;
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blank_letters);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blank_letters) - begin + 1);
}

/// Behind the bracket that closes the one at `open`; npos: none does.
std::size_t past_bracket(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        if (std::string_view("([{<").find(text[at]) != std::string_view::npos) ++depth;
        if (std::string_view(")]}>").find(text[at]) != std::string_view::npos && --depth == 0) return at + 1;
    }
    return std::string_view::npos;
}

/// The parts between commas outside of brackets.
std::vector<std::string_view> comma_parts(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && std::string_view("([{<").find(text[at]) != std::string_view::npos) {
            const std::size_t after = past_bracket(text, at);
            if (after == std::string_view::npos) return {};
            at = after - 1;
        } else if (at == text.size() || text[at] == ',') {
            parts.push_back(without_blanks(text.substr(begin, at - begin)));
            begin = at + 1;
        }
    }
    return parts;
}

/// The words of a type without those that say how it is stored: "unsigned int" of "const unsigned int".
std::string type_without_storage(std::string_view text) {
    static constexpr std::array<std::string_view, 10> storage{
        "const",    "volatile", "struct", "__restrict__", "__restrict",
        "typename", "mutable",  "static", "class",        "std::"};
    std::string type;
    for (std::size_t at = text.find_first_not_of(blank_letters); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blank_letters, at), text.size());
        const std::string_view word = text.substr(at, end - at);
        if (std::ranges::find(storage, word) == storage.end())
            type += (type.empty() ? "" : " ") + std::string(word);
        at = text.find_first_not_of(blank_letters, end);
    }
    return type.starts_with("std::") ? type.substr(5) : type;
}

struct MemberLayout {
    DeclaredStructure structure;
    std::uint32_t alignment = 1;
};

class StructureReader {
  public:
    explicit StructureReader(std::string_view code) : code_(code) {}

    /// float4, or a structure of the source.
    std::optional<MemberLayout> layout_of(const std::string& type, int depth = 0) const {
        if (depth > deepest_structure) return std::nullopt;
        if (auto vector = vector_of(type)) return vector;
        for (const std::string_view word : {"struct", "class"})
            for (std::size_t at = find_name(code_, word, 0); at != std::string_view::npos;
                 at = find_name(code_, word, at + 1))
                if (auto layout = structure_at(at + word.size(), type, depth)) return layout;
        return std::nullopt;
    }

  private:
    static std::optional<MemberLayout> vector_of(const std::string& type) {
        if (type.size() < 4 || type.back() < '2' || type.back() > '4') return std::nullopt;
        const auto sides = static_cast<std::uint32_t>(type.back() - '0');
        const auto side = bytes_of_number(type.substr(0, type.size() - 1));
        if (!side || type.find(' ') != std::string::npos) return std::nullopt;
        MemberLayout layout{{type, sides * *side, {}}, 1};
        layout.alignment = sides == 3 ? *side : std::min(sides * *side, 16u);
        for (std::uint32_t i = 0; i < sides; ++i)
            layout.structure.members.push_back({std::string(1, "xyzw"[i]), i * *side, *side});
        return layout;
    }

    /// Of "__align__(16) Option { … }" or "{ … } Option;" at `at`, if that is its name.
    std::optional<MemberLayout> structure_at(std::size_t at, const std::string& name, int depth) const {
        MemberLayout layout{{name, 0, {}}, 1};
        std::uint32_t least = 1;
        const std::size_t open = code_.find('{', at);
        if (open == std::string_view::npos) return std::nullopt;
        std::string_view head = without_blanks(code_.substr(at, open - at));
        for (const std::string_view word : {"alignas", "__align__"})
            if (head.starts_with(word)) {
                const std::size_t bracket = head.find('('),
                                  end = past_bracket(head, std::min(bracket, head.size()));
                if (bracket == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
                const auto given = number_from<std::uint32_t>(
                    std::string(without_blanks(head.substr(bracket + 1, end - bracket - 2))));
                if (!given || *given == 0 || *given > 256) return std::nullopt;
                least = *given;
                head = without_blanks(head.substr(end));
            }
        const std::size_t close = past_bracket(code_, open);
        if (close == std::string_view::npos) return std::nullopt;
        const std::string_view after = code_.substr(close, code_.find(';', close) - close);
        const bool is_named = head == name || (head.empty() && without_blanks(after) == name);
        if (!is_named || is_template(at)) return std::nullopt;
        if (!read_members(code_.substr(open + 1, close - open - 2), layout, depth)) return std::nullopt;
        layout.alignment = std::max(layout.alignment, least);
        std::uint32_t& bytes = layout.structure.bytes;
        bytes = (bytes + layout.alignment - 1) / layout.alignment * layout.alignment;
        return bytes > 0 ? std::optional(std::move(layout)) : std::nullopt;
    }

    /// template <typename T> struct …
    bool is_template(std::size_t at) const {
        const std::size_t last = code_.find_last_of(";}{", at);
        const std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
        return find_name(code_.substr(begin, at - begin), "template", 0) != std::string_view::npos;
    }

    bool read_members(std::string_view body, MemberLayout& layout, int depth) const {
        while (!(body = without_blanks(body)).empty()) {
            for (const std::string_view word : {"public", "private", "protected"})
                if (body.starts_with(word)) body = without_blanks(body.substr(word.size()));
            if (body.starts_with(":")) {
                body.remove_prefix(1);
                continue;
            }
            // A function ends with its body, anything else with a semicolon.
            const std::size_t stop = body.find_first_of(";({");
            if (stop == std::string_view::npos) return false;
            const std::string_view head = body.substr(0, stop);
            if (find_name(head, "virtual", 0) != std::string_view::npos) return false;
            if (body[stop] == '(') {
                if (find_name(head, "alignas", 0) != std::string_view::npos) return false;
                const std::size_t closed = past_bracket(body, stop);
                if (closed == std::string_view::npos) return false;
                const std::size_t end = body.find_first_of(";{", closed);
                if (end == std::string_view::npos) return false;
                const std::size_t last = body[end] == ';' ? end + 1 : past_bracket(body, end);
                if (last == std::string_view::npos) return false;
                body.remove_prefix(last);
                continue;
            }
            const std::size_t end = body.find(';', stop);
            if (end == std::string_view::npos) return false;
            const std::string_view declaration = body.substr(0, end);
            body.remove_prefix(end + 1);
            if (find_name(declaration, "static", 0) != std::string_view::npos ||
                find_name(declaration, "using", 0) != std::string_view::npos)
                continue;
            if (!add_declaration(declaration, layout, depth)) return false;
        }
        return true;
    }

    /// "float x, y[2] = {1, 2}"
    bool add_declaration(std::string_view declaration, MemberLayout& layout, int depth) const {
        const std::vector<std::string_view> parts = comma_parts(declaration);
        if (parts.empty() || declaration.find(':') != std::string_view::npos) return false;
        std::string type;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            std::string_view part = without_blanks(parts[i].substr(0, parts[i].find_first_of("={")));
            std::uint32_t count = 1;
            bool is_array = false;
            if (const std::size_t open = part.find('['); open != std::string_view::npos) {
                const std::size_t close = part.find(']', open);
                const auto extent = close == std::string_view::npos
                                        ? std::nullopt
                                        : number_from<std::uint32_t>(std::string(
                                              without_blanks(part.substr(open + 1, close - open - 1))));
                if (!extent || *extent == 0 || *extent > most_members || close + 1 != part.size())
                    return false;
                count = *extent;
                is_array = true;
                part = without_blanks(part.substr(0, open));
            }
            std::size_t name = part.size();
            while (name > 0 && is_name(part[name - 1])) --name;
            if (name == part.size()) return false;
            std::string written(without_blanks(part.substr(0, name)));
            const bool pointer = written.find('*') != std::string::npos;
            if (written.find('&') != std::string::npos) return false;
            if (i == 0) type = type_without_storage(written.substr(0, written.find('*')));
            else if (!written.empty() && !pointer) return false;
            if (!add_member(type, std::string(part.substr(name)), pointer, is_array, count, layout, depth))
                return false;
        }
        return true;
    }

    bool add_member(const std::string& type, const std::string& name, bool pointer, bool is_array,
                    std::uint32_t count, MemberLayout& layout, int depth) const {
        MemberLayout one{{type, 0, {{"", 0, 0}}}, 1};
        if (const auto bytes = pointer ? std::optional(8u) : bytes_of_number(type)) {
            one.structure.bytes = one.alignment = one.structure.members[0].bytes = *bytes;
        } else if (auto inner = layout_of(type, depth + 1)) {
            one = std::move(*inner);
        } else {
            return false;
        }
        DeclaredStructure& whole = layout.structure;
        whole.bytes = (whole.bytes + one.alignment - 1) / one.alignment * one.alignment;
        layout.alignment = std::max(layout.alignment, one.alignment);
        for (std::uint32_t i = 0; i < count; ++i) {
            for (const auto& member : one.structure.members) {
                if (whole.members.size() >= most_members) return false;
                std::string path = is_array ? fmt::format("{}[{}]", name, i) : name;
                if (!member.path.empty()) path += "." + member.path;
                whole.members.push_back({std::move(path), whole.bytes + member.offset, member.bytes});
            }
            whole.bytes += one.structure.bytes;
        }
        return true;
    }

    std::string_view code_;
};

/// The type that the kernel's parameter points to; empty: it is none, or no pointer.
std::string pointed_type(std::string_view code, std::string_view kernel, std::string_view array) {
    for (std::size_t at = find_name(code, "__global__", 0); at != std::string_view::npos;
         at = find_name(code, "__global__", at + 1)) {
        const std::size_t name = find_name(code, kernel, at);
        if (name == std::string_view::npos || name > code.find_first_of("{;", at)) continue;
        const std::size_t open = code.find_first_not_of(blank_letters, name + kernel.size());
        if (open == std::string_view::npos || code[open] != '(') continue;
        const std::size_t end = past_bracket(code, open);
        if (end == std::string_view::npos) continue;
        for (const std::string_view parameter : comma_parts(code.substr(open + 1, end - open - 2))) {
            const std::size_t word = find_name(parameter, array, 0);
            const std::size_t star = parameter.find('*');
            if (word == std::string_view::npos || star == std::string_view::npos || word < star ||
                parameter.find('*', star + 1) != std::string_view::npos)
                continue;
            return type_without_storage(parameter.substr(0, star));
        }
    }
    return {};
}

}  // namespace

std::optional<DeclaredStructure> declared_structure(const Program& program, std::string_view array) {
    const std::string kernel = plain_name(program.entry);
    std::string all;  // a structure may be declared in a header
    for (const SourceFile& source : program.sources) all += without_comments(source.text) + "\n";
    const std::string type = kernel.empty() || array.empty() ? "" : pointed_type(all, kernel, array);
    if (type.empty() || bytes_of_number(type)) return std::nullopt;
    auto layout = StructureReader(all).layout_of(type);
    if (!layout) return std::nullopt;
    return std::move(layout->structure);
}

std::string member_words(std::string_view array, const DeclaredStructure& structure, std::uint64_t offset,
                         std::uint32_t bytes) {
    const std::uint64_t rest = offset % structure.bytes;
    std::string words = fmt::format("{}[{}]", array, offset / structure.bytes);
    const auto beyond = [](std::uint64_t count) {
        return count == 0 ? std::string() : fmt::format(" + {} {}", count, count == 1 ? "byte" : "bytes");
    };
    if (rest == 0 && bytes >= structure.bytes) return words;
    for (const DeclaredStructure::Member& member : structure.members)
        if (rest >= member.offset && rest < member.offset + member.bytes)
            return words + "." + member.path + beyond(rest - member.offset);
    return words + beyond(rest);
}

}  // namespace warplens::analysis
