// LaneMask: which of a warp's 32 lanes take part, lane 0 in the lowest bit.
#pragma once

#include <bit>
#include <cstdint>

namespace warplens {

inline constexpr int warp_size = 32;

struct LaneMask {
    std::uint32_t bits = 0;

    static constexpr LaneMask all() { return {0xffffffffu}; }
    static constexpr LaneMask none() { return {0}; }
    /// The lowest `count` lanes, 0 to 32: the shape of a block's last, partly filled warp.
    static constexpr LaneMask first(int count) {
        return {count >= warp_size ? 0xffffffffu : (1u << count) - 1u};
    }

    constexpr bool has(int lane) const { return (bits >> lane) & 1u; }
    constexpr int count() const {
        if (full()) return warp_size;  // most are, and a target without the instruction calls a function
        std::uint32_t sums = bits - (bits >> 1 & 0x55555555u);
        sums = (sums & 0x33333333u) + (sums >> 2 & 0x33333333u);
        return static_cast<int>(((sums + (sums >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
    }
    constexpr bool empty() const { return bits == 0; }
    constexpr bool full() const { return bits == 0xffffffffu; }
    /// The lowest active lane; 32 if there is none.
    constexpr int lowest() const { return std::countr_zero(bits); }

    friend constexpr bool operator==(LaneMask, LaneMask) = default;
    friend constexpr LaneMask operator&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
    friend constexpr LaneMask operator|(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
    friend constexpr LaneMask operator~(LaneMask a) { return {~a.bits}; }
};

/// Calls visit(lane) for every active lane, lowest first.
template <class Visit>
constexpr void for_each_lane(LaneMask mask, Visit&& visit) {
    for (std::uint32_t rest = mask.bits; rest != 0; rest &= rest - 1) visit(std::countr_zero(rest));
}

}  // namespace warplens
