// KnownShapes: the distances between the lanes of a warp's earlier scattered requests, one of which a later
// request is likely to repeat: then the recorder stores no addresses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "trace/affine.h"
#include "trace/observer.h"

namespace warplens::trace {

/// The distances between the lanes of a request of all lanes that is two runs.
struct RunDistances {
    std::uint32_t low_step, high_step;
    std::uint64_t between;  // from lane 0 to the first lane of the second run

    explicit RunDistances(const LaneRuns& runs)
        : low_step(runs.low.step), high_step(runs.high.step), between(runs.high.first - runs.low.first) {}
    friend bool operator==(const RunDistances&, const RunDistances&) = default;
};

/// A scattered request whose addresses are in the exceptions; later ones may repeat its distances.
struct KnownShape {
    LaneMask mask;  // empty: none
    std::uint32_t first = 0;
    std::optional<RunDistances> runs = {};  // std::nullopt: no two runs of all lanes
};

/// Whether all lanes' addresses are the same distance `shift` from those of the other request. Without
/// branches in the loop, so that it vectorises.
[[gnu::always_inline]] inline bool all_shifted(const std::uint64_t* addresses, const std::uint64_t* from,
                                               std::uint64_t shift) {
    std::uint64_t different = 0;
    for (std::size_t lane = 0; lane < warp_size; ++lane) different |= (addresses[lane] - from[lane]) ^ shift;
    return different == 0;
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target("avx2"))) inline bool all_shifted_by_avx2(const std::uint64_t* addresses,
                                                                const std::uint64_t* from,
                                                                std::uint64_t shift) {
    return all_shifted(addresses, from, shift);
}
inline const bool has_avx2 = __builtin_cpu_supports("avx2");
#else
inline constexpr auto all_shifted_by_avx2 = all_shifted;
inline constexpr bool has_avx2 = false;
#endif

/// A request of which each lane's address has to be looked at.
class LaneRequest {
  public:
    LaneRequest(const Access& access, std::span<const std::uint64_t> exceptions)
        : addresses_(*access.addresses), mask_(access.mask), exceptions_(exceptions) {}

    std::uint64_t lowest() const { return addresses_[static_cast<std::size_t>(mask_.lowest())]; }
    std::optional<std::int32_t> stride() const { return affine_stride(addresses_, mask_); }

    /// Whether the active lanes have the same distances from the lowest one as in the known request.
    bool lies_like(const KnownShape& known) const {
        if (known.mask != mask_) return false;
        const std::uint64_t* at = exceptions_.data() + known.first;
        if (mask_.full()) {
            const std::uint64_t shift = addresses_[0] - at[0];
            if (addresses_[warp_size - 1] - at[warp_size - 1] != shift) return false;
            return has_avx2 ? all_shifted_by_avx2(addresses_.data(), at, shift)
                            : all_shifted(addresses_.data(), at, shift);
        }
        const std::uint64_t shift = lowest() - at[0];
        std::uint64_t different = 0;
        for_each_lane(mask_, [&](int lane) {
            different |= (addresses_[static_cast<std::size_t>(lane)] - *at++) ^ shift;
        });
        return different == 0;
    }

    std::optional<RunDistances> runs() const {
        constexpr std::size_t half = warp_size / 2;
        if (!mask_.full()) return std::nullopt;
        const auto run_at = [&](std::size_t begin) -> std::optional<LaneRun> {
            const std::uint64_t step = addresses_[begin + 1] - addresses_[begin];
            for (std::size_t i = 1; i < half; ++i)
                if (addresses_[begin + i] - addresses_[begin + i - 1] != step) return std::nullopt;
            if (step > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
            return LaneRun{addresses_[begin], static_cast<std::uint32_t>(step)};
        };
        const auto low = run_at(0), high = run_at(half);
        if (!low || !high) return std::nullopt;
        return RunDistances(LaneRuns{*low, *high});
    }

  private:
    const Addresses& addresses_;
    LaneMask mask_;
    std::span<const std::uint64_t> exceptions_;
};

/// A request that its producer describes as two runs: what LaneRequest finds out of 32 addresses follows from
/// three numbers.
class RunRequest {
  public:
    explicit RunRequest(const LaneRuns& runs) : lowest_(runs.low.first), distances_(runs) {}

    std::uint64_t lowest() const { return lowest_; }
    std::optional<std::int32_t> stride() const {
        const std::uint32_t step = distances_.low_step;
        if (distances_.high_step != step || distances_.between != std::uint64_t{step} * (warp_size / 2) ||
            step > std::uint32_t{std::numeric_limits<std::int32_t>::max()})
            return std::nullopt;
        return static_cast<std::int32_t>(step);
    }
    bool lies_like(const KnownShape& known) const { return known.runs == distances_; }
    std::optional<RunDistances> runs() const { return distances_; }

  private:
    std::uint64_t lowest_;
    RunDistances distances_;
};

/// Of one warp. A site's last shape is likely its next one, else one of the latest that were new: sites of an
/// unrolled loop share few shapes, and may be more than are kept.
class KnownShapes {
  public:
    KnownShape& at(SiteId site) { return of_sites_[site % of_sites_.size()]; }

    void add(SiteId site, const KnownShape& shape) { at(site) = latest_[next_++ % latest_.size()] = shape; }

    /// nullptr: none of the latest.
    template <class Request>
    const KnownShape* find(const Request& request) const {
        for (const KnownShape& shape : latest_)
            if (request.lies_like(shape)) return &shape;
        return nullptr;
    }

    /// Most kernels' requests have a stride, and then there is nothing to clear.
    void clear() {
        if (next_ != 0) *this = {};
    }

  private:
    std::array<KnownShape, 64> of_sites_{};
    std::array<KnownShape, 4> latest_{};
    std::size_t next_ = 0;
};

}  // namespace warplens::trace
