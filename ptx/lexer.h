// Cuts PTX text into tokens, one at a time and without copying ("PTX ISA: Source Format", "Identifiers",
// "Constants"). It never fails: a character that starts no token comes back as TokenKind::invalid.
// The grammar above it is in ptx/parser.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warplens::ptx {

enum class TokenKind : std::uint8_t {
    end,
    identifier,   // add, %r1, $L__BB0_2, _
    dotted,       // .global, .v4, .L2::128B — with its dot
    number,       // 12, 0x1F, 0f3F800000, 1.5e3, 7U
    string,       // "…", quotes included
    punctuation,  // one character
    invalid
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::size_t offset = 0;  // bytes from the start of the text
    std::uint32_t line = 1;  // 1-based

    bool is(char punctuation) const { return kind == TokenKind::punctuation && text.front() == punctuation; }
    bool is(TokenKind wanted, std::string_view spelled) const { return kind == wanted && text == spelled; }
};

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Token next();
    void skip_to_end() { offset_ = text_.size(); }
    std::string_view text() const { return text_; }

  private:
    void skip_blanks_and_comments();
    std::size_t end_of_word(std::size_t from) const;
    std::size_t end_of_number(std::size_t from) const;

    std::string_view text_;
    std::size_t offset_ = 0;
    std::uint32_t line_ = 1;
};

/// Whether the character can be part of an identifier.
bool is_word_character(char c);
bool is_digit(char c);

}  // namespace warplens::ptx
