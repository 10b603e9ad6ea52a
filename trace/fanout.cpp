#include "trace/fanout.h"

#include <algorithm>

namespace warplens::trace {
namespace {

class BlockFanout : public BlockObserver {
  public:
    BlockFanout(const Fanout* fanout, std::vector<std::unique_ptr<BlockObserver>> all)
        : made_by(fanout), parts(std::move(all)) {
        for (const auto& part : parts)
            if (part) listening_.push_back(part.get());
    }

    void visit(int warp, BasicBlockId block, LaneMask active) override {
        for (auto* part : listening_) part->visit(warp, block, active);
    }
    void access(int warp, const Access& access) override {
        for (auto* part : listening_) part->access(warp, access);
    }
    void guard(int warp, SiteId site, LaneMask executed) override {
        for (auto* part : listening_) part->guard(warp, site, executed);
    }
    void branch(int warp, SiteId site, LaneMask active, LaneMask taken) override {
        for (auto* part : listening_) part->branch(warp, site, active, taken);
    }
    void barrier(int warp, SiteId site, LaneMask arrived) override {
        for (auto* part : listening_) part->barrier(warp, site, arrived);
    }
    void exchange(int warp, SiteId site, LaneMask mask, const Lanes& lanes) override {
        for (auto* part : listening_) part->exchange(warp, site, mask, lanes);
    }
    void barrier_release() override {
        for (auto* part : listening_) part->barrier_release();
    }

    const Fanout* made_by;
    std::vector<std::unique_ptr<BlockObserver>> parts;  // one per observer; null if it ignores the block

  private:
    std::vector<BlockObserver*> listening_;
};

}  // namespace

std::unique_ptr<BlockObserver> Fanout::begin_block(std::uint64_t linear_block) {
    std::vector<std::unique_ptr<BlockObserver>> parts;
    parts.reserve(observers_.size());
    for (Observer* observer : observers_) parts.push_back(observer->begin_block(linear_block));
    // If only the first observes a block, it gets the events directly: a report that records a few blocks.
    if (std::all_of(parts.begin() + 1, parts.end(), [](const auto& part) { return !part; }))
        return std::move(parts.front());
    return std::make_unique<BlockFanout>(this, std::move(parts));
}

void Fanout::finish(std::uint64_t linear_block, std::unique_ptr<BlockObserver> observer) {
    auto* several = dynamic_cast<BlockFanout*>(observer.get());
    if (several && several->made_by == this) {
        for (std::size_t i = 0; i < observers_.size(); ++i)
            observers_[i]->finish(linear_block, std::move(several->parts[i]));
        return;
    }
    observers_.front()->finish(linear_block, std::move(observer));
    for (std::size_t i = 1; i < observers_.size(); ++i) observers_[i]->finish(linear_block, nullptr);
}

}  // namespace warplens::trace
