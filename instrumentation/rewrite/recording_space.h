// RecordingSpace: the device memory an instrumented kernel records into, and the extra kernel parameter that
// says where. Written by the PTX that instrumentation/rewrite makes, read by instrumentation/decode,
// allocated by instrumentation/device; this file is the only place that says how it lies.
//
// The space is counted in units of 16 bytes. It begins with the head; chunks of a power of two of units
// follow, numbered from 1. Chunks 1 … slabs belong to the recorded warps in order: the first that warp writes
// to. All others are handed out by one atomic addition each. A stream is what one lane wrote while it was the
// lowest lane on of its warp; the streams of a warp join in the order of their clocks. No lane ever waits for
// another, so a diverged warp records as truly as a whole one.
//
// The space is all zero before a launch: the first word of every record is not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warplens::instrumentation {

inline constexpr std::uint32_t unit_bytes = 16;

/// The bytes of the last parameter of an instrumented kernel, "warplens_space". 8-byte aligned,
/// little-endian.
struct SpaceParameter {
    std::uint64_t base = 0;  // address of the space, 256-byte aligned
    std::uint64_t block_set =
        0;                     // address of a BlockSetWord array over the grid's linear blocks; 0: all blocks
    std::uint64_t sm_set = 0;  // address of one bit per SM, in 32-bit words; 0: all SMs
    std::uint32_t chunk_units = 0;   // a power of two, at least RecordingPlan::min_chunk_units
    std::uint32_t chunks = 0;        // in the whole space, the head counted as one
    std::uint32_t slabs = 0;         // 0: every warp that records takes its first chunk by an atomic as well
    std::uint32_t address_high = 0;  // upper 32 bits of every buffer's addresses, for narrow recording
};
static_assert(sizeof(SpaceParameter) == 40);

/// Which of 32 blocks are recorded, and how many recorded ones come before them: a warp's slab is
/// 1 + (rank of its block) * warps per block + its warp.
struct BlockSetWord {
    std::uint32_t bits = 0;
    std::uint32_t rank = 0;
};

/// The space begins with this.
struct SpaceHead {
    std::uint32_t next_chunk = 0;       // added to for each chunk taken, even when there is none left;
                                        // the host sets it to 1 + slabs before the launch
    std::uint32_t dropped_records = 0;  // visits that found no room
    std::uint64_t dropped_units = 0;    // their units
    std::uint32_t dropped_streams = 0;  // streams that lost something
    std::uint32_t outside_narrow = 0;   // not 0: some address did not begin with address_high
    std::uint64_t shared_window = 0;    // generic address of the block's shared memory
    std::uint64_t local_window = 0;     // and of the thread's local memory
    std::uint64_t cluster_window = 0;   // of a launch in clusters: generic address, as mapa gives it, of the
                                        // shared memory of the block with rank 0; those of others follow,
                                        // 16 MiB apart
    std::uint32_t warps_apart = 0;      // not 0: a warp was not whole where InstrumentOptions::predict_whole
                                        // relied on it; nothing of the launch can be used
    std::uint32_t slabs_full = 0;  // not 0: with predict_whole, a warp had more records than its slab takes
    std::uint64_t reserved = 0;
    // then, 8 bytes each, the address of every RecordingPlan::symbols entry in its own space
};
static_assert(sizeof(SpaceHead) == 64);

/// Bytes of the head with its symbols: where chunk 1 begins.
constexpr std::uint32_t head_bytes(std::size_t symbols) {
    constexpr std::size_t alignment = 256;
    return static_cast<std::uint32_t>((sizeof(SpaceHead) + 8 * symbols + alignment - 1) / alignment *
                                      alignment);
}

/// Bytes from the beginning of the space to chunk `chunk`, at least 1; and of a space with that many chunks.
constexpr std::uint64_t chunk_offset(std::uint64_t chunk, std::uint32_t chunk_units, std::size_t symbols) {
    return head_bytes(symbols) + (chunk - 1) * chunk_units * unit_bytes;
}

/// The first two units of a warp's first chunk. Written by whoever leads when lanes exit, so that the last
/// exit stays; of the second unit only what is needed: identity and block when slabs is 0, the timer by some
/// warps of each SM.
struct WarpHead {
    std::uint32_t start_clock = 0;  // low half of the SM's clock, at the kernel's first instruction
    std::uint32_t place = 0;        // bit 31 set, %warpid << 16; of a block's first warp, %smid; 0: the warp
                                    // never ended
    std::uint32_t end_clock = 0;
    std::uint32_t exit_mask = 0;  // lanes of the last exit, or the entry's ballot: see RecordedGuard; or
                                  // RecordingPlan::hash_in_head
    std::uint32_t block = 0;      // linear, below 2^31; valid when identity has bit 31 set. In a slab, whose
                                  // place says the block: RecordingPlan::hashes_addresses
    std::uint32_t identity = 0;   // bit 31 set, warp within the block; bit 30: the warp lost records
    std::uint64_t timer = 0;      // %globaltimer beside end_clock; 0: not read
};
static_assert(sizeof(WarpHead) == 2 * unit_bytes);

inline constexpr std::uint32_t lost_records = 0x40000000u;  // of WarpHead::identity

/// The first unit of every chunk that was taken by an atomic and is not a warp's first. The two heads are
/// distinguished by bit 31 of their second word.
struct ChunkHead {
    std::uint32_t marker = 0;    // 0x80000000 | lane << 16 | warp within the block
    std::uint32_t block = 0;     // linear, below 2^31
    std::uint32_t previous = 0;  // chunk that the stream filled before; 0: none
    std::uint32_t clock = 0;
};
static_assert(sizeof(ChunkHead) == unit_bytes);

/// The first unit of a record: lanes entered a basic block. What follows is in RecordingPlan::blocks.
struct VisitUnit {
    std::uint32_t block = 0;  // 1 + BasicBlockId; 0: nothing was written here, the stream ends
    std::uint32_t active = 0;
    std::uint32_t clock = 0;
    std::uint32_t extra = 0;  // see BlockPlan::Extra
};
static_assert(sizeof(VisitUnit) == unit_bytes);

}  // namespace warplens::instrumentation
