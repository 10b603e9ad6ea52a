// LateProducts: results of wide products (IMAD.WIDE, IMAD.HI) that the other pipe of integers, or a load or
// store by its address, reads early. The assembler lets an instruction issue five cycles behind the product
// that it reads; the dispatcher then keeps it for two cycles. So it does arithmetic up to eight cycles
// behind, loads and stores not. Readers in the product's own pipe do not wait. Source: samples of 225 kernels
// on an H200, h200_machine_stalls.csv (docs/timing_model.md, "Late products").
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "simt/timing/machine_code.h"

namespace warplens::simt {

class LateProducts {
  public:
    /// Its registers are written from `first` on.
    void issued(std::uint16_t first, std::uint8_t count, std::uint32_t now) {
        last_[next_] = {now, first, count};
        next_ = (next_ + 1) % last_.size();
    }

    /// Cycles for which the dispatcher keeps an instruction that would issue now; 0: it goes. A product keeps
    /// one instruction.
    std::uint32_t keeps(const MachineOp& op, std::uint32_t now) {
        if (op.pipe != Pipe::alu && op.pipe != Pipe::lsu) return 0;
        const std::uint32_t last_late = op.pipe == Pipe::alu ? 8 : first_late;
        std::uint32_t cycles = 0;
        for (Product& product : last_) {
            const std::uint32_t behind = now - product.issued;
            if (product.count == 0 || behind < first_late || behind > last_late || !product.is_read(op))
                continue;
            product.count = 0;
            cycles = kept;
        }
        return cycles;
    }

  private:
    static constexpr std::uint32_t first_late = 5, kept = 2;
    struct Product {
        std::uint32_t issued = 0;
        std::uint16_t first = 0;
        std::uint8_t count = 0;

        bool is_read(const MachineOp& op) const {
            const auto meets = [&](const RegisterRead& read) {
                return read.first < first + count && first < read.first + read.count;
            };
            return meets(op.address) || std::ranges::any_of(op.reads, meets);
        }
    };
    std::array<Product, 4> last_{};  // no more issue in eight cycles of half a pipe
    std::size_t next_ = 0;
};

}  // namespace warplens::simt
