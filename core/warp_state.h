// WarpState: what a resident warp does in one cycle, by the profiler's names. The rows are warp_state.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens {

enum class WarpState : std::uint8_t {
#define WARPLENS_WARP_STATE(id, name, title, sentence) id,
#include "core/warp_state.def"
#undef WARPLENS_WARP_STATE
};

struct WarpStateInfo {
    WarpState state;
    std::string_view name;      // "long_scoreboard"
    std::string_view title;     // "Global memory result"
    std::string_view sentence;  // what the warp waits for, without a subject or a full stop
};

inline constexpr std::array warp_states{
#define WARPLENS_WARP_STATE(id, name, title, sentence) WarpStateInfo{WarpState::id, name, title, sentence},
#include "core/warp_state.def"
#undef WARPLENS_WARP_STATE
};
inline constexpr std::size_t warp_state_count = warp_states.size();

constexpr const WarpStateInfo& info(WarpState state) { return warp_states[static_cast<std::size_t>(state)]; }
std::optional<WarpState> find_warp_state(std::string_view name);

/// One number per state, indexed by the state.
template <class T>
struct ByWarpState {
    std::array<T, warp_state_count> values{};
    T& operator[](WarpState state) { return values[static_cast<std::size_t>(state)]; }
    const T& operator[](WarpState state) const { return values[static_cast<std::size_t>(state)]; }
    friend bool operator==(const ByWarpState&, const ByWarpState&) = default;
};

}  // namespace warplens
