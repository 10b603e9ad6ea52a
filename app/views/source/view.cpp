// Source: the kernel's CUDA, its PTX and its machine code, two or three of them side by side, with the cost
// of each line: sectors per request, conflict ways, mean lanes with their predicate on and, from the timing
// model, the cycles that warps waited for it and the part of them that no other warp covered. The machine
// code shows what each instruction executed and which waits for which. Lines are linked:
// app/views/source/links.h.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/scene/own_source.h"
#include "app/scene/problem_spot.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/title_line.h"
#include "app/views/source/code_pane.h"
#include "app/views/source/columns.h"
#include "app/views/source/counted_lines.h"
#include "app/views/source/difference.h"
#include "app/views/source/failed_listing.h"
#include "app/views/source/layout.h"
#include "app/views/source/line_times.h"
#include "app/views/source/links.h"
#include "app/views/source/listing.h"
#include "app/views/source/machine_listing.h"
#include "app/views/source/problems.h"
#include "app/views/source/title.h"
#include "app/views/view.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

/// One of the three listings. Arrays of them are indexed by CodeLevel.
struct CodePane {
    const char* id;
    const char* words;
    CodeListing listing;
    CodePaneState state;
};

class SourceView : public View {
  public:
    void add_wishes(Selection& selection) const override {
        selection.wanted_code = ShownCode{shown_[0], shown_[1], shown_[2]};
    }

  private:
    ViewNeeds needs() const override { return {.report = true, .failed_source = true}; }

    void draw_scene(ViewFrame& frame) override {
        if (frame.failed) return failure_.draw(frame);
        const Scene* scene = frame.scene;
        take_wishes(frame.selection);
        const Level counts = common_counts(*scene, frame.baseline, frame.counts);
        const bool fresh = scene->generation != generation_ || folded_ != folded_as_built_ ||
                           scene->machine != machine_ || counts != counted_.level();
        counted_.follow(*scene, counts);
        if (fresh) rebuild(*scene, frame.interactive);
        const SceneIdentity other(frame.baseline);
        const bool newly_timed = fresh || scene->timing_generation != timing_generation_ ||
                                 frame.level != wanted_ || other != baseline_seen_;
        if (newly_timed) attach_costs(frame);
        follow_baseline(frame, newly_timed);
        if (newly_timed) entitle(frame);
        const Theme& theme = frame.theme;
        // An image stands alone, so it needs a title; next to other views, space for code matters more.
        const bool titled = !frame.interactive || ImGui::GetContentRegionAvail().x > 1000 * theme.fonts.scale;
        if (titled) title_line(theme, title_);
        if (!frame.interactive) headline_with_room(theme, headline_);
        std::vector<CodeLevel> levels = shown_levels();
        ImVec2 room = ImGui::GetContentRegionAvail();
        if (titled) room.y -= provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y;
        const bool all_fit = panes_that_fit(theme, room) >= levels.size();
        if (frame.interactive || !all_fit) {
            draw_choice(theme, frame.interactive, all_fit);
            room.y -= text_height(theme.fonts.words) + ImGui::GetStyle().ItemSpacing.y;
        }
        if (!all_fit) levels = {front_};
        draw_panes(frame, room, levels, all_fit);
        if (titled) say_provenance(theme, *scene, levels);
    }

    void take_wishes(Selection& selection) {
        if (const auto wanted = std::exchange(selection.wanted_code, std::nullopt))
            shown_ = {wanted->cuda, wanted->ptx, wanted->machine};
    }

    CodePane& pane(CodeLevel level) { return panes_[static_cast<std::size_t>(level)]; }

    /// A .ptx file may come without its CUDA, and a .cubin has no PTX.
    bool is_available(CodeLevel level) const {
        return level == CodeLevel::cuda ? file_ != no_index : level != CodeLevel::ptx || has_ptx_;
    }

    /// Those chosen, and at least one.
    std::vector<CodeLevel> shown_levels() const {
        std::vector<CodeLevel> levels;
        for (const CodeLevel level : code_levels)
            if (shown_[static_cast<std::size_t>(level)] && is_available(level)) levels.push_back(level);
        if (levels.empty()) levels.push_back(has_ptx_ ? CodeLevel::ptx : CodeLevel::machine);
        return levels;
    }

    void draw_panes(ViewFrame& frame, ImVec2 room, const std::vector<CodeLevel>& levels, bool headed) {
        const Theme& theme = frame.theme;
        const bool beside = is_side_by_side(theme, room);
        const auto widths = [&](const auto& columns_of) {
            std::vector<float> wanted;
            for (const CodeLevel level : levels)
                wanted.push_back(code_pane_width(theme, listing(level), columns_of(level)));
            return wanted;
        };
        std::vector<float> wanted = widths(all_columns);
        // Where the panes have no room for all columns, the code decides.
        const float gaps = pane_gap(theme) * static_cast<float>(levels.size() - 1);
        if (std::accumulate(wanted.begin(), wanted.end(), gaps) > room.x)
            wanted = widths([&](CodeLevel level) { return fewest_columns(theme, listing(level), level); });
        const std::vector<ImVec2> sizes = pane_sizes(theme, room, wanted);
        for (std::size_t i = 0; i < levels.size(); ++i) {
            if (beside && i > 0) ImGui::SameLine(0, pane_gap(theme));
            ImGui::BeginGroup();
            draw_pane(frame, levels[i], sizes[i], headed);
            ImGui::EndGroup();
        }
    }

    void say_provenance(const Theme& theme, const Scene& scene, const std::vector<CodeLevel>& levels) const {
        const bool lines =
            std::ranges::any_of(levels, [](CodeLevel level) { return level != CodeLevel::machine; });
        const bool machine = scene.machine && std::ranges::find(levels, CodeLevel::machine) != levels.end();
        provenance_line(theme, scene,
                        source_provenance(theme, counted_.run(), costs_, lines, machine,
                                          ImGui::GetContentRegionAvail().x));
    }

    void rebuild(const Scene& scene, bool interactive) {
        generation_ = scene.generation;
        folded_as_built_ = folded_;
        machine_ = scene.machine;
        const Program& program = scene.trace->program;
        file_ = own_source(program);
        inlined_ = analysis::inlined_places(program);
        has_ptx_ = !program.ptx.empty();
        auto& cuda = pane(CodeLevel::cuda).listing.lines;
        auto& ptx = pane(CodeLevel::ptx).listing.lines;
        cuda = code_lines(file_ == no_index ? std::string() : program.sources[file_].text);
        if (folded_) fold_header(cuda, interactive);
        attach_heat(cuda, counted_.cuda(), counted_.file());
        ptx = code_lines(program.ptx, ptx_tab_columns);
        attach_heat(ptx, counted_.ptx(), no_index);
        accesses_.emplace(*scene.trace);
        mark_lines(cuda, problem_lines(scene, file_, false));
        mark_lines(ptx, problem_lines(scene, file_, true));
        mark_notes(cuda, note_lines(scene, file_, false));
        mark_notes(ptx, note_lines(scene, file_, true));
        pane(CodeLevel::machine).listing = {};
        if (machine_ && machine_->absent.empty()) add_machine_code(program);
    }

    void add_machine_code(const Program& program) {
        pane(CodeLevel::machine).listing = machine_listing(*machine_);
        auto& ptx = pane(CodeLevel::ptx).listing.lines;
        for (const analysis::MergedAccess& merged : machine_->merged)
            for (const SiteId site : merged.ptx) {
                const std::uint32_t line = program.sites[site].ptx_line;
                const std::string comment = merge_comment(*machine_, site);
                if (line - 1 < ptx.size() && !ptx[line - 1].text.ends_with(comment))
                    ptx[line - 1].text += comment;
            }
    }

    /// The CUDA pane shows the difference to the baseline's text and costs, if there is a baseline with a
    /// text.
    void follow_baseline(const ViewFrame& frame, bool fresh) {
        const Scene* other =
            frame.baseline && frame.baseline->trace && frame.baseline->report ? frame.baseline : nullptr;
        const std::uint32_t file = other ? own_source(other->trace->program) : no_index;
        if (file == no_index || file_ == no_index) other = nullptr;
        if (other == baseline_ && !fresh) return;
        baseline_ = other;
        if (!other) return;
        std::vector<CodeLine> before = code_lines(other->trace->program.sources[file].text);
        if (folded_) fold_header(before, frame.interactive);
        counted_before_.follow(*other, counted_.level());
        attach_heat(before, counted_before_.cuda(), counted_before_.file());
        attach_time(before, counted_before_.cuda(), counted_before_.file(),
                    site_costs(counted_before_.run(), level_));
        difference_.lines = difference(before, pane(CodeLevel::cuda).listing.lines);
    }

    void entitle(const ViewFrame& frame) {
        const Scene& scene = counted_.run();
        title_ =
            baseline_ ? source_change_title(scene, difference_.lines, frame.baseline_name) : std::string();
        if (title_.empty()) title_ = source_title(scene, level_);
        headline_ = source_headline(scene, level_);
        if (baseline_ && !headline_.words.empty())
            headline_.words += fmt::format(", in {}", frame.scene_name);
    }

    const CodeListing& listing(CodeLevel level) {
        return level == CodeLevel::cuda && baseline_ ? difference_ : pane(level).listing;
    }

    /// The two columns of the timing model, which answers later than the engine and more often.
    void attach_costs(const ViewFrame& frame) {
        const Scene& scene = *frame.scene;
        timing_generation_ = scene.timing_generation;
        wanted_ = frame.level;
        baseline_seen_ = SceneIdentity(frame.baseline);
        level_ = common_level(scene, frame.baseline, wanted_);
        costs_ = site_costs(counted_.run(), level_);
        attach_time(pane(CodeLevel::cuda).listing.lines, counted_.cuda(), counted_.file(), costs_);
        attach_time(pane(CodeLevel::ptx).listing.lines, counted_.ptx(), no_index, costs_);
    }

    void explain_cost(const ViewFrame& frame, std::uint32_t number, bool is_ptx) const {
        const auto& heat = is_ptx ? counted_.ptx() : counted_.cuda();
        const auto line = std::ranges::find_if(heat, [&](const analysis::LineHeat& sums) {
            return sums.line == number && (is_ptx || sums.file == counted_.file());
        });
        if (line != heat.end() && costs_) explain_line_times(frame.theme, *costs_, *line);
    }

    void draw_pane(ViewFrame& frame, CodeLevel level, ImVec2 size, bool headed) {
        const Theme& theme = frame.theme;
        if (headed) {
            text_item(theme.fonts.words, theme.text_dim,
                      fit_text(theme.fonts.words, head_of(frame, level), size.x));
            size.y -= text_height(theme.fonts.words) + ImGui::GetStyle().ItemSpacing.y;
        }
        if (level == CodeLevel::machine && (!machine_ || !machine_->absent.empty()))
            return text_wrapped(
                theme.fonts.words, theme.text,
                machine_ ? machine_->absent : "The machine code appears here once it was executed.", size.x);
        if (level == CodeLevel::machine && !machine_->stopped.empty()) {
            const float top = ImGui::GetCursorPosY();
            text_wrapped(theme.fonts.small, theme.error, machine_->stopped, size.x);
            size.y -= ImGui::GetCursorPosY() - top;
        }
        draw_code(frame, level, size);
    }

    std::string head_of(const ViewFrame& frame, CodeLevel level) const {
        if (level == CodeLevel::cuda) {
            const std::string name = "CUDA: " + shown_path(frame.scene->trace->program.sources[file_].name) +
                                     (counted_.has_inlined() ? " · calls include what is inlined" : "");
            return baseline_
                       ? fmt::format("{}: {} compared with {}", name, frame.scene_name, frame.baseline_name)
                       : name;
        }
        if (level == CodeLevel::ptx)
            return baseline_ ? fmt::format("PTX of {}", frame.scene_name) : std::string("PTX");
        return machine_ && machine_->absent.empty() ? "Machine code: " + machine_words(*machine_)
                                                    : "Machine code";
    }

    /// Which listings to show, or, where there is no room for several, which of them.
    void draw_choice(const Theme& theme, bool interactive, bool all_fit) {
        bool first = true;
        for (const CodeLevel level : code_levels) {
            if (!is_available(level)) continue;
            const auto index = static_cast<std::size_t>(level);
            if (!std::exchange(first, false)) ImGui::SameLine(0, 16 * theme.fonts.scale);
            const bool on = all_fit ? shown_[index] : level == front_;
            text_item(theme.fonts.words, on ? theme.text : theme.text_dim, panes_[index].words);
            const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
            if (on)
                ImGui::GetWindowDrawList()->AddLine({min.x, max.y + theme.fonts.scale},
                                                    {max.x, max.y + theme.fonts.scale}, theme.ideal,
                                                    1.5f * theme.fonts.scale);
            hit_box(std::string("source ") + panes_[index].id, min, max);
            if (!interactive || !ImGui::IsItemClicked()) continue;
            front_ = level;
            const bool only = shown_levels().size() == 1;
            shown_[index] = !all_fit || !shown_[index] || only;
        }
    }

    void draw_code(ViewFrame& frame, CodeLevel level, ImVec2 size) {
        const Scene& scene = *frame.scene;
        CodePane& at = pane(level);
        const HeatTitles titles = columns_in(frame.theme, listing(level), level, size.x);
        const LinkedLines chosen = linked_lines(scene, file_, inlined_, frame.selection.chosen, clicked_);
        const LinkedLines hovered = linked_lines(scene, file_, inlined_, frame.selection.hover, hovered_);
        const CodePaneResult result =
            code_pane(frame.theme, at.id, size, listing(level), titles, lines_at(chosen, level),
                      lines_at(hovered, level), frame.interactive, at.state);
        if (result.hovered != 0) explain_line(frame, level, result);
        if (result.fold_clicked && level == CodeLevel::cuda) folded_ = !folded_;
        if (result.hovered != 0) frame.selection.next_hover = pick(frame, level, result.hovered, hovered_);
        if (result.clicked != 0) frame.selection.chosen = pick(frame, level, result.clicked, clicked_);
    }

    static const std::vector<std::uint32_t>& lines_at(const LinkedLines& lines, CodeLevel level) {
        return level == CodeLevel::cuda ? lines.cuda : level == CodeLevel::ptx ? lines.ptx : lines.machine;
    }

    void explain_line(const ViewFrame& frame, CodeLevel level, const CodePaneResult& result) const {
        if (level == CodeLevel::machine) {
            if (result.hovered_column >= 0)
                explain_instruction(frame.theme, *machine_, result.hovered - 1, result.hovered_column);
            return;
        }
        const bool is_ptx = level == CodeLevel::ptx;
        const Problem* problem = problem_at(*frame.scene, file_, result.hovered, is_ptx);
        if (result.hovered_column >= static_cast<int>(waited_column))
            explain_cost(frame, result.hovered, is_ptx);
        else if (problem) explain_problem(frame.theme, *problem);
        else if (const std::string note = note_at(*frame.scene, file_, result.hovered, is_ptx); !note.empty())
            tooltip_card(frame.theme, note);
    }

    /// The spot of a line; `picked` remembers the line that it was made of.
    Spot pick(const ViewFrame& frame, CodeLevel level, std::uint32_t line, PickedLine& picked) const {
        Spot spot;
        if (level == CodeLevel::machine) {
            const SiteId site = line - 1;
            if (const std::uint32_t ptx = ptx_line_of(*frame.scene, site)) spot = spot_of(frame, ptx, true);
            if (spot.site == no_index) spot.source_line = cuda_line_of(*frame.scene, file_, site);
        } else {
            spot = spot_of(frame, line, level == CodeLevel::ptx);
        }
        picked = {spot, level, line};
        return spot;
    }

    /// The line's most informative site — the memory site with most requests, else the first — and its first
    /// access.
    Spot spot_of(const ViewFrame& frame, std::uint32_t number, bool is_ptx) const {
        const Program& program = frame.scene->trace->program;
        if (const Problem* problem = problem_at(*frame.scene, file_, number, is_ptx)) {
            const bool here = stands_at(program, problem->site, file_, number, is_ptx);
            return here ? spot_of_problem(*frame.scene, *problem) : spot_of_other(*frame.scene, *problem);
        }
        Spot spot;
        std::size_t most = 0;
        for (SiteId id = 0; id < program.sites.size(); ++id) {
            const Site& site = program.sites[id];
            const bool here = is_ptx ? site.ptx_line == number : site.file == file_ && site.line == number;
            const bool inside = !is_ptx && inlined_[id] == analysis::InlinedPlace{file_, number};
            if (!here && !inside) continue;
            const auto accesses = accesses_->of(id);
            if (spot.site != no_index && accesses.size() <= most) continue;
            spot.site = id;
            spot.source_line = site.file == file_ ? site.line : 0;
            most = accesses.size();
            if (accesses.empty()) continue;
            spot.access = accesses.front();
            const auto& warp = trace::warp_of_access(*frame.scene->trace, spot.access);
            spot.warp_record = static_cast<std::uint32_t>(&warp - frame.scene->trace->warps.data());
        }
        return spot;
    }

    static constexpr std::array code_levels{CodeLevel::cuda, CodeLevel::ptx, CodeLevel::machine};

    std::uint64_t generation_ = 0, timing_generation_ = 0;
    std::shared_ptr<const MachineCode> machine_;  // that the listings were built with
    CountedLines counted_, counted_before_;       // of the run and of the baseline
    bool folded_ = true, folded_as_built_ = false;
    std::array<bool, 3> shown_{true, true, false};  // by CodeLevel
    CodeLevel front_ = CodeLevel::cuda;             // where only one pane has room
    bool has_ptx_ = true;
    std::uint32_t file_ = no_index;
    std::vector<analysis::InlinedPlace> inlined_;  // of the PTX's sites
    std::string title_;
    Headline headline_;
    std::array<CodePane, 3> panes_{
        {{"cuda", "CUDA", {}, {}}, {"ptx", "PTX", {}, {}}, {"machine", "Machine code", {}, {}}}};
    SceneIdentity baseline_;       // what `difference_` is to; null: nothing is compared
    SceneIdentity baseline_seen_;  // that `level_` follows from
    Level wanted_ = Level::machine, level_ = Level::ptx;  // of the times: the view's, and the one drawn
    std::optional<SiteCosts> costs_;                      // at `level_`
    CodeListing difference_;
    std::optional<trace::AccessIndex> accesses_;
    PickedLine clicked_, hovered_;
    FailedListing failure_;
};

}  // namespace

std::unique_ptr<View> make_source_view() { return std::make_unique<SourceView>(); }

}  // namespace warplens::app
