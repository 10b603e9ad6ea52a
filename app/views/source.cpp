// Source: the kernel's CUDA and its PTX side by side, with what each line costs: sectors a request, conflict
// ways and mean active lanes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "analysis/source_map.h"
#include "app/view.h"
#include "app/views/code_pane.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/text.h"
#include "app/widgets/title_line.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

constexpr std::array<const char*, heat_columns> heat_titles{"sect/req", "ways", "lanes"};

std::array<HeatCell, heat_columns> heat_of(const analysis::LineHeat& line) {
    std::array<HeatCell, heat_columns> heat;
    if (line.global.requests > 0) {
        const double sectors = static_cast<double>(line.global.sectors);
        heat[0].text = fmt::format("{:.3g}", sectors / static_cast<double>(line.global.requests));
        heat[0].cost = 1 - static_cast<double>(line.global.ideal_sectors) / std::max(sectors, 1.0);
    }
    if (line.shared.requests > 0) {
        const double ways = line.shared.conflict_ways();
        heat[1].text = fmt::format("{:.3g}", ways);
        heat[1].cost = std::clamp(std::log2(std::max(ways, 1.0)) / 5, 0.0, 1.0);
    }
    if (line.steps > 0) {
        heat[2].text = fmt::format("{:.3g}", line.mean_active_lanes());
        heat[2].cost = 1 - line.mean_active_lanes() / warp_size;
    }
    return heat;
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
void fold_header(std::vector<CodeLine>& lines) {
    if (lines.empty() || !lines.front().text.starts_with("/*")) return;
    const auto end = std::find_if(lines.begin(), lines.end(), [](const CodeLine& line) {
        return line.text.find("*/") != std::string::npos;
    });
    if (end == lines.end()) return;
    CodeLine folded;
    folded.text = fmt::format("/* header: {} lines, click to open */", end - lines.begin() + 1);
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

/// The file of the program that is the kernel's own: the one whose text is at hand, else the first.
std::uint32_t own_file(const Program& program) {
    for (std::uint32_t i = 0; i < program.sources.size(); ++i) {
        if (!program.sources[i].text.empty()) return i;
    }
    return no_index;
}

class SourceView : public View {
  public:
    void draw(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        if (scene == nullptr || scene->trace == nullptr || scene->report == nullptr) {
            empty_state(frame.theme, "No kernel has run yet.", "Choose a kernel on the left.");
            return;
        }
        if (scene->generation != generation_ || folded_ != folded_as_built_) rebuild(*scene);
        const Theme& theme = frame.theme;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float gap = 16 * theme.fonts.scale;
        const bool side_by_side = room.x > 1000 * theme.fonts.scale;
        const ImVec2 pane =
            side_by_side ? ImVec2{(room.x - gap) / 2, room.y} : ImVec2{room.x, (room.y - gap) / 2};
        ImGui::BeginGroup();
        draw_pane(frame, "cuda", pane, cuda_, cuda_state_, false);
        ImGui::EndGroup();
        if (side_by_side) ImGui::SameLine(0, gap);
        ImGui::BeginGroup();
        draw_pane(frame, "ptx", pane, ptx_, ptx_state_, true);
        ImGui::EndGroup();
    }

  private:
    void rebuild(const Scene& scene) {
        generation_ = scene.generation;
        folded_as_built_ = folded_;
        const Program& program = scene.trace->program;
        file_ = own_file(program);
        cuda_ = split_lines(file_ == no_index ? std::string() : program.sources[file_].text);
        if (folded_) fold_header(cuda_);
        attach(cuda_, analysis::source_lines(*scene.report, program), file_);
        ptx_ = split_lines(program.ptx);
        attach(ptx_, analysis::ptx_lines(*scene.report, program), no_index);
        accesses_.emplace(*scene.trace);
    }

    void draw_pane(ViewFrame& frame, const char* id, ImVec2 size, const std::vector<CodeLine>& lines,
                   CodePaneState& state, bool is_ptx) {
        const Program& program = frame.scene->trace->program;
        const std::string name = is_ptx              ? std::string("PTX")
                                 : file_ != no_index ? program.sources[file_].name
                                                     : std::string("source not at hand");
        text_item(frame.theme.fonts.words, frame.theme.text_dim, name);
        size.y -= text_height(frame.theme.fonts.words) + ImGui::GetStyle().ItemSpacing.y;
        const CodePaneResult result = code_pane(
            frame.theme, id, size, lines, heat_titles, lines_of(program, frame.selection.chosen, is_ptx),
            lines_of(program, frame.selection.hover, is_ptx), frame.interactive, state);
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

    /// The line's most telling site — the memory site with most requests, else the first — and its first
    /// access.
    Spot spot_of(const ViewFrame& frame, std::uint32_t number, bool is_ptx) const {
        const Program& program = frame.scene->trace->program;
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

    std::uint64_t generation_ = 0;
    bool folded_ = true, folded_as_built_ = false;
    std::uint32_t file_ = no_index;
    std::vector<CodeLine> cuda_, ptx_;
    std::optional<trace::AccessIndex> accesses_;
    CodePaneState cuda_state_, ptx_state_;
};

}  // namespace

std::unique_ptr<View> make_source_view() { return std::make_unique<SourceView>(); }

}  // namespace warplens::app
