#include "app/views/view.h"

#include <fmt/format.h>

#include "app/scene/level_of_time.h"
#include "app/ui/empty_state.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

/// Shows what is missing; false when nothing is.
bool lacks(const ViewNeeds& needs, const ViewFrame& frame) {
    const Scene* scene = frame.scene;
    if (needs.failed_source && frame.failed) return false;
    if (needs.run &&
        (!scene || !scene->trace || (needs.report && !scene->report) || (needs.gpu && !scene->gpu)))
        no_run_yet(frame.theme, frame.running, frame.asks_for_launch);
    else if (needs.warps && scene->trace->warps.empty())
        empty_state(frame.theme, "The trace contains no warps.", "Record at least one block.");
    else if (!needs.timed.empty() && !scene->timing && frame.modelling)
        empty_state(frame.theme, "The timing model is running.", needs.timed);
    else if (!needs.timed.empty() && !scene->timing)
        empty_state(frame.theme, "This run has not been timed.", "Run the kernel again: press R.");
    else return false;
    return true;
}

void say(const ViewFrame& frame, const std::string& why) {
    rich_text(frame.theme, frame.theme.fonts.words, frame.theme.fonts.code, frame.theme.text_dim, why);
}

/// One run is a .cubin, and the other one has PTX.
bool has_two_levels(const ViewFrame& frame) {
    return frame.baseline && level_of_counts(*frame.scene) != level_of_counts(*frame.baseline);
}

/// Why a run with PTX is not compared with a .cubin; empty: it is, at the machine level.
std::string why_not_compared(const ViewFrame& frame, TwoLevels of_two_levels) {
    const bool cubin_is_before = level_of_counts(*frame.baseline) == Level::machine;
    const std::string_view cubin = cubin_is_before ? frame.baseline_name : frame.scene_name;
    if (of_two_levels == TwoLevels::none)
        return fmt::format("{} is machine code, and this view follows PTX, which a .cubin does not have.",
                           cubin);
    for (const Scene* run : {frame.scene, frame.baseline})
        if (const std::string why = why_not_machine_counts(*run); !why.empty())
            return fmt::format("{} is machine code, with which no PTX is compared. {}", cubin, why);
    return {};
}

}  // namespace

ViewFrame ViewFrame::at_machine(const Scene& machine, const Scene* machine_baseline, Selection& own) const {
    ViewFrame inner{&machine, own,    commands,  theme,   interactive,
                    motion,   timing, modelling, running, asks_for_launch};
    inner.baseline = machine_baseline;
    inner.baseline_name = baseline_name;
    inner.scene_name = scene_name;
    inner.advice = advice;
    inner.open_view = open_view;
    inner.focused = focused;
    inner.level = level;
    inner.counts = counts;
    inner.play = play;
    return inner;
}

ViewFrame View::at_common_level(const ViewFrame& frame) {
    ViewFrame inner = frame;
    if (common_level(*frame.scene, frame.baseline, frame.level) == Level::ptx) return inner;
    const Level counts = common_counts(*frame.scene, frame.baseline, frame.counts);
    inner.scene = machine_.follow(*frame.scene, counts);
    if (frame.baseline) inner.baseline = machine_baseline_.follow(*frame.baseline, counts);
    return inner;
}

void View::draw(ViewFrame& given) {
    if (lacks(needs(), given)) return;
    if (given.scene && has_two_levels(given) && needs().of_two_levels != TwoLevels::either) {
        const std::string why = why_not_compared(given, needs().of_two_levels);
        if (why.empty()) return draw_machine(given);
        say(given, why);
        ViewFrame alone = given;
        alone.baseline = nullptr;
        return draw(alone);
    }
    if (needs().counts && common_counts(*given.scene, given.baseline, given.counts) == Level::machine)
        return draw_machine(given);
    draw_runs(needs().launch ? at_common_level(given) : given);
}

void View::draw_machine(ViewFrame& given) {
    const Scene* const scene = machine_.follow(*given.scene, Level::machine);
    const Scene* const baseline =
        given.baseline ? machine_baseline_.follow(*given.baseline, Level::machine) : nullptr;
    draw_runs(given.at_machine(*scene, baseline, machine_.selection(given.selection)));
    machine_.give_back(given.selection);
}

void View::draw_runs(ViewFrame frame) {
    if (frame.baseline) {
        if (const std::string why = cannot_compare(frame); !why.empty()) {
            say(frame, why);
            frame.baseline = nullptr;
        }
    }
    draw_scene(frame);
}

}  // namespace warplens::app
