// Fragments: which lane holds which element of the matrices of a wmma, mma or ldmatrix instruction.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/fragments/drawing.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

class FragmentsView : public View {
  private:
    void draw_scene(ViewFrame& frame) override {
        find_sites(*frame.scene);
        if (sites_.empty()) {
            empty_state(
                frame.theme,
                fmt::format("`{}` has no matrix instructions.", frame.scene->trace->launch.kernel),
                next_step_of_two(frame, "fragments", "`wmma_matmul` and `mma_matmul` use tensor cores."));
            return;
        }
        follow_selection(frame);
        draw_title(frame);
        // In a low pane, which scrolls, the matrices come first.
        const bool is_low =
            frame.interactive && ImGui::GetContentRegionAvail().y < 400 * frame.theme.fonts.scale;
        if (!frame.interactive) name_instruction(frame);
        else if (!is_low) draw_choice(frame);
        draw_matrices(frame, is_low);
        if (is_low) draw_choice(frame);
        draw_hint(frame);
        provenance_line(frame.theme, *frame.scene,
                        is_wmma() ? "layout: measured on an H200 (sm_90); unspecified in the PTX ISA"
                                  : "layout: PTX ISA, exact");
    }

    struct MatrixSite {
        SiteId site;
        MatrixInstruction form;
    };

    /// One of each form.
    static std::vector<MatrixSite> sites_of(const Program& program) {
        std::vector<MatrixSite> sites;
        for (SiteId i = 0; i < program.sites.size(); ++i) {
            auto form = matrix_instruction(program.sites[i].opcode);
            if (!form) continue;
            const bool known = std::any_of(sites.begin(), sites.end(), [&](const MatrixSite& one) {
                return program.sites[one.site].opcode == program.sites[i].opcode;
            });
            if (!known) sites.push_back({i, std::move(*form)});
        }
        return sites;
    }

    void find_sites(const Scene& scene) {
        if (generation_ == scene.generation) return;
        generation_ = scene.generation;
        sites_ = sites_of(scene.trace->program);
        // A product is the most informative: it is the default selection.
        const auto product = std::ranges::find_if(
            sites_, [](const MatrixSite& one) { return one.form.work == MatrixWork::multiply; });
        shown_ = product == sites_.end() ? 0 : static_cast<std::size_t>(product - sites_.begin());
    }

    std::string cannot_compare(const ViewFrame& frame) override {
        if (before_of_ != frame.baseline) {
            before_of_ = frame.baseline;
            before_ =
                frame.baseline->trace ? sites_of(frame.baseline->trace->program) : std::vector<MatrixSite>();
        }
        if (!before_.empty()) return {};
        return fmt::format("{} has no matrix instructions to compare with.", frame.baseline_name);
    }

    /// The baseline's instruction like the one shown: of the same form, else of the same work. Null: none.
    const MatrixSite* counterpart(const ViewFrame& frame) const {
        const Program& program = frame.baseline->trace->program;
        for (const MatrixSite& one : before_)
            if (program.sites[one.site].opcode == opcode_) return &one;
        for (const MatrixSite& one : before_)
            if (one.form.work == shown().form.work) return &one;
        return nullptr;
    }

    const MatrixSite& shown() const { return sites_[shown_]; }

    bool is_wmma() const { return opcode_.starts_with("wmma"); }

    void follow_selection(ViewFrame& frame) {
        const Program& program = frame.scene->trace->program;
        const SiteId chosen = frame.selection.chosen.site;
        if (chosen != followed_ && chosen < program.sites.size())
            for (std::size_t i = 0; i < sites_.size(); ++i)
                if (program.sites[sites_[i].site].opcode == program.sites[chosen].opcode) shown_ = i;
        followed_ = chosen;
        opcode_ = program.sites[shown().site].opcode;
        lane_ = frame.selection.hover.lane >= 0    ? frame.selection.hover.lane
                : frame.selection.chosen.lane >= 0 ? frame.selection.chosen.lane
                                                   : 0;
    }

    void draw_title(ViewFrame& frame) const {
        title_line(frame.theme, fragments_answer(shown().form, lane_));
        headline_with_room(frame.theme, fragments_headline(shown().form));
    }

    /// In a picture, which has no buttons.
    void name_instruction(const ViewFrame& frame) const {
        const Site& site = frame.scene->trace->program.sites[shown().site];
        const std::string words = site.opcode + (site.line != 0 ? fmt::format(" · line {}", site.line) : "");
        const float width = ImGui::GetContentRegionAvail().x;
        text_item(frame.theme.fonts.code, frame.theme.text_dim,
                  fit_text(frame.theme.fonts.code, words, width));
        ImGui::Dummy({1, 4 * frame.theme.fonts.scale});
    }

    /// One button for each form that the kernel has.
    void draw_choice(ViewFrame& frame) {
        const Program& program = frame.scene->trace->program;
        const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const float height = text_height(frame.theme.fonts.code) + ink.px(8);
        Box row{at.x, at.y, at.x + width, at.y + height};
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const Site& site = program.sites[sites_[i].site];
            const std::string words =
                site.opcode + (site.line != 0 ? fmt::format("  line {}", site.line) : "");
            const float wide = text_width(frame.theme.fonts.code, words) + ink.px(16);
            if (row.x0 + wide > at.x + width && row.x0 > at.x) {
                row.x0 = at.x;
                row.y0 += height + ink.px(4);
                row.y1 = row.y0 + height;
            }
            const Box box{row.x0, row.y0, std::min(row.x0 + wide, at.x + width), row.y1};
            ink.fill(box, frame.theme.raised, ink.px(3));
            if (i == shown_) ink.outline(box, frame.theme.selected, 2, ink.px(3));
            ink.text(box.inset(ink.px(4)), words, frame.theme.fonts.code,
                     i == shown_ ? frame.theme.text : frame.theme.text_dim, Align::centre);
            hit_box(fmt::format("fragments {}", i), box.min(), box.max());
            if (frame.interactive && ImGui::IsWindowHovered() && box.has(ImGui::GetMousePos()) &&
                ImGui::IsMouseClicked(0)) {
                shown_ = i;
                const int lane = frame.selection.chosen.lane;
                frame.selection.chosen = {};
                frame.selection.chosen.site = sites_[i].site;
                frame.selection.chosen.source_line = site.line;
                frame.selection.chosen.lane = lane;
            }
            row.x0 += wide + ink.px(6);
        }
        ImGui::Dummy({width, row.y1 - at.y + ink.px(6)});
    }

    void draw_matrices(ViewFrame& frame, bool is_low) {
        const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 room = ImGui::GetContentRegionAvail();
        if (!is_low)
            room.y -= provenance_line_height(frame.theme) + text_height(frame.theme.fonts.small) + ink.px(14);
        const float least = frame.interactive ? ink.px(220) : ink.px(120);
        const Box all{at.x, at.y, at.x + room.x, at.y + std::max(room.y, least)};
        hit_box("fragments matrices", all.min(), all.max());
        const MatrixSite* before = frame.baseline ? counterpart(frame) : nullptr;
        std::vector<FragmentPanel> panels;
        if (before) {
            panels = draw_both(frame, ink, all, *before);
        } else {
            panels = place_fragments(ink, all, shown().form);
            for (const FragmentPanel& panel : panels) draw_fragment(ink, panel, lane_);
        }
        if (frame.interactive && ImGui::IsWindowHovered()) point_at(frame, panels);
        ImGui::Dummy({all.width(), all.height()});
    }

    /// The baseline's matrices and this run's, with cells of one size; returns the panels of this run.
    std::vector<FragmentPanel> draw_both(const ViewFrame& frame, const Ink& ink, const Box& all,
                                         const MatrixSite& before) const {
        RunBoxes boxes = boxes_of_runs(ink, all, ink.px(360));
        const auto heading = [&](Box& box, std::string_view name, const Scene& scene, const MatrixSite& of) {
            const Site& site = scene.trace->program.sites[of.site];
            const std::string line = site.line != 0 ? fmt::format("line {}", site.line) : std::string();
            run_heading(ink, box, name,
                        {line.empty() ? site.opcode : site.opcode + ", " + line, site.opcode, line},
                        frame.theme.text_dim);
        };
        heading(boxes.before, frame.baseline_name, *frame.baseline, before);
        heading(boxes.after, frame.scene_name, *frame.scene, shown());
        auto old_panels = place_fragments(ink, boxes.before, before.form);
        auto panels = place_fragments(ink, boxes.after, shown().form);
        const float cell = std::min(old_panels.front().cell.x, panels.front().cell.x);
        old_panels = place_fragments(ink, boxes.before, before.form, cell);
        panels = place_fragments(ink, boxes.after, shown().form, cell);
        for (std::size_t i = 0; i < old_panels.size(); ++i)
            draw_fragment(ink, old_panels[i], lane_, i < panels.size() ? panels[i].fragment : nullptr);
        for (std::size_t i = 0; i < panels.size(); ++i)
            draw_fragment(ink, panels[i], lane_, i < old_panels.size() ? old_panels[i].fragment : nullptr);
        return panels;
    }

    void point_at(ViewFrame& frame, const std::vector<FragmentPanel>& panels) {
        for (const FragmentPanel& panel : panels) {
            const auto cell = panel.cell_at(ImGui::GetMousePos());
            if (!cell) continue;
            const auto holder = holder_of(*panel.fragment, *cell);
            if (!holder) continue;
            Spot spot = frame.selection.chosen;
            spot.lane = holder->lane;
            frame.selection.next_hover.lane = holder->lane;
            if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
            tooltip_card(
                frame.theme,
                fmt::format("Lane {} holds {}[{}][{}]", holder->lane, panel.name, cell->row, cell->column),
                fmt::format("element {} of the lane's fragment, in its register {}", holder->element,
                            panel.first_register + holder->element / panel.fragment->per_register()));
        }
    }

    std::string comparison_words(const ViewFrame& frame) const {
        const MatrixSite* before = counterpart(frame);
        if (!before) return fmt::format("{} has no instruction of this kind.", frame.baseline_name);
        const bool same = std::ranges::equal(shown().form.fragments, before->form.fragments,
                                             [](const MatrixFragment& now, const MatrixFragment& was) {
                                                 return now.rows == was.rows && now.columns == was.columns &&
                                                        moved_elements(now, was).empty();
                                             });
        return same ? "Color by lane. The same lane holds each element in both runs. Outlined: one lane's "
                      "elements."
                    : "Color by lane. Thin outline with a corner: another lane holds the element in the "
                      "other run. Thick outline: one lane's elements.";
    }

    void draw_hint(ViewFrame& frame) const {
        if (frame.baseline) {
            text_item(frame.theme.fonts.small, frame.theme.text_dim, comparison_words(frame));
            return;
        }
        text_item(
            frame.theme.fonts.small, frame.theme.text_dim,
            fmt::format("Number: the lane that holds the elements; r: its register, where there is room. "
                        "Color by lane. Outlined: {}",
                        frame.interactive ? "the elements of one lane. Point at a cell to choose another."
                                          : "one lane's."));
    }

    std::uint64_t generation_ = 0;
    std::vector<MatrixSite> sites_;  // one a form
    std::size_t shown_ = 0;
    SiteId followed_ = no_index;
    std::string opcode_;
    int lane_ = 0;
    SceneIdentity before_of_;
    std::vector<MatrixSite> before_;  // of the baseline
};

}  // namespace

std::unique_ptr<View> make_fragments_view() { return std::make_unique<FragmentsView>(); }

}  // namespace warplens::app
