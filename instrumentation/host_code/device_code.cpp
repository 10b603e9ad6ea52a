#include "instrumentation/host_code/device_code.h"

#include <algorithm>
#include <iterator>

#include "instrumentation/host_code/items.h"

namespace warplens::instrumentation::host_code {

namespace {

/// What NVRTC defines.
const std::vector<std::string> device_macros{"__CUDACC__", "__CUDACC_RTC__", "__CUDA_ARCH__=900",
                                             "__cplusplus=201703", "__x86_64__"};

struct Unit {
    Preprocessed read;
    std::vector<Item> items;
    std::vector<bool> kept;
};

/// A range of one file's text that is set aside.
struct LineRange {
    const char *begin, *end;
};

class Separation {
  public:
    Separation(const std::vector<File>& files, const std::vector<std::string>& defines,
               const std::set<Place>& refused)
        : refused_(refused) {
        Macros macros;
        add_defines(device_macros, macros);
        add_defines(defines, macros);
        Preprocessed whole = preprocess(files, macros);
        for (std::uint32_t i = 0; i < files.size(); ++i) {
            Unit unit;
            const auto of_file = [i](const Token& token) { return token.file == i; };
            std::ranges::copy_if(whole.tokens, std::back_inserter(unit.read.tokens), of_file);
            std::ranges::copy_if(whole.directives, std::back_inserter(unit.read.directives), of_file);
            unit.items = items_of(unit.read.tokens, 0, unit.read.tokens.size(), whole.macros);
            unit.kept.assign(unit.items.size(), false);
            units_.push_back(std::move(unit));
        }
        macros_ = std::move(whole.macros);
    }

    bool has_host_code() const {
        return !refused_.empty() || std::ranges::any_of(units_, [&](const Unit& unit) {
            return std::ranges::any_of(unit.items, [&](const Item& item) { return is_host(unit, item); });
        });
    }

    /// What is marked for the device and what the kernels' template arguments name, and all that it names.
    void keep_what_is_needed(const std::vector<std::string>& kernels) {
        for (const std::string& kernel : kernels)
            for (const Token& token : tokenize(kernel))
                if (token.is_word()) add_words(token.text, macros_, words_);
        for (Unit& unit : units_)
            for (std::size_t i = 0; i < unit.items.size(); ++i)
                if (unit.items[i].is_device && unit.items[i].kind != ItemKind::type) keep(unit, i);
        for (bool more = true; std::exchange(more, false);)
            for (Unit& unit : units_)
                for (std::size_t i = 0; i < unit.items.size(); ++i)
                    if (!unit.kept[i] && is_wanted(unit, unit.items[i])) more = true, keep(unit, i);
    }

    std::vector<LineRange> ranges_of(std::size_t file) const {
        const Unit& unit = units_[file];
        std::vector<LineRange> ranges;
        for (std::size_t i = 0; i < unit.items.size(); ++i) {
            const Item& item = unit.items[i];
            if (!unit.kept[i]) ranges.push_back(range(unit, item));
            else if (item.kind == ItemKind::type && item.body != 0) add_members(unit, item, ranges);
        }
        return ranges;
    }

    std::vector<std::string> template_kernels() const {
        std::vector<std::string> names;
        for (const Unit& unit : units_)
            for (const Item& item : unit.items)
                if (item.is_kernel && item.name != 0 && !item.template_parameters.empty())
                    names.emplace_back(token(unit, item.name).text);
        return names;
    }

    const Tokens& directives(std::size_t file) const { return units_[file].read.directives; }
    const std::set<std::string_view>& words() const { return words_; }

  private:
    static const Token& token(const Unit& unit, std::size_t at) { return unit.read.tokens[at]; }

    bool is_refused(const Unit& unit, const Item& item) const {
        const Token& first = token(unit, item.begin);
        const Token& last = token(unit, item.end - 1);
        const auto at = refused_.lower_bound({first.file, first.line});
        return at != refused_.end() && at->first == first.file && at->second <= last.line;
    }

    /// By nvcc's rule: a function or a variable that nothing marks for the device is the host's.
    static bool is_host(const Unit& unit, const Item& item) {
        if (item.is_device || item.kind == ItemKind::type || item.kind == ItemKind::other) return false;
        if (item.is_constant) return false;
        const Token& first = token(unit, item.begin);
        return !first.is("static_assert") && !first.is("friend");
    }

    bool is_wanted(const Unit& unit, const Item& item) const {
        if (item.is_device && item.kind != ItemKind::type) return true;
        if (is_host(unit, item) || is_refused(unit, item)) return false;
        const bool names_space = token(unit, item.begin).is("using") && item.begin + 1 < item.end &&
                                 token(unit, item.begin + 1).is("namespace");
        if (names_space) return true;
        return std::ranges::any_of(item.declares,
                                   [&](std::string_view name) { return words_.contains(name); });
    }

    void keep(Unit& unit, std::size_t index) {
        unit.kept[index] = true;
        const Item& item = unit.items[index];
        for (std::size_t i = item.begin; i < item.end; ++i)
            if (token(unit, i).is_word()) add_words(token(unit, i).text, macros_, words_);
    }

    static LineRange range(const Unit& unit, const Item& item) {
        const std::string_view last = token(unit, item.end - 1).text;
        return {token(unit, item.begin).text.data(), last.data() + last.size()};
    }

    /// A class that kernels need may have functions for the host.
    void add_members(const Unit& unit, const Item& item, std::vector<LineRange>& ranges) const {
        if (std::any_of(unit.read.tokens.begin() + static_cast<std::ptrdiff_t>(item.begin),
                        unit.read.tokens.begin() + static_cast<std::ptrdiff_t>(item.body),
                        [](const Token& word) { return word.is("enum"); }))
            return;
        const std::size_t close = closing(unit.read.tokens, item.body, item.end);
        add_functions(unit, items_of(unit.read.tokens, item.body + 1, close, macros_), ranges);
    }

    void add_functions(const Unit& unit, const std::vector<Item>& members,
                       std::vector<LineRange>& ranges) const {
        for (const Item& member : members) {
            if (member.kind != ItemKind::function || member.is_device) continue;
            bool stays = false;
            for (std::size_t i = member.begin; i < (member.body != 0 ? member.body : member.end); ++i)
                for (const char* word : {"constexpr", "= default", "= delete", "friend", "static_assert"})
                    stays = stays || is_said(unit, i, word);
            if (!stays) ranges.push_back(range(unit, member));
        }
    }

    /// A word, or "= delete", which `operator delete` is not.
    static bool is_said(const Unit& unit, std::size_t at, std::string_view words) {
        if (!words.starts_with("= ")) return token(unit, at).is(words);
        return at > 0 && token(unit, at - 1).is("=") && token(unit, at).is(words.substr(2));
    }

    const std::set<Place>& refused_;
    std::vector<Unit> units_;
    Macros macros_;
    std::set<std::string_view> words_;
};

/// A directive that would not be missed once the code around it is set aside; conditions and macros stay.
bool goes_with_its_code(std::string_view directive) {
    const std::string_view word = directive_word(directive);
    return word == "pragma" || word == "error" || word == "warning" || word == "include" || word == "line";
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, text.size()); ++i)
        if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
}

}  // namespace

DeviceCode device_code(
    const std::vector<File>& files, const std::vector<std::string>& defines,
    const std::function<bool(std::string_view, const std::set<std::string_view>&)>& may_include,
    const std::set<Place>& refused, const std::vector<std::string>& kernels) {
    DeviceCode result{files, false, {}, {}};
    Separation separation(files, defines, refused);
    const bool any_host_code = separation.has_host_code();
    separation.keep_what_is_needed(kernels);
    result.template_kernels = separation.template_kernels();
    for (std::size_t file = 0; file < files.size(); ++file) {
        const std::string& given = files[file].text;
        std::string& text = result.files[file].text;
        const auto offset = [&](const char* at) { return static_cast<std::size_t>(at - given.data()); };
        if (any_host_code) {
            for (const LineRange& range : separation.ranges_of(file))
                blank(text, offset(range.begin), offset(range.end));
            // Lines of the preprocessor in what was set aside.
            for (const Token& token : tokenize(given))
                if (token.kind == TokenKind::directive && !goes_with_its_code(token.text))
                    text.replace(offset(token.text.data()), token.text.size(), token.text);
        }
        for (const Token& token : separation.directives(file)) {
            const std::string_view name = included_name(token.text);
            const bool is_user =
                std::ranges::any_of(files, [&](const File& user) { return user.name == name; });
            const bool is_refused = refused.contains({static_cast<std::uint32_t>(file), token.line});
            if (name.empty() || (!is_refused && (is_user || may_include(name, separation.words())))) continue;
            blank(text, offset(token.text.data()), offset(token.text.data()) + token.text.size());
            const bool quoted = token.text.find('"') != std::string_view::npos;
            result.includes.push_back(
                {std::string(name), static_cast<std::uint32_t>(file), token.line, quoted});
        }
        result.changed = result.changed || text != given;
    }
    return result;
}

}  // namespace warplens::instrumentation::host_code
