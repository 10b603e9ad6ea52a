#include "instrumentation/host_code/items.h"

#include <algorithm>
#include <array>

namespace warplens::instrumentation::host_code {

namespace {

constexpr std::array<std::string_view, 5> device_words{"__global__", "__device__", "__constant__",
                                                       "__managed__", "__shared__"};
/// Words with an argument list of their own that is not a function's.
constexpr std::array<std::string_view, 9> attributes{
    "__attribute__", "__launch_bounds__", "__cluster_dims__", "__block_size__", "__align__",
    "alignas",       "decltype",          "noexcept",         "__maxnreg__"};
/// Declarations of a name that is neither for the host nor for the device.
constexpr std::array<std::string_view, 4> alias_words{"typedef", "using", "namespace", "concept"};
constexpr int deepest_scope = 64;  // namespaces in namespaces

bool any_of(const Token& token, const auto& words) {
    return token.is_word() && std::ranges::find(words, token.text) != words.end();
}

class ItemReader {
  public:
    ItemReader(const Tokens& tokens, const Macros& macros) : tokens_(tokens), macros_(macros) {}

    void read(std::size_t at, std::size_t end, const std::string& scope, bool local, int depth) {
        while (at < end) {
            if (is(at, ";") || is(at, "}") || is(at, ")")) ++at;
            else if (is(at + 1, ":") && (is(at, "public") || is(at, "private") || is(at, "protected")))
                at += 2;
            else if (const std::size_t open = opened_scope(at, end); open != 0 && depth < deepest_scope) {
                const std::size_t close = closing(tokens_, open, end);
                std::string inside = scope;
                bool hidden = local;
                if (is(at, "namespace") || is(at, "inline")) {
                    std::string name;
                    for (std::size_t i = at; i < open; ++i)
                        if (!is(i, "namespace") && !is(i, "inline")) name += tokens_[i].text;
                    hidden = hidden || name.empty();
                    if (!name.empty()) inside += (inside.empty() ? "" : "::") + name;
                }
                read(open + 1, close, inside, hidden, depth + 1);
                at = close + 1;
            } else {
                Item item = one(at, end);
                item.scope = scope;
                item.is_local = item.is_local || local;
                at = std::max(item.end, at + 1);
                items.push_back(std::move(item));
            }
        }
    }

    std::vector<Item> items;

  private:
    bool is(std::size_t at, std::string_view text) const {
        return at < tokens_.size() && tokens_[at].is(text);
    }

    /// The `{` of `namespace a::b {` or `extern "C" {`; 0: neither begins here.
    std::size_t opened_scope(std::size_t at, std::size_t end) const {
        if (is(at, "extern") && at + 2 < end && tokens_[at + 1].kind == TokenKind::text && is(at + 2, "{"))
            return at + 2;
        std::size_t i = is(at, "inline") ? at + 1 : at;
        if (!is(i, "namespace")) return 0;
        for (++i; i < end && (tokens_[i].is_word() || is(i, "::")); ++i) {
        }
        return i < end && is(i, "{") ? i : 0;
    }

    Item one(std::size_t begin, std::size_t end) {
        Item item;
        item.begin = begin;
        std::size_t at = begin;
        bool assigned = false, is_type = false, is_alias = false, in_class = false, in_list = false;
        for (; at < end; ++at) {
            const Token& token = tokens_[at];
            if (token.is(";")) break;
            if (token.is("}")) return finish(item, at, is_type, is_alias);
            if (token.is("template")) {
                at = template_head(item, at, end);
            } else if (token.is("=")) {
                if (item.parameters == 0 && at > begin && !is(at - 1, "operator")) assigned = true;
            } else if (any_of(token, attributes) && is(at + 1, "(")) {
                at = std::min(closing(tokens_, at + 1, end), end - 1);
            } else if (token.is("(") || token.is("[")) {
                const std::size_t close = closing(tokens_, at, end);
                if (at > begin && is(at - 1, "operator")) {  // operator()(…)
                    at = std::min(close, end - 1);
                    continue;
                }
                if (token.is("(") && item.parameters == 0 && !assigned && at > begin && may_name(at - 1)) {
                    item.parameters = at;
                    item.name = at - 1;
                }
                if (is_macro_line(item, at, close, end)) return finish(item, close + 1, is_type, is_alias);
                at = std::min(close, end - 1);
            } else if (token.is(":") && item.parameters != 0 && item.body == 0 && !in_class) {
                in_list = true;  // of a constructor's members
            } else if (token.is("{") && in_list && (tokens_[at - 1].is_word() || is(at - 1, ">"))) {
                at = std::min(closing(tokens_, at, end), end - 1);  // x_{x}
            } else if (token.is("{")) {
                const std::size_t close = closing(tokens_, at, end);
                const bool function = item.parameters != 0 && !assigned && !in_class;
                if (item.body == 0 && (function || in_class)) item.body = at;
                at = std::min(close, end - 1);
                if (function) return finish(item, at + 1, is_type, is_alias);
                in_class = false;
            } else if (token.is("<") && !assigned && item.parameters == 0 && at > begin) {
                at = std::max(at, after_template_arguments(tokens_, at, end) - 1);
            } else if (item.parameters == 0 && !assigned) {
                const bool declares_type =
                    token.is("class") || token.is("struct") || token.is("union") || token.is("enum");
                if (declares_type && opens_body(at, end)) is_type = in_class = true, name_type(item, at, end);
                if (declares_type && is_forward(at, begin, end)) is_type = true, name_type(item, at, end);
                if (any_of(token, alias_words)) is_alias = true;
                if (token.is("static")) item.is_local = true;
                if (token.is("const") || token.is("constexpr")) item.is_constant = true;
            }
        }
        return finish(item, std::min(at + 1, end), is_type, is_alias);
    }

    /// "class" inside `template <class T>` was skipped; here a body follows before anything that ends it.
    bool opens_body(std::size_t at, std::size_t end) const {
        for (; at < end; ++at) {
            if (is(at, "{")) return true;
            if (is(at, "__align__") || is(at, "alignas") || is(at, "__attribute__")) {
                at = std::min(closing(tokens_, at + 1, end), end - 1);
                continue;
            }
            if (is(at, ";") || is(at, "(") || is(at, "=") || is(at, ")")) return false;
        }
        return false;
    }

    bool is_forward(std::size_t at, std::size_t begin, std::size_t end) const {
        return at + 2 < end && tokens_[at + 1].is_word() && is(at + 2, ";") &&
               (at == begin || is(at - 1, ">"));
    }

    void name_type(Item& item, std::size_t at, std::size_t end) const {
        for (++at; at < end && !is(at, "{") && !is(at, ":") && !is(at, ";"); ++at) {
            if ((is(at, "__align__") || is(at, "alignas") || is(at, "__attribute__")) && is(at + 1, "("))
                at = std::min(closing(tokens_, at + 1, end), end - 1);
            else if (tokens_[at].is_word() && !is(at, "class") && !is(at, "struct") && item.name == 0)
                item.name = at;
        }
    }

    bool may_name(std::size_t at) const {
        return tokens_[at].is_word() || tokens_[at].kind == TokenKind::mark;
    }

    /// `DEFINE_KERNEL(add, +)` alone on its lines, with no semicolon.
    bool is_macro_line(const Item& item, std::size_t open, std::size_t close, std::size_t end) const {
        if (open != item.begin + 1 || !macros_.contains(tokens_[item.begin].text) || close + 1 >= end)
            return false;
        return tokens_[close + 1].line > tokens_[close].line && !is(close + 1, "{") && !is(close + 1, ":");
    }

    std::size_t template_head(Item& item, std::size_t at, std::size_t end) const {
        const std::size_t after = after_template_arguments(tokens_, at + 1, end);
        int depth = 0;  // in the template arguments of what a parameter gets
        for (std::size_t i = at + 2; i + 1 < after && item.template_parameters.size() < 64; ++i) {
            if (is(i, "<")) ++depth;
            if (is(i, ">")) --depth;
            if (is(i, ">>")) depth -= 2;
            if (depth > 0) continue;
            const bool ends = is(i + 1, ",") || is(i + 1, "=") || i + 2 == after;
            if (tokens_[i].is_word() && ends && !is(i - 1, "=")) item.template_parameters.push_back(i);
        }
        return after > at + 1 ? after - 1 : at;
    }

    Item finish(Item& item, std::size_t end, bool is_type, bool is_alias) {
        item.end = end;
        const std::size_t head = item.body != 0 && !is_type ? item.body : end;
        std::set<std::string_view> words;
        for (std::size_t i = item.begin; i < head; ++i) {
            if (is_type && item.body != 0 && i == item.body) i = closing(tokens_, i, end);
            if (i < head && tokens_[i].is_word()) add_words(tokens_[i].text, macros_, words);
        }
        const auto said = [&](std::string_view word) { return words.contains(word); };
        item.is_kernel = said("__global__");
        item.is_device = std::ranges::any_of(device_words, said);
        if (is_type) item.kind = ItemKind::type;
        else if (is_alias) item.kind = ItemKind::other;
        else if (item.parameters != 0) item.kind = ItemKind::function;
        else item.kind = ItemKind::variable;
        if (item.kind == ItemKind::function || (is_type && item.name != 0))
            item.declares.push_back(tokens_[item.name].text);
        if (is_type && item.body != 0) declare_enumerators(item);
        if (item.kind != ItemKind::function) declare_variables(item, end);
        return std::move(item);
    }

    void declare_enumerators(Item& item) const {
        const bool is_enum = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(item.begin),
                                         tokens_.begin() + static_cast<std::ptrdiff_t>(item.body),
                                         [](const Token& token) { return token.is("enum"); });
        if (!is_enum) return;
        for (std::size_t i = item.body + 1; i < item.end; ++i)
            if (tokens_[i].is_word() && (is(i - 1, "{") || is(i - 1, ",")))
                item.declares.push_back(tokens_[i].text);
    }

    void declare_variables(Item& item, std::size_t end) const {
        for (std::size_t i = item.begin; i + 1 < end; ++i) {
            if (is(i, "{") || is(i, "(") || is(i, "[")) i = std::min(closing(tokens_, i, end), end - 1);
            const bool ends = is(i + 1, "=") || is(i + 1, ";") || is(i + 1, ",") || is(i + 1, "[") ||
                              is(i + 1, "{") || is(i + 1, "(");
            if (i + 1 < end && tokens_[i].is_word() && ends) item.declares.push_back(tokens_[i].text);
        }
    }

    const Tokens& tokens_;
    const Macros& macros_;
};

}  // namespace

std::vector<Item> items_of(const Tokens& tokens, std::size_t begin, std::size_t end, const Macros& macros,
                           const std::string& scope) {
    ItemReader reader(tokens, macros);
    reader.read(begin, std::min(end, tokens.size()), scope, false, 0);
    return std::move(reader.items);
}

void add_words(std::string_view name, const Macros& macros, std::set<std::string_view>& words) {
    if (!words.insert(name).second) return;
    const auto macro = macros.find(name);
    if (macro == macros.end()) return;
    for (const Token& token : macro->second.body)
        if (token.is_word()) add_words(token.text, macros, words);
}

}  // namespace warplens::instrumentation::host_code
