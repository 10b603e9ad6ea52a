// What the drawing of the streams view shows: of one run all variants, of two runs pairs of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/number.h"
#include "app/views/streams/drawing.h"

namespace warplens::app {

using analysis::microseconds;
using trace::Activity;
using trace::ActivitySpan;

StreamsPicture::StreamsPicture(std::vector<Activity> of, Provenance provenance)
    : provenance(provenance),
      activities(std::move(of)),
      figures(analysis::activity_figures(activities)),
      sentence(analysis::activity_sentence(activities, figures)),
      reference(activities.size()) {
    find_ends(0);
}

/// `first_end_us`: at least so much is of a usual length; 0: as long as the first activity.
void StreamsPicture::find_ends(double first_end_us) {
    for (std::size_t i = 0; i < activities.size(); ++i) {
        double& done = done_us.emplace_back(0);
        for (const ActivitySpan& span : activities[i].spans) done = std::max(done, span.end_us);
        if (activities[i].spans.empty()) done = figures[i].total_us;
        ends_us.push_back(std::max({done, figures[i].total_us, activities[i].host_us}));
    }
    // A variant that is far slower than the first would leave no room for the others: it is cut off at the
    // right.
    constexpr double most_of_the_first = 1.6;
    const double first = std::max(first_end_us, ends_us.front());
    for (const double end : ends_us) end_us = std::max(end_us, std::min(end, most_of_the_first * first));
}

bool same_variants(const StreamsOfRun& before, const StreamsOfRun& after) {
    return before.kernel == after.kernel && before.activities.size() == after.activities.size();
}

StreamsPicture picture_of_runs(const StreamsOfRun& before, const StreamsOfRun& after, Provenance provenance,
                               bool all) {
    const auto was = analysis::activity_figures(before.activities),
               now = analysis::activity_figures(after.activities);
    StreamsPicture picture;
    picture.provenance = provenance;
    const auto add = [&](const StreamsOfRun& run, const auto& figures, std::size_t at) {
        picture.activities.push_back(run.activities[at]);
        picture.activities.back().name = fmt::format("{}: {}", run.name, run.activities[at].name);
        picture.figures.push_back(figures[at]);
        return picture.activities.size() - 1;
    };
    const auto pair = [&](std::size_t of_before, std::size_t of_after) {
        const std::size_t first = add(before, was, of_before);
        add(after, now, of_after);
        picture.reference.insert(picture.reference.end(), 2, first);
    };
    const std::size_t best = analysis::fastest(was), best_now = analysis::fastest(now);
    if (all)
        for (std::size_t i = 0; i < before.activities.size(); ++i) pair(i, i);
    else pair(best, best_now);
    picture.find_ends(std::max(was[all ? 0 : best].total_us, now[all ? 0 : best_now].total_us));

    const double total = was[best].total_us, total_now = now[best_now].total_us;
    const std::string &name = before.activities[best].name, &name_now = after.activities[best_now].name;
    picture.sentence = fmt::format("{} → {}: {} → {} for the fastest variant", before.name, after.name,
                                   microseconds(total), microseconds(total_now));
    picture.sentence +=
        name == name_now ? fmt::format(", {} in both", name) : fmt::format(", {} → {}", name, name_now);
    picture.saved_word = same_variants(before, after) ? "saved" : "less";  // unlike work saves nothing
    const double saved = total - total_now;
    if (std::abs(saved) > 0.005 * total)
        picture.sentence += fmt::format("; {} {} ({}{})", microseconds(std::abs(saved)),
                                        saved > 0 ? picture.saved_word : "more", saved > 0 ? "−" : "+",
                                        percent(std::abs(saved) / total, 0));
    return picture;
}

}  // namespace warplens::app
