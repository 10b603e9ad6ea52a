#include "app/scene/untried_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "app/ui/number.h"

namespace warplens::app {
namespace {

constexpr double least_share_of_slots = 0.1;  // that waits leave empty

/// "Lines 13, 14 and 15: "; of many the first three. Empty: no line is known.
std::string heading_of(const std::set<std::uint32_t>& lines) {
    constexpr std::size_t most_named = 3;
    std::vector<std::string> names;
    for (const std::uint32_t line : lines)
        if (names.size() < most_named) names.push_back(std::to_string(line));
    if (names.empty()) return {};
    if (lines.size() > most_named) names.push_back(counted(lines.size() - most_named, "other"));
    const std::string last = std::move(names.back());
    names.pop_back();
    return names.empty() ? fmt::format("Line {}: ", last)
                         : fmt::format("Lines {} and {}: ", fmt::join(names, ", "), last);
}

struct Cause {
    std::set<std::uint32_t> lines;
    double exposed = 0;
    std::uint64_t requests = 0, bytes = 0;

    void add(const Site& site, double cost, const analysis::AccessTotals& access) {
        if (site.line != 0) lines.insert(site.line);
        exposed += cost;
        requests += access.requests;
        bytes += access.ideal_sectors * analysis::sector_bytes;
    }
};

bool moves_data(const Site& site, const analysis::SiteReport& report) {
    return report.access.requests > 0 &&
           (site.operation == Operation::load || site.operation == Operation::store);
}
bool is_local(const Site& site, const analysis::SiteReport& report) {
    return site.space == Space::local && moves_data(site, report);
}
/// Its lanes are neighbours already.
bool is_narrow(const Site& site, const analysis::SiteReport& report) {
    return site.space == Space::global && site.bytes_per_lane <= 2 && moves_data(site, report) &&
           report.access.sectors == report.access.ideal_sectors;
}

}  // namespace

bool may_have_untried_causes(const Scene& scene) {
    return scene.report && scene.trace &&
           std::ranges::any_of(scene.report->sites, [&](const analysis::SiteReport& report) {
               const Site& site = scene.trace->program.sites[report.site];
               return is_local(site, report) || is_narrow(site, report);
           });
}

std::vector<std::string> untried_causes(const Scene& scene, const analysis::ExposedCost& cost,
                                        const std::set<std::uint32_t>& rewritten) {
    if (cost.issue_slots == 0 || cost.sites.size() != scene.trace->program.sites.size()) return {};
    Cause local, narrow;
    for (const analysis::SiteReport& report : scene.report->sites) {
        const Site& site = scene.trace->program.sites[report.site];
        const double exposed = cost.sites[report.site].exposed;
        if (is_local(site, report)) local.add(site, exposed, report.access);
        if (is_narrow(site, report) && !rewritten.contains(site.line))
            narrow.add(site, exposed, report.access);
    }
    std::vector<std::pair<double, std::string>> found;
    const auto share = [&](const Cause& of) { return of.exposed / static_cast<double>(cost.issue_slots); };
    constexpr const char* untried = "This was neither run nor estimated.";
    if (share(local) >= least_share_of_slots)
        found.emplace_back(share(local),
                           fmt::format("{}keep in registers what is in local memory, by indexes of arrays "
                                       "that the compiler knows, as in "
                                       "unrolled loops, or by fewer registers where some are spilled: waits "
                                       "for it leave {} of the issue "
                                       "slots empty. {}",
                                       heading_of(local.lines), percent(share(local), 0), untried));
    if (share(narrow) >= least_share_of_slots)
        found.emplace_back(share(narrow),
                           fmt::format("{}let each lane access 4 to 16 bytes at once, such as a uchar4 or "
                                       "half2: a request moves {} bytes, "
                                       "and waits for these leave {} of the issue slots empty. {}",
                                       heading_of(narrow.lines), grouped(narrow.bytes / narrow.requests),
                                       percent(share(narrow), 0), untried));
    std::ranges::stable_sort(found, std::ranges::greater{}, &std::pair<double, std::string>::first);
    std::vector<std::string> sentences;
    for (auto& [cost, sentence] : found) {
        if (sentence.front() >= 'a' && sentence.front() <= 'z') sentence.front() -= 'a' - 'A';
        sentences.push_back(std::move(sentence));
    }
    return sentences;
}

}  // namespace warplens::app
