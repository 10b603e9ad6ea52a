// Rewrites a kernel's PTX so that it records what its warps do: a chain of passes, one file each, PTX in and
// PTX out, each of which leaves a module that the assembler takes. The kernel's results stay bit for bit the
// same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch.h"
#include "core/result.h"
#include "instrumentation/rewrite/recording_plan.h"
#include "ptx/module.h"

namespace warplens::instrumentation {

/// What is known of the launch when its kernel is instrumented; the code then asks for nothing else. It
/// serves launches of this shape only.
struct KnownLaunch {
    LaunchGeometry geometry;      // of the grid only which extents are 1
    bool exact_block = true;      // else of the block, too, only which extents are 1
    bool selects_blocks = false;  // SpaceParameter::block_set may be used
    bool selects_sms = false;     // SpaceParameter::sm_set may be used
    bool has_slabs = true;        // SpaceParameter::slabs is enough for every recorded warp, not 0
};

struct InstrumentOptions {
    RecordMode mode = RecordMode::light;
    /// Record the lower halves of global addresses only: all buffers begin with the same upper 32 bits.
    /// SpaceHead::outside_narrow says whether an address did not; the launch is then recorded again
    /// without.
    bool narrow = true;
    /// Static and dynamic shared memory of the launch: up to 64 KiB, shared addresses take 16 bits.
    std::uint32_t shared_bytes = 0xffffffffu;
    /// Nothing: the code serves every launch.
    std::optional<KnownLaunch> launch;
    /// Registers a thread may have, so that recording does not change how many blocks fit on an SM: those of
    /// the original kernel rounded up to 8, and 32 at least, change nothing. 0: as many as the code wants.
    std::uint32_t max_registers = 0;
    /// Light and proof: where a warp is expected to be whole (RecordingPlan::predicted), record without a
    /// branch: no other mask, and no other room than the warp's slab. SpaceHead says if that was wrong; the
    /// launch is then recorded again without. Needs slabs.
    bool predict_whole = false;
    /// With predict_whole: lanes are expected to pass bounds checks, "if (i >= n) return", all or none.
    bool predict_bounds = true;
    /// Bounds checks at which some warp was seen to part. predict_parting: they are expected to hold all the
    /// same: where lanes that leave have nothing to do, nothing may depend on it.
    std::vector<BasicBlockId> parting = {};
    bool predict_parting = true;
    /// With predict_bounds: at bounds checks that are not `parting` whole warps leave the kernel by a branch
    /// of their own (leave_at_once.h). SpaceHead::warps_apart says if one did part.
    bool leave_at_once = false;
    /// With predict_whole: room for what each lane logs of its branches (RecordingPlan::log_words). 0: blocks
    /// in which a warp is not expected to be whole leave their records instead.
    std::uint32_t log_words = 0;
    /// Likewise, how many bits a lane logs in all, at most 31, and how many its passes through one tallied
    /// loop take: short ones are packed (RecordingPlan::lane_bytes). 0: not known. SpaceHead::slabs_full says
    /// if it was too few.
    std::uint32_t log_bits = 0, tally_bits = 0;
    /// Likewise, how many bits the passes take of a lane through a loop in which one branch alone is logged
    /// (RecordingPlan::pass_bits). 0: not known, too many, or so few that each has a bit.
    std::uint32_t pass_bits = 0;
    /// With slabs, how many units the records take that one lane leads: lanes that lead get room of their own
    /// (RecordingPlan::lane_units). 0: not known, or too much; lanes take chunks.
    std::uint32_t lane_units = 0;
    /// Full mode, with slabs: words of values that one lane is expected to record at most
    /// (RecordingPlan::value_words, which may be more). 0: not known, or too much; records hold the values.
    std::uint32_t value_words = 0;
    /// Do not record what follows from the launch alone: the host replays it (RecordingPlan::replay), for
    /// which it needs the launch's arguments. Full mode hashes the addresses that are replayed. Needs slabs.
    bool replay = false;
    /// With replay: addresses in full mode, and branches that would be logged, are replayed also where they
    /// follow from memory that the kernel is expected only to read (instrumentation/rewrite/read_only.h),
    /// from ReadBack::memory. Lanes hash both. Decoded::replay_differs, or blocks that are damaged, say if
    /// that was wrong; the launch is then recorded again without.
    bool replay_loads = false;
    /// With replay, in proof and full mode: do not hash addresses that follow from the launch alone. A launch
    /// with the same arguments whose lanes went the same ways has shown them.
    bool shown = false;
    bool keep_passes = false;  // fill Instrumented::passes
    /// Leave code that seldom runs where it is used, instead of at the function's end: for the CPU engine,
    /// whose lanes meet again at the lowest program counter.
    bool cold_in_place = false;
};

/// The PTX as a pass left it, for people to read.
struct PassOutput {
    std::string name;  // verb first: "record block entries"
    std::string help;  // one sentence: what it added and why
    std::string ptx;
};

struct Instrumented {
    std::string ptx;
    RecordingPlan plan;
    std::vector<PassOutput> passes;  // the first is the original PTX: "the kernel's own"
};

/// Sites and basic blocks are those of ptx::number_sites(module, entry). The kernel gets one more parameter,
/// after its own: SpaceParameter. Errors name what cannot be instrumented and why.
Result<Instrumented> instrument(const ptx::Module& module, std::string_view entry,
                                const InstrumentOptions& options);

}  // namespace warplens::instrumentation
