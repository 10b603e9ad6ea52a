#include "ptx/function_names.h"

#include <fmt/format.h>

#include <utility>

namespace warplens::ptx {

std::string FunctionNames::make_unique(std::string_view name, Entry& entry) {
    if (!entry.is_taken && !module_names_.contains(name)) {
        entry.is_taken = true;
        return std::string(name);
    }
    while (true) {
        std::string candidate = fmt::format("{}${}", name, entry.next_suffix++);
        Entry& other = entries_[candidate];
        if (other.is_taken || module_names_.contains(candidate)) continue;
        other.is_taken = true;
        return candidate;
    }
}

const FunctionNames::Binding* FunctionNames::declare(std::string_view name, Kind kind,
                                                     std::uint32_t register_index) {
    Entry& entry = entries_[std::string(name)];
    if (entry.binding >= 0 && bindings_[static_cast<std::size_t>(entry.binding)].scope_depth == depth())
        return nullptr;
    scopes_.back().hidden.push_back({&entry, entry.binding});
    std::string unique_name = make_unique(name, entry);
    entry.binding = static_cast<std::int32_t>(bindings_.size());
    bindings_.push_back({kind, register_index, std::move(unique_name), depth()});
    return &bindings_.back();
}

const FunctionNames::Binding* FunctionNames::find(std::string_view name) const {
    const auto entry = entries_.find(name);
    if (entry == entries_.end() || entry->second.binding < 0) return nullptr;
    return &bindings_[static_cast<std::size_t>(entry->second.binding)];
}

std::string FunctionNames::declare_label(std::string_view name) {
    if (scopes_.back().labels.contains(name)) return {};
    std::string unique_name = make_unique(name, entries_[std::string(name)]);
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
