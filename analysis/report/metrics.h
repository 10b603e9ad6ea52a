// Metrics: every number of a report that can be limited, swept or plotted over a parameter, by its dotted
// name in the report's JSON, with its unit, source and better direction. One table for `check`, `sweep`,
// docs/metrics.md and views; it only reads values that the report contains.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/launch_report.h"
#include "core/provenance.h"
#include "core/result.h"

namespace warplens::analysis {

enum class Better : std::uint8_t { less, more, neither };

/// A number's source: the program and its launch, the counts of the run, the timing model, or a GPU's clock.
enum class MetricSource : std::uint8_t { exact, counted, modelled, measured };

/// A sum grows with the blocks executed; a figure is a mean, a worst case or a property of the launch; a
/// breakdown describes how time is spent, where less of one part is more of another.
enum class MetricKind : std::uint8_t { sum, figure, breakdown };

inline constexpr std::size_t access_kind_count = 13;

/// The input of metrics: the sums of a launch, or of some of its sites.
struct MetricSums {
    const LaunchReport* report = nullptr;
    std::array<AccessTotals, access_kind_count> access;  // in the order of access_kind_name
    std::uint64_t steps = 0, active_lanes = 0, branches = 0, branches_divergent = 0;
    std::uint64_t executed_lanes = 0;  // with their predicate on; of a branch, those that take it
    bool mixed_requests = false;  // a site accesses two spaces, and its requests are not counted per space
};

/// "global_load", …
std::string_view access_kind_name(std::size_t kind);

struct Metric {
    std::string name;     // "shared_load.conflict_ways"
    std::string unit;     // follows the number: "ways", "sectors per request"; empty: a plain ratio
    std::string meaning;  // a few words, without a full stop
    std::string cause;    // why a bad value is bad: a sentence, or empty. A remedy is tried first: Advice
    Better better = Better::neither;
    MetricSource source = MetricSource::counted;
    bool of_sites = false;      // available for single sites and lines
    bool needs_timing = false;  // from the timing model or the roofline
    /// The error states why the launch lacks this number.
    std::function<Result<double>(const MetricSums&)> read;
    MetricKind kind = MetricKind::figure;
    bool is_count = false;  // an integer in the report's JSON
    /// Of a mean or a ratio: the metric of the amount that it stands for, "global_load.sectors" of sectors
    /// per request. A mean may rise while there is less to do. Empty: the number is judged alone.
    std::string amount = {};

    /// Of a whole, 0 to 1: the only numbers without a unit.
    bool is_share() const { return unit.empty(); }
};

const std::vector<Metric>& metrics();
const Metric* find_metric(std::string_view name);
std::vector<std::string> metric_names();

/// Whether it depends on the problem's size, so that launches of different problems cannot be compared by it:
/// a time or a latency, an amount of work, bytes moved. A mean per request or a share can.
bool grows_with_problem(const Metric& metric);

MetricSums whole_launch(const LaunchReport& report);
/// `sites`: indices into LaunchReport::sites.
MetricSums of_sites(const LaunchReport& report, std::span<const SiteId> sites);

/// The provenance of the number.
Provenance provenance_of(const Metric& metric, const LaunchReport& report);
/// It is of the timing model, and so has a level of its own.
bool is_modelled_time(const Metric& metric);
/// The level of the number: of the counts, or of the code that was timed.
Level level_of(const Metric& metric, const LaunchReport& report);
/// "simulated", "modelled from machine code"
std::string source_words(Provenance provenance, Level level);

struct MetricSite {
    SiteId site = 0;
    double value = 0;  // of this site only
};
/// The site with the worst effect on the metric (the largest value if neither direction is better);
/// std::nullopt if the metric is not available for sites or no site has a value.
std::optional<MetricSite> worst_site(const Metric& metric, const LaunchReport& report,
                                     std::span<const SiteId> sites);

/// Of a key `level` in JSON: "PTX" or "machine".
std::string_view level_word(Level level);

/// "1,048,576", "2.5", "0.00012"
std::string metric_value(double value);
/// The same with the unit: "32 ways".
std::string metric_words(const Metric& metric, double value);

}  // namespace warplens::analysis
