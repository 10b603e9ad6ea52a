#include "app/scene/density_pyramid.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {

namespace {

/// The mean of `count` cells, 1 to 16, of which only the first `given` are not empty.
StateShares mean(const StateShares* cells, std::size_t given, std::size_t count) {
    if (count == 1) return *cells;
    std::array<std::uint16_t, 16> sums{};
    for (std::size_t i = 0; i < given; ++i)
        for (std::size_t s = 0; s < sums.size(); ++s)
            sums[s] = static_cast<std::uint16_t>(sums[s] + cells[i].of[s]);
    // Divides with a multiplication, which has a vector form.
    const auto half = static_cast<std::uint32_t>(count / 2);
    const auto inverse = static_cast<std::uint32_t>((65536 + count - 1) / count);
    StateShares means;
    for (std::size_t s = 0; s < sums.size(); ++s)
        means.of[s] = static_cast<std::uint8_t>(((sums[s] + half) * inverse) >> 16);
    return means;
}

StateShares rounded(const ByWarpState<float>& shares) {
    StateShares cell;
    for (std::size_t s = 0; s < shares.values.size(); ++s)
        cell.of[s] = static_cast<std::uint8_t>(std::clamp(shares.values[s], 0.0f, 1.0f) * 255 + 0.5f);
    return cell;
}

}  // namespace

DensityPyramid::DensityPyramid(const analysis::ScheduleSums& sums) : bin_cycles_(sums.bin_cycles()) {
    const std::size_t rows = sums.rows().size();
    Level lowest;
    lowest.bin_cycles = bin_cycles_;
    lowest.bins = sums.cycles() / bin_cycles_ + 1;
    lowest.cells.resize(rows * lowest.bins);
    std::vector<ByWarpState<float>> shares(lowest.bins);
    for (std::size_t row = 0; row < rows; ++row) {
        sums.columns(row, 0, lowest.bin_cycles * static_cast<double>(lowest.bins), shares);
        std::ranges::transform(shares, lowest.cells.begin() + static_cast<std::ptrdiff_t>(row * lowest.bins),
                               rounded);
    }
    levels_.push_back(std::move(lowest));
    while (levels_.back().bins > fan_in) {
        const Level& below = levels_.back();
        Level level;
        level.bin_cycles = below.bin_cycles * fan_in;
        level.bins = (below.bins + fan_in - 1) / fan_in;
        level.cells.resize(rows * level.bins);
        for (std::size_t row = 0; row < rows; ++row) {
            const StateShares* from = below.cells.data() + row * below.bins;
            StateShares* to = level.cells.data() + row * level.bins;
            for (std::size_t bin = 0; bin < level.bins; ++bin)
                to[bin] = mean(from + bin * fan_in, std::min<std::size_t>(fan_in, below.bins - bin * fan_in),
                               fan_in);
        }
        levels_.push_back(std::move(level));
    }
}

void DensityPyramid::columns(std::size_t row, double begin, double end, std::span<StateShares> out) const {
    const double width = (end - begin) / static_cast<double>(out.size());
    const Level* level = &levels_.front();
    for (const Level& higher : levels_)
        if (2 * higher.bin_cycles <= width) level = &higher;
    const StateShares* cells = level->cells.data() + row * level->bins;
    const auto bins = static_cast<std::int64_t>(level->bins);
    const double first = begin / level->bin_cycles, step = width / level->bin_cycles;
    const auto edge = [&](std::size_t i) {
        return static_cast<std::int64_t>(std::floor(first + step * static_cast<double>(i) + 0.5));
    };
    std::int64_t from = edge(0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::int64_t to = edge(i + 1);
        const std::int64_t a = std::clamp<std::int64_t>(from, 0, bins),
                           b = std::clamp<std::int64_t>(to, 0, bins);
        const auto count = static_cast<std::size_t>(b - a);
        out[i] = a < b ? mean(cells + a, count, count) : StateShares{};
        from = to;
    }
}

std::size_t DensityPyramid::bytes() const {
    std::size_t bytes = 0;
    for (const Level& level : levels_) bytes += level.cells.size() * sizeof(StateShares);
    return bytes;
}

}  // namespace warplens::app
