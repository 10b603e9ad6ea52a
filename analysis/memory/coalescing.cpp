#include "analysis/memory/coalescing.h"

#include <algorithm>

namespace warplens::analysis {
namespace {

/// Bytes [first, first + count) of a sector; count at least 1.
constexpr std::uint32_t byte_bits(std::uint32_t first, std::uint32_t count) {
    const std::uint32_t ones = count >= sector_bytes ? ~0u : (1u << count) - 1u;
    return ones << first;
}

/// Splits one lane's bytes at sector boundaries: visit(sector number, byte mask).
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

/// Sectors found so far, in a small open-addressing table with more slots than possible sectors. It is filled
/// once per request, so only one bit per slot is cleared.
template <int slot_bits>
class SectorTable {
  public:
    void add(std::uint64_t sector, std::uint32_t bytes) {
        auto slot = static_cast<std::uint32_t>(sector * 0x9e3779b97f4a7c15u >> (64 - slot_bits));
        while (is_taken(slot) && sector_[slot] != sector) slot = (slot + 1) % slot_count;
        if (!is_taken(slot)) {
            taken_[slot / 64] |= std::uint64_t{1} << slot % 64;
            sector_[slot] = sector;
            bytes_[slot] = 0;
            ++sectors;
        }
        used_bytes += static_cast<std::uint32_t>(std::popcount(bytes & ~bytes_[slot]));
        bytes_[slot] |= bytes;
    }
    std::uint32_t sectors = 0;
    std::uint32_t used_bytes = 0;

  private:
    bool is_taken(std::uint32_t slot) const { return taken_[slot / 64] >> slot % 64 & 1; }

    static constexpr std::uint32_t slot_count = 1u << slot_bits;
    std::array<std::uint64_t, slot_count / 64> taken_{};
    std::array<std::uint32_t, slot_count> bytes_;   // read only where taken
    std::array<std::uint64_t, slot_count> sector_;  // the same
};

SectorCount with_ideal(const trace::Access& access, std::uint32_t sectors, std::uint32_t used_bytes) {
    const std::uint32_t lane_bytes = static_cast<std::uint32_t>(access.mask.count()) * access.bytes_per_lane;
    const std::uint32_t packed = (lane_bytes + sector_bytes - 1) / sector_bytes;
    return {sectors, std::min(sectors, packed), used_bytes};
}

/// The active lanes, packed. A second half-warp at the first one's addresses adds nothing and is left out;
/// this is common with rows of 16 lanes.
struct DenseLanes {
    explicit DenseLanes(const trace::Access& access) {
        if (access.mask.full()) {
            addresses = access.addresses->data();
            constexpr std::size_t half = warp_size / 2;
            count = std::equal(addresses, addresses + half, addresses + half) ? half : warp_size;
            of_full_warp = true;
            return;
        }
        for_each_lane(access.mask, [&](int lane) {
            packed[count++] = (*access.addresses)[static_cast<std::size_t>(lane)];
        });
        addresses = packed.data();
    }
    DenseLanes(const DenseLanes&) = delete;
    DenseLanes& operator=(const DenseLanes&) = delete;

    const std::uint64_t* addresses = nullptr;
    std::size_t count = 0;
    bool of_full_warp = false;
    trace::Addresses packed;  // filled only if a lane is inactive
};

/// Naturally aligned lanes are in one sector each. If their addresses also never decrease from lane to lane,
/// counting the changes is enough.
bool count_aligned(const DenseLanes& lanes, std::uint32_t lane_bytes, std::uint32_t& sectors,
                   std::uint32_t& used_bytes, SectorRange& range) {
    std::uint64_t misaligned = lanes.addresses[0];
    bool ascending = true;
    std::uint32_t new_sectors = 1;
    std::uint32_t new_addresses = 1;
    for (std::size_t i = 1; i < lanes.count; ++i) {
        const std::uint64_t before = lanes.addresses[i - 1];
        const std::uint64_t address = lanes.addresses[i];
        misaligned |= address;
        ascending &= address >= before;
        new_sectors += address / sector_bytes != before / sector_bytes;
        new_addresses += address != before;
    }
    if (!std::has_single_bit(lane_bytes) || misaligned % lane_bytes != 0) return false;
    if (ascending) {
        sectors = new_sectors;
        used_bytes = new_addresses * lane_bytes;
        const std::uint64_t first = lanes.addresses[0] / sector_bytes;
        const std::uint64_t last = lanes.addresses[lanes.count - 1] / sector_bytes;
        if (last - first < new_sectors) range = {first, new_sectors, 0};
        else if (lanes.of_full_warp) range.ascending_lanes = static_cast<std::uint32_t>(lanes.count);
        return true;
    }
    SectorTable<6> table;  // at most 32 sectors
    for (std::size_t i = 0; i < lanes.count; ++i) {
        const std::uint64_t address = lanes.addresses[i];
        table.add(address / sector_bytes,
                  byte_bits(static_cast<std::uint32_t>(address % sector_bytes), lane_bytes));
    }
    sectors = table.sectors;
    used_bytes = table.used_bytes;
    return true;
}

}  // namespace

SectorCount count_sectors(const trace::Access& access) {
    SectorRange range;
    return count_sectors(access, range);
}

SectorCount count_sectors(const trace::Access& access, SectorRange& range) {
    range = {};
    if (access.mask.empty() || access.bytes_per_lane == 0) return {};
    if (access.bytes_per_lane > sector_bytes) return detail_sectors(access).count;
    const DenseLanes lanes(access);
    std::uint32_t sectors = 0;
    std::uint32_t used_bytes = 0;
    if (count_aligned(lanes, access.bytes_per_lane, sectors, used_bytes, range))
        return with_ideal(access, sectors, used_bytes);
    SectorTable<7> table;  // 32 lanes of up to 32 bytes give at most 64 pieces
    for (std::size_t i = 0; i < lanes.count; ++i) {
        for_each_piece(lanes.addresses[i], access.bytes_per_lane,
                       [&](std::uint64_t sector, std::uint32_t bytes) { table.add(sector, bytes); });
    }
    return with_ideal(access, table.sectors, table.used_bytes);
}

SectorCount count_local_sectors(const trace::Access& access) {
    if (access.mask.empty() || access.bytes_per_lane == 0) return {};
    constexpr std::uint32_t word_bytes = 4;
    SectorTable<10> table;  // 32 lanes of up to 32 bytes, split into words: at most 288
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
    return with_ideal(access, table.sectors, table.used_bytes);
}

AtomicRounds count_atomic_rounds(const trace::Access& access) {
    std::array<std::uint32_t, warp_size> lanes_of_round{};
    AtomicRounds result;
    for (std::uint32_t rest = access.mask.bits; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        std::uint32_t round = 0;
        for_each_lane(access.mask & LaneMask::first(lane), [&](int earlier) {
            round += (*access.addresses)[static_cast<std::size_t>(earlier)] ==
                     (*access.addresses)[static_cast<std::size_t>(lane)];
        });
        lanes_of_round[round] |= 1u << lane;
        result.rounds = std::max(result.rounds, round + 1);
    }
    for (std::uint32_t round = 0; round < result.rounds; ++round) {
        trace::Access part = access;
        part.mask = LaneMask{lanes_of_round[round]};
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
