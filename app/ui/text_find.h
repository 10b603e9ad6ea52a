// Text find: a row above a text with a field for what is wanted, the number of matches, and arrows to the
// next and the previous one. It searches; the text's owner draws the matches and goes there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/theme.h"

namespace warplens::app {

struct TextFind {
    bool is_open = false;
    std::string wanted;
    std::vector<std::size_t> matches;  // byte offsets, ascending
    std::size_t current = 0;           // of `matches`
    bool focus = false;                // the field takes the keyboard in the next frame

    void open() { is_open = focus = true; }
};

/// Offsets of all matches, without regard to upper and lower case; none of an empty text.
std::vector<std::size_t> find_all(std::string_view text, std::string_view wanted);

struct TextFindResult {
    std::optional<std::size_t> go;  // the match to show
    bool closed = false;
};

float find_row_height(const Theme& theme);
/// At the cursor, over the width of the region. A new search begins with the first match from `from` on.
TextFindResult find_row(const Theme& theme, TextFind& find, std::string_view text, std::size_t from);

}  // namespace warplens::app
