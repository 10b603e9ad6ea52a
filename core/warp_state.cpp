#include "core/warp_state.h"

namespace warplens {

std::optional<WarpState> find_warp_state(std::string_view name) {
    for (const WarpStateInfo& row : warp_states) {
        if (row.name == name) return row.state;
    }
    return std::nullopt;
}

}  // namespace warplens
