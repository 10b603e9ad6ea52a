#include "simt/timing/polling_loops.h"

#include <algorithm>
#include <string_view>

namespace warplens::simt {
namespace {

constexpr std::uint64_t longest_round = 8;  // visits

bool has_modifier(std::string_view opcode, std::string_view modifier) {
    for (std::size_t at = opcode.find(modifier); at != std::string_view::npos;
         at = opcode.find(modifier, at + 1)) {
        const std::size_t end = at + modifier.size();
        if (end == opcode.size() || opcode[end] == '.') return true;
    }
    return false;
}

/// Reads a word that other threads write, and changes nothing or only acquires it if free.
bool is_polling_instruction(std::string_view opcode) {
    if (opcode.starts_with("mbarrier.test_wait") || opcode.starts_with("mbarrier.try_wait")) return true;
    if (opcode.starts_with("SYNCS.PHASECHK")) return true;
    if (opcode.starts_with("atom.")) return has_modifier(opcode, ".cas") || has_modifier(opcode, ".exch");
    if (opcode.starts_with("ATOM")) return has_modifier(opcode, ".CAS") || has_modifier(opcode, ".EXCH");
    if (!opcode.starts_with("ld.") && !opcode.starts_with("LD")) return false;
    for (const std::string_view word : {".volatile", ".relaxed", ".acquire", ".mmio", ".STRONG", ".MMIO"})
        if (has_modifier(opcode, word)) return true;
    return false;
}

bool changes_something(MachineKind kind) {
    switch (kind) {
        case MachineKind::store:
        case MachineKind::atomic:
        case MachineKind::reduction:
        case MachineKind::copy:
        case MachineKind::block_barrier:
        case MachineKind::barrier_arrive:
        case MachineKind::exit:
            return true;
        default:
            return false;
    }
}

}  // namespace

PollingLoops::PollingLoops(const trace::Trace& trace, const MachineProgram& code)
    : trace_(trace),
      code_(code),
      has_load_(trace.program.basic_blocks.size(), false),
      has_poll_(trace.program.basic_blocks.size(), false) {
    for (const Site& site : trace.program.sites) {
        polls_.push_back(is_polling_instruction(site.opcode));
        if (!polls_.back()) continue;
        has_poll_[site.basic_block] = true;
        if (site.operation == Operation::load && site.space != Space::shared)
            has_load_[site.basic_block] = true;
    }
}

bool PollingLoops::may_wait() {
    for (BasicBlockId block = 0; block < has_load_.size(); ++block) {
        if (!has_load_[block]) continue;
        // Machine code has a YIELD between the load and the branch, which ends the block.
        if (is_poll({block}) || (block + 1 < has_load_.size() && is_poll({block, block + 1}))) return true;
    }
    return false;
}

std::uint64_t PollingLoops::round_at(std::uint64_t visit, std::uint64_t end) {
    const auto at = [&](std::uint64_t index) -> const trace::Visit& { return trace_.visits[index]; };
    bool polls = false;
    for (std::uint64_t length = 1; length <= longest_round && visit + 3 * length <= end; ++length) {
        polls |= has_poll_[at(visit + length - 1).basic_block];
        if (!polls || !(at(visit) == at(visit + length))) continue;
        bool repeats = true;
        std::vector<BasicBlockId> round;
        for (std::uint64_t i = 0; i < length && repeats; ++i) {
            repeats = at(visit + i) == at(visit + length + i) && at(visit + i) == at(visit + 2 * length + i);
            round.push_back(at(visit + i).basic_block);
        }
        if (repeats && is_poll(round)) return length;
    }
    return 0;
}

/// Whether a result is among the registers that decide. Machine code names the first register of a load's
/// several.
bool PollingLoops::decides_by(const MachineOp& op, const std::set<std::uint16_t>& decides) const {
    const bool of_several = code_.has_control_fields && op.kind == MachineKind::load;
    const std::uint32_t more =
        of_several ? std::max(trace_.program.sites[op.site].bytes_per_lane / 4, 1u) - 1 : 0;
    return std::ranges::any_of(code_.results(op), [&](std::uint16_t result) {
        const auto first = decides.lower_bound(result);
        return first != decides.end() && *first <= result + more;
    });
}

/// Whether the round changes only registers and its exit depends on the result of its polling instruction.
bool PollingLoops::is_poll(const std::vector<BasicBlockId>& round) {
    if (const auto known = known_.find(round); known != known_.end()) return known->second;
    std::vector<const MachineOp*> ops;
    std::set<std::uint16_t> decides;  // registers that decide the exit
    bool quiet = true;
    for (const BasicBlockId block : round) {
        const OpRange range = code_.blocks[block].once;
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            const MachineOp& op = code_.ops[i];
            ops.push_back(&op);
            quiet &= polls_[op.site] || !changes_something(op.kind);
            if (op.kind == MachineKind::branch)
                for (const std::uint16_t source : code_.sources(op)) decides.insert(source);
        }
    }
    bool found = false;
    for (std::size_t before = 0; quiet && !found && before != decides.size();) {
        before = decides.size();
        for (const MachineOp* op : ops) {
            if (!decides_by(*op, decides)) continue;
            found |= polls_[op->site];
            for (const std::uint16_t source : code_.sources(*op)) decides.insert(source);
        }
    }
    return known_[round] = quiet && found;
}

}  // namespace warplens::simt
