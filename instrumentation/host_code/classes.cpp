// Walk: what names stand for in the classes of a file: template parameters, aliases, types in types and
// constants.
#include <algorithm>

#include "instrumentation/host_code/walk.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation::host_code {

namespace {

constexpr int deepest_class = 4;  // classes in classes
constexpr std::size_t most_frames = 60;

std::string without_arguments(std::string_view type) {
    std::string plain;
    int depth = 0;
    for (const char c : type) {
        if (c == '>') --depth;
        else if (c == '<') ++depth;
        else if (depth == 0) plain += c;
    }
    return plain;
}

/// "Gemm<float>" of "Gemm<float>::Params"; empty: nothing is around it.
std::string_view around(std::string_view type) {
    int depth = 0;
    for (std::size_t i = type.size(); i-- > 1;) {
        if (type[i] == '>') ++depth;
        else if (type[i] == '<') --depth;
        else if (depth == 0 && type[i] == ':' && type[i - 1] == ':') return type.substr(0, i - 1);
    }
    return {};
}

std::string_view last_word(std::string_view scope) {
    const std::size_t colons = scope.rfind(':');
    return colons == std::string_view::npos ? scope : scope.substr(colons + 1);
}

}  // namespace

std::vector<std::string> arguments_of(std::string_view type) {
    std::vector<std::string> arguments;
    const std::size_t open = around(type).empty() ? type.find('<') : type.find('<', around(type).size());
    if (open == std::string_view::npos || !type.ends_with('>')) return arguments;
    int depth = 0;
    arguments.emplace_back();
    for (const char c : type.substr(open + 1, type.size() - open - 2)) {
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if (c == ',' && depth == 0) arguments.emplace_back();
        else if (c != ' ' || !arguments.back().empty()) arguments.back() += c;
    }
    return arguments;
}

/// Whether the word or mark stands before the function's parameters.
bool Walk::names_before(const Item& function, std::string_view word) const {
    for (std::size_t i = function.begin; i < function.parameters; ++i)
        if (tokens_[i].is(word)) return true;
    return false;
}

void Walk::add_class(const Item& type, int depth) {
    for (const Item& member : inside_of(type)) {
        if (member.kind == ItemKind::type && member.body != 0 && member.name != 0 && depth < deepest_class) {
            nested_.push_back(member);
            class_of_[&nested_.back()] = &type;
            types_.emplace(tokens_[member.name].text, &nested_.back());
            add_class(nested_.back(), depth + 1);
        }
        if (member.kind != ItemKind::function || member.body == 0) continue;
        if (member.is_device && !names_before(member, "__host__")) continue;
        if (member.name > 0 && tokens_[member.name - 1].is("~")) continue;
        members_.push_back(member);
        class_of_[&members_.back()] = &type;
        functions_.emplace(tokens_[member.name].text, &members_.back());
    }
}

const std::vector<Item>& Walk::inside_of(const Item& type) {
    const auto [found, added] = inside_.try_emplace(&type);
    if (added && type.body != 0) {
        const std::string name = type.name == 0 ? "" : std::string(tokens_[type.name].text);
        found->second = items_of(tokens_, type.body + 1, closing(tokens_, type.body, type.end), {},
                                 type.scope.empty() ? name : type.scope + "::" + name);
    }
    return found->second;
}

/// Of several with one name, that in the class that is named before it, or whose function is followed.
const Item* Walk::own_type(std::string_view type) const {
    const std::string plain = without_arguments(type);
    const std::string_view name = last_word(plain);
    const auto [first, last] = types_.equal_range(name);
    if (first == last) return nullptr;
    std::string self;
    if (plain.size() == name.size() && !frames_.empty()) self = without_arguments(frames_.back().self);
    const std::string_view scope = plain.size() == name.size() ? last_word(self) : last_word(around(plain));
    const Item* best = nullptr;
    for (auto found = first; found != last; ++found) {
        const Item* const item = found->second;
        if (!scope.empty() && last_word(item->scope) == scope) return item;
        if (best == nullptr || (class_of_.contains(best) && !class_of_.contains(item))) best = item;
    }
    return best;
}

std::string Walk::qualified(std::string_view type) const {
    std::string text;
    for (std::size_t at = 0; at < type.size();) {
        std::size_t end = at;  // of "detail::plus"
        while (end < type.size() && (is_word(type[end]) || type.substr(end).starts_with("::")))
            end += is_word(type[end]) ? 1 : 2;
        if (end == at) {
            text += type[at++];
            continue;
        }
        const std::string_view name = type.substr(at, end - at), scope = around(name);
        const Item* const own = text.ends_with("::") || name.starts_with("::") ? nullptr : own_type(name);
        const bool above = own && !class_of_.contains(own) && own->scope.size() > scope.size() &&
                           own->scope.ends_with(scope);
        text += above ? own->scope + "::" + std::string(last_word(name)) : std::string(name);
        at = end;
    }
    return text;
}

/// A template parameter or an alias by what it stands for; empty: it is none.
std::string Walk::known_name(const std::string& plain) const {
    const auto found_in = [&](const Frame& frame) {
        const auto found = frame.types.find(plain);
        return found == frame.types.end() ? std::string() : found->second;
    };
    std::string known = frames_.empty() ? std::string() : found_in(frames_.back());
    return known.empty() ? found_in(globals_) : known;
}

/// template <class T> using Owner = std::unique_ptr<T[], Deleter>;
std::size_t Walk::alias_template(const Tokens& tokens, std::size_t at, std::size_t end) {
    const std::size_t after = passed(tokens, at, end);
    const std::size_t head = after_template_arguments(tokens, at + 1, after);
    if (head + 4 > after || !tokens[head].is("using") || !tokens[head + 2].is("=")) return after;
    AliasTemplate alias;
    for (std::size_t i = at + 2; i + 1 < head; ++i)
        if (tokens[i].is_word() && (tokens[i + 1].is(",") || i + 2 == head))
            alias.parameters.emplace_back(tokens[i].text);
    alias.type.assign(tokens.begin() + static_cast<std::ptrdiff_t>(head + 3),
                      tokens.begin() + static_cast<std::ptrdiff_t>(after));
    alias_templates_[std::string(tokens[head + 1].text)] = std::move(alias);
    return after;
}

/// "Owner<float>" by what the alias is for these arguments; others as they are.
std::string Walk::expanded(const std::string& type) {
    const std::size_t open = type.find('<');
    const auto alias = alias_templates_.find(std::string_view(type).substr(0, open));
    if (open == std::string::npos || alias == alias_templates_.end() || frames_.size() >= most_frames ||
        too_many_classes())
        return type;
    const std::vector<std::string> given = arguments_of(type);
    Frame frame;
    frame.scopes.emplace_back();
    for (std::size_t i = 0; i < std::min(given.size(), alias->second.parameters.size()); ++i)
        frame.types[alias->second.parameters[i]] = given[i];
    frames_.push_back(std::move(frame));
    const Tokens& tokens = alias->second.type;
    std::size_t at = 0;
    std::string stands_for = resolved(read_type(tokens, at, tokens.size(), *this));
    frames_.pop_back();
    return stands_for.empty() ? type : stands_for;
}

std::string Walk::resolved(const std::string& type) {
    std::string plain = type, stars;
    if (!alias_templates_.empty())
        if (std::string other = expanded(plain); other != plain) return other;
    while (!plain.empty() && plain.back() == '*') stars += plain.back(), plain.pop_back();
    std::string known = known_name(plain);
    if (known.empty() && plain.find_first_of("<:") != std::string::npos && frames_.size() < most_frames) {
        std::size_t at = 0;
        known = substituted(plain, at);
        if (at < plain.size()) known.clear();
    }
    return (known.empty() ? plain : known) + stars;
}

/// A constant as its number, anything else as it is.
std::string Walk::constant_text(const std::string& word) const {
    const auto in = [&](const std::vector<Scope>& scopes) -> const Value* {
        for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
            if (const auto found = scope->find(word); found != scope->end()) return found->second.get();
        return nullptr;
    };
    const Value* value = frames_.empty() ? nullptr : in(frames_.back().scopes);
    if (value == nullptr) value = in(globals_.scopes);
    const bool constant = value && value->kind == Value::Kind::integer && !value->varies && !value->assumed;
    return constant ? std::to_string(value->integer) : word;
}

/// The type from `at` on, to a comma or the bracket that closes what it is in.
std::string Walk::substituted(std::string_view text, std::size_t& at) {
    std::string whole;
    while (at < text.size() && text[at] != ',' && text[at] != '>') {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end == at) {
            const char c = text[at++];
            if (c != ' ') whole += c;
            if (c != '<') continue;
            while (at < text.size() && text[at] != '>') {
                whole += substituted(text, at);
                if (at < text.size() && text[at] == ',') whole += text[at++];
            }
            if (at < text.size()) whole += text[at++];
            continue;
        }
        const std::string word(text.substr(at, end - at));
        at = end;
        if (whole.ends_with("::")) {
            const std::string of = whole.substr(0, whole.size() - 2);
            if (own_type(of) != nullptr) {
                const Frame frame = frame_in(of);
                if (const auto alias = frame.types.find(word); alias != frame.types.end()) {
                    whole = alias->second;
                    continue;
                }
            }
            whole += word;
            continue;
        }
        std::string stands_for = known_name(word);
        if (stands_for.empty()) stands_for = constant_text(word);
        if (!whole.empty() && is_word(whole.back())) whole += ' ';
        whole += stands_for;
    }
    return whole;
}

Walk::Frame Walk::frame_in(const std::string& type) {
    Frame frame;
    frame.scopes.emplace_back();
    const Item* const own = own_type(type);
    if (own == nullptr || frames_.size() >= most_frames || too_many_classes()) return frame;
    if (const std::string outer(around(type)); class_of_.contains(own) && !outer.empty())
        frame.types = frame_in(outer).types;
    frame.self = type;
    const std::vector<std::string> given = arguments_of(type);
    frames_.push_back(std::move(frame));
    for (std::size_t i = 0; i < own->template_parameters.size(); ++i) {
        const std::string name(tokens_[own->template_parameters[i]].text);
        std::string stands_for = i < given.size() ? given[i] : default_of(*own, own->template_parameters[i]);
        frames_.back().types[name] = stands_for.empty() ? name : std::move(stands_for);
    }
    for (const Item& member : inside_of(*own)) {
        const Token& first = tokens_[member.begin];
        if (first.is("using") || first.is("typedef")) statement(tokens_, member.begin, member.end);
    }
    frame = std::move(frames_.back());
    frames_.pop_back();
    return frame;
}

/// What the template's head gives its parameter; empty: nothing.
std::string Walk::default_of(const Item& item, std::size_t parameter) {
    std::size_t at = parameter + 1;
    if (!tokens_[at].is("=")) return {};
    const std::size_t end = item.kind == ItemKind::type ? item.name : item.parameters;
    std::string text;
    int depth = 0;
    for (++at; at < end; ++at) {
        if (tokens_[at].is("typename")) continue;
        if (!text.empty() && is_word(text.back()) && is_word(tokens_[at].text.front())) text += ' ';
        for (const char c : tokens_[at].text) {  // `>>` may end this and what it is in
            if (c == '<') ++depth;
            if (depth == 0 && (c == ',' || c == '>')) return qualified(resolved(text));
            if (c == '>') --depth;
            text += c;
        }
    }
    return qualified(resolved(text));
}

/// A constant of a class: Tile<64>::width.
std::optional<Value> Walk::constant_in(const std::string& type, const std::string& name) {
    const Item* const own = own_type(type);
    if (own == nullptr || frames_.size() >= most_frames || too_many_classes()) return std::nullopt;
    for (const Item& member : inside_of(*own)) {
        if (member.kind != ItemKind::variable || !member.is_constant) continue;
        if (std::ranges::find(member.declares, name) == member.declares.end()) continue;
        for (std::size_t at = member.begin; at + 1 < member.end; ++at) {
            if (tokens_[at].text != name || (!tokens_[at + 1].is("=") && !tokens_[at + 1].is("{"))) continue;
            frames_.push_back(frame_in(type));
            std::size_t from = at + 2;
            Value value = evaluate(tokens_, from, member.end, *this);
            frames_.pop_back();
            value.slot = nullptr;
            if (value.known()) return value;
        }
    }
    return std::nullopt;
}

}  // namespace warplens::instrumentation::host_code
