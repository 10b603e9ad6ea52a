// Operations on the words of machine code that no instruction of PTX is: products added to a pair, addresses,
// pairs as numbers of double precision and as rows of 8 bytes per lane. A pair is two rows one after the
// other, the lower word first. Sums are in machine_sums.cpp.
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "simt/functional/execute/lane_rows.h"
#include "simt/functional/execute/lanes/float_values.h"
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

inline u64 joined(u32 low, u32 high) { return low | u64{high} << 32; }
inline u32 bit_of(u32 mask, int i) { return mask >> i & 1u; }

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

/// Of shared memory: the block's rank in the cluster in the upper byte, and an offset that begins at flags 16
/// and up. It becomes an offset in the block's own memory. rows: result, 8 bytes per lane; a register, a
/// uniform register. flags 8 to 15: the register's scale.
void add_shared_address(Warp& warp, const DecodedOp& op, u32) {
    u64* d = row<u64>(warp, op.rows[0]);
    const u32 *a = row<const u32>(warp, op.rows[1]), *uniform = row<const u32>(warp, op.rows[3]);
    const u32 scale = op.flags >> 8 & 0xff, base = op.flags >> 16, offset = static_cast<u32>(op.immediate);
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i)
        d[i] = ((a[i] * scale + uniform[i] + offset) & u32{window_bytes - 1}) - base;
}

/// The pair d = f(i) for the lanes of the mask, as each_lane. `f` stores the words of one lane.
template <class F>
inline __attribute__((always_inline)) void each_pair(u32 mask, u32* d, F f) {
    alignas(64) u32 values[2 * warp_size];
    u32* to = mask == 0xffffffffu ? d : values;
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) f(i, to[i], to[i + warp_size]);
    if (to == values) [[unlikely]] {
        keep_lanes(mask, d, values);
        keep_lanes(mask, d + warp_size, values + warp_size);
    }
}

/// The sums a * b + c of all lanes, c being a pair, of which T are the factors and Product the result.
template <class T, class Product>
inline __attribute__((always_inline)) void wide_sums(const u32* a, const u32* b, const u32* c, u32* low,
                                                     u32* high) {
#ifdef __AVX2__
    // GCC 12 does not find the instructions that multiply every second word.
    constexpr int odd = 0xaa, words = sizeof(__m256i) / sizeof(u32);
    constexpr bool is_unsigned = static_cast<Product>(-1) > Product{0};
    const auto load = [](const u32* from) { return *reinterpret_cast<const __m256i*>(from); };
    const auto times = [](__m256i x, __m256i y) {
        return is_unsigned ? _mm256_mul_epu32(x, y) : _mm256_mul_epi32(x, y);
    };
    for (int i = 0; i < warp_size; i += words) {
        const __m256i x = load(a + i), y = load(b + i), l = load(c + i), h = load(c + i + warp_size);
        const __m256i at_even =
            _mm256_add_epi64(times(x, y), _mm256_blend_epi32(l, _mm256_slli_epi64(h, 32), odd));
        const __m256i at_odd = _mm256_add_epi64(times(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32)),
                                                _mm256_blend_epi32(_mm256_srli_epi64(l, 32), h, odd));
        *reinterpret_cast<__m256i*>(low + i) =
            _mm256_blend_epi32(at_even, _mm256_slli_epi64(at_odd, 32), odd);
        *reinterpret_cast<__m256i*>(high + i) =
            _mm256_blend_epi32(_mm256_srli_epi64(at_even, 32), at_odd, odd);
    }
#else
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) {
        const Product product = Product{static_cast<T>(a[i])} * Product{static_cast<T>(b[i])};
        const u64 sum = static_cast<u64>(product) + joined(c[i], c[i + warp_size]);
        low[i] = static_cast<u32>(sum);
        high[i] = static_cast<u32>(sum >> 32);
    }
#endif
}

// rows: result, two words, a pair

template <class T, class Product>
void multiply_add_wide(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[1]), *b = row<const u32>(warp, op.rows[2]),
              *c = row<const u32>(warp, op.rows[3]);
    u32* d = row<u32>(warp, op.rows[0]);
    alignas(64) u32 values[2 * warp_size];
    u32* to = mask == 0xffffffffu ? d : values;
    wide_sums<T, Product>(a, b, c, to, to + warp_size);
    if (to == values) [[unlikely]] {
        keep_lanes(mask, d, values);
        keep_lanes(mask, d + warp_size, values + warp_size);
    }
}

/// The sum's upper word.
template <class T, class Product>
void multiply_add_high(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[1]), *b = row<const u32>(warp, op.rows[2]),
              *c = row<const u32>(warp, op.rows[3]);
    u32* d = row<u32>(warp, op.rows[0]);
    alignas(64) u32 values[2 * warp_size];
    wide_sums<T, Product>(a, b, c, values, mask == 0xffffffffu ? d : values + warp_size);
    if (mask != 0xffffffffu) [[unlikely]]
        keep_lanes(mask, d, values + warp_size);
}

/// The word a times 2^flags, plus the pair c: how the address of an element is computed.
template <class T>
void shift_add_wide(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[1]), *c = row<const u32>(warp, op.rows[3]);
    const u32 shift = op.flags;
    each_pair(mask, row<u32>(warp, op.rows[0]), [&](int i, u32& low, u32& high) {
        const u32 shifted = a[i] << shift, sum = c[i] + shifted;
        const T upper = static_cast<T>(a[i]) >> (31 - shift) >> 1;  // 32 places are too many for one shift
        high = c[i + warp_size] + static_cast<u32>(upper) + u32{sum < shifted};
        low = sum;
    });
}

// Predicates 0 to 6, from rows[3] on, as the bits of byte `flags` of a word; b chooses among them.
constexpr u32 predicates_in_a_byte = 7;

/// rows: result, where the other bits of a are kept, b.
void predicates_to_word(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[1]), *b = row<const u32>(warp, op.rows[2]);
    const u32 shift = 8 * op.flags;
    u32 holds[predicates_in_a_byte];
    for (u32 p = 0; p < predicates_in_a_byte; ++p) holds[p] = predicate(warp, op.rows[3] + 4 * p);
    each_lane(mask, row<u32>(warp, op.rows[0]), [&](int i) {
        u32 bits = 0;
        for (u32 p = 0; p < predicates_in_a_byte; ++p) bits |= bit_of(holds[p], i) << p;
        const u32 chosen = (b[i] & 0x7f) << shift;
        return (a[i] & ~chosen) | (bits << shift & chosen);
    });
}

/// rows: none, a, b.
void word_to_predicates(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[1]), *b = row<const u32>(warp, op.rows[2]);
    for (u32 p = 0; p < predicates_in_a_byte; ++p) {
        const u32 at = 8 * op.flags + p;
        u32 chosen = 0, bits = 0;
        for (int i = 0; i < warp_size; ++i) {
            chosen |= (b[i] >> p & 1) << i;
            bits |= (a[i] >> at & 1) << i;
        }
        set_predicate(warp, op.rows[3] + 4 * p, chosen & mask, bits);
    }
}

/// The value of the lowest active lane, for all lanes.
void broadcast_word(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 value = row<const u32>(warp, op.rows[1])[__builtin_ctz(mask)];
    each_lane(everyone, row<u32>(warp, op.rows[0]), [&](int) { return value; });
}

/// rows: result, 8 bytes per lane; a pair.
void pair_to_wide(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32* pair = row<const u32>(warp, op.rows[1]);
    each_lane(mask, row<u64>(warp, op.rows[0]), [&](int i) { return joined(pair[i], pair[i + warp_size]); });
}

void wide_to_pair(Warp& warp, const DecodedOp& op, u32 mask) {
    u32* pair = row<u32>(warp, op.rows[0]);
    const u64* wide = row<const u64>(warp, op.rows[1]);
    each_lane(mask, pair, [&](int i) { return static_cast<u32>(wide[i]); });
    each_lane(mask, pair + warp_size, [&](int i) { return static_cast<u32>(wide[i] >> 32); });
}

// ---- double precision in pairs, rounded to nearest; rows: result, sources

/// One NaN, whatever the operands'.
inline u64 canonical_bits(double x) { return x == x ? bits_of(x) : invalid_nan_f64; }

/// d = f(a, b, c).
template <class F>
inline __attribute__((always_inline)) void each_double(Warp& warp, const DecodedOp& op, u32 mask, F f) {
    const u32 *a = row<const u32>(warp, op.rows[1]), *b = row<const u32>(warp, op.rows[2]),
              *c = row<const u32>(warp, op.rows[3]);
    each_pair(mask, row<u32>(warp, op.rows[0]), [&](int i, u32& low, u32& high) {
        const auto at = [&](const u32* pair) { return double_from(joined(pair[i], pair[i + warp_size])); };
        const u64 bits = canonical_bits(f(at(a), at(b), at(c)));
        low = static_cast<u32>(bits);
        high = static_cast<u32>(bits >> 32);
    });
}

void add_doubles(Warp& warp, const DecodedOp& op, u32 mask) {
    each_double(warp, op, mask, [](double a, double b, double) { return a + b; });
}
void multiply_pairs(Warp& warp, const DecodedOp& op, u32 mask) {
    each_double(warp, op, mask, [](double a, double b, double) { return a * b; });
}
void multiply_add_doubles(Warp& warp, const DecodedOp& op, u32 mask) {
    each_double(warp, op, mask, [](double a, double b, double c) { return __builtin_fma(a, b, c); });
}

// ---- predicates of whole words; the rows are LaneRow's

/// Compares the upper words of numbers whose lower words' comparison is the second predicate. flags: 0 to 2
/// which of less, equal and greater hold, 3 signed, 4 and 5 combination with the first: and, or, xor.
void compare_upper_words(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[lane_a]), *b = row<const u32>(warp, op.rows[lane_b]);
    const u32 with = predicate(warp, op.rows[lane_predicate]),
              below = predicate(warp, op.rows[lane_predicate_2]);
    const u32 sign = (op.flags >> 3 & 1) << 31;
    u32 less = 0, equal = 0;
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) {
        less |= u32{(a[i] ^ sign) < (b[i] ^ sign)} << i;
        equal |= u32{a[i] == b[i]} << i;
    }
    const u32 on_less = 0 - (op.flags & 1), on_greater = 0 - (op.flags >> 2 & 1);
    const u32 holds = (equal & below) | (~equal & ((less & on_less) | (~less & on_greater)));
    const u32 how = op.flags >> 4 & 3;
    const auto combined = [&](u32 x) { return how == 0 ? x & with : how == 1 ? x | with : x ^ with; };
    set_predicate(warp, op.rows[lane_p], mask, combined(holds));
    set_predicate(warp, op.rows[lane_q], mask, combined(~holds));
}

/// Whether the quotient a / b, or a step of Newton's on the way to it, may leave the normal numbers; a zero
/// for a counts as such, as on an H200.
void needs_slow_division(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[lane_a]), *b = row<const u32>(warp, op.rows[lane_b]);
    u32 slow = 0;
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) {
        const s32 x = static_cast<s32>(a[i] >> 23 & 0xff), y = static_cast<s32>(b[i] >> 23 & 0xff);
        slow |=
            (u32{y == 0} | u32{y >= 253} | u32{x == 255} | u32{x < 25} | u32{x - y > 125} | u32{x - y < -124})
            << i;
    }
    set_predicate(warp, op.rows[lane_p], mask, slow);
    set_predicate(warp, op.rows[lane_q], mask, 0);
}

constexpr ExecutorRow machine_word_table[] = {
    {"machine.address", "", add_address},
    {"machine.address.shared", "", add_shared_address},
    {"machine.imad.wide.s32", "", multiply_add_wide<s32, s64>},
    {"machine.imad.wide.u32", "", multiply_add_wide<u32, u64>},
    {"machine.imad.wide.shift.s32", "", shift_add_wide<s32>},
    {"machine.imad.wide.shift.u32", "", shift_add_wide<u32>},
    {"machine.imad.hi.s32", "", multiply_add_high<s32, s64>},
    {"machine.imad.hi.u32", "", multiply_add_high<u32, u64>},
    {"machine.p2r", "", predicates_to_word},
    {"machine.r2p", "", word_to_predicates},
    {"machine.add.f64", "", add_doubles},
    {"machine.mul.f64", "", multiply_pairs},
    {"machine.fma.f64", "", multiply_add_doubles},
    {"machine.isetp.ex", "", compare_upper_words},
    {"machine.fchk", "", needs_slow_division},
    {"machine.broadcast", "", broadcast_word},
    {"machine.pair_to_wide", "", pair_to_wide},
    {"machine.wide_to_pair", "", wide_to_pair},
};

}  // namespace

ExecutorRows machine_word_rows() { return machine_word_table; }

}  // namespace warplens::simt::WARPLENS_LANES
