#include "app/pipeline/advice/constant_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/pipeline/advice/followed_launch.h"
#include "app/pipeline/advice/source_edits.h"
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
    const auto followed = follow_launch(*kernel, now.trace->program.entry, find_entries);
    if (!followed) return {};
    const catalog::EntryFacts& entry = followed->entry;
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
            if (launch_text(same, entry.name) != followed->text) {
                const std::string data = changed_data(*kernel, *then);
                if (data.empty()) continue;
                proposal.change.launch =
                    fmt::format("{} {} instead of {}", number.words, other, number.value);
                proposal.untried = fmt::format("changes {}, so results cannot be compared", data);
                proposals.push_back(std::move(proposal));
                break;  // the other numbers do the same
            }
            proposal.kernel =
                std::make_shared<catalog::KernelFile>(in_place_of(*kernel, *then, entry, *entry_then));
            if (!is_alone) proposal.change.condition = "tried with this kernel alone";
            proposal.change.launch = fmt::format("{} {} instead of {}", number.words, other, number.value);
            proposals.push_back(std::move(proposal));
        }
    }
    return proposals;
}

}  // namespace warplens::app
