#include "app/scene/scene_facts.h"

#include "app/scene/level_of_time.h"

namespace warplens::app {

analysis::RunFacts facts_of(const Scene& scene, Level level) {
    analysis::LaunchReport report = *scene.report;
    if (const SceneTiming* timing = timing_at(scene, level).timing) {
        if (timing->schedule && scene.gpu)
            report.schedule = analysis::summarise_launch(*timing->schedule, *scene.gpu);
        else report.schedule_absent = timing->absent;
        report.roofline = timing->roofline;
    }
    return analysis::facts_of(report);
}

}  // namespace warplens::app
