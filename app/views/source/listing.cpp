#include "app/views/source/listing.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/ui/number.h"

namespace warplens::app {
namespace {

std::array<HeatCell, heat_columns> heat_of(const analysis::LineHeat& line) {
    std::array<HeatCell, heat_columns> heat;
    if (line.global.requests > 0) {
        const double sectors = static_cast<double>(line.global.sectors);
        heat[0].value = sectors / static_cast<double>(line.global.requests);
        heat[0].text = fmt::format("{:.3g}", *heat[0].value);
        heat[0].cost = 1 - static_cast<double>(line.global.ideal_sectors) / std::max(sectors, 1.0);
    }
    // Words of constant memory are served one after another, as those of one bank are.
    const analysis::AccessTotals& banked = line.shared.requests > 0 ? line.shared : line.constant;
    if (banked.requests > 0) {
        const double ways = banked.conflict_ways();
        heat[1].value = ways;
        heat[1].text = fmt::format("{:.3g}", ways);
        heat[1].cost = std::clamp(std::log2(std::max(ways, 1.0)) / 5, 0.0, 1.0);
    }
    if (line.steps > 0) {
        heat[2].value = line.mean_executed_lanes();
        heat[2].text = fmt::format("{:.3g}", line.mean_executed_lanes());
        heat[2].cost = 1 - line.mean_executed_lanes() / warp_size;
    }
    return heat;
}

void set_cost(CodeLine& line, const analysis::SiteCost& cost, std::uint64_t issue_slots) {
    HeatCell &waited = line.heat[waited_column], &exposed = line.heat[exposed_column];
    waited = exposed = {};
    waited.value = static_cast<double>(cost.waited);
    exposed.value = cost.exposed;
    if (cost.waited > 0) waited.text = compact(static_cast<double>(cost.waited));
    if (cost.waited == 0 && cost.exposed < 0.5) return;
    exposed.text = compact(cost.exposed);
    if (issue_slots > 0)
        exposed.cost = std::min(1.0, cost.exposed / static_cast<double>(issue_slots) / worst_exposed_share);
}

CodeLine* find_line(std::vector<CodeLine>& lines, std::uint32_t number) {
    const auto at = std::ranges::find(lines, number, &CodeLine::number);
    return at == lines.end() ? nullptr : &*at;
}

}  // namespace

std::vector<CodeLine> code_lines(const std::string& text, std::size_t tab_columns) {
    std::vector<CodeLine> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        std::string untabbed;
        for (char c : line) {
            if (c == '\t') untabbed.append(tab_columns - untabbed.size() % tab_columns, ' ');
            else if (c != '\r') untabbed.push_back(c);
        }
        CodeLine code;
        code.number = static_cast<std::uint32_t>(lines.size() + 1);
        code.text = std::move(untabbed);
        lines.push_back(std::move(code));
    }
    return lines;
}

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

void attach_heat(std::vector<CodeLine>& lines, const std::vector<analysis::LineHeat>& heat,
                 std::uint32_t file) {
    for (const analysis::LineHeat& sums : heat) {
        CodeLine* line = sums.file == file ? find_line(lines, sums.line) : nullptr;
        if (!line) continue;
        line->heat = heat_of(sums);
        line->has_sites = !sums.sites.empty();
    }
}

void attach_time(std::vector<CodeLine>& lines, const std::vector<analysis::LineHeat>& heat,
                 std::uint32_t file, const std::optional<SiteCosts>& costs) {
    for (CodeLine& line : lines) line.heat[waited_column] = line.heat[exposed_column] = {};
    if (!costs) return;
    for (const analysis::LineHeat& sums : heat)
        if (CodeLine* line = sums.file == file ? find_line(lines, sums.line) : nullptr)
            set_cost(*line, cost_of(costs->cost, sums.sites), costs->cost.issue_slots);
}

void mark_lines(std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& numbers) {
    for (const std::uint32_t number : numbers)
        if (CodeLine* line = find_line(lines, number)) line->marked = line->has_sites = true;
}

void mark_notes(std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& numbers) {
    for (const std::uint32_t number : numbers)
        if (CodeLine* line = find_line(lines, number)) line->noted = true;
}

}  // namespace warplens::app
