// Exchanges: shuffles, votes and matches, by which lanes of a warp tell each other something. Packs what
// BlockObserver::exchange tells into 28 bytes and back, and says which sites leave such a record. What it
// means, shuffle by shuffle, is analysis/collectives.h.
#pragma once

#include <cstddef>

#include "core/program.h"
#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::trace {

inline ExchangeRecord pack_exchange(SiteId site, LaneMask mask, const Lanes& told) {
    ExchangeRecord record{site, mask, {}};
    for (std::size_t bit = 0; bit < record.bits.size(); ++bit) {
        std::uint32_t plane = 0;
        for (std::size_t lane = 0; lane < told.size(); ++lane)
            plane |= (std::uint32_t{told[lane]} >> bit & 1u) << lane;
        record.bits[bit] = plane & mask.bits;
    }
    return record;
}

/// 0 for lanes that took no part.
inline Lanes told_by(const ExchangeRecord& record) {
    Lanes told{};
    for (std::size_t lane = 0; lane < told.size(); ++lane)
        for (std::size_t bit = 0; bit < record.bits.size(); ++bit)
            told[lane] = static_cast<std::uint8_t>(told[lane] | (record.bits[bit] >> lane & 1u) << bit);
    return told;
}

/// Whether an execution of the site leaves an exchange.
inline bool exchanges(const Site& site) {
    return site.opcode.starts_with("shfl") || site.opcode.starts_with("vote") ||
           site.opcode.starts_with("match");
}

}  // namespace warplens::trace
