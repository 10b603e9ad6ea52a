#include "analysis/report/metrics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "analysis/report/definitions.h"
#include "core/glossary.h"
#include "tests/analysis/small_schedule.h"
#include "tests/support/folders.h"
#include "tests/support/read_json.h"
#include "tests/support/synthetic.h"
#include "tests/support/synthetic_measured.h"
#include "tests/support/synthetic_schedule.h"
#include "trace/replay.h"

namespace warplens::analysis {
namespace {

using testing::HasSubstr;

/// The example's report with all its parts, times and measurements included.
struct Example {
    Example() : trace(trace::make_example({3, 200, 4})) {
        LaunchFold fold(trace.program);
        trace::replay(trace, fold);
        report = fold.report(trace.launch);
        report.launch.gpu = "H200";
        fill_occupancy(report, default_gpu());
        const trace::Schedule schedule = trace::make_example_schedule(trace, {});
        report.schedule = summarise_launch(schedule, default_gpu());
        report.roofline = roofline(report, trace.program, default_gpu(), &schedule);
        report.measured = std::make_shared<const trace::Measured>(trace::make_example_measured(trace, {}));
    }
    std::vector<SiteId> all_sites() const {
        std::vector<SiteId> sites(report.sites.size());
        std::iota(sites.begin(), sites.end(), SiteId{0});
        return sites;
    }
    trace::Trace trace;
    LaunchReport report;
};

TEST(metrics, every_one_is_the_number_that_the_json_report_has_under_its_name) {
    const Example example;
    const auto json = read_json(to_json(example.report, example.trace.program));
    const MetricSums sums = whole_launch(example.report);
    std::size_t compared = 0;
    for (const Metric& metric : metrics()) {
        if (metric.name == "problems") continue;  // a list in the report, its length here
        std::string pointer = "/" + metric.name;
        for (char& c : pointer)
            if (c == '.') c = '/';
        const nlohmann::json::json_pointer place(pointer);
        ASSERT_TRUE(json.contains(place)) << metric.name;
        const auto value = metric.read(sums);
        if (!value) {
            EXPECT_TRUE(json[place].is_null() || json[place] == 0) << metric.name << value.error().message;
            continue;
        }
        ++compared;
        EXPECT_DOUBLE_EQ(*value, json[place].get<double>()) << metric.name;
    }
    EXPECT_GT(compared, 60u);
}

TEST(metrics, sums_over_all_sites_are_those_of_the_launch) {
    const Example example;
    const MetricSums whole = whole_launch(example.report);
    const MetricSums parts = of_sites(example.report, example.all_sites());
    for (const Metric& metric : metrics()) {
        if (!metric.of_sites) continue;
        const auto a = metric.read(whole), b = metric.read(parts);
        ASSERT_EQ(a.has_value(), b.has_value()) << metric.name;
        if (a) {
            EXPECT_DOUBLE_EQ(*a, *b) << metric.name;
        }
    }
}

TEST(metrics, a_number_that_a_kernel_does_not_have_is_reported_and_is_no_zero) {
    Example example;
    example.report.shared_load = {};
    example.report.schedule.reset();
    example.report.schedule_absent = "the launch was stopped by a problem";
    example.report.measured.reset();
    example.report.launch.resources.registers_per_thread = 0;
    const auto refusal = [&](const char* name) {
        const auto value = find_metric(name)->read(whole_launch(example.report));
        return value ? std::string("a number") : value.error().message;
    };
    EXPECT_THAT(refusal("shared_load.conflict_ways"), HasSubstr("no shared load request"));
    EXPECT_THAT(refusal("shared_load.over_ideal"), HasSubstr("no shared load request"));
    EXPECT_EQ(refusal("shared_load.wavefronts"), "a number") << "no wavefront at all is a count";
    EXPECT_THAT(refusal("schedule.cycles"), HasSubstr("stopped by a problem"));
    EXPECT_THAT(refusal("perturbation.clean_us"), HasSubstr("--engine cuda"));
    EXPECT_THAT(refusal("resources.registers_per_thread"), HasSubstr("not known"));
}

TEST(metrics, the_worst_site_has_the_largest_share_of_what_is_worse) {
    const Example example;
    const auto sites = example.all_sites();
    const Metric& sectors = *find_metric("global_load.sectors_per_request");
    const auto worst = worst_site(sectors, example.report, sites);
    ASSERT_TRUE(worst);
    for (const SiteId site : sites) {
        const auto value = sectors.read(of_sites(example.report, {&site, 1}));
        if (value) {
            EXPECT_LE(*value, worst->value) << site;
        }
    }
    const auto fewest = worst_site(*find_metric("divergence.mean_active_lanes"), example.report, sites);
    ASSERT_TRUE(fewest);
    EXPECT_LT(fewest->value, example.report.mean_active_lanes());
    EXPECT_FALSE(worst_site(*find_metric("occupancy.theoretical"), example.report, sites));
}

TEST(metrics, lanes_with_their_predicate_on_are_counted_as_by_a_profiler) {
    LaunchReport report;
    SiteReport guarded, branch;
    guarded.site = 0, branch.site = 1;
    guarded.steps = branch.steps = branch.branches = 2;
    guarded.active_lanes = branch.active_lanes = branch.executed_lanes = 64;
    guarded.executed_lanes = 20;
    branch.taken_lanes = 12;
    report.sites = {guarded, branch};
    report.steps = 4;
    const Metric& metric = *find_metric("divergence.mean_executed_lanes");
    EXPECT_EQ(metric.read(whole_launch(report)).value(), 8);
    const SiteId sites[] = {1};
    EXPECT_EQ(metric.read(of_sites(report, sites)).value(), 6);
    EXPECT_FALSE(metric.read(whole_launch({})));
}

TEST(metrics, an_asynchronous_copy_has_its_sectors_in_global_and_its_wavefronts_in_shared_memory) {
    LaunchReport report;
    SiteReport site;
    site.operation = Operation::load;
    site.copies = true;
    site.access.requests = 8;
    site.access.sectors = 16;
    site.access.ideal_sectors = 16;
    site.access.wavefronts = 12;
    site.access.ideal_wavefronts = 4;
    report.sites.push_back(site);
    const SiteId only = 0;
    const MetricSums sums = of_sites(report, {&only, 1});
    EXPECT_EQ(*find_metric("global_load.sectors")->read(sums), 16);
    EXPECT_EQ(*find_metric("shared_store.over_ideal")->read(sums), 3);
    EXPECT_EQ(*find_metric("shared_load.wavefronts")->read(sums), 0);
    EXPECT_FALSE(find_metric("global_load.sectors_per_request")->read(sums));
}

TEST(metrics, have_names_of_their_own_and_words_that_read_well) {
    std::set<std::string> names;
    for (const Metric& metric : metrics()) {
        EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
        EXPECT_FALSE(metric.meaning.empty()) << metric.name;
        EXPECT_NE(metric.meaning.back(), '.') << metric.name;
        EXPECT_TRUE(metric.cause.empty() || metric.cause.back() == '.') << metric.name;
        EXPECT_EQ(find_metric(metric.name), &metric);
    }
    EXPECT_EQ(find_metric("shared_load.conflicts"), nullptr);
    EXPECT_EQ(metric_words(*find_metric("shared_load.conflict_ways"), 32), "32 ways");
    EXPECT_EQ(metric_words(*find_metric("shared_load.wavefronts_per_request"), 1), "1 wavefront per request");
    EXPECT_EQ(metric_words(*find_metric("global_load.over_ideal"), 1), "1 times the ideal");
    EXPECT_EQ(metric_value(1048576), "1,048,576");
    EXPECT_EQ(metric_value(23850.25), "23,850");
    EXPECT_EQ(metric_value(0.000125), "0.000125");
}

/// The rows of docs/metrics.md as the table of metrics defines them.
std::string documented() {
    std::string rows;
    for (const Metric& metric : metrics()) {
        const char* source = metric.source == MetricSource::exact      ? "exact"
                             : metric.source == MetricSource::modelled ? "modelled"
                             : metric.source == MetricSource::measured ? "measured"
                                                                       : "counted";
        const char* better = metric.better == Better::less   ? "less"
                             : metric.better == Better::more ? "more"
                                                             : "";
        rows += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", metric.name, metric.unit, source, better,
                            metric.of_sites ? "yes" : "", metric.meaning);
    }
    return rows;
}

TEST(metrics, the_documentation_lists_exactly_these) {
    std::ifstream file(source_folder() + "/docs/metrics.md");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(text.find(documented()), std::string::npos) << "the rows that docs/metrics.md must hold are\n"
                                                          << documented();
}

TEST(metrics, the_documentation_lists_exactly_the_terms_of_the_glossary) {
    std::string rows = "| term | definition |\n|---|---|\n";
    for (const Term& term : glossary()) rows += fmt::format("| {} | {} |\n", term.term, term.definition);
    std::ifstream file(source_folder() + "/docs/metrics.md");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_TRUE(text.ends_with(rows)) << "docs/metrics.md must end with\n" << rows;
}

TEST(definitions, terms_states_and_metrics_are_defined_and_nothing_else_is) {
    EXPECT_EQ(definition_of("Wavefronts"), find_term("wavefront")->definition);
    EXPECT_EQ(definition_of("Global memory result"),
              "State of a warp (long_scoreboard): waits for data from L1, L2 or DRAM.");
    EXPECT_EQ(definition_of("long_scoreboard"), definition_of("Global memory result"));
    EXPECT_EQ(definition_of("shared_load.conflict_ways"),
              "Metric in ways: the worst request's wavefronts : its ideal.");
    EXPECT_EQ(definition_of("anything else"), "");
    EXPECT_EQ(definition_of(""), "");
    for (const Definition& definition : definitions())
        EXPECT_FALSE(definition_of(definition.word).empty()) << definition.word;
}

TEST(definitions, a_label_of_a_few_words_is_defined_by_the_term_in_it) {
    const auto term_of = [](std::string_view label) { return definition_in(label).word; };
    EXPECT_EQ(term_of("Issue slots used"), "issue slot") << "two words before one";
    EXPECT_EQ(term_of("barrier opens"), "barrier");
    EXPECT_EQ(term_of("words per bank"), "word");
    EXPECT_EQ(term_of("mean rounds"), "round");
    EXPECT_EQ(term_of("fetched, not used"), "fetched");
    EXPECT_EQ(term_of("issues of LDG.E"), "issue");
    EXPECT_EQ(term_of("Global memory result"), "Global memory result") << "the state, not the memory";
    EXPECT_EQ(definition_in("Banks").sentence, find_term("bank")->definition);
    EXPECT_EQ(term_of("a sentence of many words about a warp"), "");
    EXPECT_EQ(term_of("warp_reduce"), "");
    EXPECT_EQ(term_of("int lane = 3;"), "") << "code";
    EXPECT_EQ(term_of(""), "");
}

}  // namespace
}  // namespace warplens::analysis
