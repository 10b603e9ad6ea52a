// The compact form of a request's addresses: base and stride if they fit. Exact; see AccessRecord.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/lane_mask.h"
#include "trace/observer.h"

namespace warplens::trace {

/// The stride, in bytes from lane to lane, that gives every active lane's address from the lowest lane's;
/// std::nullopt if there is none or it does not fit 32 bits. A single lane has stride 0.
inline std::optional<std::int32_t> affine_stride(const Addresses& addresses, LaneMask mask) {
    std::uint64_t stride = 0;
    std::uint64_t mismatch = 0;
    if (mask.full()) {  // the common case: no branches in the loop, so that it vectorises
        stride = addresses[1] - addresses[0];
        if (addresses[warp_size - 1] - addresses[0] != (warp_size - 1) * stride) return std::nullopt;
        for (int lane = 1; lane < warp_size - 1; ++lane)
            mismatch |= (addresses[lane + 1] - addresses[lane]) ^ stride;
    } else {
        const int lowest = mask.lowest();
        const LaneMask above{mask.bits & (mask.bits - 1)};
        if (above.empty()) return 0;
        const std::uint64_t base = addresses[lowest];
        const int next = above.lowest();
        const auto distance = static_cast<std::int64_t>(addresses[next] - base);
        if (distance % (next - lowest) != 0) return std::nullopt;
        stride = static_cast<std::uint64_t>(distance / (next - lowest));
        for_each_lane(above, [&](int lane) {
            mismatch |= (addresses[lane] - base) ^ (stride * static_cast<std::uint64_t>(lane - lowest));
        });
    }
    const auto signed_stride = static_cast<std::int64_t>(stride);
    if (mismatch != 0 || signed_stride < std::numeric_limits<std::int32_t>::min() ||
        signed_stride > std::numeric_limits<std::int32_t>::max())
        return std::nullopt;
    return static_cast<std::int32_t>(signed_stride);
}

}  // namespace warplens::trace
