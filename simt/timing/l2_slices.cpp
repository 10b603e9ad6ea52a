#include "simt/timing/l2_slices.h"

#include <algorithm>
#include <utility>

namespace warplens::simt {
namespace {

/// Cycles of a slice for each sector of a line, of two and more: a KiB, which is two slices, takes half as
/// many (docs/timing_model.md).
constexpr double sector_interval = 1.16;
constexpr std::uint64_t sectors_in_turn = 8, sectors_of_two_slices = 32;

}  // namespace

std::size_t slice_of(SectorId sector, int slices) {
    const std::uint64_t kib = sector / sectors_of_two_slices;
    const std::uint64_t drawn = ((kib ^ (kib >> 15)) * 0x9e3779b97f4a7c15u) >> 40;
    const std::uint64_t pair = drawn % static_cast<std::uint64_t>(slices / 2);
    return static_cast<std::size_t>(2 * pair + sector / sectors_in_turn % 2);
}

L2Slices::L2Slices(const SmTiming& timing, double sms, std::vector<double> shares)
    : lane_interval_(timing.atomic_lane_interval),
      real_lane_interval_(timing.real_atomic_lane_interval),
      other_sms_(std::max(0.0, sms - 1)),
      shares_(std::move(shares)),
      slices_(shares_.size()) {}

double L2Slices::atomic(double at, std::span<const SectorId> line, double rounds, Adds adds) {
    if (slices_.empty()) return at;
    const std::size_t number = slice_of(line.front(), static_cast<int>(slices_.size()));
    Slice& slice = slices_[number];
    // A line that comes alone takes as long as a lane; the sectors of one line follow each other faster.
    const double sectors = double(line.size());
    double one_word = rounds * (rounds > 1 ? sectors : 1) * lane_interval_;
    const bool is_one = adds == Adds::one_real;
    if (adds != Adds::integers) {
        // Sums that have to be there first: of the lane before at the same word, and of the request before.
        const double sums = (rounds - 1) * sectors + (is_one && slice.added == line.front() ? 1 : 0);
        one_word += sums * (real_lane_interval_ - lane_interval_);
    }
    slice.added = is_one ? line.front() : 0;
    const double cycles = std::max(one_word, sectors * sector_interval);
    others_ += other_sms_ * cycles;
    slice.server.take(0, (others_ - slice.seen) * shares_[number]);
    slice.seen = others_;
    const double begin = slice.server.take(at, cycles);
    busiest_ = std::max(busiest_, slice.server.busy);
    return begin;
}

}  // namespace warplens::simt
