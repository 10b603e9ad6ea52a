#include "app/scene/explain_launch.h"

#include <fmt/format.h>

#include "app/scene/view_list.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

LaunchExplanation explain_occupancy(const Scene& scene) {
    const analysis::Occupancy& fit = scene.report->occupancy;
    if (fit.blocks_per_sm == 0) return {"The block does not fit on an SM.", fit.reason};
    LaunchExplanation out;
    out.what = fmt::format("An SM holds {} of this launch: {} of its {} warp slots, {}.",
                           counted(static_cast<std::uint64_t>(fit.blocks_per_sm), "block"), fit.warps_per_sm,
                           scene.gpu->max_warps_per_sm, percent(fit.theoretical, 0));
    out.why = fmt::format("{} run out first.", analysis::limiters_in_words(fit));
    out.why[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out.why[0])));
    const auto sms = static_cast<std::uint64_t>(std::max(scene.gpu->sm_count, 1));
    const std::uint64_t blocks = (scene.blocks_in_grid + sms - 1) / sms;
    if (blocks < static_cast<std::uint64_t>(fit.blocks_per_sm))
        out.why += fmt::format(" But the grid gives an SM {} at most, so fewer warps are resident.",
                               counted(blocks, "block"));
    return out;
}

LaunchExplanation explain_roofline(const Scene& scene) {
    LaunchExplanation out;
    const analysis::Roofline& roofline = scene.timing->roofline;
    if (roofline.without_images) {
        out.what = "The launch reads textures or surfaces, whose traffic is unknown: it has no intensity.";
    } else if (roofline.flops <= 0) {
        out.what = fmt::format("The launch executes no floating-point operations and moves at least {}.",
                               scaled(roofline.dram_bytes_ideal, "B"));
    } else if (roofline.dram_bytes_ideal <= 0) {
        out.what =
            fmt::format("The launch executes {} and moves no global memory.", scaled(roofline.flops, "FLOP"));
    } else {
        out.what =
            fmt::format("The launch executes {:.3g} FLOP per byte that must move.", roofline.intensity);
        if (roofline.ridge > 0)
            out.what +=
                fmt::format(" The roofs meet at {:.3g}, so {} limits what it can reach.", roofline.ridge,
                            roofline.intensity < roofline.ridge
                                ? std::string("DRAM bandwidth")
                                : fmt::format("the throughput of {}", roofline.peak_unit));
    }
    out.why = scene.timing->limiting;
    return out;
}

}  // namespace

std::optional<LaunchExplanation> explain_launch(const Scene& scene, std::string_view view) {
    const ViewSubject subject = subject_of(view);
    const bool is_launch = subject == ViewSubject::launch || subject == ViewSubject::occupancy ||
                           subject == ViewSubject::roofline;
    if (!is_launch || !scene.report || !scene.gpu) return std::nullopt;
    if (subject == ViewSubject::occupancy) return explain_occupancy(scene);
    if (!scene.timing || !scene.timing->schedule) return std::nullopt;
    if (subject == ViewSubject::roofline) return explain_roofline(scene);
    LaunchExplanation out;
    const trace::LaunchTime& launch = scene.timing->schedule->launch;
    out.what = fmt::format("The launch takes {} (modelled), {} of them to start and end it.",
                           cycles_words(launch.cycles), cycles_words(launch.overhead_cycles));
    out.why = scene.timing->limiting;
    return out;
}

}  // namespace warplens::app
