#include "trace/fanout.h"

namespace warplens::trace {
namespace {

class BlockFanout : public BlockObserver {
  public:
    explicit BlockFanout(std::vector<std::unique_ptr<BlockObserver>> parts) : parts(std::move(parts)) {}

    void visit(int warp, BasicBlockId block, LaneMask active) override {
        for (auto& part : parts) part->visit(warp, block, active);
    }
    void access(int warp, const Access& access) override {
        for (auto& part : parts) part->access(warp, access);
    }
    void guard(int warp, SiteId site, LaneMask executed) override {
        for (auto& part : parts) part->guard(warp, site, executed);
    }
    void branch(int warp, SiteId site, LaneMask active, LaneMask taken) override {
        for (auto& part : parts) part->branch(warp, site, active, taken);
    }
    void barrier(int warp, SiteId site, LaneMask arrived) override {
        for (auto& part : parts) part->barrier(warp, site, arrived);
    }
    void barrier_release() override {
        for (auto& part : parts) part->barrier_release();
    }

    std::vector<std::unique_ptr<BlockObserver>> parts;
};

}  // namespace

std::unique_ptr<BlockObserver> Fanout::begin_block(std::uint64_t linear_block) {
    std::vector<std::unique_ptr<BlockObserver>> parts;
    parts.reserve(observers_.size());
    for (Observer* observer : observers_) parts.push_back(observer->begin_block(linear_block));
    return std::make_unique<BlockFanout>(std::move(parts));
}

void Fanout::finish(std::uint64_t linear_block, std::unique_ptr<BlockObserver> observer) {
    auto& parts = static_cast<BlockFanout&>(*observer).parts;
    for (std::size_t i = 0; i < observers_.size(); ++i)
        observers_[i]->finish(linear_block, std::move(parts[i]));
}

}  // namespace warplens::trace
