#include "app/scene/thread_spot.h"

#include "trace/query.h"

namespace warplens::app {

Spot spot_of_thread(const Scene& scene, SiteId site, std::uint32_t line, Dim3 block, Dim3 thread) {
    Spot spot;
    spot.source_line = line;
    if (!scene.trace || site >= scene.trace->program.sites.size()) return spot;
    spot.site = site;
    const LaunchGeometry& geometry = scene.trace->launch.geometry;
    const std::uint64_t linear = linear_index(thread, geometry.block);
    const trace::WarpRecord* warp = trace::find_warp(*scene.trace, linear_index(block, geometry.grid),
                                                     static_cast<std::uint32_t>(linear / warp_size));
    if (!warp) return spot;
    spot.warp_record = static_cast<std::uint32_t>(warp - scene.trace->warps.data());
    spot.lane = static_cast<int>(linear % warp_size);
    for (std::uint64_t access = warp->accesses_begin; access < warp->accesses_end; ++access) {
        if (scene.trace->accesses[access].site != site) continue;
        spot.access = access;
        break;
    }
    return spot;
}

}  // namespace warplens::app
