#include "simt/functional/execute/pack.h"

namespace warplens::simt {

void pack_vector(Warp& warp, const DecodedOp& op, u32 mask) {
    const int bits = 8 * op.element_bytes;
    const u64 part = (u64{1} << bits) - 1;
    for_each_lane({mask}, [&](int lane) {
        u64 whole = 0;
        for (u32 i = 0; i < op.flags; ++i)
            whole |= (row<const u32>(warp, op.rows[i])[lane] & part) << (bits * static_cast<int>(i));
        if (op.wide_address) row<u64>(warp, op.rows[address_row])[lane] = whole;
        else row<u32>(warp, op.rows[address_row])[lane] = static_cast<u32>(whole);
    });
}

void unpack_vector(Warp& warp, const DecodedOp& op, u32 mask) {
    const int bits = 8 * op.element_bytes;
    const u64 part = (u64{1} << bits) - 1;
    for_each_lane({mask}, [&](int lane) {
        u64 whole = op.wide_address ? row<const u64>(warp, op.rows[address_row])[lane]
                                    : row<const u32>(warp, op.rows[address_row])[lane];
        for (u32 i = 0; i < op.flags; ++i)
            row<u32>(warp, op.rows[i])[lane] = static_cast<u32>(whole >> (bits * static_cast<int>(i)) & part);
    });
}

}  // namespace warplens::simt
