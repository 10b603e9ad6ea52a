#include "simt/functional/block/value_log.h"

#include "simt/functional/block/register_reader.h"

namespace warplens::simt {

/// Completes the event with its request and its exchange, and counts barriers.
class ValueLog::OfBlock final : public trace::BlockObserver {
  public:
    explicit OfBlock(trace::ValueEvent& event) : event_(event) {}

    void access(int, const trace::Access& access) override {
        // Of several requests of one instruction that to shared memory counts.
        if (event_.accessed.bits != 0 && access.space != Space::shared) return;
        event_.accessed = access.mask;
        event_.space = access.space;
        event_.bytes_per_lane = access.bytes_per_lane;
        event_.addresses = *access.addresses;
    }
    void exchange(int, SiteId, LaneMask mask, const trace::Lanes& sources) override {
        for_each_lane(mask, [&](int lane) {
            event_.sources[static_cast<std::size_t>(lane)] = sources[static_cast<std::size_t>(lane)];
        });
        event_.exchanged.bits |= mask.bits;
    }
    void barrier_release() override { ++event_.barriers; }

  private:
    trace::ValueEvent& event_;
};

ValueLog::ValueLog(const Kernel& kernel, const ptx::Module& module, u64 block, u64 most, Use use)
    : reader_(std::make_unique<RegisterReader>(kernel, module)),
      block_(block),
      most_(most),
      use_(std::move(use)) {}

ValueLog::~ValueLog() = default;

std::unique_ptr<trace::BlockObserver> ValueLog::begin_block(std::uint64_t linear_block) {
    if (linear_block != block_) return nullptr;
    return std::make_unique<OfBlock>(event_);
}

void ValueLog::before(Warp& warp, u64 step, SiteId site) {
    const RegisterReader::Facts& facts = reader_->facts(site);
    event_.block = block_;
    event_.warp = warp.index;
    event_.step = step;
    event_.site = site;
    event_.function = facts.function;
    event_.lanes = {reader_->executed(warp, site)};
    event_.accessed = event_.exchanged = {};
    event_.space = Space::none;
    event_.read.clear();
    event_.written.clear();
    for (const u32 index : facts.flow.read)
        event_.read.push_back({index, reader_->bits_of(warp, facts.function, index)});
}

void ValueLog::after(Warp& warp, u64 step, SiteId site) {
    if (cut_ || event_.step != step || event_.site != site) return;
    const RegisterReader::Facts& facts = reader_->facts(site);
    for (const u32 index : facts.flow.written)
        event_.written.push_back({index, reader_->bits_of(warp, facts.function, index)});
    use_(event_);
    if (++count_ < most_) return;
    cut_ = true;
    warp.block->end_run();
}

}  // namespace warplens::simt
