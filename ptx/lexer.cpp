#include "ptx/lexer.h"

#include <algorithm>
#include <array>

namespace warplens::ptx {

namespace {

enum CharacterClass : unsigned char { word = 1, digit = 2, blank = 4, mark = 8 };

constexpr std::array<unsigned char, 256> character_classes = [] {
    std::array<unsigned char, 256> classes{};
    for (int c = 'a'; c <= 'z'; ++c) classes[c] = word;
    for (int c = 'A'; c <= 'Z'; ++c) classes[c] = word;
    for (int c = '0'; c <= '9'; ++c) classes[c] = word | digit;
    classes['_'] = classes['$'] = word;
    for (const char c : {' ', '\t', '\r', '\n', '\v', '\f', '\0'})
        classes[static_cast<unsigned char>(c)] = blank;
    for (const char c : std::string_view("()[]{}<>,;:+-*/%=|!@&^~?"))
        classes[static_cast<unsigned char>(c)] = mark;
    return classes;
}();

bool is_of(char c, int wanted) { return (character_classes[static_cast<unsigned char>(c)] & wanted) != 0; }

}  // namespace

bool is_word_character(char c) { return is_of(c, word); }
bool is_digit(char c) { return is_of(c, digit); }

void Lexer::skip_blanks_and_comments() {
    while (offset_ < text_.size()) {
        const char c = text_[offset_];
        if (is_of(c, blank)) {
            line_ += c == '\n';
            ++offset_;
        } else if (text_.substr(offset_, 2) == "//") {
            offset_ = std::min(text_.find('\n', offset_), text_.size());
        } else if (text_.substr(offset_, 2) == "/*") {
            const std::size_t close = text_.find("*/", offset_ + 2);
            const std::size_t end = close == std::string_view::npos ? text_.size() : close + 2;
            line_ += static_cast<std::uint32_t>(
                std::count(text_.begin() + static_cast<std::ptrdiff_t>(offset_),
                           text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
            offset_ = end;
        } else {
            return;
        }
    }
}

std::size_t Lexer::end_of_word(std::size_t from) const {
    while (from < text_.size() && is_of(text_[from], word)) ++from;
    return from;
}

// A number runs over letters too (0x1F, 7U, 1e5); a point belongs to it when a digit follows, and a sign when
// it follows the e of a decimal exponent.
std::size_t Lexer::end_of_number(std::size_t from) const {
    const bool prefixed = text_[from] == '0' && from + 1 < text_.size() && !is_digit(text_[from + 1]) &&
                          text_[from + 1] != '.' && text_[from + 1] != 'e' && text_[from + 1] != 'E';
    std::size_t at = end_of_word(from);
    if (prefixed) return at;
    if (at + 1 < text_.size() && text_[at] == '.' && is_digit(text_[at + 1])) at = end_of_word(at + 1);
    const bool exponent = at > from && (text_[at - 1] == 'e' || text_[at - 1] == 'E');
    if (exponent && at + 1 < text_.size() && (text_[at] == '+' || text_[at] == '-') &&
        is_digit(text_[at + 1]))
        at = end_of_word(at + 1);
    return at;
}

Token Lexer::next() {
    skip_blanks_and_comments();
    Token token;
    token.offset = offset_;
    token.line = line_;
    if (offset_ >= text_.size()) return token;

    const char first = text_[offset_];
    const bool more = offset_ + 1 < text_.size();
    std::size_t end = offset_ + 1;
    if (is_digit(first)) {
        token.kind = TokenKind::number;
        end = end_of_number(offset_);
    } else if (is_of(first, word) || (first == '%' && more && is_of(text_[offset_ + 1], word))) {
        token.kind = TokenKind::identifier;
        end = end_of_word(offset_ + 1);
    } else if (first == '.' && more && is_of(text_[offset_ + 1], word)) {
        token.kind = TokenKind::dotted;
        end = end_of_word(offset_ + 1);
        while (end + 2 < text_.size() && text_[end] == ':' && text_[end + 1] == ':' &&
               is_of(text_[end + 2], word))
            end = end_of_word(end + 2);
    } else if (first == '"') {
        const std::size_t close = text_.find_first_of("\"\n", offset_ + 1);
        const bool closed = close != std::string_view::npos && text_[close] == '"';
        token.kind = closed ? TokenKind::string : TokenKind::invalid;
        if (closed) end = close + 1;
    } else {
        token.kind = is_of(first, mark) ? TokenKind::punctuation : TokenKind::invalid;
    }
    token.text = text_.substr(offset_, end - offset_);
    offset_ = end;
    return token;
}

}  // namespace warplens::ptx
