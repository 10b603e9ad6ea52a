// Token pattern: the shape of a piece of code, written as code: `if ( $t < $s ) { $body... }`. Its words are
// separated by blanks. `$t` stands for one token and `$body...` for some, whose brackets are closed, up to
// the pattern's next word; where a name stands twice, both times for the same text.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/host_code/tokens.h"

namespace warplens::app {

/// Tokens [begin, end) of a source.
struct TokenRange {
    std::size_t begin = 0, end = 0;
    bool empty() const { return begin >= end; }
};
using BoundNames = std::map<std::string, TokenRange, std::less<>>;

/// The index after the tokens from `at` on that have this shape; nothing where they have not. `bound`: of
/// names that are there already, the text is given; it is unchanged where nothing matches.
std::optional<std::size_t> match(const instrumentation::host_code::Tokens& tokens, TokenRange in,
                                 std::string_view pattern, BoundNames& bound);

/// The first of the patterns that matches all tokens of the range.
bool matches_all_of(const instrumentation::host_code::Tokens& tokens, TokenRange range,
                    const std::vector<std::string_view>& patterns, BoundNames& bound);

bool same_text(const instrumentation::host_code::Tokens& tokens, TokenRange a, TokenRange b);

/// The characters of the source from its first token to its last one.
std::string text_of(const instrumentation::host_code::Tokens& tokens, TokenRange range);

}  // namespace warplens::app
