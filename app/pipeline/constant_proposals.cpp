#include "app/pipeline/constant_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/pipeline/source_edits.h"
#include "core/lane_mask.h"
#include "core/number_text.h"
#include "core/symbol_name.h"
#include "instrumentation/catalog/header_text.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/host_code/launch_numbers.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;

using catalog::host_code::NamedNumber;
using Kernel = std::shared_ptr<const catalog::KernelFile>;

constexpr std::uint64_t least_threads = 64, most_threads = 1024;
/// Each is a text whose host code is followed.
constexpr std::size_t most_names = 4;

/// A number of the text from which a block may be made, wherever it stands.
struct BlockNumber {
    std::string words;  // "`BLOCK`", "the launch in line 54 with"
    std::uint64_t value = 0;
    std::vector<NamedNumber> places;  // of the number, and of one less where that rounds up

    std::vector<Insertion> changed_to(std::uint64_t other) const {
        std::vector<Insertion> changes;
        for (const NamedNumber& place : places)
            changes.push_back(
                {place.offset, place.line, std::to_string(other - (value - place.value)), place.digits});
        return changes;
    }
};

std::vector<BlockNumber> block_numbers(const std::string& source) {
    std::vector<BlockNumber> numbers;
    std::vector<NamedNumber> named = catalog::host_code::named_numbers(source);
    for (const auto& launch : catalog::host_code::launch_numbers(source)) {
        const auto is_here = [&](const NamedNumber& number) {
            return std::ranges::find(launch.places, number.offset, &NamedNumber::offset) !=
                   launch.places.end();
        };
        // A name says more than a line, where it is all that changes.
        if (launch.places.size() == 1 && std::ranges::any_of(named, is_here)) continue;
        std::erase_if(named, is_here);
        numbers.push_back(
            {fmt::format("the launch in line {} with{}", launch.line, launch.along_x ? " blockDim.x" : ""),
             launch.value, launch.places});
    }
    for (const NamedNumber& number : named)
        numbers.push_back({"`" + number.name + "`", number.value, {number}});
    return numbers;
}

/// The kernel in a file whose text was changed: of a template the instance that the host code launches now.
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

/// The file with the launch that its own host code makes; nothing where it makes none, or one that cannot be.
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

/// Grid, block, arguments and buffers as text, to compare two launches.
std::string launch_text(catalog::KernelFile kernel, const std::string& entry) {
    kernel.name = kernel.entry = entry;
    kernel.title.clear();
    kernel.views.clear();
    kernel.golden.clear();
    return catalog::header_text(kernel);
}

/// Which argument or buffer of one launch is another in the other; empty: none.
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

/// Of a block in numbers.
std::optional<std::uint64_t> threads_of(const catalog::KernelFile& kernel) {
    std::uint64_t threads = 1;
    for (const std::string& extent : kernel.block) {
        const auto number = number_from<std::uint32_t>(extent);
        if (!number || *number > most_threads) return std::nullopt;
        threads *= *number;
    }
    return threads;
}

}  // namespace

std::vector<Proposal> proposed_constants(const Kernel& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now, const FindEntries& find_entries) {
    const auto read = catalog::read_kernel_file(kernel->path, kernel->source);
    if (!read || read->has_header || read->language != catalog::Language::cuda) return {};
    const auto entries = find_entries(*kernel);
    if (!entries) return {};
    const auto found = std::ranges::find(*entries, now.trace->program.entry, &catalog::EntryFacts::symbol);
    if (found == entries->end()) return {};
    const catalog::EntryFacts& entry = *found;
    const auto launched = launched_by_host(*kernel, entry);
    const std::string text = launch_text(*kernel, entry.name);
    if (!launched || launch_text(*launched, entry.name) != text) return {};
    const Dim3 block = now.trace->launch.geometry.block;
    const auto threads = static_cast<std::uint64_t>(block.x) * static_cast<std::uint64_t>(block.y) *
                         static_cast<std::uint64_t>(block.z);
    const auto code = catalog::host_code_of(*kernel);
    const std::string name = plain_name(entry.symbol);
    const bool is_alone = std::ranges::all_of(
        code.launches, [&](const auto& launch) { return plain_name(launch.kernel) == name; });
    std::vector<Proposal> proposals;
    std::size_t names = 0;
    for (const BlockNumber& number : block_numbers(kernel->source)) {
        if (number.value < 2 || threads % number.value != 0) continue;
        if (++names > most_names) break;
        for (const std::uint64_t other :
             {number.value * 2, number.value / 2, number.value * 4, number.value / 4, number.value * 8}) {
            if (other < 1) continue;
            Proposal proposal =
                with_changed_lines(kernel, overrides, edits_of(kernel->source, number.changed_to(other)),
                                   fmt::format("{} {}", number.words, other));
            const auto entry_then = entry_in(*proposal.kernel, entry, find_entries);
            const auto then = entry_then ? launched_by_host(*proposal.kernel, *entry_then) : std::nullopt;
            if (!then) continue;                      // such a block cannot be launched
            if (then->block == kernel->block) break;  // it is not what the block is made of
            catalog::KernelFile same = *then;
            same.grid = kernel->grid;
            same.block = kernel->block;
            same.dynamic_shared_bytes = kernel->dynamic_shared_bytes;
            const auto changed_threads = threads_of(*then);
            if (!changed_threads || *changed_threads < least_threads || *changed_threads > most_threads ||
                *changed_threads % static_cast<std::uint64_t>(warp_size) != 0)
                continue;
            if (launch_text(same, entry.name) != text) {
                const std::string data = changed_data(*kernel, *then);
                if (data.empty()) continue;
                proposal.change.launch =
                    fmt::format("{} {} instead of {}", number.words, other, number.value);
                proposal.untried = fmt::format("changes {}, so results cannot be compared", data);
                proposals.push_back(std::move(proposal));
                break;  // the other numbers do the same
            }
            auto changed = std::make_shared<catalog::KernelFile>(*then);
            changed->name = kernel->name;
            // What earlier launches leave stays as it is: this launch is compared alone.
            for (std::size_t i = 0; i < changed->buffers.size() && i < kernel->buffers.size(); ++i)
                changed->buffers[i].written = kernel->buffers[i].written;
            changed->entry = entry_then->symbol == entry.symbol ? kernel->entry : entry_then->symbol;
            proposal.kernel = std::move(changed);
            if (!is_alone) proposal.change.condition = "tried with this kernel alone";
            proposal.change.launch = fmt::format("{} {} instead of {}", number.words, other, number.value);
            proposals.push_back(std::move(proposal));
        }
    }
    return proposals;
}

}  // namespace warplens::app
