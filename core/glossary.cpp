#include "core/glossary.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warplens {
namespace {

constexpr std::array terms{
#define WARPLENS_TERM(term, definition) Term{term, definition},
#include "core/glossary.def"
#undef WARPLENS_TERM
};

bool same_letters(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::span<const Term> glossary() { return terms; }

const Term* find_term(std::string_view words) {
    const auto named = [](std::string_view name) {
        const auto found =
            std::ranges::find_if(terms, [&](const Term& term) { return same_letters(term.term, name); });
        return found == terms.end() ? nullptr : &*found;
    };
    if (const Term* term = named(words)) return term;
    return words.ends_with('s') ? named(words.substr(0, words.size() - 1)) : nullptr;
}

}  // namespace warplens
