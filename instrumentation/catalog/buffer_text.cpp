#include "instrumentation/catalog/buffer_text.h"

#include <algorithm>

#include "core/number_text.h"
#include "instrumentation/catalog/fill.h"

namespace warplens::instrumentation {

BufferArgument parse_buffer_argument(const std::string& text) {
    const std::size_t plus = text.find('+');
    BufferArgument argument{text.substr(0, plus), plus == std::string::npos ? "" : text.substr(plus + 1)};
    argument.name.erase(argument.name.find_last_not_of(' ') + 1);
    argument.offset.erase(0, std::min(argument.offset.find_first_not_of(' '), argument.offset.size()));
    return argument;
}

std::string to_string(const BufferArgument& argument) {
    return argument.offset.empty() ? argument.name : argument.name + " + " + argument.offset;
}

std::optional<BufferDeclaration> parse_buffer_text(std::string_view text, const std::string& name,
                                                   std::string* offset) {
    constexpr std::string_view head = "buffer:";
    const std::size_t open = text.find('['), close = text.find(']');
    if (!text.starts_with(head) || open == std::string_view::npos || close == std::string_view::npos ||
        close < open)
        return std::nullopt;
    BufferDeclaration buffer;
    buffer.name = name;
    buffer.element_type = text.substr(head.size(), open - head.size());
    buffer.length = text.substr(open + 1, close - open - 1);
    buffer.fill = "none";
    const bool is_length =
        !buffer.length.empty() && buffer.length.find_first_not_of("0123456789") == std::string::npos;
    if (element_bytes(buffer.element_type) == 0 || !is_length) return std::nullopt;
    std::string_view fill = text.substr(close + 1);
    if (offset && fill.starts_with('+')) {
        const std::string_view elements = fill.substr(1, fill.find('=') - 1);
        if (elements.empty() || elements.find_first_not_of("0123456789") != std::string_view::npos)
            return std::nullopt;
        *offset = elements;
        fill.remove_prefix(1 + elements.size());
    }
    if (!fill.empty() && (fill[0] != '=' || !set_fill(fill.substr(1), buffer))) return std::nullopt;
    return buffer;
}

bool set_fill(std::string_view words, BufferDeclaration& buffer) {
    constexpr std::string_view constant = "const:";
    if (words.starts_with(constant) && words.size() > constant.size()) {
        buffer.fill = "constant";
        buffer.fill_argument = words.substr(constant.size());
        return true;
    }
    constexpr std::string_view formula = "formula:";
    if (words.starts_with(formula) && words.size() > formula.size()) {
        buffer.fill = "formula";
        buffer.fill_argument = words.substr(formula.size());
        return true;
    }
    constexpr std::string_view file = "file:";
    if (words.starts_with(file) && words.size() > file.size()) {
        buffer.fill = "file";
        buffer.fill_argument = words.substr(file.size());
        return true;
    }
    constexpr std::string_view limited = "random:";
    if (words.starts_with(limited)) {
        const std::string_view below = words.substr(limited.size());
        if (below.empty() || below.find_first_not_of("0123456789") != std::string_view::npos) return false;
        fill_randomly(buffer, below);
        return true;
    }
    if (words != "zero" && words != "iota" && words != "random") return false;
    buffer.fill = words;
    if (words == "random") fill_randomly(buffer);
    return true;
}

std::string fill_words(const BufferDeclaration& buffer) {
    const std::string head = buffer.fill == "constant" ? "const" : buffer.fill;
    return buffer.fill_argument.empty() ? head : head + ":" + buffer.fill_argument;
}

void fill_randomly(BufferDeclaration& buffer, std::string_view below) {
    buffer.fill = "random";
    buffer.seed = "1";
    if (buffer.element_type[0] == 'f') return;
    buffer.fill_argument = !below.empty() ? std::string(below) : buffer.element_type == "i8" ? "128" : "256";
}

}  // namespace warplens::instrumentation
