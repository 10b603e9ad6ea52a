#include "app/views/shared/request_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/empty_state.h"
#include "app/views/shared/access_bar.h"
#include "app/views/shared/title_line.h"

namespace warplens::app {

namespace {

/// The program has instructions whose addresses a full recording keeps.
bool touches_memory(const Program& program) {
    return std::ranges::any_of(program.sites, [](const Site& site) {
        return site.kind == SiteKind::memory && site.space != Space::param;
    });
}

}  // namespace

void RequestView::take_scene(const Scene& scene) {
    if (generation_ == scene.generation && trace_ == scene.trace.get()) return;
    generation_ = scene.generation;
    trace_ = scene.trace.get();
    requests_ = scene.requests ? scene.requests : index_requests(scene);
    shown_.reset();
    forget_scene();
}

std::string RequestView::cannot_compare(const ViewFrame& frame) {
    const Scene& baseline = *frame.baseline;
    if (!baseline.trace || !baseline.requests) return fmt::format("{} has no trace.", frame.baseline_name);
    if ((*baseline.requests)[subject_.kind].requests > 0) return {};
    return fmt::format("{} has no {} to compare with.", frame.baseline_name, subject_.requests);
}

std::optional<AccessChoice> RequestView::baseline_request(const ViewFrame& frame) {
    if (!frame.baseline) return std::nullopt;
    const trace::Trace& trace = *frame.baseline->trace;
    const Spot& spot = counterpart_.of(frame, subject_.name, spot_of(*frame.scene->trace, *shown_));
    const RequestIndex& requests = (*frame.baseline->requests)[subject_.kind];
    if (spot.access < trace.accesses.size() && requests.find(trace.accesses[spot.access].site))
        return choice_of(requests, trace, spot.access);
    // What corresponds is no such request: the worst of those that it has.
    for (const RequestIndex::SiteRequests& site : requests.sites)
        if (site.worst_access < trace.accesses.size()) return choice_of(requests, trace, site.worst_access);
    return std::nullopt;
}

void RequestView::draw_scene(ViewFrame& frame) {
    take_scene(*frame.scene);
    const trace::Trace& trace = *frame.scene->trace;
    const auto choice = choose_access(index(), trace, frame.selection.chosen, shown_);
    if (!choice && trace.accesses.empty() && !trace.warps.empty() && touches_memory(trace.program)) {
        empty_state(
            frame.theme, "This recording contains no addresses.",
            fmt::format(
                "A light recording contains only times and active lanes. `warplens record {} --mode full` "
                "also records every lane's addresses.",
                trace.launch.kernel));
        return;
    }
    if (!choice) {
        empty_state(frame.theme, fmt::format("`{}` has no {}", trace.launch.kernel, subject_.requests),
                    subject_.elsewhere);
        return;
    }
    if (shown_ != choice) {
        words_ = words_of(trace, *choice);
        derive_request(trace, *choice);
        shown_ = choice;
    }
    draw_request(frame, *choice);
}

void RequestView::draw_request(ViewFrame& frame, const AccessChoice& choice) {
    const trace::Trace& trace = *frame.scene->trace;
    const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    const float left = origin.x, width = size.x;
    const bool compact = size.y < ink.px(420);  // a thumbnail: the picture takes precedence over words
    ImGui::PushClipRect(origin, {origin.x + size.x, origin.y + size.y}, true);
    ImGui::SetCursorScreenPos(origin);
    if (frame.interactive) {
        if (const auto wanted = access_bar(frame, subject_.name, subject_.unit, index(), choice))
            frame.selection.chosen = spot_of(trace, *wanted);
        const ImVec2 after = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({left, after.y + ink.px(8)});
    }
    draw_title(ink, width, compact);

    const ImVec2 at = ImGui::GetCursorScreenPos();
    int lane = frame.selection.hover.lane;
    if (lane < 0 && frame.selection.chosen.access == shown_->access) lane = frame.selection.chosen.lane;
    const auto runs = runs_of(arithmetic(trace, lane), frame.theme.fonts.code, frame.theme.text_dim);
    const float top = at.y + ink.paragraph({left, at.y}, width, runs, compact ? 1 : 2);
    std::string provenance = "exact · PTX level";
    if (!frame.interactive) {
        // The window says this in the bar above; a picture says it here.
        std::string place = words_.thread_place;
        if (!words_.occurrence.empty()) place += " · " + words_.occurrence;
        provenance = place + " · " + provenance;
    }
    const float bottom = origin.y + size.y - provenance_line_height(frame.theme) - ink.px(2);
    draw_parts(frame, ink, {left, top + ink.px(8), left + width, bottom - ink.px(4)});
    ImGui::SetCursorScreenPos({left, bottom});
    provenance_line(frame.theme, *frame.scene, provenance);
    ImGui::PopClipRect();
}

}  // namespace warplens::app
