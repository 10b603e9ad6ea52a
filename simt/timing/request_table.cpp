#include "simt/timing/request_table.h"

#include <algorithm>
#include <array>
#include <bit>

#include "analysis/memory/banks.h"
#include "analysis/memory/coalescing.h"
#include "analysis/memory/stored_request.h"

namespace warplens::simt {
namespace {

constexpr std::uint64_t bytes_of_sector = analysis::sector_bytes;

bool has_word(const Site& site, std::string_view word) {
    const std::size_t at = site.opcode.find(word);
    if (at == std::string::npos) return false;
    const std::size_t end = at + word.size();
    return end == site.opcode.size() || site.opcode[end] == '.';
}

/// PTX ISA, "Cache Operators": accesses that bypass L1, and those that must be visible to other threads
/// immediately. The last row is machine code's.
bool bypasses_l1(const Site& site) {
    constexpr std::array<std::string_view, 11> words{
        ".cg",         ".cv",         ".volatile", ".relaxed",  ".acquire", ".no_allocate",  //
        ".STRONG.GPU", ".STRONG.SYS", ".MMIO.GPU", ".MMIO.SYS", ".BYPASS"};
    return std::ranges::any_of(words, [&](std::string_view word) { return has_word(site, word); });
}

/// Threads' local memories are interleaved word by word, one range per warp, far from any device buffer.
std::uint64_t local_address(std::uint32_t warp_record, std::uint64_t offset, int lane) {
    constexpr std::uint64_t window = std::uint64_t{1} << 56;
    constexpr std::uint64_t warp_bytes = std::uint64_t{1} << 24;
    return window + warp_record * warp_bytes + offset / 4 * (4 * warp_size) +
           static_cast<std::uint64_t>(lane) * 4 + offset % 4;
}

/// Operations whose operands can be combined in any order before a single atomic updates memory.
bool can_combine(const Site& site) {
    constexpr std::array<std::string_view, 12> operations{".add", ".min", ".max", ".and", ".or", ".xor",
                                                          ".ADD", ".MIN", ".MAX", ".AND", ".OR", ".XOR"};
    return site.operation == Operation::atomic &&
           std::ranges::any_of(operations, [&](std::string_view word) { return has_word(site, word); });
}

/// "red.global.add.f32", "REDG.E.ADD.F64.RN.STRONG.GPU"
bool adds_reals(const Site& site) {
    constexpr std::array<std::string_view, 4> words{".add.f32", ".add.f64", ".ADD.F32", ".ADD.F64"};
    return site.operation == Operation::atomic && std::ranges::any_of(words, [&](std::string_view word) {
               return site.opcode.find(word) != std::string::npos;
           });
}

/// With lanes that are neighbours, requests that read other bytes of the same sectors would have sectors of
/// their own, and each would wait for them: of a thread that walks along a row, and of the members of a
/// structure. The first lane's place between two lanes distinguishes these requests.
std::uint16_t ideal_begin_of(const RequestCost& cost, std::uint64_t first_address, int lanes) {
    if (cost.ideal_sectors == 0 || cost.sectors < 2 * cost.ideal_sectors || lanes <= 0) return 0;
    const std::uint64_t parts = cost.sectors / cost.ideal_sectors;
    const std::uint64_t apart = std::max<std::uint64_t>(
        1, cost.sectors * bytes_of_sector / static_cast<std::uint64_t>(lanes));  // bytes
    const std::uint64_t part = first_address % bytes_of_sector % apart * parts / apart;
    return static_cast<std::uint16_t>(part * cost.ideal_sectors);
}

}  // namespace

RequestTable::RequestTable(const trace::Trace& trace, std::span<const std::uint32_t> warps)
    : trace_(&trace), first_cost_(trace.warps.size(), 0) {
    for (const Site& site : trace.program.sites) bypasses_l1_.push_back(bypasses_l1(site));
    std::size_t count = 0;
    for (const std::uint32_t warp : warps)
        count += trace.warps[warp].accesses_end - trace.warps[warp].accesses_begin;
    costs_.reserve(count);
    Updated updated;
    std::uint64_t block = 0;
    for (const std::uint32_t warp : warps) {
        if (trace.warps[warp].block != block) updated.clear();
        block = trace.warps[warp].block;
        first_cost_[warp] = costs_.size();
        for (std::uint64_t i = trace.warps[warp].accesses_begin; i < trace.warps[warp].accesses_end; ++i)
            add(warp, trace.accesses[i], i, updated);
    }
}

void RequestTable::add(std::uint32_t warp_record, const trace::AccessRecord& record, std::uint64_t index,
                       Updated& updated) {
    const analysis::StoredRequest request(*trace_, index);
    const trace::Access access = request.access();
    RequestCost cost;
    cost.space = record.space;
    cost.operation = request.operation;
    cost.bypasses_l1 = bypasses_l1_[record.site];
    cost.first_sector = sectors_.size();
    switch (record.space) {
        case Space::shared:
        case Space::shared_cluster: {
            const auto count = analysis::count_wavefronts(access);
            cost.wavefronts = static_cast<std::uint16_t>(count.wavefronts);
            cost.ideal_wavefronts = static_cast<std::uint16_t>(count.ideal_wavefronts);
            break;
        }
        case Space::constant:
        case Space::param: {
            const auto count = analysis::count_constant_wavefronts(access);
            cost.wavefronts = static_cast<std::uint16_t>(count.wavefronts);
            cost.ideal_wavefronts = 1;
            break;
        }
        case Space::local: {
            list_sectors(warp_record, record, request.addresses, request.bytes_per_lane);
            cost.sectors = static_cast<std::uint16_t>(sectors_.size() - cost.first_sector);
            cost.ideal_sectors =
                static_cast<std::uint16_t>(analysis::count_local_sectors(access).ideal_sectors);
            break;
        }
        default: {
            list_sectors(warp_record, record, request.addresses, request.bytes_per_lane);
            cost.sectors = static_cast<std::uint16_t>(sectors_.size() - cost.first_sector);
            cost.ideal_sectors = static_cast<std::uint16_t>(analysis::count_sectors(access).ideal_sectors);
            if (!record.mask.empty())
                cost.ideal_begin =
                    ideal_begin_of(cost, request.addresses[static_cast<std::size_t>(record.mask.lowest())],
                                   record.mask.count());
            // L1 has the same banks as shared memory.
            cost.wavefronts = static_cast<std::uint16_t>(analysis::count_wavefronts(access).wavefronts);
        }
    }
    if (cost.operation == Operation::atomic) {
        const analysis::AtomicRounds count = analysis::count_atomic_rounds(access);
        cost.rounds = static_cast<std::uint16_t>(count.rounds);
        cost.served = static_cast<std::uint16_t>(count.sectors);
        cost.combines = can_combine(trace_->program.sites[record.site]);
        cost.adds_reals = adds_reals(trace_->program.sites[record.site]);
    }
    if (cost.combines && record.space == Space::global) {
        constexpr std::uint64_t several = ~std::uint64_t{0};
        const std::uint64_t thread = record.mask.count() == 1
                                         ? std::uint64_t{warp_record} * warp_size +
                                               static_cast<std::uint64_t>(std::countr_zero(record.mask.bits))
                                         : several;
        for (std::size_t i = cost.first_sector; i < cost.first_sector + cost.sectors; ++i) {
            const SectorId sector = sectors_[i];
            const auto [found, is_first] = updated.try_emplace(sector, thread);
            if (is_first || (found->second == thread && thread != several)) sectors_.push_back(sector);
            else found->second = several;
        }
        cost.new_sectors = static_cast<std::uint16_t>(sectors_.size() - cost.first_sector - cost.sectors);
    }
    costs_.push_back(cost);
}

void RequestTable::list_sectors(std::uint32_t warp_record, const trace::AccessRecord& record,
                                const trace::Addresses& addresses, std::uint32_t bytes_per_lane) {
    const auto begin = static_cast<std::ptrdiff_t>(sectors_.size());
    for_each_lane(record.mask, [&](int lane) {
        const auto list = [&](std::uint64_t address, std::uint64_t bytes) {
            const std::uint64_t last = (address + bytes - 1) / bytes_of_sector;
            for (std::uint64_t sector = address / bytes_of_sector; sector <= last; ++sector) {
                if (static_cast<std::ptrdiff_t>(sectors_.size()) == begin || sectors_.back() != sector)
                    sectors_.push_back(sector);
            }
        };
        const auto lane_index = static_cast<std::size_t>(lane);
        if (record.space != Space::local) return list(addresses[lane_index], bytes_per_lane);
        for (std::uint64_t byte = 0; byte < bytes_per_lane; byte += 4)
            list(local_address(warp_record, addresses[lane_index] + byte, lane),
                 std::min<std::uint64_t>(4, bytes_per_lane - byte));
    });
    if (!std::is_sorted(sectors_.begin() + begin, sectors_.end()))
        std::sort(sectors_.begin() + begin, sectors_.end());
    sectors_.erase(std::unique(sectors_.begin() + begin, sectors_.end()), sectors_.end());
}

}  // namespace warplens::simt
