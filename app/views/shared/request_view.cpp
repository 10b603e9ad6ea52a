#include "app/views/shared/request_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/scene/default_selection.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
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

/// The PTX's accesses as cells, an arrow, and the machine's as one cell of their width. Returns where it
/// ends.
float draw_merge_sign(const Ink& ink, ImVec2 at, std::size_t parts) {
    const float cell = ink.px(9), gap = ink.px(2), high = ink.px(9), whole = cell * static_cast<float>(parts);
    float x = at.x;
    for (std::size_t i = 0; i < parts; ++i, x += cell + gap)
        ink.outline({x, at.y, x + cell, at.y + high}, ink.theme.text_dim, ink.px(1));
    x += ink.px(5);
    ink.line({x, at.y + high / 2}, {x + ink.px(12), at.y + high / 2}, ink.theme.text_dim, ink.px(1));
    ink.line({x + ink.px(8), at.y}, {x + ink.px(12), at.y + high / 2}, ink.theme.text_dim, ink.px(1));
    ink.line({x + ink.px(8), at.y + high}, {x + ink.px(12), at.y + high / 2}, ink.theme.text_dim, ink.px(1));
    x += ink.px(18);
    ink.fill({x, at.y, x + whole, at.y + high}, ink.theme.ideal);
    return x + whole + ink.px(10);
}

/// One line, where the assembler merges the access with others. Returns where it ends.
float draw_merge(const ViewFrame& frame, const Ink& ink, const Box& box, SiteId site) {
    const std::string words = merge_sentence(*frame.scene, site);
    if (words.empty()) return box.y0;
    const Theme& theme = ink.theme;
    const float high = text_height(theme.fonts.words), top = box.y0 + ink.px(4);
    const float sign = top + std::round((high - ink.px(9)) / 2);
    const float x = draw_merge_sign(ink, {box.x0, sign}, merged_parts(*frame.scene, site));
    draw_text(*ink.list, theme.fonts.words, {x, top}, theme.text,
              fit_text(theme.fonts.words, words, box.x1 - x));
    hit_box("merged access", {box.x0, top}, {box.x1, top + high});
    return top + high;
}

}  // namespace

void RequestView::take_scene(const Scene& scene) {
    if (run_ == RunIdentity(scene)) return;
    run_ = scene;
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

std::string RequestView::cost_words(const std::optional<Before>& before, std::uint64_t cost) {
    return before && before->cost != cost ? fmt::format("{} → {}", grouped(before->cost), grouped(cost))
                                          : grouped(cost);
}

std::string RequestView::baseline_place(const ViewFrame& frame, const AccessChoice& request) const {
    const trace::Trace& trace = *frame.baseline->trace;
    const trace::WarpRecord& warp = trace.warps[request.warp_record];
    const trace::WarpRecord& shown = frame.scene->trace->warps[shown_->warp_record];
    const std::string line = words_of(trace, request).line;
    if (warp.block == shown.block && warp.warp == shown.warp) return line;
    return fmt::format("{}, {} warp {}", line, block_words(trace, warp.block), warp.warp);
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
                    next_step_of_two(frame, subject_.name, subject_.elsewhere));
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
    const bool compact = is_compact(frame.theme, size.y);
    // In the window the pane clips: parts may be below what is in sight.
    const float clip_end = frame.interactive ? FLT_MAX : origin.y + size.y;
    ImGui::PushClipRect(origin, {origin.x + size.x, clip_end}, true);
    ImGui::SetCursorScreenPos(origin);
    if (frame.interactive) {
        if (const auto wanted = access_bar(frame, subject_.name, subject_.unit, index(), choice))
            frame.selection.chosen = spot_of(trace, *wanted);
        const ImVec2 after = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({left, after.y + ink.px(8)});
    }
    std::optional<Before> before;
    if (const auto other = baseline_request(frame))
        before = Before{cost_of(*frame.baseline->trace, other->access), frame.baseline_name};
    draw_title(ink, width, compact, before);

    const ImVec2 at = ImGui::GetCursorScreenPos();
    int lane = frame.selection.hover.lane;
    if (lane < 0 && frame.selection.chosen.access == shown_->access) lane = frame.selection.chosen.lane;
    const std::string sum = arithmetic(trace, lane);
    Headline large = headline_of();
    large.number = cost_words(before, cost_of(trace, choice.access));
    if (before && before->cost > 1) large.unit = subject_.unit;
    if (!sum.empty()) large.words += (large.words.empty() ? "" : " · ") + sum;
    float top = at.y;
    // The window's bar takes room, too.
    const bool is_high = !frame.interactive || size.y >= ink.px(640);
    if (is_high && headline_with_room(frame.theme, large, width)) {
        top = ImGui::GetCursorScreenPos().y;
    } else {
        const auto runs = runs_of(sum, frame.theme.fonts.code, frame.theme.text_dim);
        top += ink.paragraph({left, at.y}, width, runs, compact ? 1 : 2);
    }
    if (!compact) top = draw_merge(frame, ink, {left, top, left + width, top}, choice.site);
    std::string provenance = fmt::format("exact · {}", to_string(level_of_counts(*frame.scene)));
    if (!frame.interactive) {
        // The window says this in the bar above; a picture says it here.
        std::string place = words_.thread_place;
        if (!words_.occurrence.empty()) place += " · " + words_.occurrence;
        provenance = place + " · " + provenance;
    }
    float bottom = origin.y + size.y - provenance_line_height(frame.theme) - ink.px(2);
    Box body{left, top + ink.px(8), left + width, bottom - ink.px(4)};
    if (frame.interactive) {
        body.y1 = body.y0 + std::max(0.0f, body_height(ink, body));
        bottom = std::max(bottom, body.y1 + ink.px(4));
    }
    draw_parts(frame, ink, body);
    ImGui::SetCursorScreenPos({left, bottom});
    provenance_line(frame.theme, *frame.scene, provenance);
    ImGui::PopClipRect();
}

}  // namespace warplens::app
