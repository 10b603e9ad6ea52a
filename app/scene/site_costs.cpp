#include "app/scene/site_costs.h"

#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"

namespace warplens::app {

std::optional<SiteCosts> site_costs(const Scene& scene, Level wanted) {
    const LeveledTiming timed = timing_at(scene, wanted);
    if (!timed.timing || !timed.timing->schedule || !scene.trace) return std::nullopt;
    SiteCosts costs{timed.timing->cost, timed.level};
    if (timed.level == Level::machine && level_of_counts(scene) == Level::ptx)
        costs.cost = analysis::cost_by_ptx(costs.cost, scene.machine->program, scene.trace->program);
    if (costs.cost.sites.size() != scene.trace->program.sites.size()) return std::nullopt;
    return costs;
}

}  // namespace warplens::app
