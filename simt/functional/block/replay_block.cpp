#include "simt/functional/block/replay_block.h"

#include <algorithm>
#include <map>

#include "simt/functional/block/register_reader.h"
#include "simt/functional/block/shared_place.h"

namespace warplens::simt {

/// The lanes that have written each register so far, by function and register.
struct StepReplay::Decoded : RegisterReader {
    using RegisterReader::RegisterReader;
    std::map<std::pair<u32, u32>, u32> written = {};
};

/// Notes who stores to the block's shared memory, and the requests of the step.
class StepReplay::OfBlock final : public trace::BlockObserver {
  public:
    OfBlock(StepReplay& replay, u64 block) : replay_(replay), block_(block) {}

    void visit(int warp, BasicBlockId block, LaneMask) override {
        steps_.visit(replay_.decoded_->kernel().program(), warp, block);
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
    : decoded_(new Decoded(kernel, module)), geometry_(geometry) {
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
    const u32 function = decoded_->facts(site).function;
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
    for (const u32 index : decoded_->facts(site).flow.written)
        decoded_->written[{function, index}] |= executed;
}

void StepReplay::begin_exchange(Warp& warp, u64 step, SiteId site, LaneMask lanes) {
    if (state_.exchanges.size() == most_exchanges) return;
    const Decoded::Facts& facts = decoded_->facts(site);
    ExchangedValues& values = state_.exchanges.emplace_back();
    values.step = step;
    values.site = site;
    values.lanes = lanes;
    values.given = facts.given;
    if (!facts.flow.written.empty()) values.received = facts.flow.written.front();
    values.before = decoded_->bits_of(warp, decoded_->facts(site).function, values.given);
}

void StepReplay::after(Warp& warp, u64 step, SiteId site) {
    if (done_ || warp.index != state_.at.warp) return;
    if (!state_.exchanges.empty() && state_.exchanges.back().step == step) {
        ExchangedValues& values = state_.exchanges.back();
        values.after = decoded_->bits_of(warp, decoded_->facts(site).function, values.received);
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
