#include "app/scene/explain_change.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "analysis/memory/banks.h"
#include "analysis/memory/shared_layout.h"
#include "analysis/memory/stored_request.h"
#include "app/scene/default_selection.h"
#include "app/scene/launch_change.h"
#include "app/scene/level_of_time.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

using analysis::SiteReport;

/// A site of a scene, with one of its requests.
struct Side {
    const Scene& scene;
    const SiteReport& site;
    std::uint64_t access;  // index into Trace::accesses; no_access: none was recorded

    const trace::Trace& trace() const { return *scene.trace; }
    bool has_request() const { return access < trace().accesses.size(); }
};

std::string arrow(double before, double after) {
    return fmt::format("{} → {}", decimal(before), decimal(after));
}

double per_request(std::uint64_t sum, const SiteReport& site) {
    return site.access.requests ? double(sum) / double(site.access.requests) : 0;
}

/// Words of a request in its busiest bank.
std::uint32_t busiest_bank(const Side& side) {
    const analysis::StoredRequest request(side.trace(), side.access);
    const auto words = analysis::count_bank_words(request.access());
    return *std::ranges::max_element(words);
}

/// Bytes from the first to the last that a request accesses.
std::uint64_t span_of(const Side& side) {
    const analysis::StoredRequest request(side.trace(), side.access);
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for_each_lane(request.record.mask, [&](int lane) {
        const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
        first = std::min(first, address);
        last = std::max(last, address + request.bytes_per_lane);
    });
    return last - first;
}

/// Why a request to shared memory takes another number of wavefronts; empty: not known.
std::string shared_cause(const Side& before, const Side& after) {
    if (!before.has_request() || !after.has_request()) return {};
    const std::uint32_t was = busiest_bank(before), is = busiest_bank(after);
    if (was == is) return {};
    std::string cause = fmt::format("the busiest bank holds {} → {} words of a request", was, is);
    const auto old_array = analysis::shared_layout(before.trace(), before.access, 1);
    const auto array = analysis::shared_layout(after.trace(), after.access, 1);
    if (old_array.pitch_known && array.pitch_known && old_array.pitch_bytes != array.pitch_bytes)
        cause += fmt::format(", as rows of `{}` are {} words apart", array.variable,
                             arrow(old_array.pitch_bytes / 4.0, array.pitch_bytes / 4.0));
    return cause;
}

std::string global_cause(const Side& before, const Side& after) {
    if (!before.has_request() || !after.has_request()) return {};
    const std::uint64_t was = span_of(before), is = span_of(after);
    if (was == is) return {};
    return fmt::format("the addresses of a request span {} → {} bytes", grouped(was), grouped(is));
}

/// "line 54's load", "PTX line 80's store".
std::string name_of(const Side& side) {
    const Site& site = side.trace().program.sites[side.site.site];
    const std::string line =
        site.line != 0 ? fmt::format("line {}", site.line) : fmt::format("PTX line {}", site.ptx_line);
    if (site.kind != SiteKind::memory) return line;
    return fmt::format("the {} of {}", to_string(site.operation), line);
}

/// The number that changed at the site, with its cause.
std::string site_sentence(const Side& before, const Side& after) {
    const bool is_shared = after.site.space == Space::shared;
    const bool is_memory = after.site.access.requests > 0 && before.site.access.requests > 0;
    std::string figure, cause;
    bool same = false;
    if (is_memory) {
        const double was =
            per_request(is_shared ? before.site.access.wavefronts : before.site.access.sectors, before.site);
        const double is =
            per_request(is_shared ? after.site.access.wavefronts : after.site.access.sectors, after.site);
        const char* unit = is_shared ? "wavefronts" : "sectors";
        same = was == is;
        figure = same ? fmt::format("{} {} per request in both runs", decimal(is), unit)
                      : fmt::format("{} {} per request", arrow(was, is), unit);
        if (!same) cause = is_shared ? shared_cause(before, after) : global_cause(before, after);
    } else {
        const double was = before.site.mean_active_lanes(), is = after.site.mean_active_lanes();
        same = was == is && before.site.steps == after.site.steps;
        figure = was == is ? fmt::format("{} active lanes in both runs", decimal(is))
                           : fmt::format("{} active lanes on average", arrow(was, is));
        if (before.site.steps != after.site.steps)
            figure +=
                fmt::format(" and {} → {} executions", grouped(before.site.steps), grouped(after.site.steps));
    }
    const std::string name = name_of(after);
    std::string words = fmt::format("{} {} {}", name, is_memory ? "takes" : "has", figure);
    if (!cause.empty()) words += ", because " + cause;
    return words;
}

const SiteReport* report_of(const Scene& scene, SiteId site) {
    for (const SiteReport& one : scene.report->sites)
        if (one.site == site) return &one;
    return nullptr;
}

SiteId site_of(const Scene& scene, const Spot& spot) {
    return spot.access < scene.trace->accesses.size() ? scene.trace->accesses[spot.access].site : spot.site;
}

}  // namespace

std::string explain_change(const Scene& before, const Scene& after, const Spot& spot, Level wanted) {
    const Spot old_spot = carried_over(after, spot, before, {});
    const SiteReport* now = report_of(after, site_of(after, spot));
    const SiteReport* was = report_of(before, site_of(before, old_spot));
    std::string words;
    if (now && was) {
        words = site_sentence({before, *was, old_spot.access}, {after, *now, spot.access}) + ".";
        words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    }
    const std::string launch = launch_change(before, after, common_level(after, &before, wanted));
    if (words.empty() && launch.empty())
        return "Select a line or a request that both runs have, to see what changed there.";
    return words + (words.empty() || launch.empty() ? "" : " ") + launch;
}

}  // namespace warplens::app
