// AccessWords: the description of one request — the index expression of its source line, the line, the block
// and the warp. Text only; shared by the Banks and Sectors views.
#pragma once

#include <string>
#include <string_view>

#include "app/views/shared/access_choice.h"
#include "trace/trace.h"

namespace warplens::app {

struct AccessWords {
    std::string verb;          // "Load of", "Store to", "Atomic on"
    std::string array;         // "tile"; empty when no array is known
    std::string expression;    // "tile[threadIdx.x][threadIdx.y]"; "tile[…]" when the source is not known
    std::string line;          // "line 14", or "PTX line 80"
    std::string source_line;   // its text without indentation and comment; empty if not available
    std::string thread_place;  // "block (3, 1) · warp 5 of 32"
    std::string occurrence;    // "request 2 of 4"; empty when it is the only one
};

AccessWords words_of(const trace::Trace& trace, const AccessChoice& choice);

/// "block (3, 1)".
std::string block_words(const trace::Trace& trace, std::uint64_t block);
/// "line 14 · store": a site in a list.
std::string site_words(const trace::Trace& trace, SiteId site);

/// The expression `array[…]…` of a source line to which its load (or store) belongs; empty if the line has
/// none or more than one.
std::string index_expression(std::string_view source_line, std::string_view array, Operation operation);

}  // namespace warplens::app
