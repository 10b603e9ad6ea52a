#include "instrumentation/host_code/preprocess.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/trimmed.h"
#include "instrumentation/host_code/expression.h"

namespace warplens::instrumentation::host_code {

namespace {

constexpr std::size_t most_expanded = 200'000;  // tokens: macros can grow without bound

std::string_view rest_of(std::string_view directive) {
    directive = trimmed(directive.substr(1));
    return directive.substr(directive_word(directive.empty() ? "#" : directive).size());
}

/// The macro of "NAME(a, b) text", under its name; the name is empty where there is none.
std::pair<std::string_view, Macro> definition(std::string_view rest, std::uint32_t line, std::uint32_t file) {
    const Tokens tokens = tokenize(rest, file);
    Macro macro;
    if (tokens.empty() || !tokens[0].is_word()) return {"", macro};
    macro.line = line, macro.file = file;
    std::size_t at = 1;
    const char* const after_name = tokens[0].text.data() + tokens[0].text.size();
    if (at < tokens.size() && tokens[at].is("(") && tokens[at].text.data() == after_name) {
        macro.takes_arguments = true;
        const std::size_t close = closing(tokens, at, tokens.size());
        for (std::size_t i = at + 1; i < close; ++i)
            if (tokens[i].is_word()) macro.parameters.push_back(tokens[i].text);
            else if (tokens[i].is("...")) macro.parameters.emplace_back("__VA_ARGS__");
        at = std::min(close + 1, tokens.size());
    }
    macro.body.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end());
    return {tokens[0].text, std::move(macro)};
}

void define(std::string_view rest, std::uint32_t line, std::uint32_t file, Macros& macros) {
    auto [name, macro] = definition(rest, line, file);
    if (!name.empty()) macros[name] = std::move(macro);
}

class Preprocessor {
  public:
    Preprocessor(const std::vector<File>& files, Macros macros) : files_(files) {
        result.macros = std::move(macros);
    }

    void read(const File& file, std::uint32_t number) {
        const std::size_t outside = conditions_.size();
        for (const Token& token : tokenize(file.text, number)) {
            if (token.kind == TokenKind::directive) follow(token);
            else if (active()) result.tokens.push_back(token);
        }
        conditions_.resize(std::min(outside, conditions_.size()));
    }

    Preprocessed result;

  private:
    struct Condition {
        bool active, taken;  // now; some branch was
    };

    /// A condition is active only if those around it are.
    bool active() const { return conditions_.empty() || conditions_.back().active; }

    void follow(const Token& token) {
        const std::string_view word = directive_word(token.text), rest = rest_of(token.text);
        if (word == "if" || word == "ifdef" || word == "ifndef") {
            const bool holds =
                active() && (word == "if" ? is_true(rest) : defined(rest) == (word == "ifdef"));
            conditions_.push_back({holds, holds});
        } else if (word == "elif" || word == "else") {
            if (conditions_.empty()) return;
            Condition& last = conditions_.back();
            last.active = false;
            const bool holds = !last.taken && active_outside() && (word == "else" || is_true(rest));
            last = {holds, last.taken || holds};
        } else if (word == "endif") {
            if (!conditions_.empty()) conditions_.pop_back();
        } else if (active()) {
            result.directives.push_back(token);
            if (word == "define") define(rest, token.line, token.file, result.macros);
            else if (word == "undef") result.macros.erase(first_word(rest));
            else if (word == "include") include(included_name(token.text));
        }
    }

    bool active_outside() const {
        return conditions_.size() < 2 || conditions_[conditions_.size() - 2].active;
    }

    static std::string_view first_word(std::string_view text) {
        const Tokens tokens = tokenize(text);
        return tokens.empty() ? std::string_view() : tokens[0].text;
    }

    bool defined(std::string_view rest) const { return result.macros.contains(first_word(rest)); }

    bool is_true(std::string_view rest) {
        static constexpr std::string_view yes = "1", no = "0";
        Tokens tokens;
        const Tokens written = tokenize(rest);
        for (std::size_t i = 0; i < written.size(); ++i) {
            if (!written[i].is("defined")) {
                tokens.push_back(written[i]);
                continue;
            }
            const bool brackets = i + 1 < written.size() && written[i + 1].is("(");
            const std::size_t name = i + (brackets ? 2 : 1);
            const bool known = name < written.size() && result.macros.contains(written[name].text);
            tokens.push_back({TokenKind::number, known ? yes : no, written[i].line, 0});
            i = name + (brackets ? 1 : 0);
        }
        const Tokens all = expanded(tokens, 0, tokens.size(), result.macros);
        return constant_of(all).value_or(0) != 0;
    }

    void include(std::string_view name) {
        for (std::uint32_t i = 1; i < files_.size(); ++i)
            if (files_[i].name == name && included_.insert(i).second) return read(files_[i], i);
    }

    const std::vector<File>& files_;
    std::vector<Condition> conditions_;
    std::set<std::uint32_t> included_;  // each once, as if it said #pragma once
};

struct Expansion {
    const Macros& macros;
    Tokens out;
    std::vector<std::string_view> open;  // macros that are being replaced

    void run(const Tokens& tokens, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && out.size() < most_expanded; ++i) {
            const Token& token = tokens[i];
            const auto found = token.is_word() ? macros.find(token.text) : macros.end();
            if (found == macros.end() || open.size() > 32 ||
                std::ranges::find(open, token.text) != open.end()) {
                out.push_back(token);
                continue;
            }
            const Macro& macro = found->second;
            std::vector<Tokens> arguments;
            if (macro.takes_arguments) {
                if (i + 1 >= end || !tokens[i + 1].is("(")) {
                    out.push_back(token);
                    continue;
                }
                const std::size_t close = closing(tokens, i + 1, end);
                arguments = split(tokens, i + 2, close, macro.parameters);
                i = close;
            }
            replace(macro, arguments, token);
        }
    }

    /// At the commas outside of brackets; the last parameter `...` takes what is left.
    static std::vector<Tokens> split(const Tokens& tokens, std::size_t begin, std::size_t end,
                                     const std::vector<std::string_view>& parameters) {
        std::vector<Tokens> arguments(1);
        for (std::size_t i = begin; i < end; ++i) {
            const bool rest = !parameters.empty() && parameters.back() == "__VA_ARGS__" &&
                              arguments.size() == parameters.size();
            if (tokens[i].is(",") && !rest) {
                arguments.emplace_back();
                continue;
            }
            const bool opens = tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{");
            const std::size_t last = opens ? std::min(closing(tokens, i, end), end - 1) : i;
            for (; i < last; ++i) arguments.back().push_back(tokens[i]);
            arguments.back().push_back(tokens[i]);
        }
        return arguments;
    }

    void replace(const Macro& macro, const std::vector<Tokens>& arguments, const Token& use) {
        Tokens body;
        for (Token token : macro.body) {
            const auto parameter = std::ranges::find(macro.parameters, token.text);
            const auto index = static_cast<std::size_t>(parameter - macro.parameters.begin());
            if (token.is_word() && parameter != macro.parameters.end() && index < arguments.size()) {
                if (body.size() + arguments[index].size() > most_expanded) return;
                body.insert(body.end(), arguments[index].begin(), arguments[index].end());
                continue;
            }
            token.line = use.line, token.file = use.file;
            body.push_back(token);
        }
        open.push_back(use.text);
        run(body, 0, body.size());
        open.pop_back();
    }
};

}  // namespace

Tokens macro_body(const Token& directive) {
    if (directive_word(directive.text) != "define") return {};
    return definition(rest_of(directive.text), directive.line, directive.file).second.body;
}

std::string_view directive_word(std::string_view directive) {
    if (directive.starts_with('#')) directive = trimmed(directive.substr(1));
    const std::size_t end =
        directive.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return directive.substr(0, end);
}

std::string_view included_name(std::string_view directive) {
    if (directive_word(directive) != "include") return {};
    const std::size_t open = directive.find_first_of("\"<");
    if (open == std::string_view::npos) return {};
    const std::size_t close = directive.find(directive[open] == '<' ? '>' : '"', open + 1);
    return close == std::string_view::npos ? std::string_view()
                                           : directive.substr(open + 1, close - open - 1);
}

void add_defines(const std::vector<std::string>& defines, Macros& macros) {
    for (const std::string& text : defines) {
        const std::size_t equals = std::min(text.find('='), text.size());
        const std::string_view name = std::string_view(text).substr(0, equals);
        const std::string_view value =
            equals < text.size() ? std::string_view(text).substr(equals + 1) : std::string_view("1");
        macros[name] = {false, {}, tokenize(value), 0, 0};
    }
}

Preprocessed preprocess(const std::vector<File>& files, Macros macros) {
    Preprocessor preprocessor(files, std::move(macros));
    if (!files.empty()) preprocessor.read(files[0], 0);
    return std::move(preprocessor.result);
}

Tokens expanded(const Tokens& tokens, std::size_t begin, std::size_t end, const Macros& macros) {
    Expansion expansion{macros, {}, {}};
    expansion.run(tokens, begin, std::min(end, tokens.size()));
    return std::move(expansion.out);
}

}  // namespace warplens::instrumentation::host_code
