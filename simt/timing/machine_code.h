// MachineProgram: what the timing model issues for each basic block of a Program. machine_level/ makes it
// from machine code, one operation per instruction with its control fields. Where there is only PTX,
// lowering/ estimates the assembler's machine code; that is modelled and never shown as real machine code. It
// has no values: an operation has a pipe, registers it reads and registers it writes. The operations of a
// block are in issue order, which may differ from that of the PTX.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/launch_limits.h"
#include "core/program.h"
#include "core/result.h"
#include "core/sm_timing.h"
#include "simt/timing/constant_cache.h"

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
    reconvergence,   // the warp issues again after `latency`
    block_barrier,   // waits for the block
    barrier_arrive,  // arrives without waiting
    fence,           // waits for the warp's own writes
    copy_commit,     // cp.async.commit_group: the copies so far form a group
    copy_wait,       // cp.async.wait_*: waits for the warp's copies
    scoreboard_wait,  // waits until a scoreboard counts at most `left_over`
    sleep,
    exit,
};

inline constexpr std::uint16_t no_record = 0xffff;
/// A wait for all copies, in a group or not.
inline constexpr std::uint8_t all_copies = 0xff;

inline constexpr std::uint8_t no_scoreboard = 7;

/// The assembler's directions to the scheduler. The defaults direct nothing.
struct IssueControl {
    std::uint8_t stall = 1;                         // cycles until the warp may issue again
    std::uint8_t write_scoreboard = no_scoreboard;  // counts down when the results are written
    std::uint8_t read_scoreboard = no_scoreboard;   // counts down when the sources were read
    std::uint8_t wait_mask = 0;                     // scoreboards that must be zero before issue
    bool yield = false;                             // the scheduler turns to another warp behind it
};

/// Registers that an instruction reads at one of its three operand positions.
struct RegisterRead {
    std::uint16_t first = 0;
    std::uint8_t count = 0;
    bool reuse = false;  // the register cache keeps them
};
using RegisterReads = std::array<RegisterRead, 3>;

struct MachineOp {
    SiteId site = 0;  // its instruction
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
    std::uint8_t awaited = no_scoreboard;   // scoreboard_wait: which scoreboard,
    std::uint8_t left_over = 0;             // and what it may still count
    IssueControl control;
    std::uint32_t constant = no_constant;  // the line of a constant bank that it reads
    RegisterReads reads;   // through the ports of fixed latency; empty where machine code is estimated
    RegisterRead product;  // of a wide product: the registers that it writes; see late_products.h
    RegisterRead address;  // of a global access: the registers of its address
    bool looks_up =
        false;  // a constant or a special register: through the MIO, but not by the pipe of shared memory
    bool thread_index = false;     // of these, an index of a thread in its block
    bool counts_lanes = false;     // a shared atomic that adds the number of lanes at a word in one wavefront
    bool passes_barriers = false;  // issues although its warp waits at a barrier
    bool guarded = false;          // issues but does nothing if its record has no active lane
    std::uint32_t operands = 0;    // into MachineProgram::operands: sources first, then results
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
    /// The operations wait by their control fields. Otherwise they wait for the registers that they name.
    bool has_control_fields = false;
    std::vector<std::string> notes;  // sentences: assumptions about this kernel

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
