#include "analysis/memory/source_words.h"

#include <algorithm>

namespace warplens::analysis {

std::string without_comments(std::string_view text) {
    std::string code(text);
    for (std::size_t at = 0; at + 1 < code.size(); ++at) {
        std::size_t end = at;
        if (code.compare(at, 2, "//") == 0) end = std::min(code.find('\n', at), code.size());
        else if (code.compare(at, 2, "/*") == 0) end = std::min(code.find("*/", at + 2), code.size() - 2) + 2;
        else if (code[at] == '"') end = std::min(code.find('"', at + 1), code.size() - 1) + 1;
        for (std::size_t i = at; i < end; ++i)
            if (code[i] != '\n') code[i] = ' ';
        if (end > at) at = end - 1;
    }
    return code;
}

std::size_t find_name(std::string_view code, std::string_view name, std::size_t from) {
    for (std::size_t at = code.find(name, from); at != std::string_view::npos; at = code.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_name(code[at - 1])) && (end == code.size() || !is_name(code[end]))) return at;
    }
    return std::string_view::npos;
}

}  // namespace warplens::analysis
