#include "ptx/function_names.h"

#include <fmt/format.h>

#include <utility>

namespace warplens::ptx {

namespace {

constexpr std::size_t body_depth = 2;  // scopes open in a body: its own and that of the parameters
// Bounds the search for collisions below; a function declares its ranges first, when it has few other names.
constexpr std::size_t most_entries_for_ranges = 1000;
constexpr std::size_t most_ranges = 1000;

struct NumberedName {
    std::string_view prefix;
    std::string_view number;
};

/// "%r12" -> "%r" and "12"
NumberedName split_number(std::string_view name) {
    std::size_t digits = name.size();
    while (digits > 0 && is_digit(name[digits - 1])) --digits;
    return {name.substr(0, digits), name.substr(digits)};
}

}  // namespace

std::optional<std::uint32_t> FunctionNames::register_in_range(std::string_view name) const {
    const auto [prefix, number] = split_number(name);
    if (number.empty() || number.size() > 10 || (number.front() == '0' && number.size() > 1))
        return std::nullopt;
    const auto range = ranges_.find(prefix);
    if (range == ranges_.end()) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : number) value = value * 10 + static_cast<std::uint64_t>(c - '0');
    if (value >= range->second.count) return std::nullopt;
    return range->second.first_register + static_cast<std::uint32_t>(value);
}

bool FunctionNames::is_taken(std::string_view name, const Entry& entry) const {
    return entry.is_taken || module_names_.contains(name) || register_in_range(name);
}

bool FunctionNames::declare_range(std::string_view prefix, std::uint64_t count,
                                  std::uint32_t first_register) {
    if (depth() != body_depth || module_names_.has_register_like() || prefix.front() != '%' ||
        is_digit(prefix.back()))
        return false;
    if (entries_.size() > most_entries_for_ranges || ranges_.size() > most_ranges || ranges_.contains(prefix))
        return false;
    const auto collides = [&](std::string_view name) { return split_number(name).prefix == prefix; };
    for (const auto& [name, entry] : entries_)
        if (collides(name)) return false;
    ranges_.emplace(prefix, Range{count, first_register});
    return true;
}

std::string FunctionNames::make_unique(std::string_view name, Entry& entry, Holder holder) {
    const bool is_declaration = holder == Holder::declaration;
    const auto takes = [&](std::string_view candidate, Entry& wanted) {
        if (is_taken(candidate, wanted) || (is_declaration && wanted.is_reserved)) return false;
        wanted.is_taken = true;
        wanted.is_declared = is_declaration;
        return true;
    };
    if (takes(name, entry)) return std::string(name);
    while (true) {
        std::string candidate = fmt::format("{}${}", name, entry.next_suffix++);
        if (takes(candidate, entries_[candidate])) return candidate;
    }
}

bool FunctionNames::reserve(std::string_view name) {
    Entry& entry = entries_[std::string(name)];
    entry.is_reserved = true;
    return !entry.is_declared;
}

std::string FunctionNames::declare(std::string_view name, Kind kind, std::uint32_t register_index) {
    Entry& entry = entries_[std::string(name)];
    if (entry.binding >= 0) {
        if (bindings_[static_cast<std::size_t>(entry.binding)].scope_depth == depth()) return {};
    } else if (depth() == body_depth && register_in_range(name)) {
        return {};
    }
    scopes_.back().hidden.push_back({&entry, entry.binding});
    std::string unique_name = make_unique(name, entry, Holder::declaration);
    entry.binding = static_cast<std::int32_t>(bindings_.size());
    bindings_.push_back({kind, register_index, unique_name, depth()});
    return unique_name;
}

std::optional<FunctionNames::Meaning> FunctionNames::find(std::string_view name) const {
    if (const auto entry = entries_.find(name); entry != entries_.end() && entry->second.binding >= 0) {
        const Binding& binding = bindings_[static_cast<std::size_t>(entry->second.binding)];
        return Meaning{binding.kind, binding.register_index, binding.unique_name};
    }
    if (const auto index = register_in_range(name)) return Meaning{Kind::reg, *index, {}};
    return std::nullopt;
}

std::string FunctionNames::declare_label(std::string_view name) {
    if (scopes_.back().labels.contains(name)) return {};
    std::string unique_name = make_unique(name, entries_[std::string(name)], Holder::label);
    scopes_.back().labels.emplace(name, unique_name);
    return unique_name;
}

std::vector<FunctionNames::ResolvedLabel> FunctionNames::close_scope() {
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    for (auto hidden = scope.hidden.rbegin(); hidden != scope.hidden.rend(); ++hidden)
        hidden->entry->binding = hidden->binding;

    std::vector<ResolvedLabel> resolved;
    std::vector<LabelReference>& outer = scopes_.empty() ? unresolved_ : scopes_.back().references;
    for (const LabelReference& reference : scope.references) {
        const auto label = scope.labels.find(reference.where.text);
        if (label == scope.labels.end()) outer.push_back(reference);
        else resolved.push_back({reference, label->second});
    }
    return resolved;
}

}  // namespace warplens::ptx
