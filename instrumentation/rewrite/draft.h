// Draft: a module that is being instrumented. The passes do not move the kernel's own statements; they insert
// PTX text before or after them, and weave() makes a module from both. So sites keep their numbers whatever
// the passes add, and the result of every pass can be assembled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "instrumentation/rewrite/block_graph.h"
#include "instrumentation/rewrite/instrument.h"
#include "instrumentation/rewrite/payload.h"
#include "instrumentation/rewrite/recording_space.h"
#include "ptx/module.h"
#include "ptx/program.h"

namespace warplens::instrumentation {

inline constexpr std::string_view space_parameter_name = "warplens_space";

class LaunchValues;

/// A loop that lanes leave by several ways, behind which they meet (meet_behind_loops.h).
struct LoopMeeting {
    std::vector<BasicBlockId> loop;                            // in order
    std::vector<std::pair<BasicBlockId, BasicBlockId>> jumps;  // out of it: from and to
    BasicBlockId falls = no_index;                             // goes on behind it without a jump
};

/// What the passes added to one function.
struct FunctionDraft {
    std::uint32_t index = 0;  // into Module::functions
    bool is_entry = false;
    std::vector<ptx::Statement> head;                             // before the first statement
    std::map<std::uint32_t, std::vector<ptx::Statement>> before;  // by statement of the original body
    std::map<std::uint32_t, std::vector<ptx::Statement>> behind;
    std::vector<ptx::Statement> tail;  // out of the way, after the last statement
    std::uint32_t chunk_units = 0;     // where RecordingPlan::fixed_chunks; 0: as SpaceParameter says
    /// Registers that several pieces of code share, by name: "%warplens_cursor".
    std::map<std::string, std::uint32_t, std::less<>> registers;
};

class Draft {
  public:
    /// `numbered` and `module` must outlive the draft.
    Draft(const ptx::Module& module, const ptx::NumberedProgram& numbered, const InstrumentOptions& options);

    ptx::Module module;  // original bodies; parameters, declarations and registers with the passes' changes
    const ptx::NumberedProgram& numbered;
    const BlockGraph graph;
    const InstrumentOptions options;
    RecordingPlan plan;
    std::vector<FunctionDraft> functions;  // the entry first
    std::vector<bool> lanes_meet;          // by block: blocks_where_lanes_meet()

    // What plan_values() decided beyond the plan:
    std::vector<PayloadStore> payload;
    std::vector<GuardBallot> ballots;
    std::uint32_t could_have_columns = 0;  // blocks whose values lanes could append to their columns
    std::shared_ptr<LaunchValues> launch_values;

    // And plan_blocks():
    std::vector<bool> captures_mask;  // by block: its mask is kept in a register
    BasicBlockId start_block = 0;     // the cursor is set there; all blocks that need it come later
    std::vector<bool> whole;          // by block: the code relies on warps being whole there, and checks it
    std::vector<bool> surely_whole;   // and must be, so that nothing is checked
    std::vector<bool> empties_log;    // by block: where it begins, a log word that is nearly full is stored
    std::vector<LoopMeeting> meetings;
    std::uint32_t log_bits = 0;  // the most that a lane logs from there to the next such block
    bool only_whole = false;  // no record but of whole warps: all lanes of a warp keep the same cursor, and
                              // no record needs more room than the warp's slab
    bool one_place = false;   // likewise, and nothing but words of lanes is written before a warp ends: see
                              // lane_place.h
    bool calls = false;       // some block ends in a call
    bool bounded = false;     // likewise, and no record is written more than once: the slab has room for all
    bool columns_suffice = false;  // no lane records more values than its column takes: none is in a loop
    bool keeps_cursor = false;     // some block is recorded: lanes have a cursor from the beginning
    std::uint32_t first_unit = 2;  // of a warp's slab, after its head

    bool leaves_whole = false;      // predicted: a warp is whole at every way out
    BasicBlockId waits = no_index;  // WholeWarps::waits
    /// Lanes may wait at the way out for the rest of their warp: nobody else would miss them.
    bool may_wait_at_exit = false;

    /// The code compares the active lanes with the whole warp where the block begins.
    bool checks_whole(BasicBlockId b) const {
        const BlockPlan& at = plan.blocks[b];
        const bool by_check = at.source == BlockPlan::Source::checked && whole[at.follows];
        return whole[b] && !surely_whole[b] && at.source != BlockPlan::Source::whole &&
               (captures_mask[b] || by_check);
    }

    /// RecordingPlan::hashes_addresses.
    bool hashes_addresses() const {
        return (options.mode == RecordMode::proof && !options.shown) ||
               std::ranges::any_of(plan.addresses, &AddressPlan::hashed);
    }

    /// Bytes from the beginning of the space to unit 0 of its first chunk, where cursors count from.
    std::uint32_t chunks_begin() const { return head_bytes(plan.symbols.size()); }

    FunctionDraft& function_of(SiteId site);
    ptx::Function& body_of(const FunctionDraft& function) { return module.functions[function.index]; }
    const ptx::Function& body_of(const FunctionDraft& function) const {
        return module.functions[function.index];
    }
    const ptx::Instruction& instruction(SiteId site) const;
    ptx::Instruction& edit(SiteId site) { return const_cast<ptx::Instruction&>(instruction(site)); }
    /// Where a block's own code may begin: after the results of a call that ends the previous block.
    Place begin_of(BasicBlockId block) const;
    std::uint32_t statement(SiteId site) const { return numbered.origins[site].statement; }
    SiteId last_site(BasicBlockId block) const {
        const BasicBlock& at = numbered.program.basic_blocks[block];
        return at.first_site + at.site_count - 1;
    }
    SiteId first_site(BasicBlockId block) const { return numbered.program.basic_blocks[block].first_site; }
    const ptx::Instruction& terminator(BasicBlockId block) const { return instruction(last_site(block)); }
    Place before(SiteId site) const { return {Place::Kind::before, statement(site)}; }
    Place behind(SiteId site) const { return {Place::Kind::behind, statement(site)}; }
    /// After the block's work and before the instruction that ends it. No code may be between a call and its
    /// arguments, so for a call it is the block's start.
    Place end_of(BasicBlockId block) const;
    /// The function's last statement does not leave it: after it there is another way out.
    bool runs_off_its_end(const FunctionDraft& function) const;
    Place last_place(const FunctionDraft& function) const;
    /// The block's record holds more than its first unit and the ballot of its own branch.
    bool holds_payload(BasicBlockId block) const;
    /// Where the warp begins to record: at a block's end, after its loads, or before it when it runs more
    /// than once or needs a place in the space at once.
    Place start_of_recording(BasicBlockId block) const;

    /// Makes a register that pieces of code can share. Its name begins with "%warplens_".
    void share(FunctionDraft& function, const std::string& name, ptx::Type type);

    static bool has_shared(const FunctionDraft& function, const std::string& name) {
        return function.registers.contains(name);
    }

    /// Puts PTX text at a place. Registers: "%warplens_…" are the shared ones, "%own7" is register 7 of the
    /// function itself, all others are declared in the text (`.reg`) and are this piece's own, as are its
    /// labels. The code after the label `cold:` goes out of the way, to the function's end.
    /// `symbols`: variables of the module that the text names. `labels`: names that labels of the text have
    /// in the function. One that the function has already only stands for it, and is not placed.
    void put(FunctionDraft& function, Place place, std::string_view text,
             const std::vector<std::string>& symbols = {},
             const std::map<std::string, std::string>& labels = {});

    /// The first error in put(); a bug of the passes.
    const Status& status() const { return status_; }

    ptx::Module weave() const;

  private:
    bool calls_take_chunk_ = false;
    std::uint32_t fresh_ = 0;  // numbers registers and labels
    Status status_;
};

}  // namespace warplens::instrumentation
