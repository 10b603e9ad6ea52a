#include "simt/timing/memory_share.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "simt/timing/l2_slices.h"

namespace warplens::simt {
namespace {

constexpr std::uint64_t sectors_per_granule = granule_bytes / 32;

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

/// How many lines all blocks of the grid update, if each updates `each` in the mean, and `blocks` of them
/// together `all`: what they have in common says from how many they draw.
double lines_of_grid(double each, double blocks, double all, double grid) {
    const auto drawn = [&](double from, double times) {
        return from * (1 - std::pow(1 - each / from, times));
    };
    if (all >= each * blocks * 0.999) return each * grid;  // nothing in common
    double least = std::max(each, all), most = 1e3 * all;
    for (int step = 0; step < 60; ++step) {
        const double middle = (least + most) / 2;
        (drawn(middle, blocks) < all ? least : most) = middle;
    }
    return drawn(least, grid);
}

/// Sets each buffer's `updaters` and `slice_spread`.
void share_atomics(MemoryShare& share, const trace::Trace& trace, const LaunchPlan& plan,
                   const RequestTable& requests, int slices) {
    struct Updated {
        std::set<std::uint64_t> lines, of_block;
        double each = 0, blocks = 0;
    };
    std::map<std::size_t, Updated> buffers;
    for (const LaunchPlan::Block& block : plan.blocks) {
        for (std::uint32_t warp = block.first_warp; warp < block.first_warp + block.warp_count; ++warp)
            for (std::uint64_t i = trace.warps[warp].accesses_begin; i < trace.warps[warp].accesses_end;
                 ++i) {
                const RequestCost& cost = requests.cost(warp, i);
                if (cost.operation != Operation::atomic) continue;
                for (const SectorId sector : requests.sectors(cost)) {
                    const MemoryShare::Buffer* buffer = share.find(sector / sectors_per_granule);
                    if (buffer == nullptr) continue;
                    buffers[static_cast<std::size_t>(buffer - share.buffers.data())].of_block.insert(
                        sector / sectors_per_line);
                }
            }
        for (auto& [index, updated] : buffers) {
            if (updated.of_block.empty()) continue;
            updated.each += double(updated.of_block.size());
            ++updated.blocks;
            updated.lines.merge(updated.of_block);
            updated.of_block.clear();
        }
    }
    const double others = double(plan.blocks_in_grid) / double(std::max<std::size_t>(plan.blocks.size(), 1));
    for (auto& [index, updated] : buffers) {
        auto& buffer = share.buffers[index];
        std::vector<double> own(static_cast<std::size_t>(slices), 0), launch = own;
        const std::uint64_t begin = buffer.begin * sectors_per_granule / sectors_per_line;
        const std::uint64_t end = (buffer.end * sectors_per_granule - 1) / sectors_per_line + 1;
        const double lines = double(updated.lines.size());
        const double of_grid = std::clamp(
            lines_of_grid(updated.each / updated.blocks, updated.blocks, lines, updated.blocks * others),
            lines, double(end - begin));
        buffer.updaters = std::clamp(lines * others / of_grid, 1.0, double(plan.active_sms));
        for (const std::uint64_t line : updated.lines) {
            own[slice_of(line * sectors_per_line, slices)] += 1;
            launch[slice_of(line * sectors_per_line, slices)] += 1;
        }
        // The other lines lie anywhere in the buffer; many are in all slices alike.
        const double each = (of_grid - lines) / double(end - begin);
        const std::uint64_t step = std::max<std::uint64_t>((end - begin) / (64 * launch.size()), 1);
        for (std::uint64_t line = begin; each > 0 && line < end; line += step)
            launch[slice_of(line * sectors_per_line, slices)] += each * double(step);
        for (std::size_t slice = 0; slice < own.size(); ++slice)
            launch[slice] = own[slice] > 0 ? launch[slice] / own[slice] : 1;
        buffer.slice_spread = std::move(launch);
    }
}

}  // namespace

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
            {buffer.base / granule_bytes, (buffer.base + buffer.bytes - 1) / granule_bytes + 1, 1, 1, 1, {}});
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

    // The launch's other blocks are assumed to access as much of each buffer, elsewhere, up to its size.
    const double others = double(plan.blocks_in_grid) / double(std::max<std::size_t>(plan.blocks.size(), 1));
    double sm_bytes = 0;
    for (std::size_t i = 0; i < share.buffers.size(); ++i) {
        auto& buffer = share.buffers[i];
        const double own = double(touched.count(i));
        if (own == 0) continue;
        const double extent = double(buffer.end - buffer.begin);
        const double launch = std::min(own * others, extent);
        buffer.first_touch_misses = launch / (own * others);
        buffer.sharers = std::clamp(own * others / launch, 1.0, double(plan.active_sms));
        share.launch_bytes += launch * granule_bytes;
        share.written_bytes += std::min(double(written.count(i)) * others, extent) * granule_bytes;
        sm_bytes += own * granule_bytes;
    }
    share_atomics(share, trace, plan, requests, timing.l2_slices);
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
