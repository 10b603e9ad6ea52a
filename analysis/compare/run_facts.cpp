#include "analysis/compare/run_facts.h"

#include "analysis/report/launch_tree.h"

namespace warplens::analysis {

const MetricFact& RunFacts::fact(const Metric& metric) const {
    return facts[static_cast<std::size_t>(&metric - metrics().data())];
}

std::optional<Level> RunFacts::level_of_times() const {
    const MetricFact& cycles = fact(*find_metric("schedule.cycles"));
    return cycles.value ? std::optional(cycles.level) : std::nullopt;
}

RunFacts facts_of(const LaunchReport& report) {
    const trace::Launch& launch = report.launch;
    RunFacts run{launch.kernel,
                 launch.kernel,
                 launch.gpu,
                 launch.parameters,
                 launch.geometry.grid,
                 launch.geometry.block,
                 report.blocks_executed,
                 launch.provenance,
                 report.golden,
                 report.schedule ? report.schedule->launch.blocks_on_sm : 0,
                 report.schedule ? report.schedule->launch.blocks_modelled : 0,
                 {}};
    if (report.launches) {
        run.launched_grids = report.launches->grids.size() - 1;
        run.launched_steps = report.launches->children().steps;
    }
    const MetricSums sums = whole_launch(report);
    for (const Metric& metric : metrics()) {
        MetricFact fact{{}, {}, provenance_of(metric, report), level_of(metric, report)};
        if (const auto value = metric.read(sums)) fact.value = *value;
        else fact.absent = value.error().message;
        run.facts.push_back(std::move(fact));
    }
    return run;
}

}  // namespace warplens::analysis
