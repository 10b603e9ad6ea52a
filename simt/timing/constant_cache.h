// ConstantCache: which 64-byte lines of the constant banks an SM has fetched in this launch. It has no
// capacity: kernels read few lines. A line that the launch has not read before is fetched; the first line of
// a bank that the program fills comes from DRAM.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/sm_timing.h"

namespace warplens::simt {

inline constexpr std::uint32_t no_constant = 0xffffffffu;
inline constexpr std::uint32_t constant_line_bytes = 64,
                               lines_per_constant_bank = 65536 / constant_line_bytes;
/// A line of a constant bank.
constexpr std::uint32_t constant_line(unsigned bank, std::uint64_t offset) {
    return bank * lines_per_constant_bank +
           static_cast<std::uint32_t>(offset / constant_line_bytes % lines_per_constant_bank);
}
constexpr unsigned bank_of(std::uint32_t line) { return line / lines_per_constant_bank; }

class ConstantCache {
  public:
    ConstantCache(const SmTiming& timing, bool warm) : timing_(timing), warm_(warm) {}

    /// The cycle at which the line is there, possibly in the past; begins to fetch it if it is not.
    std::uint32_t fetch(std::uint32_t line, std::uint32_t now) {
        const auto [entry, first] = ready_.try_emplace(line, now);
        if (first && !warm_) entry->second += static_cast<std::uint32_t>(latency(line));
        return entry->second;
    }

  private:
    int latency(std::uint32_t line) {
        constexpr unsigned bank_of_the_launch = 0;
        const bool first_of_bank = banks_.try_emplace(bank_of(line), true).second;
        return first_of_bank && bank_of(line) != bank_of_the_launch ? timing_.dram_latency
                                                                    : timing_.constant_miss_latency;
    }

    const SmTiming& timing_;
    bool warm_;
    std::unordered_map<std::uint32_t, std::uint32_t> ready_;
    std::unordered_map<unsigned, bool> banks_;
};

}  // namespace warplens::simt
