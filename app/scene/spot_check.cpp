#include "app/scene/spot_check.h"

#include "trace/query.h"

namespace warplens::app {

bool is_in(const Scene& scene, const Spot& spot) {
    if (!scene.trace || spot.lane < -1 || spot.lane >= warp_size) return false;
    const trace::Trace& trace = *scene.trace;
    if (spot.site != no_index && spot.site >= trace.program.sites.size()) return false;
    if (spot.cycle != no_index) {
        const trace::Schedule* schedule = scene.timing ? scene.timing->schedule.get() : nullptr;
        if (!schedule || spot.cycle >= schedule->totals.cycles) return false;
    }
    if (spot.warp_record == no_index)
        return spot.visit == no_index && spot.access == no_access && spot.step == no_index;
    if (spot.warp_record >= trace.warps.size()) return false;
    const trace::WarpRecord& warp = trace.warps[spot.warp_record];
    if (spot.visit != no_index && spot.visit >= warp.visits_end - warp.visits_begin) return false;
    if (spot.access != no_access && (spot.access < warp.accesses_begin || spot.access >= warp.accesses_end ||
                                     trace.accesses[spot.access].site != spot.site))
        return false;
    return spot.step == no_index || spot.step < trace::step_count(trace, warp);
}

}  // namespace warplens::app
