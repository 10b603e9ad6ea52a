#include "analysis/time/activity_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/wording.h"

namespace warplens::analysis {
namespace {

using trace::Activity;
using trace::ActivityKind;
using trace::ActivitySpan;

bool is_copy(ActivityKind kind) { return kind != ActivityKind::kernel && kind != ActivityKind::graph; }

/// The duration of each operation in the activity in which it was shortest; the median if that activity ran
/// it several times.
class BestTimes {
  public:
    explicit BestTimes(const std::vector<Activity>& activities) {
        for (const Activity& activity : activities) {
            std::map<Key, std::vector<double>> times;
            for (const ActivitySpan& span : activity.spans)
                times[key(activity, span)].push_back(span.end_us - span.begin_us);
            for (auto& [key, list] : times) {
                const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
                std::nth_element(list.begin(), middle, list.end());
                const auto [best, is_new] = best_.try_emplace(key, *middle);
                if (!is_new) best->second = std::min(best->second, *middle);
            }
        }
    }
    double of(const Activity& activity, const ActivitySpan& span) const {
        return best_.at(key(activity, span));
    }

  private:
    using Key = std::tuple<ActivityKind, std::string, std::uint64_t, bool>;
    static Key key(const Activity& activity, const ActivitySpan& span) {
        return {span.kind, span.name, span.bytes, is_copy(span.kind) && activity.pageable};
    }
    std::map<Key, double> best_;
};

double work_begin(const Activity& activity, const ActivitySpan& span, double best) {
    if (span.kind == ActivityKind::graph) return span.begin_us;
    bool alone = true;
    double before = span.begin_us;  // end of the last earlier operation of its kind
    for (const ActivitySpan& other : activity.spans) {
        if (other.begin_us >= span.end_us) break;  // sorted by begin
        if (&other == &span || other.kind == ActivityKind::graph || other.end_us <= span.begin_us) continue;
        alone = false;
        if (other.kind == span.kind && other.stream != span.stream && other.end_us < span.end_us)
            before = std::max(before, other.end_us);
    }
    if (alone) return std::max(span.begin_us, span.end_us - best);
    return span.end_us - before >= 0.8 * best ? before : span.begin_us;
}

using Stretch = std::pair<double, double>;

/// Disjoint and ascending.
std::vector<Stretch> united(std::vector<Stretch> stretches) {
    std::sort(stretches.begin(), stretches.end());
    std::vector<Stretch> result;
    for (const Stretch& next : stretches) {
        if (next.second <= next.first) continue;
        if (!result.empty() && next.first <= result.back().second)
            result.back().second = std::max(result.back().second, next.second);
        else result.push_back(next);
    }
    return result;
}

double length(const std::vector<Stretch>& disjoint) {
    double sum = 0;
    for (const Stretch& stretch : disjoint) sum += stretch.second - stretch.first;
    return sum;
}

double common(const std::vector<Stretch>& a, const std::vector<Stretch>& b) {
    double sum = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        sum += std::max(0.0, std::min(a[i].second, b[j].second) - std::max(a[i].first, b[j].first));
        if (a[i].second < b[j].second) ++i;
        else ++j;
    }
    return sum;
}

ActivityFigures figures_of(const Activity& activity, const BestTimes& best) {
    ActivityFigures figures;
    std::vector<Stretch> all, copies, in, out, kernels;
    double last = 0;
    for (const ActivitySpan& span : activity.spans) {
        const double begin = work_begin(activity, span, best.of(activity, span));
        figures.work_begin_us.push_back(begin);
        last = std::max(last, span.end_us);
        if (span.kind == ActivityKind::graph) continue;
        const Stretch stretch{begin, span.end_us};
        all.push_back(stretch);
        (is_copy(span.kind) ? copies : kernels).push_back(stretch);
        if (span.kind == ActivityKind::copy_to_device) in.push_back(stretch);
        if (span.kind == ActivityKind::copy_to_host) out.push_back(stretch);
    }
    copies = united(std::move(copies));
    kernels = united(std::move(kernels));
    figures.total_us = activity.device_us > 0 ? activity.device_us : last;
    figures.busy_us = length(united(std::move(all)));
    figures.copy_us = length(copies);
    figures.kernel_us = length(kernels);
    figures.overlap_us = common(copies, kernels);
    figures.two_way_us = common(united(std::move(in)), united(std::move(out)));
    return figures;
}

double calls_a_kernel(const Activity& activity) {
    return activity.kernels > 0 ? activity.launch_calls_us / activity.kernels : 0;
}

}  // namespace

std::vector<ActivityFigures> activity_figures(const std::vector<Activity>& activities) {
    const BestTimes best(activities);
    std::vector<ActivityFigures> figures;
    for (const Activity& activity : activities) figures.push_back(figures_of(activity, best));
    return figures;
}

std::size_t fastest(const std::vector<ActivityFigures>& figures) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < figures.size(); ++i)
        if (figures[i].total_us < figures[best].total_us) best = i;
    return best;
}

std::string activity_sentence(const std::vector<Activity>& activities,
                              const std::vector<ActivityFigures>& figures) {
    if (activities.empty() || activities.size() != figures.size()) return {};
    const std::size_t best = fastest(figures);
    const Activity &first = activities.front(), &fast = activities[best];
    std::string sentence = fmt::format("{}: {}", fast.name, microseconds(figures[best].total_us));
    if (best == 0) {
        if (activities.size() > 1) sentence += ", and no other activity is faster";
    } else {
        sentence += fmt::format(" instead of {} ({})", microseconds(figures[0].total_us), first.name);
        if (figures[best].total_us > 0)
            sentence +=
                fmt::format(", {} times as fast",
                            rounded(std::round(10 * figures[0].total_us / figures[best].total_us) / 10));
    }
    const ActivityFigures& shown = figures[best];
    if (shown.copy_us > 0 && shown.kernel_us > 0)
        sentence += fmt::format("; {} of the kernels' time overlaps copies", percent(shown.kernels_hidden()));
    else if (shown.copy_us == 0 && best != 0 && calls_a_kernel(fast) > 0)
        sentence += fmt::format("; {} of host calls per kernel, not {}", microseconds(calls_a_kernel(fast)),
                                microseconds(calls_a_kernel(first)));
    return sentence;
}

std::string microseconds(double us) {
    const bool milli = us >= 999.5;
    const double value = milli ? us / 1000 : us;
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals > 0) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text + (milli ? " ms" : " µs");
}

}  // namespace warplens::analysis
