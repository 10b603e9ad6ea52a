#include "analysis/report/merged_accesses.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace warplens::analysis {
namespace {

/// "[%rd3+12]" of a PTX instruction: "%rd3" and 12.
struct PtxAddress {
    std::string_view base;
    std::int64_t offset = 0;
};

std::optional<PtxAddress> address_of(std::string_view text) {
    const std::size_t open = text.find('['), close = text.find(']', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const std::size_t plus = inside.find('+');
    PtxAddress address{inside.substr(0, plus), 0};
    while (address.base.ends_with(' ')) address.base.remove_suffix(1);
    if (plus == std::string_view::npos) return address;
    std::string_view number = inside.substr(plus + 1);
    while (number.starts_with(' ')) number.remove_prefix(1);
    const auto read = std::from_chars(number.data(), number.data() + number.size(), address.offset);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size()) return std::nullopt;
    return address;
}

/// Whether the instruction may write the register: it is its first operand.
bool writes(const Site& site, std::string_view base) {
    const std::string_view text = site.text;
    const std::size_t opcode = text.find(site.opcode);
    if (opcode == std::string_view::npos || site.operation == Operation::store) return false;
    const std::string_view operands = text.substr(opcode + site.opcode.size());
    return operands.substr(0, operands.find_first_of(",;[")).find(base) != std::string_view::npos;
}

class Merges {
  public:
    Merges(const LaunchReport& ptx_report, const Program& ptx, const LaunchReport& machine_report,
           const Program& machine)
        : ptx_report_(ptx_report), ptx_(ptx), machine_report_(machine_report), machine_(machine) {
        for (SiteId id = 0; id < ptx.sites.size(); ++id)
            if (ptx.sites[id].kind == SiteKind::memory && ptx.sites[id].ptx_line != 0)
                by_line_.emplace(ptx.sites[id].ptx_line, id);
        for (SiteId id = 0; id < machine.sites.size(); ++id)
            if (const auto origin = origin_of(machine.sites[id])) copies_[*origin].push_back(id);
    }

    std::vector<MergedAccess> run() const {
        std::vector<MergedAccess> all;
        for (const auto& [origin, copies] : copies_) {
            const Site& narrow = ptx_.sites[origin];
            for (const SiteId id : copies) {
                const std::uint32_t wide = machine_.sites[id].bytes_per_lane;
                if (wide <= narrow.bytes_per_lane || wide % narrow.bytes_per_lane != 0) continue;
                MergedAccess merged{id, neighbours(origin, wide / narrow.bytes_per_lane), 1};
                if (merged.ptx.empty()) {
                    merged.ptx = {origin};
                    merged.executions = wide / narrow.bytes_per_lane;
                }
                if (requests_agree(merged.ptx)) all.push_back(std::move(merged));
            }
        }
        std::ranges::sort(all, {}, &MergedAccess::machine);
        return all;
    }

  private:
    /// The PTX access that the machine instruction was made of, by the line table.
    std::optional<SiteId> origin_of(const Site& machine) const {
        if (machine.kind != SiteKind::memory) return std::nullopt;
        const auto found = by_line_.find(machine.ptx_line);
        if (found == by_line_.end()) return std::nullopt;
        const Site& ptx = ptx_.sites[found->second];
        const bool same = ptx.operation == machine.operation && ptx.bytes_per_lane > 0 &&
                          (ptx.space == machine.space || ptx.space == Space::none);
        const bool plain = ptx.operation == Operation::load || ptx.operation == Operation::store;
        return same && plain ? std::optional(found->second) : std::nullopt;
    }

    /// `count` accesses of the same basic block to consecutive addresses from one base register, `origin`
    /// among them. Empty: there are none.
    std::vector<SiteId> neighbours(SiteId origin, std::uint32_t count) const {
        const Site& at = ptx_.sites[origin];
        const auto address = address_of(at.text);
        if (!address) return {};
        std::map<std::int64_t, SiteId> by_offset;
        const BasicBlock& block = ptx_.basic_blocks[at.basic_block];
        for (SiteId id = block.first_site; id < block.first_site + block.site_count; ++id) {
            const Site& site = ptx_.sites[id];
            if (site.kind == SiteKind::memory && site.opcode == at.opcode) {
                const auto other = address_of(site.text);
                if (other && other->base == address->base) by_offset.emplace(other->offset, id);
            }
            // A base that is written within the block is another one afterwards.
            if (writes(site, address->base)) {
                if (id >= origin) break;
                by_offset.clear();
            }
        }
        return run_with(by_offset, address->offset, at.bytes_per_lane, count);
    }

    /// Of the consecutive offsets that begin with the lowest, in groups of `count`, the one with `offset`.
    static std::vector<SiteId> run_with(const std::map<std::int64_t, SiteId>& by_offset, std::int64_t offset,
                                        std::int64_t step, std::uint32_t count) {
        std::int64_t first = offset;
        while (by_offset.contains(first - step)) first -= step;
        first += (offset - first) / (step * count) * step * count;
        std::vector<SiteId> run;
        for (std::uint32_t i = 0; i < count; ++i)
            if (const auto at = by_offset.find(first + step * i); at != by_offset.end())
                run.push_back(at->second);
        return run.size() == count ? run : std::vector<SiteId>{};
    }

    /// The lanes' bytes of the PTX accesses are those of all machine instructions made of them.
    bool requests_agree(const std::vector<SiteId>& ptx) const {
        std::uint64_t ptx_bytes = 0, machine_bytes = 0;
        for (const SiteId id : ptx) {
            ptx_bytes += ptx_report_.sites[id].access.requests * ptx_.sites[id].bytes_per_lane;
            if (const auto copies = copies_.find(id); copies != copies_.end())
                for (const SiteId copy : copies->second)
                    machine_bytes +=
                        machine_report_.sites[copy].access.requests * machine_.sites[copy].bytes_per_lane;
        }
        return ptx_bytes > 0 && ptx_bytes == machine_bytes;
    }

    const LaunchReport& ptx_report_;
    const Program& ptx_;
    const LaunchReport& machine_report_;
    const Program& machine_;
    std::map<std::uint32_t, SiteId> by_line_;       // PTX accesses by their line
    std::map<SiteId, std::vector<SiteId>> copies_;  // machine instructions by the PTX access they are made of
};

}  // namespace

std::vector<MergedAccess> merged_accesses(const LaunchReport& ptx_report, const Program& ptx,
                                          const LaunchReport& machine_report, const Program& machine) {
    return Merges(ptx_report, ptx, machine_report, machine).run();
}

std::string merge_words(const MergedAccess& merged, const Program& machine) {
    const Site& site = machine.sites[merged.machine];
    const char* noun = site.operation == Operation::store ? "store" : "load";
    if (merged.ptx.size() == 1)
        return fmt::format("{} executions of 1 PTX {} → 1 {}", merged.executions, noun, site.opcode);
    return fmt::format("{} PTX {}s → 1 {}", merged.ptx.size(), noun, site.opcode);
}

}  // namespace warplens::analysis
