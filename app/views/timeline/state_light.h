// StateLight: mixes the colours of warp states as light is mixed, in linear light and by their shares of a
// column; the background where there was no warp.
#pragma once

#include "app/scene/density_pyramid.h"
#include "app/ui/theme.h"

namespace warplens::app {

class StateLight {
  public:
    explicit StateLight(const Theme& theme);

    /// Linear red, green and blue, 0 to 65,535. The fourth makes it a whole vector register.
    struct alignas(16) Mixture {
        std::array<float, 4> channels{};
    };
    /// A mixture begins as the background and states are added to it.
    Mixture background() const { return background_; }
    void add(Mixture& to, WarpState state, float share) const {
        const Mixture& light = above_background_[static_cast<std::size_t>(state)];
        for (std::size_t i = 0; i < 4; ++i) to.channels[i] += share * light.channels[i];
    }
    Mixture mixed(const ByWarpState<float>& shares) const;
    Mixture mixed(const StateShares& shares) const;
    /// As the screen wants it.
    static ImU32 colour(const Mixture& mixture);

  private:
    Mixture background_;
    std::array<Mixture, 16> above_background_;  // by state
};

}  // namespace warplens::app
