#include "app/scene/problem_spot.h"

#include "app/scene/thread_spot.h"

namespace warplens::app {

const Problem* problem_of_site(const Scene& scene, SiteId site) {
    const auto& sites = scene.trace->program.sites;
    if (site >= sites.size()) return nullptr;
    const auto& problems = scene.report->problems;
    for (const Problem& problem : problems)
        if (problem.site == site || (problem.other && problem.other->site == site)) return &problem;
    // For a person a line is one unit, however many instructions it has.
    const auto on_its_line = [&](SiteId id) {
        return id < sites.size() && sites[id].line != 0 && sites[id].line == sites[site].line &&
               sites[id].file == sites[site].file;
    };
    for (const Problem& problem : problems)
        if (on_its_line(problem.site) || (problem.other && on_its_line(problem.other->site))) return &problem;
    return nullptr;
}

Spot spot_of_problem(const Scene& scene, const Problem& problem) {
    return spot_of_thread(scene, problem.site, problem.line, problem.block, problem.thread);
}

Spot spot_of_other(const Scene& scene, const Problem& problem) {
    return spot_of_thread(scene, problem.other->site, problem.other->line, problem.other->block,
                          problem.other->thread);
}

}  // namespace warplens::app
