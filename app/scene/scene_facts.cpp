#include "app/scene/scene_facts.h"

namespace warplens::app {

analysis::RunFacts facts_of(const Scene& scene) {
    analysis::LaunchReport report = *scene.report;
    if (scene.timing) {
        if (scene.timing->schedule && scene.gpu)
            report.schedule = analysis::summarise_launch(*scene.timing->schedule, *scene.gpu);
        else report.schedule_absent = scene.timing->absent;
        report.roofline = scene.timing->roofline;
    }
    return analysis::facts_of(report);
}

}  // namespace warplens::app
