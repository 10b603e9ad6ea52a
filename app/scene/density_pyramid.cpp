#include "app/scene/density_pyramid.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::app {

namespace {

constexpr float full = 65535;

/// The mean of `count` cells, at least one.
DensityCell mean(const DensityCell* cells, std::size_t count) {
    std::uint32_t red = 0, green = 0, blue = 0, issued = 0, eligible = 0;
    for (std::size_t i = 0; i < count; ++i) {
        red += cells[i].red;
        green += cells[i].green;
        blue += cells[i].blue;
        issued += cells[i].issued;
        eligible += cells[i].eligible;
    }
    const auto n = static_cast<std::uint32_t>(count), half = n / 2;
    return {static_cast<std::uint16_t>((red + half) / n), static_cast<std::uint16_t>((green + half) / n),
            static_cast<std::uint16_t>((blue + half) / n), static_cast<std::uint8_t>((issued + half) / n),
            static_cast<std::uint8_t>((eligible + half) / n)};
}

// A gamma of 2 is near enough to sRGB's to mix light, and easily undone.
StateLight::Mixture light_of(ImU32 colour) {
    const auto channel = [&](int shift) {
        const float c = static_cast<float>((colour >> shift) & 255) / 255;
        return c * c * full;
    };
    return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), 0, 0};
}

}  // namespace

StateLight::StateLight(const Theme& theme) : background_(light_of(theme.background)) {
    for (const WarpStateInfo& info : warp_states) {
        Mixture& more = above_background_[info.state];
        more = light_of(theme.state(info.state));
        more.red -= background_.red;
        more.green -= background_.green;
        more.blue -= background_.blue;
        more.issued = info.state == WarpState::selected ? 1 : 0;
        more.eligible = more.issued + (info.state == WarpState::not_selected ? 1 : 0);
    }
}

DensityCell StateLight::cell_of(const Mixture& mixture) {
    const auto rounded = [](float c) {
        return static_cast<std::uint16_t>(std::min(std::max(c, 0.0f), full) + 0.5f);
    };
    const auto share = [](float s) {
        return static_cast<std::uint8_t>(std::min(std::max(s, 0.0f), 1.0f) * 255 + 0.5f);
    };
    return {rounded(mixture.red), rounded(mixture.green), rounded(mixture.blue), share(mixture.issued),
            share(mixture.eligible)};
}

DensityCell StateLight::mixed(const ByWarpState<float>& shares) const {
    Mixture sum = nothing();
    for (const WarpStateInfo& info : warp_states) add(sum, info.state, shares[info.state]);
    return cell_of(sum);
}

ImU32 colour_of(const DensityCell& cell) {
    static const auto roots = [] {
        std::array<std::uint8_t, 4096> table{};
        for (std::size_t i = 0; i < table.size(); ++i)
            table[i] = static_cast<std::uint8_t>(std::lround(
                255 * std::sqrt((static_cast<double>(i) + 0.5) / static_cast<double>(table.size()))));
        return table;
    }();
    const auto channel = [&](std::uint16_t light, int shift) { return ImU32{roots[light >> 4]} << shift; };
    return channel(cell.red, IM_COL32_R_SHIFT) | channel(cell.green, IM_COL32_G_SHIFT) |
           channel(cell.blue, IM_COL32_B_SHIFT) | ImU32{255} << IM_COL32_A_SHIFT;
}

DensityPyramid::DensityPyramid(const analysis::ScheduleSums& sums, const Theme& theme)
    : bin_cycles_(sums.bin_cycles()) {
    const StateLight light(theme);
    background_ = light.background();
    const std::size_t rows = sums.rows().size();
    Level lowest;
    lowest.bin_cycles = bin_cycles_;
    lowest.bins = sums.cycles() / bin_cycles_ + 1;
    lowest.cells.resize(rows * lowest.bins);
    std::vector<ByWarpState<float>> shares(lowest.bins);
    for (std::size_t row = 0; row < rows; ++row) {
        sums.columns(row, 0, lowest.bin_cycles * static_cast<double>(lowest.bins), shares);
        for (std::size_t bin = 0; bin < lowest.bins; ++bin)
            lowest.cells[row * lowest.bins + bin] = light.mixed(shares[bin]);
    }
    levels_.push_back(std::move(lowest));
    while (levels_.back().bins > fan_in) {
        const Level& below = levels_.back();
        Level level;
        level.bin_cycles = below.bin_cycles * fan_in;
        level.bins = (below.bins + fan_in - 1) / fan_in;
        level.cells.resize(rows * level.bins);
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t bin = 0; bin < level.bins; ++bin) {
                std::array<DensityCell, fan_in> four;
                for (std::size_t i = 0; i < fan_in; ++i)
                    four[i] = bin * fan_in + i < below.bins ? below.cells[row * below.bins + bin * fan_in + i]
                                                            : background_;
                level.cells[row * level.bins + bin] = mean(four.data(), fan_in);
            }
        levels_.push_back(std::move(level));
    }
}

void DensityPyramid::columns(std::size_t row, double begin, double end, std::span<DensityCell> out) const {
    const double width = (end - begin) / static_cast<double>(out.size());
    const Level* level = &levels_.front();
    for (const Level& higher : levels_)
        if (2 * higher.bin_cycles <= width) level = &higher;
    const DensityCell* cells = level->cells.data() + row * level->bins;
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
        out[i] = a < b ? mean(cells + a, static_cast<std::size_t>(b - a)) : background_;
        from = to;
    }
}

std::size_t DensityPyramid::bytes() const {
    std::size_t bytes = 0;
    for (const Level& level : levels_) bytes += level.cells.size() * sizeof(DensityCell);
    return bytes;
}

}  // namespace warplens::app
