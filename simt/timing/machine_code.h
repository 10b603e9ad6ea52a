// MachineProgram: what the timing model issues for each basic block of a Program — an estimate of the
// assembler's machine code, derived by lowering/ from the PTX alone. It is modelled and never shown as real
// machine code. It has no values: an operation has a pipe, registers it waits for and registers it writes.
// The operations of a block are in issue order, which may differ from that of the PTX.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/launch_limits.h"
#include "core/program.h"
#include "core/result.h"
#include "core/sm_timing.h"

namespace warplens::simt {

enum class MachineKind : std::uint8_t {
    arithmetic,      // result after `latency`, fixed
    variable,        // result after `latency`, through a scoreboard: special functions, shuffles, conversions
    load,            // global, local, generic, constant or shared, by the record's space
    store,           // the same
    atomic,          // returns a value
    reduction,       // returns none
    copy,            // cp.async: loads global memory into shared memory asynchronously
    branch,          // ends the sequence when taken; see SmTiming::branch_latency
    block_barrier,   // waits for the block
    barrier_arrive,  // arrives without waiting
    fence,           // waits for the warp's own writes
    copy_commit,     // cp.async.commit_group: the copies so far form a group
    copy_wait,       // cp.async.wait_*: waits for the warp's copies
    sleep,
    exit,
};

inline constexpr std::uint16_t no_record = 0xffff;
/// A wait for all copies, in a group or not.
inline constexpr std::uint8_t all_copies = 0xff;

struct MachineOp {
    SiteId site = 0;  // its PTX instruction
    MachineKind kind = MachineKind::arithmetic;
    Pipe pipe = Pipe::alu;
    std::uint16_t latency = 0;  // arithmetic and variable: cycles to the result; 0: the pipe's own
    /// Memory operations: the entry of RecordedSites::of(block) with the access; no_record otherwise.
    std::uint16_t record = no_record;
    /// The access's visit in an unrolled sequence; 0 in a plain one.
    std::uint8_t copy = 0;
    /// Further records that the assembler merged into this one access (four 4-byte shared loads to one of 16
    /// bytes); they have no separate operation. Entries like `record`, at merged_begin of
    /// MachineProgram::merged_records.
    std::uint8_t merged = 0;
    std::uint32_t merged_begin = 0;
    /// block_barrier and barrier_arrive: which of the block's 16 barriers, and the number of warps it waits
    /// for; 0: all of the block.
    BarrierId barrier;
    std::uint8_t barrier_warps = 0;
    std::uint8_t groups_left = all_copies;  // copy_wait: number of latest groups that it does not wait for
    bool guarded = false;                   // issues but does nothing if its record has no active lane
    std::uint32_t operands = 0;             // into MachineProgram::operands: sources first, then results
    std::uint8_t source_count = 0, result_count = 0;
};

/// Half-open range into MachineProgram::ops.
struct OpRange {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t size() const { return end - begin; }
};

struct MachineBlock {
    OpRange once;  // one visit
    /// The same for `unroll` consecutive visits of a block that loops on itself and is unrolled; otherwise
    /// empty.
    OpRange unrolled;
    std::uint8_t unroll = 1;
    /// The assembler predicated the block `skips` instead of branching around it, so a warp that continues
    /// elsewhere also issues its operations: `skipped` follows `once` unless the next visit is of `skips`.
    /// Its operations make no accesses and have no results.
    OpRange skipped;
    BasicBlockId skips = no_index;
};

struct MachineProgram {
    std::vector<MachineOp> ops;
    std::vector<std::uint16_t> operands;  // register numbers, below register_count
    std::vector<std::uint16_t> merged_records;
    std::vector<MachineBlock> blocks;  // one per Program::basic_blocks
    std::uint32_t register_count = 0;  // per warp
    std::vector<std::string> notes;    // sentences: assumptions about this kernel

    std::span<const std::uint16_t> sources(const MachineOp& op) const {
        return {operands.data() + op.operands, op.source_count};
    }
    std::span<const std::uint16_t> results(const MachineOp& op) const {
        return {operands.data() + op.operands + op.source_count, op.result_count};
    }
};

/// Lowers `program` (its `ptx` is parsed again) for a GPU generation. `registers_per_thread` (0: not known)
/// limits how far loads are moved up. Fails if the PTX does not parse or lacks the entry. Pure.
Result<MachineProgram> lower(const Program& program, const SmTiming& timing,
                             std::uint32_t registers_per_thread);

}  // namespace warplens::simt
