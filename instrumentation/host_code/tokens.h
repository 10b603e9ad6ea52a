// Tokens of a CUDA C++ source, for reading host code as far as a launch needs it: words, numbers, literals,
// marks, and each preprocessor line as one token. Comments are left out. Any text gives tokens, whatever is
// wrong with it; nothing here knows the grammar.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens::instrumentation::host_code {

enum class TokenKind : std::uint8_t { word, number, text, character, mark, directive };

struct Token {
    TokenKind kind = TokenKind::mark;
    std::string_view text;   // in the source, or in the definition of a macro
    std::uint32_t line = 0;  // from 1, in the file that it was read from or where its macro is used
    std::uint32_t file = 0;  // as the caller numbers files

    bool is(std::string_view other) const { return text == other && kind != TokenKind::text; }
    bool is_word() const { return kind == TokenKind::word; }
};

using Tokens = std::vector<Token>;

/// `>>>` is one token after `<<<`, and three marks in nested template arguments.
Tokens tokenize(std::string_view source, std::uint32_t file = 0);

/// The index of the bracket that closes the one at `open`, one of ( [ {; `end` when there is none.
std::size_t closing(const Tokens& tokens, std::size_t open, std::size_t end);

/// The index after template arguments that open with `<` at `open`; `open` when they are none.
std::size_t after_template_arguments(const Tokens& tokens, std::size_t open, std::size_t end);
/// No operand follows, so the `>` before `at` compares nothing.
bool ends_template_name(const Tokens& tokens, std::size_t at, std::size_t end);

}  // namespace warplens::instrumentation::host_code
