#include "analysis/coalescing.h"

#include <algorithm>

namespace warplens::analysis {
namespace {

/// Bytes [first, first + count) of a sector; count at least 1.
constexpr std::uint32_t byte_bits(std::uint32_t first, std::uint32_t count) {
    const std::uint32_t ones = count >= sector_bytes ? ~0u : (1u << count) - 1u;
    return ones << first;
}

/// Cuts one lane's bytes at sector borders: visit(sector number, byte mask).
template <class Visit>
void for_each_piece(std::uint64_t address, std::uint32_t bytes, Visit&& visit) {
    while (bytes > 0) {
        const auto first = static_cast<std::uint32_t>(address % sector_bytes);
        const std::uint32_t count = std::min(bytes, sector_bytes - first);
        visit(address / sector_bytes, byte_bits(first, count));
        address += count;
        bytes -= count;
    }
}

/// Sectors met so far, in a small open-addressing table that must hold more slots than sectors can come.
template <int slot_bits>
class SectorTable {
  public:
    void add(std::uint64_t sector, std::uint32_t bytes) {
        auto slot = static_cast<std::uint32_t>(sector * 0x9e3779b97f4a7c15u >> (64 - slot_bits));
        while (bytes_[slot] != 0 && sector_[slot] != sector) slot = (slot + 1) % slot_count;
        if (bytes_[slot] == 0) {
            sector_[slot] = sector;
            ++sectors;
        }
        bytes_[slot] |= bytes;
    }
    std::uint32_t used_bytes() const {
        std::uint32_t sum = 0;
        for (const std::uint32_t bytes : bytes_) sum += static_cast<std::uint32_t>(std::popcount(bytes));
        return sum;
    }
    std::uint32_t sectors = 0;

  private:
    static constexpr std::uint32_t slot_count = 1u << slot_bits;
    std::array<std::uint32_t, slot_count> bytes_{};  // 0: free, since every piece has a byte
    std::array<std::uint64_t, slot_count> sector_;   // read only where bytes_ is set
};

SectorCount with_ideal(const trace::Access& access, std::uint32_t sectors, std::uint32_t used_bytes) {
    const std::uint32_t lane_bytes = static_cast<std::uint32_t>(access.mask.count()) * access.bytes_per_lane;
    const std::uint32_t packed = (lane_bytes + sector_bytes - 1) / sector_bytes;
    return {sectors, std::min(sectors, packed), used_bytes};
}

/// Sectors whose numbers never fall from lane to lane need no table: a sector ends when the next begins.
/// Returns false at the first one that falls.
bool count_ascending(const trace::Access& access, std::uint32_t& sectors, std::uint32_t& used_bytes) {
    std::uint64_t current = 0;
    std::uint32_t bytes = 0;
    bool ascending = true;
    sectors = used_bytes = 0;
    for (std::uint32_t rest = access.mask.bits; rest != 0 && ascending; rest &= rest - 1) {
        const std::uint64_t address = (*access.addresses)[static_cast<std::size_t>(std::countr_zero(rest))];
        for_each_piece(address, access.bytes_per_lane, [&](std::uint64_t sector, std::uint32_t piece) {
            if (sector == current && bytes != 0) {
                bytes |= piece;
                return;
            }
            if (sector < current) ascending = false;
            used_bytes += static_cast<std::uint32_t>(std::popcount(bytes));
            current = sector;
            bytes = piece;
            ++sectors;
        });
    }
    used_bytes += static_cast<std::uint32_t>(std::popcount(bytes));
    return ascending;
}

/// All 32 lanes side by side, the commonest request of all.
bool is_contiguous(const trace::Access& access) {
    if (!access.mask.full()) return false;
    const std::uint64_t base = access.addresses->front();
    std::uint64_t difference = 0;
    for (std::uint64_t lane = 0; lane < warp_size; ++lane)
        difference |= (*access.addresses)[lane] - (base + lane * access.bytes_per_lane);
    return difference == 0;
}

}  // namespace

SectorCount count_sectors(const trace::Access& access) {
    if (access.mask.empty() || access.bytes_per_lane == 0) return {};
    if (is_contiguous(access)) {
        const std::uint64_t first = access.addresses->front();
        const std::uint32_t bytes = warp_size * access.bytes_per_lane;
        const auto sectors =
            static_cast<std::uint32_t>((first + bytes - 1) / sector_bytes - first / sector_bytes + 1);
        return with_ideal(access, sectors, bytes);
    }
    std::uint32_t sectors = 0;
    std::uint32_t used_bytes = 0;
    if (count_ascending(access, sectors, used_bytes)) return with_ideal(access, sectors, used_bytes);
    if (access.bytes_per_lane > sector_bytes) return detail_sectors(access).count;
    SectorTable<7> table;  // 32 lanes of up to 32 bytes make at most 64 pieces
    for_each_lane(access.mask, [&](int lane) {
        for_each_piece((*access.addresses)[static_cast<std::size_t>(lane)], access.bytes_per_lane,
                       [&](std::uint64_t sector, std::uint32_t bytes) { table.add(sector, bytes); });
    });
    return with_ideal(access, table.sectors, table.used_bytes());
}

SectorCount count_local_sectors(const trace::Access& access) {
    if (access.mask.empty() || access.bytes_per_lane == 0) return {};
    constexpr std::uint32_t word_bytes = 4;
    SectorTable<10> table;  // 32 lanes of up to 32 bytes, cut into words: at most 288
    for_each_lane(access.mask, [&](int lane) {
        std::uint64_t offset = (*access.addresses)[static_cast<std::size_t>(lane)];
        std::uint32_t rest = access.bytes_per_lane;
        while (rest > 0) {
            const auto in_word = static_cast<std::uint32_t>(offset % word_bytes);
            const std::uint32_t count = std::min(rest, word_bytes - in_word);
            const std::uint64_t address = offset / word_bytes * warp_size * word_bytes +
                                          static_cast<std::uint64_t>(lane) * word_bytes + in_word;
            table.add(address / sector_bytes,
                      byte_bits(static_cast<std::uint32_t>(address % sector_bytes), count));
            offset += count;
            rest -= count;
        }
    });
    return with_ideal(access, table.sectors, table.used_bytes());
}

AtomicTurns count_atomic_turns(const trace::Access& access) {
    std::array<std::uint32_t, warp_size> lanes_of_turn{};
    AtomicTurns result;
    for (std::uint32_t rest = access.mask.bits; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        std::uint32_t turn = 0;
        for_each_lane(access.mask & LaneMask::first(lane), [&](int earlier) {
            turn += (*access.addresses)[static_cast<std::size_t>(earlier)] ==
                    (*access.addresses)[static_cast<std::size_t>(lane)];
        });
        lanes_of_turn[turn] |= 1u << lane;
        result.turns = std::max(result.turns, turn + 1);
    }
    for (std::uint32_t turn = 0; turn < result.turns; ++turn) {
        trace::Access part = access;
        part.mask = LaneMask{lanes_of_turn[turn]};
        result.sectors += count_sectors(part).sectors;
    }
    return result;
}

SectorDetail detail_sectors(const trace::Access& access) {
    SectorDetail detail;
    for_each_lane(access.mask, [&](int lane) {
        for_each_piece((*access.addresses)[static_cast<std::size_t>(lane)], access.bytes_per_lane,
                       [&](std::uint64_t sector, std::uint32_t bytes) {
                           detail.sectors.push_back({sector * sector_bytes, bytes, LaneMask{1u << lane}});
                       });
    });
    std::stable_sort(detail.sectors.begin(), detail.sectors.end(),
                     [](const Sector& a, const Sector& b) { return a.address < b.address; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < detail.sectors.size(); ++i) {
        const Sector piece = detail.sectors[i];
        if (i > 0 && detail.sectors[kept - 1].address == piece.address) {
            detail.sectors[kept - 1].byte_mask |= piece.byte_mask;
            detail.sectors[kept - 1].lanes = detail.sectors[kept - 1].lanes | piece.lanes;
        } else {
            detail.sectors[kept++] = piece;
        }
    }
    detail.sectors.resize(kept);
    std::uint32_t used_bytes = 0;
    for (const Sector& sector : detail.sectors)
        used_bytes += static_cast<std::uint32_t>(std::popcount(sector.byte_mask));
    detail.count = with_ideal(access, static_cast<std::uint32_t>(kept), used_bytes);
    return detail;
}

}  // namespace warplens::analysis
