// Two operations on the words of machine code that loops execute most: the address of a memory access, and
// the multiply-add of two words to a pair, by which the compiler computes addresses. A pair is two rows one
// after the other, the lower word first.
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

inline u64 joined(u32 low, u32 high) { return low | u64{high} << 32; }

/// rows: result, 8 bytes per lane; lower and upper words of a register, then of a uniform register. flags: 1
/// the sum has 32 bits, 8 and up the register's scale. The result is a row of its own: inactive lanes may be
/// written.
void add_address(Warp& warp, const DecodedOp& op, u32) {
    u64* d = row<u64>(warp, op.rows[0]);
    const u32 *low = row<const u32>(warp, op.rows[1]), *high = row<const u32>(warp, op.rows[2]),
              *uniform_low = row<const u32>(warp, op.rows[3]),
              *uniform_high = row<const u32>(warp, op.rows[4]);
    const u64 kept = (op.flags & 1) != 0 ? 0xffffffffu : ~u64{0};
    const int scale_bits = __builtin_ctz(op.flags >> 8);  // of 1, 4, 8 or 16
    const u64 offset = op.immediate;
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i)
        d[i] = ((joined(low[i], high[i]) << scale_bits) + joined(uniform_low[i], uniform_high[i]) + offset) &
               kept;
}

/// rows: result, a pair; two words; a pair. Word is s32 or u32.
template <class Word, class Product>
void multiply_add_wide(Warp& warp, const DecodedOp& op, u32 mask) {
    u32* d = row<u32>(warp, op.rows[0]);
    const u32 *a = row<const u32>(warp, op.rows[1]), *b = row<const u32>(warp, op.rows[2]),
              *c = row<const u32>(warp, op.rows[3]);
#pragma GCC ivdep  // rows are the same or apart
    for (int i = 0; i < warp_size; ++i) {
        const u64 product =
            static_cast<u64>(Product{static_cast<Word>(a[i])} * Product{static_cast<Word>(b[i])});
        const u64 sum = product + joined(c[i], c[i + warp_size]);
        const bool active = ((mask >> i) & 1u) != 0;
        d[i] = active ? static_cast<u32>(sum) : d[i];
        d[i + warp_size] = active ? static_cast<u32>(sum >> 32) : d[i + warp_size];
    }
}

constexpr ExecutorRow machine_word_table[] = {
    {"machine.address", "", add_address},
    {"machine.imad.wide.s32", "", multiply_add_wide<s32, s64>},
    {"machine.imad.wide.u32", "", multiply_add_wide<u32, u64>},
};

}  // namespace

ExecutorRows machine_word_rows() { return machine_word_table; }

}  // namespace warplens::simt::WARPLENS_LANES
