#include "app/pipeline/advice/followed_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/symbol_name.h"
#include "instrumentation/catalog/header_text.h"

namespace warplens::app {

namespace catalog = instrumentation;

std::optional<FollowedLaunch> follow_launch(const catalog::KernelFile& kernel, const std::string& symbol,
                                            const FindEntries& find_entries) {
    const auto read = catalog::read_kernel_file(kernel.path, kernel.source);
    if (!read || read->has_header || read->language != catalog::Language::cuda) return std::nullopt;
    const auto entries = find_entries(kernel);
    if (!entries) return std::nullopt;
    const auto found = std::ranges::find(*entries, symbol, &catalog::EntryFacts::symbol);
    if (found == entries->end()) return std::nullopt;
    const auto launched = launched_by_host(kernel, *found);
    std::string text = launch_text(kernel, found->name);
    if (!launched || launch_text(*launched, found->name) != text) return std::nullopt;
    return FollowedLaunch{*found, std::move(text)};
}

std::optional<catalog::EntryFacts> entry_in(const catalog::KernelFile& kernel,
                                            const catalog::EntryFacts& entry,
                                            const FindEntries& find_entries) {
    if (entry.name.find('<') == std::string::npos) return entry;
    catalog::KernelFile asked = kernel;
    asked.entry.clear();
    const auto found = find_entries(asked);
    if (!found) return std::nullopt;
    std::vector<catalog::EntryFacts> instances;
    for (const catalog::EntryFacts& other : *found)
        if (plain_name(other.symbol) == plain_name(entry.symbol)) instances.push_back(other);
    const auto code = catalog::host_code_of(asked, instances);
    const catalog::EntryFacts* const launched = catalog::longest_launched(code, instances);
    return launched ? std::optional(*launched) : std::nullopt;
}

std::optional<catalog::KernelFile> launched_by_host(const catalog::KernelFile& kernel,
                                                    const catalog::EntryFacts& entry) {
    auto bare = catalog::read_kernel_file(kernel.path, kernel.source);
    if (!bare || bare->has_header) return std::nullopt;
    bare->include_paths = kernel.include_paths;
    bare->defines = kernel.defines;
    bare->entry = kernel.entry;
    bare->dynamic_shared_bytes.clear();  // else it were given, and not the host code's
    const catalog::LaunchDraft draft = catalog::draft_of(*bare, entry);
    if (draft.from.empty() || !catalog::check_draft(draft).empty()) return std::nullopt;
    auto launched = catalog::with_launch(*bare, draft);
    launched.note = kernel.note;
    return launched;
}

std::string launch_text(catalog::KernelFile kernel, const std::string& entry) {
    kernel.name = kernel.entry = entry;
    kernel.title.clear();
    kernel.views.clear();
    kernel.golden.clear();
    return catalog::header_text(kernel);
}

std::string changed_data(const catalog::KernelFile& before, const catalog::KernelFile& after) {
    if (before.buffers.size() != after.buffers.size()) return "which buffers there are";
    for (std::size_t i = 0; i < before.buffers.size(); ++i) {
        const auto &one = before.buffers[i], &other = after.buffers[i];
        if (one.length != other.length) return fmt::format("the length of `{}`", one.name);
        if (one.fill != other.fill || one.fill_argument != other.fill_argument)
            return fmt::format("the contents of `{}`", one.name);
    }
    for (std::size_t i = 0; i < std::min(before.parameters.size(), after.parameters.size()); ++i)
        if (before.parameters[i].fallback != after.parameters[i].fallback)
            return fmt::format("the argument `{}`", before.parameters[i].name);
    return before.arguments == after.arguments ? "" : "the arguments";
}

catalog::KernelFile in_place_of(const catalog::KernelFile& kernel, catalog::KernelFile then,
                                const catalog::EntryFacts& entry, const catalog::EntryFacts& entry_then) {
    then.name = kernel.name;
    for (std::size_t i = 0; i < then.buffers.size() && i < kernel.buffers.size(); ++i)
        then.buffers[i].written = kernel.buffers[i].written;
    then.entry = entry_then.symbol == entry.symbol ? kernel.entry : entry_then.symbol;
    return then;
}

std::optional<Proposal> with_followed_launch(const std::shared_ptr<const catalog::KernelFile>& kernel,
                                             const std::string& symbol, Proposal changed,
                                             const FindEntries& find_entries, std::string words) {
    const auto followed = follow_launch(*kernel, symbol, find_entries);
    const auto entry = followed ? entry_in(*changed.kernel, followed->entry, find_entries) : std::nullopt;
    const auto then = entry ? launched_by_host(*changed.kernel, *entry) : std::nullopt;
    if (!then || then->block != kernel->block || then->grid == kernel->grid) return std::nullopt;
    catalog::KernelFile same = *then;
    same.grid = kernel->grid;
    same.dynamic_shared_bytes = kernel->dynamic_shared_bytes;
    if (launch_text(same, followed->entry.name) != followed->text) return std::nullopt;
    changed.kernel =
        std::make_shared<catalog::KernelFile>(in_place_of(*kernel, *then, followed->entry, *entry));
    changed.change.launch = std::move(words);
    return changed;
}

}  // namespace warplens::app
