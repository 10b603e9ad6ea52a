#include "simt/functional/decode/register_liveness.h"

#include <algorithm>
#include <utility>

#include "ptx/opcodes.h"
#include "simt/functional/decode/register_uses.h"

namespace warplens::simt {

namespace {

/// A basic block's registers: those it reads before writing them, and those it always writes.
struct BlockFacts {
    std::vector<std::uint32_t> read;
    std::vector<std::uint32_t> written;  // by an unguarded instruction
    std::vector<std::uint32_t> successors;
};

/// Collects the facts block by block; the stamps mark what the lists already contain.
class FactCollector {
  public:
    explicit FactCollector(std::size_t registers) : read_in_(registers, 0), written_in_(registers, 0) {}

    void begin_block() {
        ++block_;
        facts_ = {};
    }

    void note(const ptx::Instruction& instruction) {
        const std::size_t results = ptx::find_opcode(instruction.opcode) ? ptx::result_count(instruction) : 0;
        auto read = [&](std::uint32_t index) {
            if (written_in_[index] != block_ && read_in_[index] != block_) facts_.read.push_back(index);
            read_in_[index] = block_;
        };
        if (instruction.has_guard) read(instruction.guard.predicate);
        for (std::size_t i = results; i < instruction.operands.size(); ++i)
            for_each_register(instruction.operands[i], read);
        if (instruction.has_guard) return;
        for (std::size_t i = 0; i < std::min(results, instruction.operands.size()); ++i)
            for_each_register(instruction.operands[i], [&](std::uint32_t index) {
                if (written_in_[index] != block_) facts_.written.push_back(index);
                written_in_[index] = block_;
            });
    }

    BlockFacts take() { return std::move(facts_); }

  private:
    std::vector<std::uint32_t> read_in_,
        written_in_;  // by register: number of the last block that reads or writes it, from 1
    std::uint32_t block_ = 0;
    BlockFacts facts_;
};

/// One set of registers per block, as bits. Only registers that some block reads before writing have a bit,
/// since no others can be live across blocks.
class BlockSets {
  public:
    BlockSets(const std::vector<BlockFacts>& blocks, std::size_t registers) : bit_of_(registers, no_index) {
        for (const BlockFacts& facts : blocks)
            for (const std::uint32_t index : facts.read)
                if (bit_of_[index] == no_index) bit_of_[index] = bits_++;
        words_ = (bits_ + 63) / 64;
        live_.resize(blocks.size() * words_);
        written_.resize(blocks.size() * words_);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            for (const std::uint32_t index : blocks[b].read) set(live_, b, index);
            for (const std::uint32_t index : blocks[b].written) set(written_, b, index);
        }
    }

    /// Adds the registers that a successor needs to a block's live ones; returns whether any was new.
    bool flow_back(std::size_t block, std::size_t successor) {
        std::uint64_t fresh = 0;
        for (std::size_t w = 0; w < words_; ++w) {
            std::uint64_t& live = live_[block * words_ + w];
            const std::uint64_t before = live;
            live |= live_[successor * words_ + w] & ~written_[block * words_ + w];
            fresh |= before ^ live;
        }
        return fresh != 0;
    }

    std::vector<bool> live_at(std::size_t block) const {
        std::vector<bool> live(bit_of_.size());
        for (std::size_t r = 0; r < bit_of_.size(); ++r)
            if (const std::uint32_t bit = bit_of_[r]; bit != no_index)
                live[r] = (live_[block * words_ + bit / 64] >> bit % 64 & 1) != 0;
        return live;
    }

  private:
    void set(std::vector<std::uint64_t>& sets, std::size_t block, std::uint32_t index) const {
        if (const std::uint32_t bit = bit_of_[index]; bit != no_index)
            sets[block * words_ + bit / 64] |= std::uint64_t{1} << bit % 64;
    }

    std::vector<std::uint32_t> bit_of_;  // by register
    std::uint32_t bits_ = 0;
    std::size_t words_ = 0;
    std::vector<std::uint64_t> live_, written_;
};

}  // namespace

std::vector<std::vector<bool>> live_registers(const FunctionBlocks& of, const Program& program,
                                              std::span<const ptx::SiteOrigin> origins,
                                              std::span<const BasicBlockId> wanted) {
    const std::size_t count = of.function.registers.size();
    std::vector<BlockFacts> blocks;
    FactCollector collector(count);
    for (BasicBlockId b = of.first; b < program.basic_blocks.size(); ++b) {
        const BasicBlock& block = program.basic_blocks[b];
        if (origins[block.first_site].function != of.index) break;
        collector.begin_block();
        const ptx::Instruction* last = nullptr;
        for (SiteId site = block.first_site; site < block.first_site + block.site_count; ++site) {
            last = &std::get<ptx::Instruction>(of.function.body[origins[site].statement]);
            collector.note(*last);
        }
        if (last->opcode == "brx")
            return std::vector<std::vector<bool>>(wanted.size(), std::vector<bool>(count, true));
        BlockFacts facts = collector.take();
        const bool leaves = last->opcode == "ret" || last->opcode == "exit" || last->opcode == "bra";
        if (!leaves || last->has_guard) facts.successors.push_back(b - of.first + 1);
        if (last->opcode == "bra" && !last->operands.empty())
            if (auto* label = std::get_if<ptx::Label>(&last->operands[0].value))
                if (auto at = of.labels.find(label->name); at != of.labels.end() && at->second >= of.first)
                    facts.successors.push_back(at->second - of.first);
        blocks.push_back(std::move(facts));
    }
    BlockSets sets(blocks, count);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = blocks.size(); b-- > 0;)
            for (const std::uint32_t next : blocks[b].successors)
                if (next < blocks.size()) changed |= sets.flow_back(b, next);
    }
    std::vector<std::vector<bool>> live;
    for (const BasicBlockId block : wanted) live.push_back(sets.live_at(block - of.first));
    return live;
}

}  // namespace warplens::simt
