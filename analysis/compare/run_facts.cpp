#include "analysis/compare/run_facts.h"

namespace warplens::analysis {

const MetricFact& RunFacts::fact(const Metric& metric) const {
    return facts[static_cast<std::size_t>(&metric - metrics().data())];
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
                 {}};
    const MetricSums sums = whole_launch(report);
    for (const Metric& metric : metrics()) {
        MetricFact fact{{}, {}, provenance_of(metric, report)};
        if (const auto value = metric.read(sums)) fact.value = *value;
        else fact.absent = value.error().message;
        run.facts.push_back(std::move(fact));
    }
    return run;
}

Level level_of(const Metric& metric) {
    const bool of_machine = metric.source == MetricSource::exact || metric.source == MetricSource::measured;
    return of_machine ? Level::machine : Level::ptx;
}

}  // namespace warplens::analysis
