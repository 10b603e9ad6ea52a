#include "simt/functional/block/memory_history.h"

#include <algorithm>
#include <cstring>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/block/shared_place.h"

namespace warplens::simt {

namespace {

bool overlap(u64 a, u64 bytes_a, u64 b, u64 bytes_b) { return a < b + bytes_b && b < a + bytes_a; }

/// In the block's shared memory, or in a thread's local memory; nullptr: outside.
const std::byte* own_bytes(BlockRunner& block, const MemoryPlace& place) {
    const std::byte* from = nullptr;
    u64 limit = 0;
    if (place.space == Space::shared) {
        from = block.shared_bytes().bytes;
        limit = block.shared_bytes().count;
    } else if (place.space == Space::local) {
        const Warp& warp = block.warp(place.warp);
        from = warp.local + static_cast<u32>(place.lane) * warp.local_bytes;
        limit = warp.local_bytes;
    }
    return from != nullptr && place.address + place.bytes <= limit ? from + place.address : nullptr;
}

bool is_shared_space(Space space) { return space == Space::shared || space == Space::shared_cluster; }

}  // namespace

class MemoryHistory::OfBlock final : public trace::BlockObserver {
  public:
    OfBlock(MemoryHistory& history, u64 block) : history_(history), block_(block) {}

    void visit(int warp, BasicBlockId block, LaneMask) override {
        steps_.visit(history_.program_, warp, block);
    }
    void access(int warp, const trace::Access& access) override {
        if (!is_write(access.operation)) return;
        history_.note({block_, static_cast<u32>(warp), steps_.step(warp, access.site)}, access);
    }

  private:
    MemoryHistory& history_;
    u64 block_;
    StepCounts steps_;
};

MemoryHistory::MemoryHistory(const Kernel& kernel, const LaunchGeometry& geometry, StepAt at,
                             std::optional<MemoryPlace> place, std::vector<MemoryPlace> around)
    : program_(kernel.program()),
      geometry_(geometry),
      at_(at),
      place_(std::move(place)),
      around_(std::move(around)),
      around_values_(around_.size()) {}

MemoryHistory::~MemoryHistory() = default;

/// Blocks that can write the place.
bool MemoryHistory::wants(u64 linear_block) {
    if (place_ && place_->space == Space::global) return true;
    return linear_cluster(linear_block, geometry_) == linear_cluster(at_.block, geometry_);
}

std::unique_ptr<trace::BlockObserver> MemoryHistory::begin_block(std::uint64_t linear_block) {
    if (!wants(linear_block)) return nullptr;
    return std::make_unique<OfBlock>(*this, linear_block);
}

void MemoryHistory::finish(std::uint64_t linear_block, std::unique_ptr<trace::BlockObserver>) {
    if (linear_block == at_.block) done_ = true;
}

bool MemoryHistory::reaches(u64 block, int warp, const trace::Access& access, int lane) const {
    const u64 address = (*access.addresses)[static_cast<std::size_t>(lane)];
    if (is_shared_space(access.space)) {
        if (place_->space != Space::shared) return false;
        const SharedPlace at = shared_place(geometry_, block, access.space, address);
        return at.block == place_->block &&
               overlap(at.offset, access.bytes_per_lane, place_->address, place_->bytes);
    }
    if (access.space != place_->space) return false;
    if (access.space == Space::local &&
        (block != place_->block || static_cast<u32>(warp) != place_->warp || lane != place_->lane))
        return false;
    return overlap(address, access.bytes_per_lane, place_->address, place_->bytes);
}

void MemoryHistory::note(const StepAt& at, const trace::Access& access) {
    if (!place_ || done_) return;
    LaneMask lanes;
    for_each_lane(access.mask, [&](int lane) {
        if (reaches(at.block, static_cast<int>(at.warp), access, lane)) lanes.bits |= 1u << lane;
    });
    if (lanes.bits == 0) return;
    MemoryWrite& write = writes_.emplace_back();
    write.at = at;
    write.site = access.site;
    write.operation = access.operation;
    write.lanes = lanes;
    write.before = write.after = current_;
    write.asynchronous = program_.sites[access.site].opcode.starts_with("cp.");
}

PlaceBytes MemoryHistory::read(Warp& warp, const MemoryPlace& place) const {
    PlaceBytes bytes{};
    const std::byte* from = nullptr;
    if (place.space == Space::global) {
        from = warp.block->launch().memory->at(place.address, place.bytes);
    } else {
        for (BlockRunner* member : warp.block->cluster().blocks)
            if (member->linear_block() == place.block) from = own_bytes(*member, place);
    }
    if (from != nullptr) std::memcpy(bytes.data(), from, std::min(place.bytes, most_place_bytes));
    return bytes;
}

/// Gives the writes since the last call their value. That of an asynchronous copy stays open until it
/// arrives.
void MemoryHistory::refresh(Warp& warp) {
    const PlaceBytes now = read(warp, *place_);
    if (!begun_ && warp.block->linear_block() == at_.block) {
        begun_ = true;
        initial_ = current_ = now;
    }
    const bool changed = now != current_;
    for (; open_ < writes_.size(); ++open_) {
        if (writes_[open_].asynchronous && !changed && open_ + 1 == writes_.size()) break;
        writes_[open_].after = now;
    }
    current_ = now;
}

void MemoryHistory::before(Warp& warp, u64 step, SiteId) {
    if (done_) return;
    if (place_) refresh(warp);
    if (warp.block->linear_block() != at_.block || warp.index != at_.warp || step != at_.step) return;
    before_step_ = writes_.size();
    for (std::size_t i = 0; i < around_.size(); ++i) around_values_[i].before = read(warp, around_[i]);
}

void MemoryHistory::after(Warp& warp, u64 step, SiteId) {
    if (done_) return;
    if (place_) refresh(warp);
    if (warp.block->linear_block() != at_.block || warp.index != at_.warp || step != at_.step) return;
    for (std::size_t i = 0; i < around_.size(); ++i) around_values_[i].after = read(warp, around_[i]);
}

}  // namespace warplens::simt
