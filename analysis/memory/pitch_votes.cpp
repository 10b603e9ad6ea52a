#include "analysis/memory/pitch_votes.h"

#include <algorithm>

namespace warplens::analysis {
namespace {

/// Lanes closer than this are in one row rather than in different rows.
constexpr std::uint64_t least_pitch = 32;

}  // namespace

void PitchVotes::hear(const StoredRequest& request) {
    addresses_.clear();
    for_each_lane(request.record.mask,
                  [&](int lane) { addresses_.push_back(request.addresses[static_cast<std::size_t>(lane)]); });
    std::sort(addresses_.begin(), addresses_.end());
    addresses_.erase(std::unique(addresses_.begin(), addresses_.end()), addresses_.end());
    const std::uint64_t bytes = request.bytes_per_lane;
    if (addresses_.back() - addresses_.front() == (addresses_.size() - 1) * bytes) {
        if (addresses_.size() > 1)
            rows_[{request.record.site, addresses_.size() * bytes}].push_back(addresses_.front());
        return;
    }
    // From one position of a row to the same position of the next: the most common step, if most agree.
    std::map<std::uint64_t, std::size_t> steps;
    for (std::size_t i = 1; i < addresses_.size(); ++i) ++steps[addresses_[i] - addresses_[i - 1]];
    const auto common = std::max_element(steps.begin(), steps.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (common->first >= least_pitch && 4 * common->second >= 3 * (addresses_.size() - 1))
        ++strong_[common->first];
    // Runs of neighbours, one per row: from the start of a run to the start of the next.
    std::uint64_t start = addresses_.front();
    for (std::size_t i = 1; i < addresses_.size(); ++i) {
        if (addresses_[i] - addresses_[i - 1] == bytes) continue;
        if (addresses_[i - 1] > start && addresses_[i] - start >= least_pitch)
            ++strong_[addresses_[i] - start];
        start = addresses_[i];
    }
}

std::uint64_t PitchVotes::pitch(bool adjacent_rows) {
    std::map<std::uint64_t, std::size_t> weak;
    for (auto& [run, bases] : rows_) {
        std::sort(bases.begin(), bases.end());
        bases.erase(std::unique(bases.begin(), bases.end()), bases.end());
        for (std::size_t i = 1; i < bases.size(); ++i) {
            const std::uint64_t step = bases[i] - bases[i - 1];
            if (step > run.second && step < 2 * run.second) ++strong_[step];
            else if (step == run.second) ++weak[step];
        }
    }
    if (!strong_.empty()) return winner(strong_);
    return weak.empty() || !adjacent_rows ? 0 : winner(weak);
}

std::uint64_t PitchVotes::winner(const std::map<std::uint64_t, std::size_t>& votes) {
    return std::max_element(votes.begin(), votes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

}  // namespace warplens::analysis
