// SplitMix64, the generator of random contents (docs/kernel_header.md). Its sequences must never change.
#pragma once

#include <cstdint>

namespace warplens::instrumentation {

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
struct SplitMix64 {
    std::uint64_t state;
    std::uint64_t next() {
        std::uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
};

/// An integer from 0 to `below` - 1.
constexpr std::uint64_t scaled_below(std::uint64_t bits, std::uint64_t below) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{bits} * below) >> 64);
}

}  // namespace warplens::instrumentation
