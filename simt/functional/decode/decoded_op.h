// DecodedOp: one decoded PTX instruction, ready to execute: a function and its register rows. A row holds one
// register's 32 lanes contiguously (4 or 8 bytes per lane; a predicate is one 32-bit mask), so that lane
// loops vectorise. Immediates and special registers are rows too. decode.cpp creates operations.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory_space.h"
#include "core/program.h"

namespace warplens::simt {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

struct Warp;
struct DecodedOp;

/// Runs the operation for the lanes in `mask`, which is never empty. Other lanes' results are unchanged.
using Execute = void (*)(Warp&, const DecodedOp&, u32 mask);

/// Byte offset of a row in a warp's register file.
using Row = u32;

inline constexpr int max_rows = 10;
inline constexpr int address_row = 8;   // slot of the address in a memory operation
inline constexpr int examined_row = 9;  // of what is known of it: examined_addresses.h

struct DecodedOp {
    Execute execute = nullptr;
    Row rows[max_rows] =
        {};  // result first, then the sources in the order written; memory: data, then address
    SiteId site = no_index;
    u32 flags = 0;         // defined by each executor; loads and stores: kept_address_bits()
    u64 immediate = 0;     // address offset, truth table …
    u32 window = 0;        // memory: index of the site's cached allocation
    u8 element_bytes = 0;  // memory: of one vector element
    u8 vector_width = 1;
    bool sign_extends = false;    // memory: of narrow loads
    bool wide_address = true;     // memory: the address row has 8 bytes per lane
    bool paired_address = false;  // machine code: instead two rows of 4, the one with the lower words first
    Space space = Space::none;    // memory: as written; none is generic
    bool silent = false;          // guard of an auxiliary operation: not reported to the observer
    bool guard_negated = false;
    Row guard = 0;
    Execute inner = nullptr;  // the operation under a guard

    u32 bytes() const { return u32{element_bytes} * vector_width; }
};

/// Machine code names shared memory with the block's rank in the cluster above these bits of an address. Its
/// loads and stores have flags: 1, and where shared memory begins there, which `immediate` has subtracted
/// already.
inline constexpr u64 shared_address_bits = (u64{1} << 24) - 1;

/// The bits of a load's or store's address that count.
inline u64 kept_address_bits(const DecodedOp& op) { return op.flags != 0 ? shared_address_bits : ~u64{0}; }

/// An address in 32 bits, to which `immediate` was added.
inline u32 shared_address(const DecodedOp& op, u32 sum) {
    const u32 base = op.flags & ~1u;
    return op.flags == 0 ? sum : ((sum + base) & static_cast<u32>(shared_address_bits)) - base;
}

}  // namespace warplens::simt
