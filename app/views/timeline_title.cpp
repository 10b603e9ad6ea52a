#include "app/views/timeline_title.h"

#include <fmt/format.h>

#include "app/widgets/number.h"

namespace warplens::app {

std::vector<std::string> timeline_titles(const TimelineIndex& index, const Scene& scene) {
    const trace::Schedule& schedule = index.schedule();
    const analysis::StallSummary summary = analysis::summarise(schedule.totals);
    std::string length =
        fmt::format("`{}` on one SM: {}", index.trace().launch.kernel, counted(summary.cycles, "cycle"));
    const auto& baseline = scene.timing->baseline;
    if (baseline && baseline->totals.cycles != schedule.totals.cycles)
        length += fmt::format(" ({} without the what-if knobs)", grouped(baseline->totals.cycles));
    const std::string used = fmt::format("{}, an instruction issued in {} of the slots", length,
                                         percent(summary.issue_active(), 0));
    WarpState most = WarpState::not_selected;
    for (const WarpStateInfo& state : warp_states)
        if (state.state != WarpState::selected && summary.states[state.state] > summary.states[most])
            most = state.state;
    const std::string full = fmt::format("{}; in {} of its time a warp {}", used,
                                         percent(summary.share(most), 0), info(most).sentence);
    return {full, used, length};
}

std::string timeline_provenance(const trace::Schedule& schedule, const Scene& scene) {
    std::string words(to_string(schedule.provenance));
    words += scene.gpu && scene.gpu->sm_count > 1 ? fmt::format(" · one SM of {}", scene.gpu->sm_count)
                                                  : std::string(" · one SM");
    words += fmt::format(" · {} of its {} blocks", grouped(schedule.launch.blocks_modelled),
                         grouped(schedule.launch.blocks_on_sm));
    if (!schedule.gpu.empty()) words += " · " + schedule.gpu;
    if (!schedule.measured_latencies) words += " with assumed latencies";
    return words;
}

}  // namespace warplens::app
