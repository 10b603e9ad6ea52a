#include "simt/timing/memory_share.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

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
    const std::vector<bool>& granules(std::size_t buffer) const { return bits_[buffer]; }

  private:
    const std::vector<MemoryShare::Buffer>* buffers_;
    std::vector<std::vector<bool>> bits_;
    std::vector<std::uint64_t> count_;
};

/// Calls use(the index of its buffer, the sector, lanes at a word of it in the mean) for each sector of each
/// atomic.
template <class Use>
void for_each_atomic(const MemoryShare& share, const RequestTable& requests, Use&& use) {
    for (const RequestCost& cost : requests.costs()) {
        if (cost.operation != Operation::atomic) continue;
        for (const SectorId sector : requests.sectors(cost)) {
            const MemoryShare::Buffer* buffer = share.find(sector / sectors_per_granule);
            if (buffer == nullptr) continue;
            use(static_cast<std::size_t>(buffer - share.buffers.data()), sector,
                double(cost.served) / double(cost.sectors));
        }
    }
}

/// The slices of a buffer's places: of a large one, of many of them.
std::vector<double> slices_of_buffer(const MemoryShare::Buffer& buffer, int slices) {
    constexpr std::uint64_t sectors_in_turn = 8, enough = 8192;
    std::vector<double> shares(static_cast<std::size_t>(slices), 0);
    const std::uint64_t begin = buffer.begin * sectors_per_granule / sectors_in_turn;
    const std::uint64_t end = (buffer.end * sectors_per_granule - 1) / sectors_in_turn + 1;
    const std::uint64_t step = (end - begin) / enough | 1;  // odd: both slices of a KiB
    const double each = 1 / double((end - begin + step - 1) / step);
    for (std::uint64_t turn = begin; turn < end; turn += step)
        shares[slice_of(turn * sectors_in_turn, slices)] += each;
    return shares;
}

/// The SMs that share a buffer's places have atomics where the modelled one has its own; the others anywhere
/// in the buffer. The sum is more than 1 where each slice has as much as the busiest.
std::vector<double> slices_of_atomics(const MemoryShare& share, const RequestTable& requests, double sms,
                                      const MemoryPlaces& gpu) {
    constexpr int even = 8;  // slices: as far as 4 KiB all have the same
    struct Places {
        std::vector<double> own;  // by slice
        double all = 0;
    };
    const auto slices = static_cast<std::size_t>(gpu.slices);
    std::map<std::size_t, Places> buffers;
    double all = 0;
    for_each_atomic(share, requests, [&](std::size_t buffer, SectorId sector, double rounds) {
        Places& places = buffers[buffer];
        places.own.resize(slices, 0);
        places.own[slice_of(sector, gpu.slices)] += rounds;
        places.all += rounds;
        all += rounds;
    });
    if (buffers.empty()) return {};
    std::vector<double> shares(slices, 0), of_buffer(slices, 0);
    for (const auto& entry : buffers) {
        const MemoryShare::Buffer& buffer = share.buffers[entry.first];
        const Places& places = entry.second;
        // Two groups of SMs and more that share places with one another fill the buffer together.
        const double alike = std::clamp(2 * buffer.sharers / std::max(sms, 1.0) - 1, 0.0, 1.0);
        const std::vector<double> anywhere = slices_of_buffer(buffer, gpu.slices);
        for (std::size_t slice = 0; slice < slices; ++slice)
            of_buffer[slice] = alike * places.own[slice] + (1 - alike) * places.all * anywhere[slice];
        const auto used =
            std::count_if(of_buffer.begin(), of_buffer.end(), [](double part) { return part > 0; });
        const double busiest = used > even ? gpu.busiest : 1;
        for (std::size_t slice = 0; slice < slices; ++slice)
            shares[slice] += busiest * of_buffer[slice] / all;
    }
    return shares;
}

/// Whether the SM's blocks read places of a buffer in orders of their own: the loads (counted by each warp)
/// at which two of them first read a granule are then as far apart as any two loads, and in one order they
/// are near. Too few places that two blocks read say nothing.
bool in_orders_of_their_own(const MemoryShare::Buffer& buffer, const trace::Trace& trace,
                            const LaunchPlan& plan, const RequestTable& requests) {
    constexpr std::uint32_t unread = 0;
    constexpr double enough = 8, nearer_to_any_two = 0.5;
    struct Read {
        std::uint64_t block = 0;
        std::uint32_t load = unread;
    };
    std::vector<Read> last(buffer.end - buffer.begin);
    std::vector<std::uint32_t> loads;
    const auto apart = [](std::uint32_t one, std::uint32_t other) {
        return double(std::max(one, other) - std::min(one, other));
    };
    double of_one_granule = 0, pairs = 0;
    for (const std::uint32_t warp : plan.warps) {
        const trace::WarpRecord& record = trace.warps[warp];
        std::uint32_t load = 0;
        for (std::uint64_t access = record.accesses_begin; access < record.accesses_end; ++access) {
            const RequestCost& cost = requests.cost(warp, access);
            const auto sectors = requests.sectors(cost);
            if (cost.operation != Operation::load || sectors.empty()) continue;
            const std::uint64_t first = sectors.front() / sectors_per_granule;
            if (first < buffer.begin || first >= buffer.end) continue;
            ++load;
            for (const SectorId sector : sectors) {
                const std::uint64_t granule = sector / sectors_per_granule;
                if (granule >= buffer.end) break;
                Read& before = last[granule - buffer.begin];
                if (before.load != unread && before.block == record.block) continue;
                if (before.load != unread) {
                    of_one_granule += apart(before.load, load);
                    ++pairs;
                }
                before = {record.block, load};
                loads.push_back(load);
            }
        }
    }
    if (pairs < enough) return false;
    double of_any_two = 0;
    constexpr std::size_t stride = 7919;  // a prime: pairs from all over the launch
    for (std::size_t i = 0; i < loads.size(); ++i)
        of_any_two += apart(loads[i], loads[(i * stride + loads.size() / 2) % loads.size()]);
    return of_one_granule / pairs > nearer_to_any_two * of_any_two / double(loads.size());
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

bool at_random_places(const std::vector<bool>& granules) {
    constexpr std::size_t enough = 16;
    constexpr double half = 0.5;  // of what is expected of distances that are distributed exponentially
    std::vector<std::uint64_t> distances;
    std::size_t last = granules.size();
    for (std::size_t i = 0; i < granules.size(); ++i) {
        if (!granules[i] || (i > 0 && granules[i - 1])) continue;
        if (last < granules.size()) distances.push_back(i - last);
        last = i;
    }
    if (distances.size() < enough) return false;
    // Pieces of one size lie at its multiples.
    std::uint64_t unit = 0;
    for (const std::uint64_t distance : distances) unit = std::gcd(unit, distance);
    const double n = double(distances.size());
    double sum = 0, squares = 0;
    for (const std::uint64_t each : distances) {
        const double distance = double(each / unit);
        sum += distance;
        squares += distance * distance;
    }
    const double mean = sum / n;
    if (std::sqrt(std::max(0.0, squares / n - mean * mean)) < half * mean) return false;
    std::sort(distances.begin(), distances.end());
    const auto different = std::unique(distances.begin(), distances.end()) - distances.begin();
    const double longest = 12 * mean, step = std::max(1.0, mean / 1000);
    double expected = 0;
    for (double distance = 1; distance < longest; distance += step)
        expected += step * (1 - std::exp(-n / mean * std::exp(-distance / mean)));
    return double(different) > half * expected;
}

double share_kept_in_l2(const SmTiming& timing, double bytes) {
    if (timing.l2_bytes == 0) return 1;
    const double first = timing.l2_first_replaced * double(timing.l2_bytes);
    const double all = timing.l2_all_replaced * double(timing.l2_bytes);
    return std::clamp((all - bytes) / (all - first), 0.0, 1.0);
}

MemoryShare share_memory(const trace::Trace& trace, const LaunchPlan& plan, const SmTiming& timing,
                         const MemoryPlaces& places, const RequestTable& requests, bool data_in_l2) {
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
    // its size; where places are as good as drawn, anywhere, so that some are the same.
    double sm_bytes = 0;
    for (std::size_t i = 0; i < share.buffers.size(); ++i) {
        auto& buffer = share.buffers[i];
        const double own = double(touched.count(i));
        if (own == 0) continue;
        const double extent = double(buffer.end - buffer.begin);
        const double launch = own < extent && at_random_places(touched.granules(i))
                                  ? extent * (1 - std::pow(1 - own / extent, plan.launch_work))
                                  : std::min(own * plan.launch_work, extent);
        buffer.first_touch_misses = launch / (own * plan.launch_work);
        buffer.sharers = std::clamp(own * plan.launch_work / launch, 1.0, double(plan.busy_sms));
        // Of nearly all of a buffer, most is in order.
        constexpr double many = 8, nearly_all = 0.8;
        buffer.scattered = buffer.sharers >= many && own <= nearly_all * extent && !data_in_l2 &&
                           in_orders_of_their_own(buffer, trace, plan, requests);
        share.launch_bytes += launch * granule_bytes;
        share.written_bytes += std::min(double(written.count(i)) * plan.launch_work, extent) * granule_bytes;
        sm_bytes += own * granule_bytes;
    }
    share.slices = slices_of_atomics(share, requests, plan.busy_sms, places);
    if (timing.l2_bytes > 0 && share.launch_bytes > double(timing.l2_bytes))
        share.write_back = 1 - double(timing.l2_bytes) / share.launch_bytes;
    const double own =
        sm_bytes * double(plan.blocks_on_sm) / double(std::max<std::size_t>(plan.blocks.size(), 1));
    if (own > 0) share.launch_per_sm_byte = share.launch_bytes / own;
    // Each half of L2 keeps what its own SMs read, so it holds half as much as its size. Of more than that
    // nothing is left in time: a launch passes over its buffers as the copies did, oldest first.
    if (data_in_l2 && share.launch_bytes <= double(timing.l2_bytes) / 2)
        for (auto& buffer : share.buffers) {
            // A launch of one block finds what its own SM has read.
            if (plan.active_sms > 1) buffer.first_of_half = std::min(1.0, 2 * buffer.first_touch_misses);
            buffer.first_touch_misses = 0;
        }
    return share;
}

}  // namespace warplens::simt
