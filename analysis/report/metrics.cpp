#include "analysis/report/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/report/access_figures.h"
#include "analysis/report/metrics_table.h"
#include "analysis/wording.h"

namespace warplens::analysis {

const std::vector<Metric>& metrics() {
    static const std::vector<Metric> table = make_metrics_table();
    return table;
}

const Metric* find_metric(std::string_view name) {
    for (const Metric& metric : metrics())
        if (metric.name == name) return &metric;
    return nullptr;
}

bool grows_with_problem(const Metric& metric) {
    static constexpr std::array<std::string_view, 10> extents{
        "requests", "sectors", "wavefronts", "steps", "branches", "operations", "bytes", "cycles", "s", "µs"};
    return metric.source != MetricSource::exact && std::ranges::find(extents, metric.unit) != extents.end();
}

std::vector<std::string> metric_names() {
    std::vector<std::string> names;
    for (const Metric& metric : metrics()) names.push_back(metric.name);
    return names;
}

std::string_view access_kind_name(std::size_t kind) { return access_kinds[kind].name; }

namespace {

/// As a profiler counts lanes that are not predicated off.
std::uint64_t executed_lanes(const SiteReport& site) {
    return site.branches > 0 ? site.taken_lanes : site.executed_lanes;
}

}  // namespace

MetricSums whole_launch(const LaunchReport& report) {
    MetricSums sums;
    sums.report = &report;
    for (std::size_t kind = 0; kind < access_kind_count; ++kind)
        sums.access[kind] = report.*access_kinds[kind].totals;
    sums.steps = report.steps;
    sums.active_lanes = report.active_lanes;
    for (const SiteReport& site : report.sites) sums.executed_lanes += executed_lanes(site);
    sums.branches = report.branches;
    sums.branches_divergent = report.branches_divergent;
    return sums;
}

namespace {

/// Adds one site. An asynchronous copy reads global and writes shared memory: sectors belong to the first,
/// wavefronts to the second, but the requests of both are one number.
void add_site(MetricSums& sums, const SiteReport& site) {
    sums.steps += site.steps;
    sums.active_lanes += site.active_lanes;
    sums.executed_lanes += executed_lanes(site);
    sums.branches += site.branches;
    sums.branches_divergent += site.branches_divergent;
    if (site.access.requests == 0) return;
    const auto kind_of = [](Space space, Operation operation) {
        const auto found = std::ranges::find_if(access_kinds, [&](const AccessKind& kind) {
            return kind.space == space && kind.operation == operation;
        });
        return static_cast<std::size_t>(found - access_kinds.begin());
    };
    const Operation in_shared = site.copies ? Operation::store : site.operation;
    if (site.space != Space::none) {
        const std::size_t kind =
            kind_of(site.space, site.space == Space::shared ? in_shared : site.operation);
        if (kind < access_kind_count) sums.access[kind].add(site.access);
        return;
    }
    sums.mixed_requests = true;
    AccessTotals global = site.access, shared = site.access;
    global.wavefronts = global.ideal_wavefronts = global.worst_wavefronts = 0;
    global.worst_ideal_wavefronts = 1;
    shared.sectors = shared.ideal_sectors = shared.used_bytes = shared.serialized_sectors = 0;
    sums.access[kind_of(Space::global, site.operation)].add(global);
    sums.access[kind_of(Space::shared, in_shared)].add(shared);
}

}  // namespace

MetricSums of_sites(const LaunchReport& report, std::span<const SiteId> sites) {
    MetricSums sums;
    sums.report = &report;
    for (const SiteId site : sites)
        if (site < report.sites.size()) add_site(sums, report.sites[site]);
    return sums;
}

Provenance provenance_of(const Metric& metric, const LaunchReport& report) {
    switch (metric.source) {
        case MetricSource::exact:
            return Provenance::exact;
        case MetricSource::counted:
            return report.launch.provenance;
        case MetricSource::modelled:
            return Provenance::modelled;
        case MetricSource::measured:
            return Provenance::measured;
    }
    return Provenance::exact;
}

bool is_modelled_time(const Metric& metric) { return metric.source == MetricSource::modelled; }

Level level_of(const Metric& metric, const LaunchReport& report) {
    if (metric.source == MetricSource::exact || metric.source == MetricSource::measured)
        return Level::machine;
    if (is_modelled_time(metric) && report.schedule) return report.schedule->level;
    return report.level;
}

std::string_view level_word(Level level) { return level == Level::machine ? "machine" : "PTX"; }

std::string source_words(Provenance provenance, Level level) {
    if (provenance != Provenance::modelled) return std::string(to_string(provenance));
    return fmt::format("{} from {}", to_string(provenance), code_of_level(level));
}

std::optional<MetricSite> worst_site(const Metric& metric, const LaunchReport& report,
                                     std::span<const SiteId> sites) {
    if (!metric.of_sites) return std::nullopt;
    std::optional<MetricSite> worst;
    std::uint64_t weight = 0;
    for (const SiteId site : sites) {
        if (site >= report.sites.size()) continue;
        const SiteReport& one = report.sites[site];
        if (one.steps == 0 && one.access.requests == 0 && one.branches == 0) continue;
        const MetricSums sums = of_sites(report, {&site, 1});
        const auto value = metric.read(sums);
        if (!value || (*value == 0 && metric.better != Better::more)) continue;
        const bool worse =
            !worst || (metric.better == Better::more ? *value < worst->value : *value > worst->value);
        const std::uint64_t of_it = std::max(one.access.requests, one.steps);
        if (worse || (*value == worst->value && of_it > weight)) {
            worst = MetricSite{site, *value};
            weight = of_it;
        }
    }
    return worst;
}

std::string metric_value(double value) {
    constexpr double most = 1e15, whole_from = 1000;  // fractions of thousands are not significant
    if (value >= 0 && value < most && (value == std::floor(value) || value >= whole_from))
        return grouped(static_cast<std::uint64_t>(std::llround(value)));
    return fmt::format("{:.5g}", value);
}

std::string metric_words(const Metric& metric, double value) {
    if (metric.unit.empty()) return metric_value(value);
    std::string unit = metric.unit;
    // "1 way", "1 wavefront per request"; but "1 times the ideal", and seconds are unchanged.
    const std::size_t end = std::min(unit.find(' '), unit.size());
    if (value == 1 && end > 2 && unit[end - 1] == 's' && !unit.starts_with("times")) unit.erase(end - 1, 1);
    return metric_value(value) + " " + unit;
}

}  // namespace warplens::analysis
