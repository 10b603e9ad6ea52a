// Exchanges: shuffles, votes and matches, by which lanes of a warp exchange values. Packs the values of
// BlockObserver::exchange into 28 bytes and back, and finds the sites with such a record.
// analysis/warps/collectives.h interprets each shuffle.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

#include "core/program.h"
#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::trace {

inline ExchangeRecord pack_exchange(SiteId site, LaneMask mask, const Lanes& values) {
    static_assert(std::endian::native == std::endian::little && sizeof(Lanes) == 4 * sizeof(std::uint64_t));
    ExchangeRecord record{site, mask, {}};
    for (std::size_t eight = 0; eight < 4; ++eight) {
        std::uint64_t lanes;
        std::memcpy(&lanes, values.data() + 8 * eight, sizeof lanes);
        for (std::size_t bit = 0; bit < record.bits.size(); ++bit) {
            // The product moves the lowest bit of byte i to bit 56 + i.
            const std::uint64_t plane = (lanes >> bit & 0x0101010101010101u) * 0x0102040810204080u >> 56;
            record.bits[bit] |= static_cast<std::uint32_t>(plane) << 8 * eight;
        }
    }
    for (std::uint32_t& plane : record.bits) plane &= mask.bits;
    return record;
}

/// 0 for lanes that did not participate.
inline Lanes unpack_exchange(const ExchangeRecord& record) {
    Lanes values{};
    for (std::size_t lane = 0; lane < values.size(); ++lane)
        for (std::size_t bit = 0; bit < record.bits.size(); ++bit)
            values[lane] = static_cast<std::uint8_t>(values[lane] | (record.bits[bit] >> lane & 1u) << bit);
    return values;
}

/// Whether an execution of the site, at either level, creates an exchange.
inline bool exchanges(const Site& site) {
    for (const char* name : {"shfl", "vote", "match", "SHFL", "VOTE", "MATCH"})
        if (site.opcode.starts_with(name)) return true;
    return false;
}

}  // namespace warplens::trace
