#include "instrumentation/host_code/tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "instrumentation/word_search.h"

namespace warplens::instrumentation::host_code {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Longest first.
constexpr std::array<std::string_view, 25> long_marks{
    "<<<", "<<=", ">>=", "...", "->*", "::", "->", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "++", "--"};

class Tokenizer {
  public:
    Tokenizer(std::string_view source, std::uint32_t file) : source_(source), file_(file) {}

    Tokens read() {
        while (at_ < source_.size()) step();
        return std::move(tokens_);
    }

  private:
    bool starts(std::string_view with) const { return source_.substr(at_).starts_with(with); }
    char next(std::size_t by = 1) const { return at_ + by < source_.size() ? source_[at_ + by] : '\0'; }

    void step() {
        const char c = source_[at_];
        if (c == '\n') {
            ++line_, ++at_;
            line_begins_ = true;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++at_;
        } else if (c == '\\' && (next() == '\n' || (next() == '\r' && next(2) == '\n'))) {
            at_ = source_.find('\n', at_) + 1;
            ++line_;
        } else if (starts("//")) {
            skip_to(end_of_line(at_));
        } else if (starts("/*")) {
            skip_to(after("*/", at_ + 2));
        } else {
            const bool begins = std::exchange(line_begins_, false);
            if (c == '#' && begins) take(TokenKind::directive, end_of_directive());
            else if (const std::size_t raw = raw_text_end(); raw != 0) take(TokenKind::text, raw);
            else if (c == '"') take(TokenKind::text, end_of_literal('"'));
            else if (c == '\'') take(TokenKind::character, end_of_literal('\''));
            else if (is_digit(c) || (c == '.' && is_digit(next()))) take(TokenKind::number, end_of_number());
            else if (is_word(c) || static_cast<unsigned char>(c) >= 0x80)
                take(TokenKind::word, end_of_word());
            else take(TokenKind::mark, at_ + length_of_mark());
        }
    }

    /// Counts the lines that are passed.
    void skip_to(std::size_t end) {
        end = std::min(end, source_.size());
        const std::string_view passed = source_.substr(at_, end - at_);
        line_ += static_cast<std::uint32_t>(std::ranges::count(passed, '\n'));
        at_ = end;
    }

    void take(TokenKind kind, std::size_t end) {
        end = std::clamp(end, at_ + 1, source_.size());
        tokens_.push_back({kind, source_.substr(at_, end - at_), line_, file_});
        skip_to(end);
    }

    std::size_t after(std::string_view what, std::size_t from) const {
        const std::size_t found = source_.find(what, from);
        return found == std::string_view::npos ? source_.size() : found + what.size();
    }

    /// The line feed, or the end; a backslash before it continues the line.
    std::size_t end_of_line(std::size_t from) const {
        for (std::size_t end = source_.find('\n', from); end != std::string_view::npos;
             end = source_.find('\n', end + 1)) {
            const std::size_t last = end > from && source_[end - 1] == '\r' ? end - 1 : end;
            if (last == 0 || last <= from || source_[last - 1] != '\\') return end;
        }
        return source_.size();
    }

    /// As far as the line goes, but not into a comment: one that is open may pass the line.
    std::size_t end_of_directive() const {
        const std::size_t end = end_of_line(at_);
        bool quoted = false;
        for (std::size_t i = at_; i + 1 < end; ++i) {
            if (source_[i] == '\\') ++i;
            else if (source_[i] == '"') quoted = !quoted;
            else if (!quoted && source_[i] == '/' && source_[i + 1] == '/') return i;
            else if (!quoted && source_[i] == '/' && source_[i + 1] == '*') {
                const std::size_t close = after("*/", i + 2);
                if (close > end) return i;
                i = close - 1;
            }
        }
        return end;
    }

    std::size_t end_of_literal(char quote) const {
        std::size_t end = at_ + 1;
        while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
            end += source_[end] == '\\' ? 2 : 1;
        return end + (end < source_.size() && source_[end] == quote ? 1 : 0);
    }

    /// R"tag( … )tag"; 0: no raw string begins here.
    std::size_t raw_text_end() const {
        std::size_t quote = at_;
        for (const std::string_view prefix : {"R\"", "u8R\"", "uR\"", "UR\"", "LR\""})
            if (starts(prefix)) quote = at_ + prefix.size();
        if (quote == at_) return 0;
        const std::size_t open = source_.find('(', quote);
        if (open == std::string_view::npos || open - quote > 16) return 0;
        return after(")" + std::string(source_.substr(quote, open - quote)) + "\"", open);
    }

    std::size_t end_of_number() const {
        std::size_t end = at_;
        while (end < source_.size()) {
            const char c = source_[end];
            const bool exponent = (c == '+' || c == '-') && end > at_ &&
                                  std::string_view("eEpP").find(source_[end - 1]) != std::string_view::npos &&
                                  !source_.substr(at_).starts_with("0x");
            const bool apostrophe = c == '\'' && end + 1 < source_.size() && is_word(source_[end + 1]);
            if (!is_word(c) && c != '.' && !exponent && !apostrophe) break;
            ++end;
        }
        return end;
    }

    std::size_t end_of_word() const {
        std::size_t end = at_;
        while (end < source_.size() &&
               (is_word(source_[end]) || static_cast<unsigned char>(source_[end]) >= 0x80))
            ++end;
        return end;
    }

    std::size_t length_of_mark() {
        if (open_launches_ > 0 && starts(">>>")) {
            --open_launches_;
            return 3;
        }
        for (const std::string_view mark : long_marks) {
            if (!starts(mark)) continue;
            if (mark == "<<<") ++open_launches_;
            return mark.size();
        }
        return 1;
    }

    std::string_view source_;
    std::uint32_t file_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    int open_launches_ = 0;
    bool line_begins_ = true;
    Tokens tokens_;
};

}  // namespace

Tokens tokenize(std::string_view source, std::uint32_t file) { return Tokenizer(source, file).read(); }

std::size_t closing(const Tokens& tokens, std::size_t open, std::size_t end) {
    int depth = 0;
    for (std::size_t i = open; i < end; ++i) {
        const Token& token = tokens[i];
        if (token.is("(") || token.is("[") || token.is("{")) ++depth;
        else if ((token.is(")") || token.is("]") || token.is("}")) && --depth == 0) return i;
    }
    return end;
}

std::size_t after_template_arguments(const Tokens& tokens, std::size_t open, std::size_t end) {
    if (open >= end || !tokens[open].is("<")) return open;
    int depth = 0;
    for (std::size_t i = open; i < end; ++i) {
        const Token& token = tokens[i];
        if (token.is("(") || token.is("[") || token.is("{")) {
            i = closing(tokens, i, end);
        } else if (token.is("<")) {
            ++depth;
        } else if (token.is(">") || token.is(">>")) {
            depth -= static_cast<int>(token.text.size());
            if (depth <= 0) return i + 1;
        } else if (token.is(";") || token.is("}") || token.is(")") || token.is("&&") || token.is("||") ||
                   token.is("<<<")) {
            return open;
        }
    }
    return open;
}

bool ends_template_name(const Tokens& tokens, std::size_t at, std::size_t end) {
    if (at == end) return true;
    for (const char* mark : {"(", "<<<", "::", "{", ";", ",", ")", "}"})
        if (tokens[at].is(mark)) return true;
    return false;
}

}  // namespace warplens::instrumentation::host_code
