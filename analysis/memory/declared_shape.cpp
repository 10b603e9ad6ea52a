#include "analysis/memory/declared_shape.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>

#include "analysis/memory/source_words.h"
#include "analysis/memory/template_values.h"
#include "core/number_text.h"

namespace warplens::analysis {
namespace {

using Settings = std::map<std::string, std::string>;  // of the launch, as set

/// Behind the bracket that closes the one at `begin`; npos: none does.
std::size_t end_of_brackets(std::string_view text, std::size_t begin) {
    int open = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
        if (text[at] == '(' || text[at] == '[') ++open;
        if ((text[at] == ')' || text[at] == ']') && --open == 0) return at + 1;
    }
    return std::string_view::npos;
}

/// The parts between `separator` outside of brackets; one where there is none.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    int open = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '(' || text[at] == '[') ++open;
        if (text[at] == ')' || text[at] == ']') --open;
        if (open != 0 || text[at] != separator) continue;
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

/// Where a constant's value ends: before ";", or before the next of several constants.
std::size_t end_of_value(std::string_view text) {
    int open = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '(') ++open;
        else if (text[at] == ')') --open;
        else if (text[at] == ';' || (text[at] == ',' && open == 0)) return at;
    }
    return std::string_view::npos;
}

/// Integer expressions: expression = term { (+|-) term }, term = factor { (*|/) factor }.
class Reader {
  public:
    Reader(const Settings& settings, std::string_view code, int depth)
        : settings_(settings), code_(code), depth_(depth) {}

    std::optional<std::int64_t> read(std::string_view text) {
        text_ = text;
        const auto value = expression();
        skip_blanks();
        return text_.empty() ? value : std::nullopt;
    }

  private:
    void skip_blanks() {
        while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())))
            text_.remove_prefix(1);
    }
    bool take(char c) {
        skip_blanks();
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    std::optional<std::int64_t> expression() {
        auto value = term();
        while (value) {
            const bool plus = take('+');
            if (!plus && !take('-')) break;
            const auto other = term();
            if (!other) return std::nullopt;
            value = plus ? *value + *other : *value - *other;
        }
        return value;
    }
    std::optional<std::int64_t> term() {
        auto value = factor();
        while (value) {
            const bool times = take('*');
            if (!times && !take('/')) break;
            const auto other = factor();
            if (!other || (!times && *other == 0)) return std::nullopt;
            // Larger than any extent; prevents overflow in products.
            if (std::abs(*value) > 1 << 24 || std::abs(*other) > 1 << 24) return std::nullopt;
            value = times ? *value * *other : *value / *other;
        }
        return value;
    }
    std::optional<std::int64_t> factor() {
        if (++nesting_ > 64) return std::nullopt;
        if (take('(')) {
            const auto value = expression();
            return value && take(')') ? value : std::nullopt;
        }
        skip_blanks();
        std::size_t size = 0;
        while (size < text_.size() && is_name(text_[size])) ++size;
        const std::string_view word = text_.substr(0, size);
        text_.remove_prefix(size);
        if (word.empty()) return std::nullopt;
        return std::isdigit(static_cast<unsigned char>(word.front())) ? number(word) : named(word);
    }
    static std::optional<std::int64_t> number(std::string_view word) {
        while (!word.empty() && std::string_view("uUlL").find(word.back()) != std::string_view::npos)
            word.remove_suffix(1);
        const auto value = number_from<std::int64_t>(word);
        return value && *value <= 1 << 30 ? value : std::nullopt;
    }
    /// A parameter of the launch overrides the source's own default.
    std::optional<std::int64_t> named(std::string_view name) {
        if (const auto set = settings_.find(std::string(name)); set != settings_.end())
            return number(set->second);
        if (depth_ > 4) return std::nullopt;
        for (std::size_t at = find_name(code_, name, 0); at != std::string_view::npos;
             at = find_name(code_, name, at + 1)) {
            std::string_view line = code_.substr(0, code_.find('\n', at));
            line.remove_prefix(line.rfind('\n') == std::string_view::npos ? 0 : line.rfind('\n') + 1);
            const std::size_t column = find_name(line, name, 0);
            std::string_view value = line.substr(column + name.size());
            const bool is_macro = line.find("#define") < column;
            const bool is_constant =
                find_name(line, "constexpr", 0) < column || find_name(line, "const", 0) < column;
            if (is_constant && !is_macro) {
                const std::size_t equals = value.find('='), end = end_of_value(value);
                if (equals == std::string_view::npos || end == std::string_view::npos || end < equals)
                    continue;
                value = value.substr(equals + 1, end - equals - 1);
            } else if (!is_macro) {
                continue;
            }
            if (const auto read = Reader(settings_, code_, depth_ + 1).read(value)) return read;
        }
        return std::nullopt;
    }

    const Settings& settings_;
    std::string_view code_;
    std::string_view text_;
    int depth_;
    int nesting_ = 0;
};

/// The text with alignments blanked: "alignas( 16 )", "__align__(8)".
std::string without_alignment(std::string_view declaration) {
    std::string text(declaration);
    for (const std::string_view word : {"alignas", "__align__"})
        for (std::size_t at = find_name(text, word, 0); at != std::string::npos;
             at = find_name(text, word, at + 1)) {
            const std::size_t begin = text.find_first_not_of(" \t\n", at + word.size());
            if (begin == std::string::npos || text[begin] != '(') continue;
            const std::size_t end = std::min(end_of_brackets(text, begin), text.size());
            std::ranges::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
                              text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        }
    return text;
}

/// The type of a declaration: what stands before its first name, without what says how it is stored.
std::string type_in(std::string_view whole) {
    static constexpr std::array<std::string_view, 5> storage{"__shared__", "extern", "static", "volatile",
                                                             "const"};
    const std::string text = without_alignment(whole);
    std::string_view declaration = text;
    declaration = declaration.substr(0, declaration.find_first_of("[,;"));
    std::vector<std::string_view> words;
    for (std::size_t at = declaration.find_first_not_of(" \t\n"); at != std::string_view::npos;) {
        const std::size_t end = std::min(declaration.find_first_of(" \t\n", at), declaration.size());
        words.push_back(declaration.substr(at, end - at));
        at = declaration.find_first_not_of(" \t\n", end);
    }
    if (!words.empty()) words.pop_back();  // the name
    std::string type;
    for (const std::string_view word : words)
        if (std::ranges::find(storage, word) == storage.end())
            type += (type.empty() ? "" : " ") + std::string(word);
    return type;
}

/// DeclaredShape::product_row of an array with this extent.
std::uint32_t row_of_product(const Settings& settings, std::string_view code, std::string_view variable,
                             std::string_view extent) {
    const auto value_of = [&](std::string_view text) { return Reader(settings, code, 0).read(text); };
    std::vector<std::int64_t> factors;
    if (parts_of(extent, '+').size() == 1 && parts_of(extent, '-').size() == 1)
        for (const std::string_view factor : parts_of(extent, '*'))
            factors.push_back(value_of(factor).value_or(0));
    if (factors.size() < 2) return 0;
    std::set<std::int64_t> rows;
    for (std::size_t at = find_name(code, variable, 0); at != std::string_view::npos;
         at = find_name(code, variable, at + 1)) {
        const std::size_t begin = code.find_first_not_of(" \t\n", at + variable.size());
        if (begin == std::string_view::npos || code[begin] != '[') continue;
        const std::size_t end = end_of_brackets(code, begin);
        if (end == std::string_view::npos) continue;
        const auto terms = parts_of(code.substr(begin + 1, end - begin - 2), '+');
        for (const std::string_view term : terms) {
            const auto multiplied = parts_of(term, '*');
            if (terms.size() < 2 || multiplied.size() < 2) continue;
            for (const std::string_view by : multiplied)
                if (const auto value = value_of(by); value && std::ranges::count(factors, *value) > 0)
                    rows.insert(*value);
        }
    }
    const bool is_square = factors.size() == 2 && factors[0] == factors[1];
    if (rows.empty() && is_square) rows.insert(factors[0]);
    return rows.size() == 1 ? static_cast<std::uint32_t>(std::max<std::int64_t>(*rows.begin(), 0)) : 0;
}

std::optional<DeclaredShape> read_extents(const Settings& settings, std::string_view code,
                                          std::string_view text, std::uint64_t bytes) {
    DeclaredShape shape;
    std::uint64_t elements = 1;
    bool is_open = false;
    for (;;) {
        const std::size_t begin = text.find_first_not_of(" \t\n");
        if (begin == std::string_view::npos || text[begin] != '[') break;
        const std::size_t end = text.find(']', begin);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view extent = text.substr(begin + 1, end - begin - 1);
        text.remove_prefix(end + 1);
        if (extent.find_first_not_of(" \t\n") == std::string_view::npos) {
            if (!shape.extents.empty()) return std::nullopt;
            is_open = true;  // extern __shared__ float data[]: the launch sets its length
            shape.extents.push_back(0);
            continue;
        }
        const auto value = Reader(settings, code, 0).read(extent);
        if (!value || *value <= 0 || *value > 1 << 24) return std::nullopt;
        shape.extents.push_back(static_cast<std::uint32_t>(*value));
        elements *= static_cast<std::uint64_t>(*value);
        if (elements > 1 << 24) return std::nullopt;
        shape.is_product = extent.find('*') != std::string_view::npos;
    }
    if (shape.extents.empty()) return std::nullopt;
    if (shape.extents.size() > 1) shape.is_product = false;
    if (is_open) return shape.extents.size() == 1 ? std::optional(shape) : std::nullopt;
    const std::uint64_t size = bytes / elements;
    if (bytes % elements != 0 || size == 0 || size > 16 || (size & (size - 1)) != 0) return std::nullopt;
    shape.element_bytes = static_cast<std::uint32_t>(size);
    return shape;
}

}  // namespace

std::optional<DeclaredShape> declared_shape(const trace::Trace& trace, std::string_view variable,
                                            std::uint64_t bytes) {
    return declared_shape(trace.program, trace.launch.parameters, variable, bytes);
}

std::optional<DeclaredShape> declared_shape(const Program& program,
                                            const std::map<std::string, std::string>& settings,
                                            std::string_view variable, std::uint64_t bytes) {
    if (variable.empty() || bytes == 0) return std::nullopt;
    Settings all = settings;
    all.merge(template_values(program));
    for (const SourceFile& source : program.sources) {
        const std::string code = without_comments(source.text);
        const std::string_view view = code;
        for (std::size_t at = find_name(view, "__shared__", 0); at != std::string_view::npos;
             at = find_name(view, "__shared__", at + 1)) {
            const std::string_view declaration = view.substr(at, view.find(';', at) - at);
            const std::size_t name = find_name(declaration, variable, 0);
            if (name == std::string_view::npos) continue;
            const std::string_view extents = declaration.substr(name + variable.size());
            auto shape = read_extents(all, view, extents, bytes);
            if (!shape) continue;
            shape->source = source.name;
            shape->line = static_cast<std::uint32_t>(1 + std::ranges::count(view.substr(0, at), '\n'));
            if (shape->is_product) {
                const std::size_t begin = extents.find('['), end = end_of_brackets(extents, begin);
                shape->product_row =
                    row_of_product(all, view, variable, extents.substr(begin + 1, end - begin - 2));
            }
            shape->before = declaration.substr(0, name + variable.size());
            shape->extents_text = extents;
            shape->element_type = type_in(declaration);
            return shape;
        }
    }
    return std::nullopt;
}

}  // namespace warplens::analysis
