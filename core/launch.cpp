#include "core/launch.h"

namespace warplens {

std::string to_string(Dim3 extent) {
    if (extent.z > 1) return fmt::format("{} × {} × {}", extent.x, extent.y, extent.z);
    if (extent.y > 1) return fmt::format("{} × {}", extent.x, extent.y);
    return fmt::format("{}", extent.x);
}

}  // namespace warplens
