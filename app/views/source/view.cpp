// Source: the kernel's CUDA and its PTX side by side, with the cost of each line: sectors per request,
// conflict ways, mean active lanes and, from the timing model, the cycles that warps waited for it and the
// part of them that no other warp covered.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "analysis/report/source_map.h"
#include "app/scene/line_costs.h"
#include "app/scene/problem_spot.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/problem_words.h"
#include "app/views/shared/title_line.h"
#include "app/views/source/code_pane.h"
#include "app/views/source/problems.h"
#include "app/views/view.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

constexpr HeatTitles heat_titles{"sectors", "ways", "lanes", "waited", "exposed"};
constexpr std::size_t waited_column = 3, exposed_column = 4;

/// A cell shows its maximum if one line leaves half of all issue slots empty.
constexpr double worst_exposed_share = 0.5;

std::array<HeatCell, heat_columns> heat_of(const analysis::LineHeat& line) {
    std::array<HeatCell, heat_columns> heat;
    if (line.global.requests > 0) {
        const double sectors = static_cast<double>(line.global.sectors);
        heat[0].text = fmt::format("{:.3g}", sectors / static_cast<double>(line.global.requests));
        heat[0].cost = 1 - static_cast<double>(line.global.ideal_sectors) / std::max(sectors, 1.0);
    }
    // Words of constant memory are served one after another, as those of one bank are.
    const analysis::AccessTotals& banked = line.shared.requests > 0 ? line.shared : line.constant;
    if (banked.requests > 0) {
        const double ways = banked.conflict_ways();
        heat[1].text = fmt::format("{:.3g}", ways);
        heat[1].cost = std::clamp(std::log2(std::max(ways, 1.0)) / 5, 0.0, 1.0);
    }
    if (line.steps > 0) {
        heat[2].text = fmt::format("{:.3g}", line.mean_active_lanes());
        heat[2].cost = 1 - line.mean_active_lanes() / warp_size;
    }
    return heat;
}

/// The time cost of a line: a long wait that other warps cover stays pale.
void set_cost(CodeLine& line, const analysis::SiteCost& cost, std::uint64_t issue_slots) {
    HeatCell &waited = line.heat[waited_column], &exposed = line.heat[exposed_column];
    waited = exposed = {};
    if (cost.waited > 0) waited.text = compact(static_cast<double>(cost.waited));
    if (cost.waited == 0 && cost.exposed < 0.5) return;
    exposed.text = compact(cost.exposed);
    if (issue_slots > 0)
        exposed.cost = std::min(1.0, cost.exposed / static_cast<double>(issue_slots) / worst_exposed_share);
}

std::vector<CodeLine> split_lines(const std::string& text) {
    std::vector<CodeLine> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        std::string untabbed;
        for (char c : line) {
            if (c == '\t') untabbed.append("    ");
            else if (c != '\r') untabbed.push_back(c);
        }
        CodeLine code;
        code.number = static_cast<std::uint32_t>(lines.size() + 1);
        code.text = std::move(untabbed);
        lines.push_back(std::move(code));
    }
    return lines;
}

/// Replaces the header comment by one line that says how long it was.
void fold_header(std::vector<CodeLine>& lines, bool can_be_opened) {
    if (lines.empty() || !lines.front().text.starts_with("/*")) return;
    const auto end = std::find_if(lines.begin(), lines.end(), [](const CodeLine& line) {
        return line.text.find("*/") != std::string::npos;
    });
    if (end == lines.end()) return;
    CodeLine folded;
    folded.text = fmt::format("/* header: {} lines{} */", end - lines.begin() + 1,
                              can_be_opened ? ", click to open" : "");
    lines.erase(lines.begin(), end + 1);
    lines.insert(lines.begin(), std::move(folded));
}

void attach(std::vector<CodeLine>& lines, const std::vector<analysis::LineHeat>& heat, std::uint32_t file) {
    for (const analysis::LineHeat& line : heat) {
        if (line.file != file) continue;
        const auto at = std::find_if(lines.begin(), lines.end(),
                                     [&](const CodeLine& code) { return code.number == line.line; });
        if (at == lines.end()) continue;
        at->heat = heat_of(line);
        at->has_sites = !line.sites.empty();
    }
}

/// The kernel's own file among the program's sources: the one whose text is available, else the first.
std::uint32_t own_file(const Program& program) {
    for (std::uint32_t i = 0; i < program.sources.size(); ++i) {
        if (!program.sources[i].text.empty()) return i;
    }
    return no_index;
}

/// "1 sector per request (ideal 1)": the requests of the line with most excess; else its lanes. May be empty.
std::string requests_words(const analysis::LineHeat& line) {
    const auto words = [](const analysis::AccessTotals& access, std::uint64_t sum, std::uint64_t ideal,
                          const char* unit) {
        const auto each = [&](std::uint64_t of) {
            return decimal(static_cast<double>(of) / static_cast<double>(access.requests));
        };
        return fmt::format(", {} {}{} per request (ideal {})", each(sum), unit,
                           sum == access.requests ? "" : "s", each(ideal));
    };
    const std::uint64_t shared = excess_of(line.shared), constant = excess_of(line.constant);
    const bool global = line.global.requests > 0 && excess_of(line.global) >= std::max(shared, constant);
    if (global) return words(line.global, line.global.sectors, line.global.ideal_sectors, "sector");
    if (line.constant.requests > 0 && constant >= shared)
        return words(line.constant, line.constant.wavefronts, line.constant.ideal_wavefronts,
                     "constant-memory wavefront");
    if (line.shared.requests > 0)
        return words(line.shared, line.shared.wavefronts, line.shared.ideal_wavefronts, "wavefront");
    if (line.steps > 0 && line.active_lanes < line.steps * warp_size)
        return fmt::format(", {} of 32 lanes active", decimal(line.mean_active_lanes()));
    return {};
}

/// Problems come before costs. Else the line to look at first, and whether it costs most: see
/// app/scene/line_costs.h.
std::string title_of(const Scene& scene) {
    if (!scene.report->problems.empty()) return problems_title(scene);
    const std::string name = "`" + scene.report->launch.kernel + "`";
    const auto line = costliest_line(scene);
    if (!line) return fmt::format("{}: all 32 lanes active, no excess sectors or wavefronts", name);
    const std::string time = line->is_timed() ? fmt::format(": its waits leave {} of the issue slots empty",
                                                            percent(line->share, 0))
                                              : "";
    const char* words = line->costs_most ? "{}: line {} costs most{}{}" : "{}: look at line {} first{}{}";
    return fmt::format(fmt::runtime(words), name, line->line.line, time, requests_words(line->line));
}

class SourceView : public View {
  private:
    ViewNeeds needs() const override { return {.report = true}; }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        const bool fresh = scene->generation != generation_ || folded_ != folded_as_built_;
        if (fresh) rebuild(*scene, frame.interactive);
        if (fresh || scene->timing_generation != timing_generation_) attach_costs(*scene);
        const Theme& theme = frame.theme;
        const float gap = 16 * theme.fonts.scale;
        // An image stands alone, so it needs a title; next to other views, space for code matters more.
        const bool titled = !frame.interactive || ImGui::GetContentRegionAvail().x > 1000 * theme.fonts.scale;
        if (titled) title_line(theme, title_);
        ImVec2 room = ImGui::GetContentRegionAvail();
        if (titled) room.y -= provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y;
        const bool side_by_side = room.x > 1000 * theme.fonts.scale;
        // The CUDA pane gets the width of its longest line, as long as the PTX next to it stays readable.
        const float wanted = code_pane_width(theme, cuda_, heat_titles);
        if (!side_by_side && room.y < 440 * theme.fonts.scale) {
            draw_choice(theme, frame.interactive);
            room.y -= text_height(theme.fonts.words) + ImGui::GetStyle().ItemSpacing.y;
            if (ptx_shown_) draw_code(frame, "ptx", room, ptx_, ptx_state_, true);
            else draw_code(frame, "cuda", room, cuda_, cuda_state_, false);
            return;
        }
        if (file_ == no_index) {
            // A .ptx file without its CUDA: the PTX is the source.
            ImGui::BeginGroup();
            draw_pane(frame, "ptx", room, ptx_, ptx_state_, true);
            ImGui::EndGroup();
            if (titled) say_provenance(theme, *scene);
            return;
        }
        const ImVec2 cuda = side_by_side ? ImVec2{std::clamp(wanted, room.x * 0.4f, room.x * 0.64f), room.y}
                                         : ImVec2{room.x, std::round((room.y - gap) * 0.62f)};
        const ImVec2 ptx =
            side_by_side ? ImVec2{room.x - gap - cuda.x, room.y} : ImVec2{room.x, room.y - gap - cuda.y};
        ImGui::BeginGroup();
        draw_pane(frame, "cuda", cuda, cuda_, cuda_state_, false);
        ImGui::EndGroup();
        if (side_by_side) ImGui::SameLine(0, gap);
        ImGui::BeginGroup();
        draw_pane(frame, "ptx", ptx, ptx_, ptx_state_, true);
        ImGui::EndGroup();
        if (titled) say_provenance(theme, *scene);
    }

    static void say_provenance(const Theme& theme, const Scene& scene) {
        provenance_line(theme, scene,
                        "sectors per request, worst conflict ways, active lanes: exact, PTX level · "
                        "stall cycles, "
                        "exposed issue slots: modelled");
    }

    void rebuild(const Scene& scene, bool interactive) {
        generation_ = scene.generation;
        folded_as_built_ = folded_;
        const Program& program = scene.trace->program;
        file_ = own_file(program);
        cuda_ = split_lines(file_ == no_index ? std::string() : program.sources[file_].text);
        if (folded_) fold_header(cuda_, interactive);
        cuda_heat_ = analysis::source_lines(*scene.report, program);
        attach(cuda_, cuda_heat_, file_);
        ptx_ = split_lines(program.ptx);
        ptx_heat_ = analysis::ptx_lines(*scene.report, program);
        attach(ptx_, ptx_heat_, no_index);
        accesses_.emplace(*scene.trace);
        mark(cuda_, problem_lines(scene, file_, false));
        mark(ptx_, problem_lines(scene, file_, true));
    }

    /// Marks at the lines with problems; a race has two.
    static void mark(std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& numbers) {
        for (const std::uint32_t number : numbers) {
            const auto at = std::ranges::find(lines, number, &CodeLine::number);
            if (at != lines.end()) at->marked = at->has_sites = true;
        }
    }

    /// The two columns of the timing model, which answers later than the engine and more often.
    void attach_costs(const Scene& scene) {
        timing_generation_ = scene.timing_generation;
        title_ = title_of(scene);
        const bool timed = scene.timing && scene.timing->schedule;
        const auto put = [&](std::vector<CodeLine>& lines, const std::vector<analysis::LineHeat>& heat,
                             std::uint32_t file) {
            for (CodeLine& line : lines) line.heat[waited_column] = line.heat[exposed_column] = {};
            if (!timed) return;
            for (const analysis::LineHeat& sums : heat) {
                if (sums.file != file) continue;
                const auto at = std::ranges::find(lines, sums.line, &CodeLine::number);
                if (at != lines.end())
                    set_cost(*at, cost_of(scene.timing->cost, sums.sites), scene.timing->cost.issue_slots);
            }
        };
        put(cuda_, cuda_heat_, file_);
        put(ptx_, ptx_heat_, no_index);
    }

    void explain_cost(const ViewFrame& frame, std::uint32_t number, bool is_ptx) const {
        const auto& heat = is_ptx ? ptx_heat_ : cuda_heat_;
        const auto line = std::ranges::find_if(heat, [&](const analysis::LineHeat& sums) {
            return sums.line == number && (is_ptx || sums.file == file_);
        });
        if (line == heat.end() || !frame.scene->timing) return;
        const analysis::ExposedCost& all = frame.scene->timing->cost;
        const analysis::SiteCost cost = cost_of(all, line->sites);
        const auto exposed = static_cast<std::uint64_t>(std::llround(cost.exposed));
        const std::string slots = counted(exposed, "issue slot");
        const std::string sentence =
            exposed == 0 ? fmt::format("Warps stalled {} on this line, and other warps hid all of it.",
                                       cycles_words(static_cast<double>(cost.waited)))
                         : fmt::format("Warps stalled {} on this line; for {} no other warp could issue.",
                                       cycles_words(static_cast<double>(cost.waited)), slots);
        tooltip_card(
            frame.theme, sentence,
            fmt::format(
                "{} of {} issue slots = {} · modelled", grouped(exposed), grouped(all.issue_slots),
                percent(cost.exposed / static_cast<double>(std::max<std::uint64_t>(all.issue_slots, 1)))));
    }

    void draw_pane(ViewFrame& frame, const char* id, ImVec2 size, const std::vector<CodeLine>& lines,
                   CodePaneState& state, bool is_ptx) {
        const Program& program = frame.scene->trace->program;
        text_item(frame.theme.fonts.words, frame.theme.text_dim,
                  is_ptx ? std::string("PTX") : cuda_name(program));
        size.y -= text_height(frame.theme.fonts.words) + ImGui::GetStyle().ItemSpacing.y;
        draw_code(frame, id, size, lines, state, is_ptx);
    }

    std::string cuda_name(const Program& program) const {
        return file_ == no_index ? std::string("source not available")
                                 : "CUDA: " + program.sources[file_].name;
    }

    /// If there is too little height for two panes: which of them to show.
    void draw_choice(const Theme& theme, bool interactive) {
        const char* words[] = {"CUDA", "PTX"};
        for (int i = 0; i < 2; ++i) {
            const bool is_ptx = i == 1;
            if (is_ptx) ImGui::SameLine(0, 16 * theme.fonts.scale);
            text_item(theme.fonts.words, is_ptx == ptx_shown_ ? theme.text : theme.text_dim, words[i]);
            const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
            if (is_ptx == ptx_shown_)
                ImGui::GetWindowDrawList()->AddLine({min.x, max.y + theme.fonts.scale},
                                                    {max.x, max.y + theme.fonts.scale}, theme.ideal,
                                                    1.5f * theme.fonts.scale);
            if (interactive && ImGui::IsItemClicked()) ptx_shown_ = is_ptx;
            hit_box(is_ptx ? "source ptx" : "source cuda", min, max);
        }
    }

    void draw_code(ViewFrame& frame, const char* id, ImVec2 size, const std::vector<CodeLine>& lines,
                   CodePaneState& state, bool is_ptx) {
        const Program& program = frame.scene->trace->program;
        // If there is little room, code matters more than the lengths of covered waits.
        HeatTitles titles = heat_titles;
        if (size.x < 560 * frame.theme.fonts.scale) titles[waited_column] = nullptr;
        const CodePaneResult result =
            code_pane(frame.theme, id, size, lines, titles, lines_of(program, frame.selection.chosen, is_ptx),
                      lines_of(program, frame.selection.hover, is_ptx), frame.interactive, state);
        const Problem* problem =
            result.hovered != 0 ? problem_at(*frame.scene, file_, result.hovered, is_ptx) : nullptr;
        if (result.hovered_column >= static_cast<int>(waited_column))
            explain_cost(frame, result.hovered, is_ptx);
        else if (problem) explain_problem(frame.theme, *problem);
        if (result.fold_clicked && !is_ptx) folded_ = !folded_;
        if (result.hovered != 0) frame.selection.next_hover = spot_of(frame, result.hovered, is_ptx);
        if (result.clicked != 0) frame.selection.chosen = spot_of(frame, result.clicked, is_ptx);
    }

    /// The lines a spot belongs to in the CUDA or the PTX pane, ascending.
    std::vector<std::uint32_t> lines_of(const Program& program, const Spot& spot, bool is_ptx) const {
        std::vector<std::uint32_t> lines;
        if (spot.site != no_index && spot.site < program.sites.size()) {
            const Site& site = program.sites[spot.site];
            if (is_ptx) lines.push_back(site.ptx_line);
            else if (site.file == file_) lines.push_back(site.line);
        } else if (spot.source_line != 0) {
            if (!is_ptx) return {spot.source_line};
        }
        if (is_ptx && spot.source_line != 0) {
            for (const Site& site : program.sites) {
                if (site.file == file_ && site.line == spot.source_line) lines.push_back(site.ptx_line);
            }
        }
        std::sort(lines.begin(), lines.end());
        return lines;
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
            if (!here) continue;
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

    std::uint64_t generation_ = 0, timing_generation_ = 0;
    std::vector<analysis::LineHeat> cuda_heat_, ptx_heat_;
    bool folded_ = true, folded_as_built_ = false;
    bool ptx_shown_ = false;  // where only one pane has room
    std::uint32_t file_ = no_index;
    std::string title_;
    std::vector<CodeLine> cuda_, ptx_;
    std::optional<trace::AccessIndex> accesses_;
    CodePaneState cuda_state_, ptx_state_;
};

}  // namespace

std::unique_ptr<View> make_source_view() { return std::make_unique<SourceView>(); }

}  // namespace warplens::app
