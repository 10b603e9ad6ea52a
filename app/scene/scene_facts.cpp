#include "app/scene/scene_facts.h"

#include "analysis/time/activity_report.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"

namespace warplens::app {

analysis::RunFacts facts_of(const Scene& scene, Level level, Level counts) {
    const bool at_machine = counts == Level::machine && why_not_machine_counts(scene).empty();
    analysis::LaunchReport report = at_machine ? *scene.machine->report : *scene.report;
    const LeveledTiming timed = timing_at(scene, level);
    if (const SceneTiming* timing = timed.timing) {
        if (timing->schedule && scene.gpu) {
            report.schedule = analysis::summarise_launch(*timing->schedule, *scene.gpu);
            report.schedule->level = timed.level;
        } else report.schedule_absent = timing->absent;
        report.roofline =
            at_machine ? at_machine_level(scene, Level::machine)->timing->roofline : timing->roofline;
    }
    analysis::RunFacts facts = analysis::facts_of(report);
    if (scene.timing && scene.timing->streams && !scene.timing->streams->empty()) {
        const auto figures = analysis::activity_figures(*scene.timing->streams);
        facts.streams_us = figures[analysis::fastest(figures)].total_us;
    }
    return facts;
}

}  // namespace warplens::app
