#include "app/scene/problem_spot.h"

#include "app/scene/thread_spot.h"

namespace warplens::app {
Spot spot_of_problem(const Scene& scene, const Problem& problem) {
    return spot_of_thread(scene, problem.site, problem.line, problem.block, problem.thread);
}

Spot spot_of_other(const Scene& scene, const Problem& problem) {
    return spot_of_thread(scene, problem.other->site, problem.other->line, problem.other->block,
                          problem.other->thread);
}

}  // namespace warplens::app
