// Other words: what people type for something that has another name here, as "screenshot" for a picture or
// "cache miss" for the Hierarchy view. The palette finds things by them, too.
#pragma once

#include <span>
#include <string_view>

#include "app/window/palette/findable.h"

namespace warplens::app {

/// Words with a space between each; empty: there are none for what has this name.
std::string_view other_words(FindableKind kind, std::string_view name);

/// A row names something that exists: for tests.
struct OtherWords {
    FindableKind kind;
    std::string_view name;  // Findable::words
    std::string_view words;
};
std::span<const OtherWords> all_other_words();

}  // namespace warplens::app
