#include "simt/timing/memory_share.h"

#include <algorithm>
#include <set>

namespace warplens::simt {
namespace {

constexpr std::uint64_t sectors_per_granule = granule_bytes / 32;
constexpr std::uint64_t granules_per_kib = 1024 / granule_bytes;

/// One bit per granule of every buffer.
class Touched {
  public:
    explicit Touched(const std::vector<MemoryShare::Buffer>& buffers) : buffers_(&buffers) {
        for (const auto& buffer : buffers) bits_.emplace_back(buffer.end - buffer.begin, false);
        count_.resize(buffers.size(), 0);
    }
    void touch(std::size_t buffer, std::uint64_t granule) {
        auto bit = bits_[buffer][granule - (*buffers_)[buffer].begin];
        if (bit) return;
        bit = true;
        ++count_[buffer];
    }
    std::uint64_t count(std::size_t buffer) const { return count_[buffer]; }

  private:
    const std::vector<MemoryShare::Buffer>* buffers_;
    std::vector<std::vector<bool>> bits_;
    std::vector<std::uint64_t> count_;
};

/// The launch's atomics are assumed to reach as much of each KiB as of the whole buffer.
std::unordered_map<std::uint64_t, double> spread_of_atomics(const MemoryShare& share,
                                                            const RequestTable& requests,
                                                            const std::vector<double>& touched_shares) {
    std::set<std::uint64_t> granules;
    for (const RequestCost& cost : requests.costs())
        if (cost.operation == Operation::atomic)
            for (const SectorId sector : requests.sectors(cost))
                granules.insert(sector / sectors_per_granule);
    std::unordered_map<std::uint64_t, double> own, spread;
    for (const std::uint64_t granule : granules) ++own[granule / granules_per_kib];
    for (const auto& [kib, count] : own) {
        const auto first = granules.lower_bound(kib * granules_per_kib);
        const MemoryShare::Buffer* buffer = share.find(*first);
        if (buffer == nullptr) continue;
        const std::uint64_t begin = std::max(kib * granules_per_kib, buffer->begin);
        const std::uint64_t end = std::min((kib + 1) * granules_per_kib, buffer->end);
        const auto index = static_cast<std::size_t>(buffer - share.buffers.data());
        spread[kib] = std::max(1.0, double(end - begin) * touched_shares[index] / count);
    }
    return spread;
}

}  // namespace

double MemoryShare::spread_in_kib(std::uint64_t kib) const {
    const auto found = kib_spread.find(kib);
    return found == kib_spread.end() ? 1 : found->second;
}

const MemoryShare::Buffer* MemoryShare::find(std::uint64_t granule) const {
    const auto after =
        std::upper_bound(buffers.begin(), buffers.end(), granule,
                         [](std::uint64_t at, const Buffer& buffer) { return at < buffer.begin; });
    if (after == buffers.begin()) return nullptr;
    const Buffer& buffer = *(after - 1);
    return granule < buffer.end ? &buffer : nullptr;
}

double share_kept_in_l2(const SmTiming& timing, double bytes) {
    if (timing.l2_bytes == 0) return 1;
    const double first = timing.l2_first_replaced * double(timing.l2_bytes);
    const double all = timing.l2_all_replaced * double(timing.l2_bytes);
    return std::clamp((all - bytes) / (all - first), 0.0, 1.0);
}

MemoryShare share_memory(const trace::Trace& trace, const LaunchPlan& plan, const SmTiming& timing,
                         const RequestTable& requests, bool data_in_l2) {
    MemoryShare share;
    for (const trace::Buffer& buffer : trace.launch.buffers) {
        if (buffer.bytes == 0) continue;
        share.buffers.push_back(
            {buffer.base / granule_bytes, (buffer.base + buffer.bytes - 1) / granule_bytes + 1, 1, 1});
    }
    std::sort(share.buffers.begin(), share.buffers.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });

    Touched touched(share.buffers), written(share.buffers);
    for (const RequestCost& cost : requests.costs()) {
        for (const SectorId sector : requests.sectors(cost)) {
            const std::uint64_t granule = sector / sectors_per_granule;
            const MemoryShare::Buffer* buffer = share.find(granule);
            if (buffer == nullptr) continue;
            const auto index = static_cast<std::size_t>(buffer - share.buffers.data());
            touched.touch(index, granule);
            if (cost.operation != Operation::load) written.touch(index, granule);
        }
    }

    // The launch's other blocks are assumed to access as much of each buffer for their work, elsewhere, up to
    // its size.
    double sm_bytes = 0;
    std::vector<double> touched_shares(share.buffers.size(), 0);
    for (std::size_t i = 0; i < share.buffers.size(); ++i) {
        auto& buffer = share.buffers[i];
        const double own = double(touched.count(i));
        if (own == 0) continue;
        const double extent = double(buffer.end - buffer.begin);
        const double launch = std::min(own * plan.launch_work, extent);
        buffer.first_touch_misses = launch / (own * plan.launch_work);
        buffer.sharers = std::clamp(own * plan.launch_work / launch, 1.0, double(plan.busy_sms));
        touched_shares[i] = launch / extent;
        share.launch_bytes += launch * granule_bytes;
        share.written_bytes += std::min(double(written.count(i)) * plan.launch_work, extent) * granule_bytes;
        sm_bytes += own * granule_bytes;
    }
    share.kib_spread = spread_of_atomics(share, requests, touched_shares);
    if (timing.l2_bytes > 0 && share.launch_bytes > double(timing.l2_bytes))
        share.write_back = 1 - double(timing.l2_bytes) / share.launch_bytes;
    const double own =
        sm_bytes * double(plan.blocks_on_sm) / double(std::max<std::size_t>(plan.blocks.size(), 1));
    if (own > 0) share.launch_per_sm_byte = share.launch_bytes / own;
    // Each half of L2 keeps what its own SMs read, so it holds half as much as its size. Of more than that
    // nothing is left in time: a launch passes over its buffers as the copies did, oldest first.
    if (data_in_l2 && share.launch_bytes <= double(timing.l2_bytes) / 2)
        for (auto& buffer : share.buffers) buffer.first_touch_misses = 0;
    return share;
}

}  // namespace warplens::simt
