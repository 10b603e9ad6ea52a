#include "instrumentation/host_program/program_source.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "instrumentation/host_code/items.h"

namespace warplens::instrumentation {

namespace {

using host_code::Item;
using host_code::ItemKind;
using host_code::Token;
using host_code::Tokens;

/// What nvcc defines while it compiles for the host.
const std::vector<std::string> host_macros{"__CUDACC__", "__NVCC__", "__cplusplus=202002", "__x86_64__",
                                           "__GNUC__"};

/// Words that a parameter without a name may end with.
constexpr std::array<std::string_view, 15> type_words{
    "int",  "unsigned", "signed", "long",     "short", "char",   "float",       "double",
    "bool", "void",     "const",  "volatile", "auto",  "size_t", "__restrict__"};

struct Edit {
    std::size_t begin, end;  // offsets in the text; equal: something is put in
    std::string text;
};

bool is_type_word(const Token& token) {
    return std::ranges::find(type_words, token.text) != type_words.end();
}

/// A file's tokens with what was to be changed in its text.
class FileEdits {
  public:
    FileEdits(const host_code::File& file, const Tokens& tokens, const host_code::Macros& macros)
        : file_(file), tokens_(tokens), macros_(macros) {}

    Status collect() {
        WARPLENS_TRY(set_aside(host_code::items_of(tokens_, 0, tokens_.size(), macros_), false));
        for (std::size_t at = 0; at < tokens_.size(); ++at)
            if (tokens_[at].is("<<<") && !is_aside(at)) WARPLENS_TRY(call_instead(at));
            else if (at > 0 && is(at - 1, "]") && !is_aside(at)) name_lambda(at);
        return {};
    }

    /// A launch in what a macro stands for: `#define RUN(k, ...) k<<<grid, block>>>(__VA_ARGS__)`. One
    /// without a kernel in front of it is left to the compiler.
    Status add_macro(const Tokens& body) {
        FileEdits edits(file_, body, macros_);
        edits.in_macro_ = true;
        for (std::size_t at = 0; at < body.size(); ++at)
            if (body[at].is("<<<") && edits.callee_before(at) != at) WARPLENS_TRY(edits.call_instead(at));
        std::ranges::move(edits.edits_, std::back_inserter(edits_));
        return {};
    }

    std::string text() const {
        std::vector<Edit> edits = edits_;
        std::ranges::stable_sort(edits, {}, &Edit::begin);
        std::string result;
        std::size_t at = 0;
        for (const Edit& edit : edits) {
            if (edit.begin < at) continue;  // inside of what is set aside
            result.append(file_.text, at, edit.begin - at);
            result += edit.text;
            for (std::size_t i = edit.begin; i < edit.end; ++i)
                if (file_.text[i] == '\n') result += '\n';
            at = edit.end;
        }
        return result.append(file_.text, at);
    }

  private:
    std::size_t begin_of(std::size_t token) const {
        return static_cast<std::size_t>(tokens_[token].text.data() - file_.text.data());
    }
    std::size_t end_of(std::size_t token) const { return begin_of(token) + tokens_[token].text.size(); }
    bool is(std::size_t at, std::string_view text) const {
        return at < tokens_.size() && tokens_[at].is(text);
    }
    bool is_aside(std::size_t token) const {
        return std::ranges::any_of(edits_, [&](const Edit& edit) {
            return edit.begin <= begin_of(token) && begin_of(token) < edit.end;
        });
    }

    bool is_for_host(const Item& item) const {
        std::set<std::string_view> words;
        for (std::size_t i = item.begin; i < (item.body != 0 ? item.body : item.end); ++i)
            if (tokens_[i].is_word()) host_code::add_words(tokens_[i].text, macros_, words);
        return words.contains("__host__");
    }

    /// Functions for the device: those of classes keep their declarations, others are left out.
    Status set_aside(const std::vector<Item>& items, bool in_class) {
        for (const Item& item : items) {
            if (item.kind == ItemKind::type && item.body != 0) {
                const std::size_t close = host_code::closing(tokens_, item.body, item.end);
                WARPLENS_TRY(set_aside(host_code::items_of(tokens_, item.body + 1, close, macros_), true));
            }
            if (item.kind == ItemKind::variable && item.is_device && !in_class) add_managed(item);
            if (item.kind != ItemKind::function || !item.is_device) continue;
            if (item.is_kernel) {
                if (item.body != 0) WARPLENS_TRY(report_launch(item));
            } else if (is_for_host(item)) {
                continue;
            } else if (!in_class) {
                edits_.push_back({begin_of(item.begin), end_of(item.end - 1), ""});
            } else if (item.body != 0) {
                edits_.push_back({begin_of(item.body), end_of(item.end - 1), called_on_host(item)});
            }
        }
        return {};
    }

    /// The host uses a managed variable like one of its own, so it is made known before main.
    void add_managed(const Item& item) {
        std::set<std::string_view> words;
        for (std::size_t i = item.begin; i < item.end; ++i)
            if (tokens_[i].is_word()) host_code::add_words(tokens_[i].text, macros_, words);
        if (!words.contains("__managed__")) return;
        for (const std::string_view name : item.declares)
            edits_.push_back({end_of(item.end - 1), end_of(item.end - 1),
                              fmt::format(" static const bool warplens_manages_{} = "
                                          "::warplens_program::Variables::instance().manage(\"{}\", {});",
                                          name, name, name)});
    }

    /// Names the function and ends the program.
    std::string called_on_host(const Item& item) const {
        const std::string_view name = is(item.name, ")") ? "operator()" : tokens_[item.name].text;
        return fmt::format("{{ ::warplens_program::only_on_a_device(\"{}\"); throw 0; }}", name);
    }

    /// "a, b, rest..." of a kernel's parameters; those without a name get one.
    std::string names_of_parameters(const Item& item) {
        std::string names;
        const std::size_t close = host_code::closing(tokens_, item.parameters, item.end);
        std::size_t number = 0;
        for (std::size_t begin = item.parameters + 1; begin < close; ++number) {
            std::size_t end = begin, name = begin, declared = 0;  // the last: where a default begins
            for (; end < close && !is(end, ","); ++end) {
                if (is(end, "=") && declared == 0) declared = end;
                if (is(end, "<"))
                    end = std::max(end, host_code::after_template_arguments(tokens_, end, close) - 1);
                else if (is(end, "(") && (is(end + 1, "&") || is(end + 1, "*")))
                    continue;  // float (&table)[4]
                else if (is(end, "(") || is(end, "[") || is(end, "{"))
                    end = std::min(host_code::closing(tokens_, end, close), close - 1);
                else if (tokens_[end].is_word() && declared == 0) name = end;
            }
            if (declared == 0) declared = end;
            if (declared == begin + 1 && is(begin, "void")) break;
            const bool named = name > begin && !is_type_word(tokens_[name]) && !is(name - 1, "::");
            std::string text = named ? std::string(tokens_[name].text) : fmt::format("argument_{}", number);
            if (!named) edits_.push_back({end_of(declared - 1), end_of(declared - 1), " " + text});
            if (named && is(name - 1, "...")) text += "...";
            names += ", " + text;
            begin = end + 1;
        }
        return names;
    }

    Status report_launch(const Item& item) {
        const std::string names = names_of_parameters(item);
        edits_.push_back({begin_of(item.body), end_of(item.end - 1),
                          "{ ::warplens_program::launched(__PRETTY_FUNCTION__" + names + "); }"});
        return {};
    }

    /// The first token of "sums::scale<256>", "this->kernel", "table[i].kernel" in front of `<<<`.
    std::size_t callee_before(std::size_t at) const {
        std::size_t begin = at;
        while (begin > 0) {
            std::size_t before = begin - 1;
            if (is(before, ">") || is(before, ">>")) {
                int depth = 0;
                std::size_t i = begin;
                while (i > 0) {
                    --i;
                    if (is(i, ">")) ++depth;
                    if (is(i, ">>")) depth += 2;
                    if (is(i, "<") && --depth <= 0) break;
                    if (is(i, ";") || is(i, "}")) return begin;
                }
                begin = i;
            } else if (is(before, "]") || is(before, ")")) {
                const char* const open = is(before, "]") ? "[" : "(";
                const std::string_view close = tokens_[before].text;
                int depth = 0;
                std::size_t i = begin;
                while (i > 0) {
                    --i;
                    if (is(i, close)) ++depth;
                    if (is(i, open) && --depth == 0) break;
                }
                begin = i;
            } else if (tokens_[before].is_word()) {
                begin = before;
                if (begin == 0 || !(is(begin - 1, "::") || is(begin - 1, ".") || is(begin - 1, "->")))
                    return begin;
                --begin;
                if (is(begin, "::") && (begin == 0 || !(tokens_[begin - 1].is_word() || is(begin - 1, ">"))))
                    return begin;
            } else {
                return begin;
            }
        }
        return begin;
    }

    Status call_instead(std::size_t at) {
        const std::size_t close = closing_launch(at);
        const std::size_t callee = callee_before(at);
        bool is_call = close < tokens_.size() && is(close + 1, "(");
        const bool ends_macro = in_macro_ && close + 1 == tokens_.size();  // its use has the arguments
        if ((!is_call && !ends_macro) || callee == at)
            return fail(
                "{}:{}: the launch has no form that can be run: a kernel, <<<grid, block>>> and "
                "arguments in parentheses",
                file_.name, tokens_[at].line);
        const std::size_t last = ends_macro ? close : host_code::closing(tokens_, close + 1, tokens_.size());
        if (last >= tokens_.size())
            return fail("{}:{}: the parenthesis of the launch's arguments is not closed", file_.name,
                        tokens_[at].line);
        std::string configuration;  // without comments and line feeds
        for (std::size_t i = at + 1; i < close; ++i) configuration += " " + std::string(tokens_[i].text);
        const std::string line = in_macro_ ? "__LINE__" : std::to_string(tokens_[at].line);
        std::string call = fmt::format("(::warplens_program::configure(\"{}\", {},{}), ", quoted_name(), line,
                                       configuration);
        edits_.push_back({begin_of(callee), begin_of(callee), std::move(call)});
        edits_.push_back({begin_of(at), end_of(close), ""});
        edits_.push_back({end_of(last), end_of(last), ")"});
        return {};
    }

    /// A lambda for the device, `[=] __device__ (int i) { … }`, gets a type that names its line, as that of
    /// the compiled kernel does. `at`: after its captures.
    void name_lambda(std::size_t at) {
        std::size_t begin = at, body = at;
        int depth = 0;
        do {
            --begin;
            if (is(begin, "]")) ++depth;
            if (is(begin, "[")) --depth;
        } while (begin > 0 && depth > 0);
        bool for_device = false;
        for (; is(body, "__device__") || is(body, "__host__"); ++body)
            for_device = for_device || is(body, "__device__");
        if (!for_device || depth != 0 || !is(body, "(")) return;
        const std::uint32_t line = tokens_[body].line;
        body = host_code::closing(tokens_, body, tokens_.size());
        while (body < tokens_.size() && !is(body, "{") && !is(body, ";")) ++body;
        if (!is(body, "{")) return;
        const std::size_t last = host_code::closing(tokens_, body, tokens_.size());
        if (last >= tokens_.size()) return;
        edits_.push_back(
            {begin_of(begin), begin_of(begin), fmt::format("::warplens_program::lambda_at<{}>(", line)});
        edits_.push_back({end_of(last), end_of(last), ")"});
    }

    std::size_t closing_launch(std::size_t open) const {
        for (std::size_t i = open + 1; i < tokens_.size(); ++i) {
            if (is(i, "(") || is(i, "[") || is(i, "{")) i = host_code::closing(tokens_, i, tokens_.size());
            else if (is(i, ">>>")) return i;
            else if (is(i, ";")) break;
        }
        return tokens_.size();
    }

    std::string quoted_name() const {
        std::string name;
        for (const char c : file_.name) {
            if (c == '"' || c == '\\') name += '\\';
            name += c;
        }
        return name;
    }

    const host_code::File& file_;
    const Tokens& tokens_;
    const host_code::Macros& macros_;
    std::vector<Edit> edits_;
    bool in_macro_ = false;
};

}  // namespace

Result<std::vector<host_code::File>> program_source(const std::vector<host_code::File>& files,
                                                    const std::vector<std::string>& defines) {
    host_code::Macros macros;
    host_code::add_defines(host_macros, macros);
    host_code::add_defines(defines, macros);
    const host_code::Preprocessed whole = host_code::preprocess(files, macros);
    std::vector<host_code::File> changed = files;
    for (std::uint32_t i = 0; i < files.size(); ++i) {
        Tokens tokens;
        std::ranges::copy_if(whole.tokens, std::back_inserter(tokens),
                             [i](const Token& token) { return token.file == i; });
        FileEdits edits(files[i], tokens, whole.macros);
        WARPLENS_TRY(edits.collect());
        for (const Token& directive : whole.directives)
            if (directive.file == i) WARPLENS_TRY(edits.add_macro(host_code::macro_body(directive)));
        changed[i].text = edits.text();
    }
    return changed;
}

}  // namespace warplens::instrumentation
