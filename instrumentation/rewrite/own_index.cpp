#include "instrumentation/rewrite/own_index.h"

#include <utility>
#include <vector>

#include "ptx/value_flow.h"

namespace warplens::instrumentation {

namespace {

/// thread * threadIdx.x + block * blockIdx.x + number, in 32 bits.
struct Sum {
    std::uint32_t thread = 0, block = 0, number = 0;
    bool is_number() const { return thread == 0 && block == 0; }
    Sum times(std::uint32_t factor) const { return {thread * factor, block * factor, number * factor}; }
    friend Sum operator+(const Sum& a, const Sum& b) {
        return {a.thread + b.thread, a.block + b.block, a.number + b.number};
    }
};

class SumFinder {
  public:
    explicit SumFinder(const Draft& draft)
        : draft_(draft), set_by_(draft.body_of(draft.functions.front()).registers.size(), no_index) {
        for (SiteId site = 0; site < draft.numbered.origins.size(); ++site) {
            if (draft.numbered.origins[site].function != draft.functions.front().index) continue;
            for (const std::uint32_t reg : ptx::value_flow(draft.instruction(site)).written)
                set_by_[reg] = set_by_[reg] == no_index ? site : several;
        }
    }

    /// The site that alone sets the register, always.
    std::optional<SiteId> only_site(std::uint32_t reg) const {
        if (set_by_[reg] >= several || draft_.instruction(set_by_[reg]).has_guard) return std::nullopt;
        return set_by_[reg];
    }

    std::optional<Sum> sum_of(std::uint32_t reg, int depth = 0) const {
        constexpr int deepest = 8;
        const std::optional<SiteId> site = only_site(reg);
        if (!site || depth == deepest) return std::nullopt;
        const ptx::Instruction& instruction = draft_.instruction(*site);
        if (ptx::size_of(instruction.type()) != 4) return std::nullopt;
        std::vector<Sum> sources;
        for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
            const std::optional<Sum> source = sum_of(instruction.operands[i], depth);
            if (!source) return std::nullopt;
            sources.push_back(*source);
        }
        if (instruction.opcode == "mov" && sources.size() == 1) return sources[0];
        if (instruction.opcode == "add" && sources.size() == 2) return sources[0] + sources[1];
        if (instruction.opcode == "shl" && sources.size() == 2 && sources[1].is_number() &&
            sources[1].number < 32)
            return sources[0].times(1u << sources[1].number);
        if (instruction.opcode == "mul" && instruction.has("lo") && sources.size() == 2)
            return product(sources[0], sources[1]);
        if (instruction.opcode == "mad" && instruction.has("lo") && sources.size() == 3)
            if (const std::optional<Sum> both = product(sources[0], sources[1])) return *both + sources[2];
        return std::nullopt;
    }

  private:
    static constexpr SiteId several = no_index - 1;

    static std::optional<Sum> product(Sum a, Sum b) {
        if (!b.is_number()) std::swap(a, b);
        if (!b.is_number()) return std::nullopt;
        return a.times(b.number);
    }

    std::optional<Sum> sum_of(const ptx::Operand& operand, int depth) const {
        if (operand.negated) return std::nullopt;
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand.value))
            return sum_of(reg->index, depth + 1);
        if (const auto* number = std::get_if<ptx::Immediate>(&operand.value))
            return Sum{.number = static_cast<std::uint32_t>(number->bits)};
        const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value);
        if (special == nullptr) return std::nullopt;
        if (special->name == "tid.x") return Sum{.thread = 1};
        if (special->name == "ctaid.x") return Sum{.block = 1};
        if (special->name == "ntid.x")
            return Sum{.number = static_cast<std::uint32_t>(draft_.options.launch->geometry.block.x)};
        return std::nullopt;
    }

    const Draft& draft_;
    std::vector<SiteId> set_by_;  // by register; no_index: none
};

}  // namespace

std::optional<std::uint32_t> own_index_of_thread(const Draft& draft, BasicBlockId block) {
    const Place start = draft.start_of_recording(block);
    if (start.kind == Place::Kind::head) return std::nullopt;
    const SumFinder finder(draft);
    const std::vector<BasicBlockId> dominators = immediate_dominators(draft.graph);
    const auto comes_before = [&](SiteId site) {
        const BasicBlockId set_in = draft.numbered.program.sites[site].basic_block;
        const std::uint32_t end = start.statement + (start.kind == Place::Kind::behind ? 1 : 0);
        if (set_in == block) return draft.statement(site) < end;
        BasicBlockId above = block;
        while (above != no_index && above != set_in) above = dominators[above];
        return above == set_in;
    };
    const std::size_t registers = draft.body_of(draft.functions.front()).registers.size();
    for (std::uint32_t reg = 0; reg < registers; ++reg) {
        const std::optional<SiteId> site = finder.only_site(reg);
        if (!site || !comes_before(*site)) continue;
        const std::optional<Sum> sum = finder.sum_of(reg);
        if (sum && sum->thread == 1 && sum->number == 0 &&
            sum->block == static_cast<std::uint32_t>(draft.options.launch->geometry.block.x))
            return reg;
    }
    return std::nullopt;
}

}  // namespace warplens::instrumentation
