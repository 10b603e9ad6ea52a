#include "ptx/parse_state.h"

namespace warplens::ptx {

namespace {

// A real register is written at least once, so a text cannot honestly declare many more than it has bytes.
constexpr std::uint64_t spare_registers = 100'000;
// Zeros that nested braces leave out are written down in the module.
constexpr std::uint64_t spare_zeros = 1'000'000;

constexpr std::size_t longest_quote = 40;

std::string quoted(const Token& token) {
    if (token.kind == TokenKind::end) return "the end of the text";
    const auto byte = static_cast<unsigned char>(token.text.front());
    if (token.kind == TokenKind::invalid && (byte < 0x20 || byte > 0x7e))
        return fmt::format("the byte 0x{:02x}", byte);
    if (token.text.size() > longest_quote) return fmt::format("\"{}…\"", token.text.substr(0, longest_quote));
    return fmt::format("\"{}\"", token.text);
}

}  // namespace

ParseState::ParseState(std::string_view text, std::string_view text_name)
    : lexer(text),
      name(text_name),
      registers_left(text.size() + spare_registers),
      zeros_left(text.size() + spare_zeros) {
    token = lexer.next();
}

Token ParseState::take() {
    const Token taken = token;
    previous_end = taken.offset + taken.text.size();
    advance();
    return taken;
}

bool ParseState::accept(char punctuation) {
    if (!at(punctuation)) return false;
    take();
    return true;
}

bool ParseState::accept_dotted(std::string_view word) {
    if (!at_dotted(word)) return false;
    take();
    return true;
}

void ParseState::expect(char punctuation, std::string_view where) {
    if (!accept(punctuation)) unexpected(fmt::format("\"{}\" {}", punctuation, where));
}

std::string_view ParseState::expect_identifier(std::string_view what) {
    if (token.kind == TokenKind::identifier) return take().text;
    unexpected(what);
    return {};
}

void ParseState::unexpected(std::string_view right) {
    fail_at(token, fmt::format("found {}, but {} would be right here", quoted(token), right));
}

void ParseState::fail_at(const Token& where, std::string message) {
    if (error) return;
    const std::string_view before = lexer.text().substr(0, where.offset);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
    error = Error{fmt::format("{}:{}:{}: {}", name, where.line, where.offset - line_start + 1, message)};
    lexer.skip_to_end();
    token = lexer.next();
}

void ParseState::fail_at_name(const Token& where, std::string message) {
    names_failed |= !error;
    fail_at(where, std::move(message));
}

std::string_view ParseState::text_since(const Token& first) const {
    return previous_end > first.offset ? lexer.text().substr(first.offset, previous_end - first.offset)
                                       : std::string_view{};
}

}  // namespace warplens::ptx
