#include "app/views/timeline/title.h"

#include <fmt/format.h>

#include "app/ui/number.h"

namespace warplens::app {

std::vector<std::string> timeline_titles(const TimelineIndex& index, const Scene& scene) {
    const trace::Schedule& schedule = index.schedule();
    const analysis::StallSummary summary = analysis::summarise(schedule.totals);
    // If there are measured times, too, the title begins with which ones these are.
    std::string length = fmt::format("{}`{}` on one SM: {}", index.trace().measured ? "Modelled: " : "",
                                     index.trace().launch.kernel, counted(summary.cycles, "cycle"));
    const auto& baseline = scene.timing->baseline;
    if (baseline && baseline->totals.cycles != schedule.totals.cycles)
        length += fmt::format(" ({} without the what-if knobs)", grouped(baseline->totals.cycles));
    const std::string used =
        fmt::format("{}, issue slots used: {}", length, percent(summary.issue_active(), 0));
    const analysis::DominantWait most = analysis::dominant_wait(summary);
    const std::string full =
        fmt::format("{}; in {} of its time a warp {}", used, percent(most.share, 0), most.sentence);
    return {full, used, length};
}

std::vector<LegendEntry> timeline_legend(const TimelineIndex& index, const Theme& theme, const Spot& chosen,
                                         double least_share) {
    std::vector<LegendEntry> entries;
    using Shape = LegendEntry::Shape;
    const analysis::StallSummary summary = analysis::summarise(index.schedule().totals);
    for (const WarpStateInfo& state : warp_states)
        if (summary.states[state.state] > 0 &&
            (state.state == WarpState::selected || summary.share(state.state) >= least_share))
            entries.push_back({theme.state(state.state), std::string(state.title),
                               is_hatched(state.state) ? Shape::filled_hatched : Shape::filled});
    if (!index.schedule().barriers.empty()) entries.push_back({theme.text, "barrier opens", Shape::upright});
    if (const Site* site = index.site(chosen.site))
        entries.push_back({theme.selected, "issues of " + site->opcode, Shape::tick});
    else if (chosen.source_line != 0)
        entries.push_back(
            {theme.selected, fmt::format("issues of line {}", chosen.source_line), Shape::tick});
    return entries;
}

}  // namespace warplens::app
