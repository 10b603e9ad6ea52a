// What all parts of the parser share: the current token, the module under construction and the first error.
// After an error every token is `end`, so that loops need only stop there and no function passes errors on.
// Private to the parser; the public face is ptx/parser.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ptx/function_names.h"
#include "ptx/lexer.h"
#include "ptx/parser.h"

namespace warplens::ptx {

struct ParseState {
    ParseState(std::string_view text, std::string_view name);

    Lexer lexer;
    Token token;
    std::string_view name;  // of the text, for messages
    Module module;
    std::optional<Error> error;
    ModuleNames module_names;      // variables and functions seen so far
    std::uint64_t registers_left;  // a bound against `.reg .b32 %r<4000000000>`
    std::uint64_t zeros_left;      // and against `.b8 x[2][4000000000] = {{1}, {2}}`

    void advance() { token = lexer.next(); }
    bool at_end() const { return token.kind == TokenKind::end; }
    bool at(char punctuation) const { return token.is(punctuation); }
    bool at_dotted(std::string_view word) const { return token.is(TokenKind::dotted, word); }
    bool accept(char punctuation);
    bool accept_dotted(std::string_view word);
    void expect(char punctuation, std::string_view where);

    /// The text of an identifier, or an error that says what it should have named.
    std::string_view expect_identifier(std::string_view what);

    /// "found `x`, but <right> would be right here"
    void unexpected(std::string_view right);
    void fail_at(const Token& where, std::string message);

    /// The same for a name that nothing declares: whatever the syntax around it, the text is wrong.
    void fail_at_name(const Token& where, std::string message);
    bool names_failed = false;

    /// Everything from `first` to the end of the token before the current one, as written.
    std::string_view text_since(const Token& first) const;
    std::size_t previous_end = 0;  // where the last consumed token ended
    Token take();                  // consumes and returns the current token
};

/// A constant expression ("PTX ISA: Constant Expressions"): integers with the operators of C, or one float.
Immediate parse_constant(ParseState& state);
/// A constant that must be an integer from 0 to `most`.
std::uint64_t parse_count(ParseState& state, std::uint64_t most, std::string_view what);
/// `+ 4`, `- 8`, `+-4`, or nothing.
std::int64_t parse_offset(ParseState& state);
/// Wraps around instead of overflowing.
constexpr std::int64_t add_offsets(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
bool starts_constant(const Token& token);

/// The declarators after a space directive, up to but not with the semicolon: `.align 4 .b8 a[16], b = 3`.
/// `first` carries what stood before: linkage and space.
std::vector<VariableDeclaration> parse_variables(ParseState& state, VariableDeclaration first);
/// `(.param .u64 a, .param .b32 b)`
std::vector<VariableDeclaration> parse_parameters(ParseState& state);
/// Space of `.global`, `.const`, `.shared`, `.local`, `.param`; none otherwise.
Space space_of(std::string_view dotted);

/// `.loc 1 7 0, function_name …, inlined_at 1 2 3` with the current token after `.loc`.
SourceLocation parse_location(ParseState& state);

/// `.entry` or `.func` and all that follows, the current token being that word.
void parse_function(ParseState& state, std::string linkage);

}  // namespace warplens::ptx
