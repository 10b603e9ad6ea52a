// The passes of instrument(), in the order in which they run. Each leaves a Draft whose woven module the
// assembler takes.
#pragma once

#include <string>
#include <string_view>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// The entry's last parameter: SpaceParameter.
Status add_space_parameter(Draft& draft);

/// Full mode: which values and guards each block's record holds. Proof: which addresses are hashed. Fills the
/// plan, inserts nothing.
Status plan_values(Draft& draft);

/// Which blocks leave a record, and what the others follow from: fills RecordingPlan::blocks, inserts
/// nothing.
Status plan_blocks(Draft& draft);

/// The start's clock, which lanes may lead, and the first lane's cursor.
Status start_warp(Draft& draft);

/// A VisitUnit for every basic block that is recorded.
Status record_blocks(Draft& draft);

/// What lanes log of their branches, and the hash of the lanes that are together.
Status log_branches(Draft& draft);

/// Every lane's hash of its addresses: AddressPlan::hashed.
Status hash_addresses(Draft& draft);

/// Full mode: the base values of addresses, lane by lane, and the ballots of guards.
Status record_values(Draft& draft);

/// Functions that the kernel calls go on with its cursor.
Status carry_state(Draft& draft);

/// At every way out of the kernel: the warp's head. Warps leave at once where BlockPlan::leaves_at_once.
Status end_warp(Draft& draft);

// ---- pieces of PTX that passes share (pieces.cpp) -------------------------------------------------------

/// Declares and loads %base (address of the space), %size (units of a chunk), %chunks and %slabs.
std::string load_space(const FunctionDraft& function);

/// From here on %base is a register of each lane. As a parameter it stands in uniform registers, which a
/// function that other lanes of the warp call may write.
void keep_base_by_lane(Draft& draft, FunctionDraft& function);
/// Likewise where the kernel's own local variables lie: all lanes have them at the same address, so that the
/// assembler keeps it in a uniform register, which lanes that have gone ahead write.
void keep_locals_by_lane(Draft& draft, FunctionDraft& entry);
/// Likewise what is divided and by what, in 64 bits: the assembler makes a function of the division, and
/// hands it in uniform registers what is the same for all lanes wherever it is called, as the upper half of a
/// divisor.
void keep_divisions_by_lane(Draft& draft, FunctionDraft& function);

/// Declares and computes %linear: the thread within the block; %warp.
std::string identify_warp(const InstrumentOptions& options);

/// Declares and computes %block, linear in the grid.
std::string identify_block(const InstrumentOptions& options);

/// Needs identify_warp() and identify_block() before it. Declares and sets %slab: the warp's, from 0;
/// %selected: whether the launch records this warp. filter_block() belongs into the cold part after it.
std::string find_slab(const InstrumentOptions& options);
std::string filter_block(const InstrumentOptions& options);

/// Declares and sets %place: WarpHead::place without the SM.
inline constexpr std::string_view find_place = R"(
.reg .b32 %place;
mov.u32 %place, %warpid;
shl.b32 %place, %place, 16;
add.u32 %place, %place, 0x80000000;
)";

/// Sets %none: the launch has no slabs.
std::string has_no_slabs(const InstrumentOptions& options);

/// Whether some code relies on Draft::whole.
bool relies_on_whole_warps(const Draft& draft);

/// Sets `mask`, a register, to the active lanes.
std::string capture_mask(Draft& draft, FunctionDraft& function, std::string_view mask);

/// A predicate that the assembler can only decide lane by lane, and which always holds.
std::string guard_that_holds(Draft& draft, FunctionDraft& function);

/// capture_mask() in fewer instructions: not for masks that decide about addresses in kernels with calls.
std::string capture_under_guard(Draft& draft, FunctionDraft& function, std::string_view mask);

/// Whether the assembler takes redux.sync: sm_80 and newer.
bool adds_up_lanes(const ptx::Module& module);

/// Whether the launch may record some warps only: those of chosen blocks or SMs.
bool leaves_warps_out(const InstrumentOptions& options);

/// Register of a lane: its passes through a tallied loop, or through RecordingPlan::tallies_in_word of them.
std::string tally_register(std::uint32_t row);

/// Of the lanes' logs: bytes from the beginning of the space, in the first chunk, to the first lane's first
/// word, and from there to its last one.
std::uint32_t log_begin(const Draft& draft);
std::uint32_t last_log_place(const Draft& draft);

/// Whether the launch's blocks are known to consist of whole warps of 32 threads.
bool fills_warps(const InstrumentOptions& options);
/// Who takes part in a vote or a sum of a whole warp, as an operand: lanes that are not there, or have left,
/// count as absent. A mask in a register would make the assembler ask first whether all have come.
inline constexpr std::string_view every_lane = "0xffffffff";
/// The mask of a whole warp, as an operand: a number, or a register of those that began and have not left.
std::string whole_mask(Draft& draft);

/// Likewise, and whether threadIdx.x alone shows which lane a thread is.
bool has_rows_of_warps(const InstrumentOptions& options);
/// Sets `lane`, a register, from an index that the kernel reads as well, where that shows it: reading a
/// special register takes a scheduler eight cycles (measured on sm_90).
std::string read_lane(const InstrumentOptions& options, std::string_view lane);

/// Whoever is not with all others remembers it: end_warp.cpp reports it. Declares %on: those who are here.
std::string check_whole(Draft& draft);
/// Waits behind a barrier for all lanes of a whole warp: the clock's read waits for that, not for the
/// barrier.
std::string wait_for_whole(Draft& draft, FunctionDraft& function);
/// Likewise where a kernel waits nowhere else: no register holds the mask until then.
std::string wait_once_for_whole(Draft& draft, FunctionDraft& function);

/// Registers of a block that holds values: a block that holds values: the address of its record, whether it
/// has one, whether this lane leads.
std::string record_address(BasicBlockId block);
std::string record_exists(BasicBlockId block);
std::string record_leader(BasicBlockId block);
std::string captured_mask(BasicBlockId block);
std::string captured_clock(BasicBlockId block);
std::string arrival_clock(BasicBlockId block);

}  // namespace warplens::instrumentation
