#include "app/views/banks/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/memory/element_name.h"
#include "analysis/memory/stored_request.h"
#include "app/ui/number.h"
#include "trace/query.h"

namespace warplens::app {

BankRequest bank_request(const trace::Trace& trace, std::uint64_t access) {
    BankRequest request;
    const analysis::StoredRequest stored(trace, access);
    request.addresses = stored.addresses;
    const trace::Access described = stored.access();
    request.lanes = described.mask;
    request.operation = described.operation;
    request.bytes_per_lane = described.bytes_per_lane;
    request.detail = analysis::detail_banks(described);
    request.words_per_lane = std::max(
        1, static_cast<int>((described.bytes_per_lane + analysis::bank_bytes - 1) / analysis::bank_bytes));
    for (std::uint32_t words : request.detail.words) {
        request.banks_used += words > 0;
        request.most_words = std::max(request.most_words, words);
    }
    // A group's wavefronts follow those of the previous groups; within a group each bank serves its words in
    // the order in which the lanes ask for them, as detail_banks counts.
    std::uint32_t first_wavefront = 0;
    for (std::uint32_t group = 0; group < request.detail.groups.size(); ++group) {
        const std::size_t begin = request.tokens.size();
        std::array<std::uint32_t, analysis::bank_count> given{};
        for_each_lane(request.detail.groups[group], [&](int lane) {
            const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
            const std::uint64_t last = (address + described.bytes_per_lane - 1) / analysis::bank_bytes;
            for (std::uint64_t word = address / analysis::bank_bytes; word <= last; ++word) {
                const auto same = std::find_if(request.tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                                               request.tokens.end(),
                                               [&](const BankToken& token) { return token.word == word; });
                if (same != request.tokens.end()) {
                    same->lanes.bits |= 1u << lane;
                    continue;
                }
                const auto bank = static_cast<std::size_t>(word % analysis::bank_count);
                request.tokens.push_back(
                    {static_cast<int>(bank), first_wavefront + given[bank]++, word, LaneMask{1u << lane}});
            }
        });
        const std::uint32_t wavefronts = *std::max_element(given.begin(), given.end());
        request.group_of.insert(request.group_of.end(), wavefronts, group);
        first_wavefront += wavefronts;
    }
    return request;
}

std::string bank_arithmetic(const BankRequest& request, const analysis::SharedLayout& layout, int lane) {
    if (lane < 0 || lane >= warp_size || !request.lanes.has(lane))
        return fmt::format("lane {} is inactive in this request", lane);
    const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
    const std::uint64_t word = address / analysis::bank_bytes;
    const char* does = request.operation == Operation::load    ? "reads"
                       : request.operation == Operation::store ? "writes"
                                                               : "updates";
    std::string where, how;
    if (!layout.cells.empty() && address >= layout.base && layout.cell_bytes > 0) {
        const std::uint64_t offset = address - layout.begin;
        if (layout.pitch_known && layout.pitch_bytes > 0) {
            const std::uint64_t row = offset / layout.pitch_bytes;
            const std::uint64_t column = offset % layout.pitch_bytes / layout.cell_bytes;
            where = fmt::format("{}[{}][{}]", layout.variable, row, column);
            if (layout.cell_bytes == 4 && layout.pitch_bytes % 4 == 0) {
                const std::string base =
                    layout.begin ? fmt::format("{} + ", layout.begin / 4) : std::string();
                how = fmt::format("{}{} × {} + {} = ", base, row, layout.pitch_bytes / 4, column);
            }
        } else {
            where = fmt::format("{}[{}]", layout.variable, offset / layout.cell_bytes);
        }
        if (!layout.extents.empty())
            where = analysis::element_words(layout.variable, layout.extents, layout.element_bytes, offset);
    } else {
        where = fmt::format("byte {}", grouped(address));
    }
    if (how.empty() && word * 4 == address) how = fmt::format("{} / 4 = ", address);
    else if (how.empty()) how = fmt::format("{} div 4 = ", address);
    std::string text = fmt::format("lane {} {} {}: word {}{}", lane, does, where, how, word);
    const std::uint64_t bank = word % analysis::bank_count;
    if (request.words_per_lane == 1) text += fmt::format(" · bank = {} mod 32 = {}", word, bank);
    else
        text += fmt::format(
            " · banks {} mod 32 = {} to {}", word, bank,
            (bank + static_cast<std::uint64_t>(request.words_per_lane) - 1) % analysis::bank_count);
    for (std::size_t wavefront = 0; wavefront < request.detail.wavefronts.size(); ++wavefront) {
        if (!request.detail.wavefronts[wavefront].has(lane)) continue;
        if (request.wavefronts() > 1)
            text += fmt::format(" · wavefront {} of {}", wavefront + 1, request.wavefronts());
        break;
    }
    return text;
}

std::string bank_pattern(const BankRequest& request) {
    std::string text = "bank = word mod 32";
    int shown = 0;
    for_each_lane(request.lanes, [&](int lane) {
        if (++shown > 3) return;
        const std::uint64_t word = request.addresses[static_cast<std::size_t>(lane)] / analysis::bank_bytes;
        text += fmt::format(" · lane {}: {} mod 32 = {}", lane, word, word % analysis::bank_count);
    });
    if (request.lanes.count() > 3) text += " · …";
    return text;
}

std::string bank_sentence(const BankRequest& request) {
    const int lanes = request.lanes.count();
    const std::uint32_t wavefronts = request.wavefronts();
    if (!request.costly()) {
        if (wavefronts > 1)
            return fmt::format(
                "{} bytes per lane exceed one wavefront: the request takes {} wavefronts, and no bank "
                "conflicts.",
                request.bytes_per_lane, wavefronts);
        if (lanes == 1) return "One lane, one wavefront.";
        if (request.tokens.size() == 1)
            return fmt::format(
                "All {} lanes read the same word: the bank serves them all at once with a "
                "broadcast.",
                lanes);
        if (static_cast<int>(request.tokens.size()) < lanes * request.words_per_lane)
            return fmt::format(
                "No two different words are in the same bank, so one wavefront serves all {} lanes; "
                "lanes that access the same word share it.",
                lanes);
        return fmt::format(
            "No two different words are in the same bank, so one wavefront serves all {} lanes.", lanes);
    }
    int busiest = 0, first = -1;
    for (int bank = 0; bank < analysis::bank_count; ++bank) {
        if (request.detail.words[static_cast<std::size_t>(bank)] != request.most_words) continue;
        ++busiest;
        if (first < 0) first = bank;
    }
    const int idle = analysis::bank_count - request.banks_used;
    std::string text = "A bank serves one word per wavefront. ";
    text += busiest == 1 ? fmt::format("Bank {} must serve {} words", first, request.most_words)
                         : fmt::format("{} banks must serve {} words each", busiest, request.most_words);
    text += fmt::format(": {} wavefronts", wavefronts);
    if (idle > 0)
        text += fmt::format(", while {} {} idle", idle == 1 ? "1 bank" : fmt::format("{} banks", idle),
                            idle == 1 ? "is" : "are");
    return text + ".";
}

}  // namespace warplens::app
