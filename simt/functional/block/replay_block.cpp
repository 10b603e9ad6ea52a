#include "simt/functional/block/replay_block.h"

#include <algorithm>
#include <map>

#include "ptx/value_flow.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/block/shared_place.h"

namespace warplens::simt {

/// The kernel's text and layout, and the lanes that have written each register so far.
struct StepReplay::Decoded {
    const DecodedKernel& kernel;
    const ptx::Module& module;
    /// Of one site: the registers that it writes, and its guard.
    struct Facts {
        std::vector<u32> results;
        const ptx::Instruction* instruction = nullptr;
        bool exchanges = false;
        u32 given = no_index;
    };
    std::map<SiteId, Facts> sites = {};
    std::map<std::pair<u32, u32>, u32> written = {};  // by function and register: lanes

    const DecodedFunction& function_of(u32 index) const {
        return *std::ranges::find(kernel.functions, module.functions[index].name, &DecodedFunction::name);
    }
    const Facts& facts(SiteId site) {
        auto [at, is_new] = sites.try_emplace(site);
        if (is_new) {
            const ptx::SiteOrigin& origin = kernel.origins[site];
            const auto& statement = module.functions[origin.function].body[origin.statement];
            at->second.instruction = &std::get<ptx::Instruction>(statement);
            at->second.results = ptx::value_flow(*at->second.instruction).written;
            at->second.exchanges = kernel.numbered.sites[site].kind == SiteKind::warp_wide;
            const auto& operands = at->second.instruction->operands;
            if (operands.size() > 1)
                if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operands[1].value))
                    at->second.given = reg->index;
        }
        return at->second;
    }
    /// The lanes of the warp's step that are not predicated off.
    u32 executed(Warp& warp, SiteId site) {
        const ptx::Instruction& instruction = *facts(site).instruction;
        if (!instruction.has_guard) return warp.active;
        const auto& registers = function_of(kernel.origins[site].function).registers;
        const auto guard = std::ranges::find(registers, instruction.guard.predicate, &RegisterSlot::index);
        const u32 holds = guard == registers.end() ? 0 : predicate(warp, guard->row);
        return warp.active & (instruction.guard.negated ? ~holds : holds);
    }
    /// All zeros for no_index.
    std::array<u64, warp_size> bits_of(Warp& warp, u32 function, u32 index) const {
        const auto& registers = function_of(function).registers;
        const auto slot = std::ranges::find(registers, index, &RegisterSlot::index);
        if (index == no_index || slot == registers.end()) return {};
        return bits(warp, *slot);
    }
    static std::array<u64, warp_size> bits(Warp& warp, const RegisterSlot& slot) {
        std::array<u64, warp_size> bits;
        for (std::size_t lane = 0; lane < bits.size(); ++lane)
            bits[lane] = slot.bytes == 0   ? predicate(warp, slot.row) >> lane & 1u
                         : slot.bytes == 4 ? row<const u32>(warp, slot.row)[lane]
                                           : row<const u64>(warp, slot.row)[lane];
        return bits;
    }
};

/// Notes who stores to the block's shared memory, and the requests of the step.
class StepReplay::OfBlock final : public trace::BlockObserver {
  public:
    OfBlock(StepReplay& replay, u64 block) : replay_(replay), block_(block) {}

    void visit(int warp, BasicBlockId block, LaneMask) override {
        steps_.visit(replay_.decoded_->kernel.program(), warp, block);
    }
    void access(int warp, const trace::Access& access) override {
        if (replay_.done_) return;
        const StepAt at{block_, static_cast<u32>(warp), steps_.step(warp, access.site)};
        if (replay_.at_step_)
            replay_.state_.requests.push_back(
                {access.space, access.operation, access.bytes_per_lane, access.mask, *access.addresses});
        if (!is_write(access.operation)) return;
        if (access.space != Space::shared && access.space != Space::shared_cluster) return;
        for_each_lane(access.mask, [&](int lane) { note(at, access, lane); });
    }

  private:
    void note(const StepAt& at, const trace::Access& access, int lane) {
        const SharedPlace place = shared_place(replay_.geometry_, block_, access.space,
                                               (*access.addresses)[static_cast<std::size_t>(lane)]);
        if (place.block != replay_.state_.at.block || access.bytes_per_lane == 0) return;
        std::vector<WordWriter>& writers = replay_.state_.shared.writers;
        const u64 first = place.offset / SharedState::word_bytes;
        const u64 last = (place.offset + access.bytes_per_lane - 1) / SharedState::word_bytes;
        if (writers.size() <= last) writers.resize(last + 1);
        for (u64 word = first; word <= last; ++word) writers[word] = {at, access.site, lane};
    }

    StepReplay& replay_;
    u64 block_;
    StepCounts steps_;
};

StepReplay::StepReplay(const Kernel& kernel, const ptx::Module& module, const LaunchGeometry& geometry,
                       StepAt at)
    : decoded_(new Decoded{static_cast<const DecodedKernel&>(kernel), module}), geometry_(geometry) {
    state_.at = at;
}

StepReplay::~StepReplay() = default;

std::unique_ptr<trace::BlockObserver> StepReplay::begin_block(std::uint64_t linear_block) {
    if (linear_cluster(linear_block, geometry_) != linear_cluster(state_.at.block, geometry_)) return nullptr;
    return std::make_unique<OfBlock>(*this, linear_block);
}

void StepReplay::before(Warp& warp, u64 step, SiteId site) {
    if (done_ || warp.index != state_.at.warp) return;
    const u32 executed = decoded_->executed(warp, site);
    const u32 function = decoded_->kernel.origins[site].function;
    if (decoded_->facts(site).exchanges) begin_exchange(warp, step, site, {executed});
    at_step_ = step == state_.at.step;
    if (at_step_) {
        state_.site = site;
        state_.function = function;
        state_.active = {warp.active};
        state_.executed = {executed};
        for (const RegisterSlot& slot : decoded_->function_of(function).registers) {
            if (slot.index == no_index) continue;
            RegisterState& state = state_.registers.emplace_back();
            state.index = slot.index;
            state.before = Decoded::bits(warp, slot);
            state.written_before = {decoded_->written[{function, slot.index}]};
        }
        std::ranges::sort(state_.registers, {}, &RegisterState::index);
    }
    for (const u32 index : decoded_->facts(site).results) decoded_->written[{function, index}] |= executed;
}

void StepReplay::begin_exchange(Warp& warp, u64 step, SiteId site, LaneMask lanes) {
    if (state_.exchanges.size() == most_exchanges) return;
    const Decoded::Facts& facts = decoded_->facts(site);
    ExchangedValues& values = state_.exchanges.emplace_back();
    values.step = step;
    values.site = site;
    values.lanes = lanes;
    values.given = facts.given;
    if (!facts.results.empty()) values.received = facts.results.front();
    values.before = decoded_->bits_of(warp, decoded_->kernel.origins[site].function, values.given);
}

void StepReplay::after(Warp& warp, u64 step, SiteId site) {
    if (done_ || warp.index != state_.at.warp) return;
    if (!state_.exchanges.empty() && state_.exchanges.back().step == step) {
        ExchangedValues& values = state_.exchanges.back();
        values.after = decoded_->bits_of(warp, decoded_->kernel.origins[site].function, values.received);
    }
    if (step != state_.at.step) return;
    const u32 function = state_.function;
    for (const RegisterSlot& slot : decoded_->function_of(function).registers) {
        const auto state = std::ranges::lower_bound(state_.registers, slot.index, {}, &RegisterState::index);
        if (state == state_.registers.end() || state->index != slot.index) continue;
        state->after = Decoded::bits(warp, slot);
        state->written_after = {decoded_->written[{function, slot.index}]};
    }
    const SharedBytes shared = warp.block->shared_bytes();
    state_.shared.bytes.assign(shared.bytes, shared.bytes + shared.count);
    state_.shared.written.assign(shared.written, shared.written + shared.count);
    state_.shared.writers.resize((shared.count + SharedState::word_bytes - 1) / SharedState::word_bytes);
    at_step_ = false;
    done_ = true;
    warp.block->end_run();
}

}  // namespace warplens::simt
