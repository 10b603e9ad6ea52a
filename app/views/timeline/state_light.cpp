#include "app/views/timeline/state_light.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::app {

namespace {

constexpr float full = 65535;

// A gamma of 2 is close enough to sRGB's to mix light, and simple to invert.
StateLight::Mixture light_of(ImU32 colour) {
    const auto channel = [&](int shift) {
        const float c = static_cast<float>((colour >> shift) & 255) / 255;
        return c * c * full;
    };
    return {{channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), 0}};
}

}  // namespace

StateLight::StateLight(const Theme& theme) : background_(light_of(theme.background)) {
    for (const WarpStateInfo& info : warp_states) {
        Mixture& more = above_background_[static_cast<std::size_t>(info.state)];
        more = light_of(theme.state(info.state));
        for (std::size_t i = 0; i < 4; ++i) more.channels[i] -= background_.channels[i];
    }
}

StateLight::Mixture StateLight::mixed(const ByWarpState<float>& shares) const {
    Mixture sum = background_;
    for (const WarpStateInfo& info : warp_states) add(sum, info.state, shares[info.state]);
    return sum;
}

StateLight::Mixture StateLight::mixed(const StateShares& shares) const {
    Mixture sum;
    for (std::size_t s = 0; s < warp_state_count; ++s) {
        const auto share = static_cast<float>(shares.of[s]);
        for (std::size_t i = 0; i < 4; ++i) sum.channels[i] += share * above_background_[s].channels[i];
    }
    for (std::size_t i = 0; i < 4; ++i)
        sum.channels[i] = background_.channels[i] + sum.channels[i] * (1.0f / 255);
    return sum;
}

ImU32 StateLight::colour(const Mixture& mixture) {
    static const auto roots = [] {
        std::array<std::uint8_t, 4096> table{};
        for (std::size_t i = 0; i < table.size(); ++i)
            table[i] = static_cast<std::uint8_t>(std::lround(
                255 * std::sqrt((static_cast<double>(i) + 0.5) / static_cast<double>(table.size()))));
        return table;
    }();
    const auto channel = [&](float light, int shift) {
        return ImU32{roots[static_cast<std::size_t>(std::min(std::max(light, 0.0f), full)) >> 4]} << shift;
    };
    return channel(mixture.channels[0], IM_COL32_R_SHIFT) | channel(mixture.channels[1], IM_COL32_G_SHIFT) |
           channel(mixture.channels[2], IM_COL32_B_SHIFT) | ImU32{255} << IM_COL32_A_SHIFT;
}

}  // namespace warplens::app
