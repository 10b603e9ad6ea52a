// "PTX ISA: SIMD Video Instructions", the forms that take whole registers: differences of bytes and halves,
// packed or summed into the third source.
#include "simt/functional/scalar_rows.h"
#include "simt/functional/warp.h"

namespace warplens::simt {

namespace {

template <int Bits, bool SignedA, bool SignedB, bool Sum>
void absolute_differences(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr u32 part = (1u << Bits) - 1;
    auto extend = [](u32 word, int shift, bool is_signed) {
        u32 bits = word >> shift & part;
        return is_signed ? static_cast<s32>(bits << (32 - Bits)) >> (32 - Bits) : static_cast<s32>(bits);
    };
    for_each_lane({mask}, [&](int lane) {
        const u32 a = row<const u32>(warp, op.rows[1])[lane], b = row<const u32>(warp, op.rows[2])[lane];
        u32 packed = 0, sum = row<const u32>(warp, op.rows[3])[lane];
        for (int shift = 0; shift < 32; shift += Bits) {
            s32 difference = extend(a, shift, SignedA) - extend(b, shift, SignedB);
            u32 distance = static_cast<u32>(difference < 0 ? -difference : difference);
            packed |= (distance & part) << shift;
            sum += distance;
        }
        row<u32>(warp, op.rows[0])[lane] = Sum ? sum : packed;
    });
}

#define DIFFERENCES(name, Bits, type, A, B)                               \
    {name "." type, "wwww", absolute_differences<Bits, A, B, false>}, {   \
        name ".add." type, "wwww", absolute_differences<Bits, A, B, true> \
    }

constexpr ExecutorRow rows[] = {
    DIFFERENCES("vabsdiff4", 8, "u32.u32.u32", false, false),
    DIFFERENCES("vabsdiff4", 8, "u32.s32.s32", true, true),
    DIFFERENCES("vabsdiff2", 16, "u32.u32.u32", false, false),
    DIFFERENCES("vabsdiff2", 16, "u32.s32.s32", true, true),
};

}  // namespace

ExecutorRows video_rows() { return rows; }

}  // namespace warplens::simt
