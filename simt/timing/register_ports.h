// RegisterPorts: how the instructions of one scheduler read their registers. Even and odd registers are two
// banks with a port each, which reads one register of a warp per cycle; an instruction has three cycles to
// read its own, and those behind it wait. A register cache holds one register per bank and operand position
// where the assembler has set the reuse bit.
// Source: Huerta et al., Dissecting and Modeling the Architecture of Modern GPU Cores (MICRO 2025), section
// on the register file; interval of dependent multiply-adds of many warps in h200_instruction_parameters.csv.
#pragma once

#include <array>
#include <cstdint>

#include "simt/timing/machine_code.h"

namespace warplens::simt {

class RegisterPorts {
  public:
    /// The first cycle at which another instruction may issue.
    std::uint32_t free_at() const { return free_; }

    /// An instruction of `warp` issues.
    void read(const RegisterReads& reads, std::uint32_t warp, std::uint32_t now) {
        constexpr std::uint32_t window = 3;
        std::array<std::uint32_t, banks> count{};
        for (std::size_t slot = 0; slot < reads.size(); ++slot) {
            const RegisterRead& read = reads[slot];
            for (std::uint16_t i = 0; i < read.count; ++i) {
                const auto number = static_cast<std::uint16_t>(read.first + i);
                Kept& kept = cache_[number % banks][slot];
                const bool cached = kept.number == number && kept.warp == warp;
                if (!cached && !reads_before(reads, slot, number)) ++count[number % banks];
                kept = read.reuse ? Kept{warp, number} : Kept{};
            }
        }
        std::uint32_t enters = now;
        for (std::size_t bank = 0; bank < banks; ++bank)
            if (port_[bank] + count[bank] > enters + window) enters = port_[bank] + count[bank] - window;
        for (std::size_t bank = 0; bank < banks; ++bank)
            port_[bank] = (port_[bank] > enters ? port_[bank] : enters) + count[bank];
        free_ = enters + 1;
    }

  private:
    static constexpr std::size_t banks = 2;
    /// One read serves all positions of an instruction.
    static bool reads_before(const RegisterReads& reads, std::size_t slot, std::uint16_t number) {
        for (std::size_t i = 0; i < slot; ++i)
            if (number >= reads[i].first && number < reads[i].first + reads[i].count) return true;
        return false;
    }
    struct Kept {
        std::uint32_t warp = no_index;
        std::uint16_t number = 0xffff;
    };

    std::array<std::uint32_t, banks> port_{};  // the first cycle without a read
    std::array<std::array<Kept, 3>, banks> cache_{};
    std::uint32_t free_ = 0;
};

}  // namespace warplens::simt
