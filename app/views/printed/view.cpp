// Printed: the lines that the kernel printed, each with its thread and source line. A click selects that
// thread and call; the choice at the top keeps only the lines of its block, warp or thread. Of two runs the
// lines are aligned.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/thread_spot.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/text.h"
#include "app/views/printed/rows.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

enum class Kept : std::size_t { all, block, warp, thread };

/// Machine code calls it by an address; such a call may be of malloc, too.
bool has_printf(const Program& program) {
    return std::ranges::any_of(program.sites, [](const Site& site) {
        return site.text.find("vprintf") != std::string::npos || site.opcode.starts_with("CALL.ABS");
    });
}

class PrintedView : public View {
  private:
    ViewNeeds needs() const override { return {.report = true, .of_two_levels = TwoLevels::either}; }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        if (!scene->report->printed) {
            empty_state(frame.theme, "The recording does not contain printf output.",
                        "Run the kernel on the CPU engine, which records it.");
            return;
        }
        const PrintedCalls& printed = *scene->report->printed;
        const PrintedCalls* before = frame.baseline ? &*frame.baseline->report->printed : nullptr;
        if (printed.calls.empty() && (!before || before->calls.empty())) {
            say_why_nothing(frame);
            return;
        }
        choose_rows(frame, printed, before);
        if (before) {
            draw_change(frame);
        } else {
            title_line(frame.theme, title_of(*scene));
            const std::size_t calls = printed.calls.size();
            headline_with_room(frame.theme,
                               {grouped(calls), calls == 1 ? "call" : "calls", "of printf, as executed"});
        }
        if (frame.interactive) draw_choice(frame);
        const float foot = provenance_line_height(frame.theme) + ImGui::GetStyle().ItemSpacing.y;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        draw_rows(frame, printed, before, {room.x, std::max(room.y - foot, 40.0f)});
        provenance_line(frame.theme, *scene, "in block order; a GPU may print in any order");
    }

    std::string cannot_compare(const ViewFrame& frame) override {
        if (!frame.scene->report->printed) return {};
        if (!frame.baseline->trace || !frame.baseline->report || !frame.baseline->report->printed)
            return fmt::format("{} has no printf output in its recording.", frame.baseline_name);
        return {};
    }

    void draw_change(const ViewFrame& frame) const {
        const bool same = both_.added + both_.removed == 0;
        const std::string_view before = frame.baseline_name, after = frame.scene_name;
        const auto only = [](std::uint64_t lines, std::string_view run) {
            return fmt::format("{} only in {}", counted(lines, "line"), run);
        };
        const auto is_part = [](const Scene& scene) {
            return scene.blocks_executed < scene.blocks_in_grid || scene.report->printed->dropped > 0;
        };
        std::string words =
            same ? fmt::format("{} and {} print the same {}", before, after, counted(both_.same, "line"))
                 : fmt::format("{}, {}", only(both_.removed, before), only(both_.added, after));
        if (is_part(*frame.baseline) || is_part(*frame.scene))
            words += ", as far as the calls were executed and stored";
        title_line(frame.theme, words);
        const std::string lines = fmt::format(
            "{} in both; a line is the same if its block, thread and text are", counted(both_.same, "line"));
        if (same) headline_with_room(frame.theme, {grouped(both_.same), "lines", lines});
        else
            headline_with_room(
                frame.theme,
                {fmt::format("−{} +{}", grouped(both_.removed), grouped(both_.added)), "lines", lines});
    }

    static void say_why_nothing(const ViewFrame& frame) {
        const Scene& scene = *frame.scene;
        if (!has_printf(scene.trace->program)) {
            empty_state(frame.theme, "The kernel has no printf.",
                        "`print_lanes` shows the order in which lanes print; printf also works in your own "
                        "files.");
            return;
        }
        empty_state(frame.theme,
                    scene.blocks_executed < scene.blocks_in_grid
                        ? fmt::format("No thread of the {} of {} executed blocks reached a printf.",
                                      grouped(scene.blocks_executed), grouped(scene.blocks_in_grid))
                        : std::string("No thread reached a printf."),
                    scene.blocks_executed < scene.blocks_in_grid ? "`warplens report` runs all blocks."
                                                                 : "Check the condition around it.");
    }

    static std::string title_of(const Scene& scene) {
        const PrintedCalls& printed = *scene.report->printed;
        std::set<std::uint32_t> lines;
        for (const Printed& one : printed.calls)
            if (one.line != 0) lines.insert(one.line);
        std::string where;
        if (lines.size() == 1) where = fmt::format(" at line {}", *lines.begin());
        if (lines.size() > 1) where = fmt::format(" at {} lines", lines.size());
        std::string sample;
        if (scene.blocks_executed < scene.blocks_in_grid)
            sample = fmt::format(", in {} of {} executed blocks", grouped(scene.blocks_executed),
                                 grouped(scene.blocks_in_grid));
        std::string more;
        if (printed.dropped > 0)
            more = fmt::format(", and {} more that were not stored", grouped(printed.dropped));
        return fmt::format("`{}`: {} of printf{}{}{}", scene.report->launch.kernel,
                           counted(printed.calls.size(), "call"), where, sample, more);
    }

    void draw_choice(const ViewFrame& frame) {
        static const std::array<Segment, 4> choices{
            {{"printed all", "all", "all lines"},
             {"printed block", "of the block", "lines of the selected block"},
             {"printed warp", "of the warp", "lines of the selected warp"},
             {"printed thread", "of the thread", "lines of the selected thread"}}};
        kept_ = static_cast<Kept>(segments(frame.theme, choices, static_cast<std::size_t>(kept_)));
        ImGui::Dummy({0, 2 * frame.theme.fonts.scale});
    }

    /// Whether a line of `scene` is of the block, warp or thread that is selected in `selected`.
    bool keeps(const Scene& selected, const Spot& chosen, const Scene& scene, const Printed& one) const {
        if (kept_ == Kept::all || chosen.warp_record >= selected.trace->warps.size()) return true;
        const LaunchGeometry& geometry = scene.trace->launch.geometry;
        const trace::WarpRecord& warp = selected.trace->warps[chosen.warp_record];
        if (one.block != coordinates(warp.block, selected.trace->launch.geometry.grid)) return false;
        if (kept_ == Kept::block) return true;
        const std::uint64_t thread = linear_index(one.thread, geometry.block);
        if (thread / warp_size != warp.warp) return false;
        return kept_ == Kept::warp || chosen.lane < 0 ||
               thread % warp_size == static_cast<std::uint64_t>(chosen.lane);
    }

    /// Only if a run, the choice or the selection has changed.
    void choose_rows(const ViewFrame& frame, const PrintedCalls& printed, const PrintedCalls* before) {
        const Scene& scene = *frame.scene;
        const Spot& chosen = frame.selection.chosen;
        const bool all = kept_ == Kept::all;  // whatever is selected
        const RowsOf of{&printed,
                        before,
                        scene.generation,
                        before ? frame.baseline->generation : 0,
                        kept_,
                        all ? no_index : chosen.warp_record,
                        all ? -1 : chosen.lane,
                        0};
        if (of.with_opened(opened_.size()) == of_) return;
        if (of.with_opened(of_.opened) != of_) opened_.clear();  // of other lines
        of_ = of.with_opened(opened_.size());
        rows_ = printed_rows(printed, [&](const Printed& one) { return keeps(scene, chosen, scene, one); });
        both_ = {};
        if (before) {
            const auto keeps_before = [&](const Printed& one) {
                return keeps(scene, chosen, *frame.baseline, one);
            };
            both_ = aligned_rows(*before, printed_rows(*before, keeps_before), printed, std::move(rows_),
                                 opened_);
            rows_ = std::move(both_.rows);
        }
        widest_block_ = widest_thread_ = 0;
        for (const PrintedRow& row : rows_) {
            const Printed& one = call_of(row, printed, before);
            widest_block_ = std::max(widest_block_, block_triple(one.block).size());
            widest_thread_ = std::max(widest_thread_, block_triple(one.thread).size());
        }
    }

    static const Printed& call_of(const PrintedRow& row, const PrintedCalls& printed,
                                  const PrintedCalls* before) {
        return (row.kind == PrintedRow::Kind::removed ? *before : printed).calls[row.call];
    }

    struct Columns {
        float block = 0, thread = 0, line = 0, text = 0;  // left edges; `line` a right one
    };

    Columns columns(const Theme& theme) const {
        const float scale = theme.fonts.scale, gap = 18 * scale;
        const float letter = text_width(theme.fonts.code, "0");
        Columns at;
        at.block = (of_.before ? 28 : 8) * scale;  // beside the signs of two runs
        at.thread = at.block + letter * static_cast<float>(std::max<std::size_t>(widest_block_, 5)) + gap;
        at.line = at.thread + letter * static_cast<float>(std::max<std::size_t>(widest_thread_, 6)) + gap +
                  letter * 4;
        at.text = at.line + gap;
        return at;
    }

    void draw_rows(ViewFrame& frame, const PrintedCalls& printed, const PrintedCalls* before, ImVec2 size) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale, height = text_height(theme.fonts.code) + 6 * scale;
        const Columns at = columns(theme);
        {
            ImDrawList& list = *ImGui::GetWindowDrawList();
            const ImVec2 head = ImGui::GetCursorScreenPos();
            draw_text(list, theme.fonts.small, {head.x + at.block, head.y}, theme.text_dim, "block");
            draw_text(list, theme.fonts.small, {head.x + at.thread, head.y}, theme.text_dim, "thread");
            draw_text_right(list, theme.fonts.small, {head.x + at.line, head.y}, theme.text_dim, "line");
            draw_text(list, theme.fonts.small, {head.x + at.text, head.y}, theme.text_dim, "printed");
            const float below = text_height(theme.fonts.small) + 4 * scale;
            list.AddLine({head.x, head.y + below - scale}, {head.x + size.x, head.y + below - scale},
                         theme.hairline, scale);
            ImGui::Dummy({size.x, below - ImGui::GetStyle().ItemSpacing.y});
            size.y -= below;
        }
        compat::begin_child("printed rows", size,
                            frame.interactive
                                ? ImGuiWindowFlags_HorizontalScrollbar
                                : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
        const bool tail = printed.dropped > 0 && kept_ == Kept::all;
        const auto count = static_cast<int>(rows_.size() + (tail ? 1 : 0));
        // An image shows only complete lines, and the number of omitted ones.
        int shown = count;
        if (!frame.interactive && static_cast<float>(count) * height > size.y)
            shown = std::max(static_cast<int>(size.y / height) - 1, 0);
        ImGuiListClipper clipper;
        clipper.Begin(shown, height);
        while (clipper.Step())
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                if (static_cast<std::size_t>(i) < rows_.size())
                    draw_row(frame, printed, before, static_cast<std::size_t>(i), at, height);
                else
                    draw_note(
                        theme, at, height,
                        fmt::format("… and {} that were not stored", counted(printed.dropped, "more call")));
            }
        clipper.End();
        if (rows_.empty()) draw_note(theme, at, height, "The selection printed nothing.");
        if (shown < count)
            draw_note(theme, at, height,
                      fmt::format("… and {} in a taller view",
                                  counted(static_cast<std::uint64_t>(count - shown), "more line")));
        ImGui::PopStyleVar();
        ImGui::EndChild();
    }

    static void draw_note(const Theme& theme, const Columns& at, float height, const std::string& words) {
        const ImVec2 begin = ImGui::GetCursorScreenPos();
        draw_text(*ImGui::GetWindowDrawList(), theme.fonts.words, {begin.x + at.text, begin.y + 2},
                  theme.text_dim, words);
        ImGui::Dummy({at.text, height});
    }

    void draw_row(ViewFrame& frame, const PrintedCalls& printed, const PrintedCalls* before,
                  std::size_t index, const Columns& at, float height) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale;
        const PrintedRow& row = rows_[index];
        if (row.kind == PrintedRow::Kind::folded) return draw_folded(frame, row, at, height);
        const Printed& one = call_of(row, printed, before);
        const bool removed = row.kind == PrintedRow::Kind::removed,
                   changed = row.kind != PrintedRow::Kind::same;
        const ImVec2 begin = ImGui::GetCursorScreenPos();
        const float width = std::max(ImGui::GetContentRegionAvail().x,
                                     at.text + text_width(theme.fonts.code, row.text) + 8 * scale);
        const ImVec2 end{begin.x + width, begin.y + height};
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float top = begin.y + 3 * scale;
        if (row.first && index > 0 && rows_[index - 1].kind == PrintedRow::Kind::same && !changed) {
            // A hairline where the output of another warp begins.
            const Printed& above = printed.calls[rows_[index - 1].call];
            const Dim3 block = frame.scene->trace->launch.geometry.block;
            if (above.block != one.block ||
                linear_index(above.thread, block) / warp_size != linear_index(one.thread, block) / warp_size)
                list.AddLine(begin, {end.x, begin.y}, theme.hairline, scale);
        }
        if (changed) {
            const ImU32 colour = removed ? theme.cost : theme.ideal;
            list.AddRectFilled(begin, end, with_alpha(colour, 0.16));
            list.AddRectFilled(begin, {begin.x + 3 * scale, end.y}, colour);
            draw_text(list, theme.fonts.code, {begin.x + 10 * scale, top}, colour, removed ? "−" : "+");
        }
        if (!removed && is_chosen(frame, one)) {
            list.AddRectFilled(begin, end, theme.raised);
            if (row.first)
                compat::add_rect(list, {begin.x, begin.y + scale}, {end.x - scale, end.y - scale},
                                 theme.selected, 3 * scale, 1.5f * scale);
        }
        if (row.first) {
            draw_text(list, theme.fonts.code, {begin.x + at.block, top}, theme.text_dim,
                      block_triple(one.block));
            draw_text(list, theme.fonts.code, {begin.x + at.thread, top}, theme.text_dim,
                      block_triple(one.thread));
            if (one.line != 0)
                draw_text_right(list, theme.fonts.code, {begin.x + at.line, top}, theme.text_dim,
                                fmt::format("{}", one.line));
        }
        draw_text(list, theme.fonts.code, {begin.x + at.text, top}, removed ? theme.text_dim : theme.text,
                  row.text);
        ImGui::Dummy({width, height});
        hit_box(fmt::format("printed line {}", index), begin, end);
        if (removed || !frame.interactive || !ImGui::IsWindowHovered() ||
            !ImGui::IsMouseHoveringRect(begin, end))
            return;
        list.AddRectFilled(begin, end, theme.hovered);
        const Spot spot = spot_of_thread(*frame.scene, one.site, one.line, one.block, one.thread);
        frame.selection.next_hover = spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
    }

    /// A click opens it.
    void draw_folded(const ViewFrame& frame, const PrintedRow& row, const Columns& at, float height) {
        const ImVec2 begin = ImGui::GetCursorScreenPos();
        const ImVec2 end{begin.x + ImGui::GetContentRegionAvail().x, begin.y + height};
        hit_box(fmt::format("printed folded {}", row.folded_at), begin, end);
        const bool under =
            frame.interactive && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(begin, end);
        ImGui::GetWindowDrawList()->AddRectFilled(begin, end,
                                                  under ? frame.theme.hovered : frame.theme.raised);
        draw_note(frame.theme, at, height, fmt::format("… {} in both", counted(row.folded, "line")));
        if (under && ImGui::IsMouseClicked(0)) opened_.push_back(row.folded_at);
    }

    static bool is_chosen(const ViewFrame& frame, const Printed& one) {
        const Spot& chosen = frame.selection.chosen;
        const trace::Trace& trace = *frame.scene->trace;
        if (chosen.site != one.site || chosen.warp_record >= trace.warps.size()) return false;
        const LaunchGeometry& geometry = trace.launch.geometry;
        const trace::WarpRecord& warp = trace.warps[chosen.warp_record];
        const std::uint64_t thread = linear_index(one.thread, geometry.block);
        return linear_index(one.block, geometry.grid) == warp.block && thread / warp_size == warp.warp &&
               (chosen.lane < 0 || thread % warp_size == static_cast<std::uint64_t>(chosen.lane));
    }

    Kept kept_ = Kept::all;
    /// What the rows were made of.
    struct RowsOf {
        const PrintedCalls *printed = nullptr, *before = nullptr;
        std::uint64_t generation = 0, before_generation = 0;
        Kept kept = Kept::all;
        std::uint32_t warp = no_index;
        int lane = -1;
        std::size_t opened = 0;  // folded stretches
        RowsOf with_opened(std::size_t count) const {
            RowsOf of = *this;
            of.opened = count;
            return of;
        }
        friend bool operator==(const RowsOf&, const RowsOf&) = default;
    };
    RowsOf of_;
    std::vector<PrintedRow> rows_;
    std::vector<std::uint32_t> opened_;                 // folded stretches of lines that both runs print
    AlignedPrinted both_;                               // of two runs: its rows are in rows_
    std::size_t widest_block_ = 0, widest_thread_ = 0;  // letters
};

}  // namespace

std::unique_ptr<View> make_printed_view() { return std::make_unique<PrintedView>(); }

}  // namespace warplens::app
