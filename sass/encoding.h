// Encoding: the 128 bits of one machine instruction, Volta to Blackwell, and access to its fields. The tables
// in sass/instructions/ give their meaning; see sass/instruction_table.h.
#pragma once

#include <array>
#include <cstdint>

namespace warplens::sass {

inline constexpr std::uint64_t instruction_bytes = 16;

struct Encoding {
    std::uint64_t low = 0, high = 0;  // bits 0 to 63 and 64 to 127

    bool operator==(const Encoding&) const = default;

    /// `width` bits (at most 64) from bit `first` on.
    std::uint64_t bits(unsigned first, unsigned width) const {
        std::uint64_t value = first >= 64 ? high >> (first - 64) : low >> first;
        if (first < 64 && first + width > 64) value |= high << (64 - first);
        return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
    }
    bool bit(unsigned position) const { return bits(position, 1) != 0; }
};

/// A number whose bits lie in up to three runs, lowest run first.
struct BitField {
    struct Run {
        std::uint8_t first = 0, width = 0;
        bool operator==(const Run&) const = default;
    };
    std::array<Run, 3> runs{};
    std::uint8_t run_count = 0;

    bool operator==(const BitField&) const = default;

    unsigned width() const {
        unsigned sum = 0;
        for (unsigned i = 0; i < run_count; ++i) sum += runs[i].width;
        return sum;
    }
    std::uint64_t of(const Encoding& encoding) const {
        std::uint64_t value = 0;
        unsigned shift = 0;
        for (unsigned i = 0; i < run_count; ++i) {
            value |= encoding.bits(runs[i].first, runs[i].width) << shift;
            shift += runs[i].width;
        }
        return value;
    }
    std::int64_t signed_of(const Encoding& encoding) const {
        const unsigned bits = width();
        const std::uint64_t value = of(encoding);
        if (bits == 0 || bits >= 64) return static_cast<std::int64_t>(value);
        const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
        return static_cast<std::int64_t>((value ^ sign) - sign);
    }
};

}  // namespace warplens::sass
