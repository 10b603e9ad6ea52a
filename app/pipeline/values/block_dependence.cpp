#include <algorithm>
#include <vector>

#include "app/pipeline/values/step_values.h"
#include "core/cluster.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

/// The words of global memory that a cluster accesses.
class TouchedWords {
  public:
    explicit TouchedWords(const trace::Launch& launch) {
        std::uint64_t last = 0;
        for (const auto* buffers : {&launch.buffers, &launch.variables})
            for (const trace::Buffer& buffer : *buffers) {
                first_ = std::min(first_, buffer.base);
                last = std::max(last, buffer.base + buffer.bytes);
            }
        if (last > first_) touched_.resize((last - first_) / word_bytes + 1);
    }

    /// False: outside all buffers, on the heap of malloc, whose addresses depend on the blocks before.
    bool add(std::uint64_t address, std::uint32_t bytes) {
        if (!holds(address, bytes)) return false;
        for (std::uint64_t word = number(address); word <= number(address + bytes - 1); ++word)
            touched_[word] = true;
        return true;
    }
    bool has(std::uint64_t address, std::uint32_t bytes) const {
        if (!holds(address, bytes)) return false;
        for (std::uint64_t word = number(address); word <= number(address + bytes - 1); ++word)
            if (touched_[word]) return true;
        return false;
    }

  private:
    static constexpr std::uint64_t word_bytes = 4;
    std::uint64_t number(std::uint64_t address) const { return (address - first_) / word_bytes; }
    bool holds(std::uint64_t address, std::uint32_t bytes) const {
        return bytes != 0 && address >= first_ && number(address + bytes - 1) < touched_.size();
    }
    std::uint64_t first_ = ~std::uint64_t{0};
    std::vector<bool> touched_;
};

/// Calls use(address, bytes) until it returns true, for the global accesses of a warp.
template <class Use>
bool any_global(const trace::Trace& trace, const trace::WarpRecord& warp, bool writes_only, const Use& use) {
    for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end; ++i) {
        const trace::AccessRecord& access = trace.accesses[i];
        if (access.space != Space::global) continue;
        if (writes_only && trace::operation_of(trace, access) == Operation::load) continue;
        const trace::Addresses addresses = trace::addresses_of(trace, access);
        const std::uint32_t bytes = trace.program.sites[access.site].bytes_per_lane;
        bool found = false;
        for_each_lane(access.mask,
                      [&](int lane) { found |= use(addresses[static_cast<std::size_t>(lane)], bytes); });
        if (found) return true;
    }
    return false;
}

}  // namespace

bool depends_on_other_blocks(const trace::Trace& trace, std::uint64_t block) {
    const LaunchGeometry& geometry = trace.launch.geometry;
    if (geometry.cooperative) return true;
    const auto is_surface = [](const Site& site) {
        return site.space == Space::surface && site.operation != Operation::load;
    };
    if (std::ranges::any_of(trace.program.sites, is_surface)) return true;
    const std::uint64_t cluster = linear_cluster(block, geometry);
    const auto is_own = [&](const trace::WarpRecord& warp) {
        return linear_cluster(warp.block, geometry) == cluster;
    };
    TouchedWords touched(trace.launch);
    for (const trace::WarpRecord& warp : trace.warps)
        if (is_own(warp) && any_global(trace, warp, false, [&](std::uint64_t address, std::uint32_t bytes) {
                return !touched.add(address, bytes);
            }))
            return true;
    return std::ranges::any_of(trace.warps, [&](const trace::WarpRecord& warp) {
        return !is_own(warp) &&
               any_global(trace, warp, true, [&](std::uint64_t address, std::uint32_t bytes) {
                   return touched.has(address, bytes);
               });
    });
}

}  // namespace warplens::app
