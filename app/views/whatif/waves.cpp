#include <algorithm>
#include <cmath>

#include "analysis/warps/waves.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/ink.h"
#include "app/ui/text.h"
#include "app/views/whatif/parts.h"

namespace warplens::app {

namespace {
/// More bars than this are too thin to count: only the last ones are shown, which include the tail.
constexpr std::uint64_t most_bars = 24;
}  // namespace

void what_if_waves(const Theme& theme, const Scene& scene, const TimingOptions& options) {
    const int sms = options.sm_count > 0 ? options.sm_count : scene.gpu->sm_count;
    if (sms == 0 || scene.timing == nullptr || scene.timing->schedule == nullptr) return;
    // The blocks that fit, even if the grid has fewer; knobs that lift a limit change the modelled number.
    int fit = scene.report->occupancy.blocks_per_sm;
    if (options.max_resident_warps > 0)
        fit = std::min(
            fit, std::max(1, options.max_resident_warps / scene.trace->launch.geometry.warps_per_block()));
    const int per_sm = std::max(fit, scene.timing->schedule->resident_blocks);
    const analysis::Waves waves = analysis::waves_of(scene.blocks_in_grid, per_sm, sms);
    const Ink ink{ImGui::GetWindowDrawList(), theme};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ink.px(26);
    Box row{at.x + ink.px(12), at.y + ink.px(4), at.x + width - ink.px(12), at.y + height};
    hit_box("whatif waves", row.min(), row.max());
    const std::uint64_t shown = std::min(waves.count, most_bars);
    if (shown > 0) {
        const float wanted = std::min(ink.px(46), ink.px(380) / static_cast<float>(shown));
        Box bars = row.take_left(wanted * static_cast<float>(shown));
        row.take_left(ink.px(12));
        for (std::uint64_t i = 0; i < shown; ++i) {
            Box bar = bars.take_left(wanted);
            bar.x1 -= ink.px(2);
            bar.y0 += ink.px(4);
            bar.y1 -= ink.px(4);
            const bool last = i + 1 == shown;
            const double full = last ? 1 - waves.idle_in_last() : 1;
            ink.hatch(bar, theme.inactive, 4);
            bar.x1 = bar.x0 + std::max(1.0f, bar.width() * static_cast<float>(full));
            ink.fill(bar, theme.category(0), ink.px(1));
        }
    }
    ink.text(row, analysis::waves_in_words(waves, per_sm, sms), theme.fonts.words, theme.text_dim);
    ImGui::Dummy({width, height});
}

}  // namespace warplens::app
