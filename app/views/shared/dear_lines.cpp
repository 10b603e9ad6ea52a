#include "app/views/shared/dear_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/scene/line_costs.h"
#include "app/scene/own_source.h"
#include "app/scene/site_costs.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr std::size_t most_dear_lines = 8;
constexpr double least_dear_share = 0.01;
constexpr float highest_dear_row = 48;  // unscaled pixels

/// The numbered line of a text, 1-based, without its comment and blanks at its ends.
std::string text_of_line(std::string_view text, std::uint32_t number) {
    for (std::uint32_t at = 1; at < number; ++at) {
        const std::size_t end = text.find('\n');
        if (end == text.npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    text = text.substr(0, text.find(" //"));
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == text.npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

enum class DearSlots { waited_for_line, waited, used, unused };

struct DearRow {
    DearSlots kind = DearSlots::waited;
    std::uint32_t number = 0;
    std::string_view text;
    double share = 0;
};

/// At most so many: the cheapest lines are then among the others. The last rows account for all other slots.
std::vector<DearRow> dear_rows(const DearLines& dear, std::size_t most) {
    std::vector<DearRow> rest{{DearSlots::waited, 0, "waits for other lines", dear.others},
                              {DearSlots::used, 0, "used: an instruction issues", dear.issued},
                              {DearSlots::unused, 0, "no warp on the scheduler", dear.without_warp}};
    std::erase_if(rest, [](const DearRow& row) {
        return row.kind != DearSlots::waited && row.share < least_dear_share / 2;
    });
    std::vector<DearRow> rows;
    for (const DearLine& line : dear.lines)
        if (rows.size() + rest.size() < most)
            rows.push_back({DearSlots::waited_for_line, line.number, line.text, line.share});
        else rest.front().share += line.share;
    if (rest.front().share < least_dear_share / 2) rest.erase(rest.begin());
    rows.insert(rows.end(), rest.begin(), rest.end());
    return rows;
}

class DearRowsDrawing {
  public:
    DearRowsDrawing(const Ink& ink, const std::vector<DearRow>& rows, float width)
        : ink_(ink), theme_(ink.theme) {
        for (const DearRow& row : rows) code_ = std::max(code_, text_width(font_of(row), row.text));
        code_ = std::min(code_, width * 0.5f);
    }

    void draw(const DearRow& row, const Box& box, bool chosen) const {
        if (chosen) ink_.outline(box, theme_.selected, ink_.px(1.5f), ink_.px(3));
        const float gap = ink_.px(12);
        Box rest = box;
        const Box number = rest.take_left(text_width(theme_.fonts.code, "00000"));
        if (row.number > 0)
            ink_.text(number, fmt::format("{}", row.number), theme_.fonts.code, theme_.text_dim,
                      Align::right);
        rest.take_left(gap);
        ink_.text(rest.take_left(code_), row.text, font_of(row),
                  row.number > 0 ? theme_.text : theme_.text_dim);
        rest.take_left(gap);
        rest.take_right(ink_.px(6));
        ink_.text(rest.take_right(text_width(theme_.fonts.code, "100 %")), percent(row.share, 0),
                  theme_.fonts.code, theme_.text, Align::right);
        rest.take_right(gap);
        const float pad = std::round(box.height() * 0.2f);
        const Box track{rest.x0, box.y0 + pad, rest.x1, box.y1 - pad};
        ink_.fill(track, theme_.raised, ink_.px(2));
        const float share = static_cast<float>(std::clamp(row.share, 0.0, 1.0));
        const Box bar{track.x0, track.y0, track.x0 + track.width() * share, track.y1};
        if (row.kind == DearSlots::unused) ink_.hatch(bar, theme_.inactive);
        else
            ink_.fill(bar, row.kind == DearSlots::used ? theme_.state(WarpState::selected) : theme_.cost,
                      ink_.px(2));
    }

  private:
    ImFont* font_of(const DearRow& row) const {
        return row.number > 0 ? theme_.fonts.code : theme_.fonts.words;
    }

    const Ink& ink_;
    const Theme& theme_;
    float code_ = 0;  // width of the texts
};

}  // namespace

DearLines dear_lines(const Scene& scene, Level wanted) {
    DearLines dear;
    const auto costs = site_costs(scene, wanted);
    if (!costs || costs->cost.issue_slots == 0) return dear;
    const Program& program = scene.trace->program;
    const std::uint32_t own = own_source(program);
    for (const LineCost& cost : line_costs(scene, wanted))
        if (cost.share >= least_dear_share && cost.line.file == own && own != no_index)
            dear.lines.push_back(
                {cost.line.line, text_of_line(program.sources[own].text, cost.line.line), cost.share});
    std::ranges::stable_sort(dear.lines, std::ranges::greater(), &DearLine::share);
    if (dear.lines.size() > most_dear_lines) dear.lines.resize(most_dear_lines);
    std::uint64_t issues = 0;
    for (const analysis::SiteCost& site : costs->cost.sites) issues += site.issues;
    const double slots = static_cast<double>(costs->cost.issue_slots);
    dear.issued = static_cast<double>(issues) / slots;
    dear.others = static_cast<double>(costs->cost.empty_slots) / slots;
    dear.without_warp = 1 - dear.issued - dear.others;
    for (const DearLine& line : dear.lines) dear.others -= line.share;
    return dear;
}

namespace {

float dear_heading_height(const Ink& ink) { return text_height(ink.theme.fonts.words) + ink.px(6); }

}  // namespace

float dear_lines_height(const Ink& ink, const DearLines& dear) {
    if (dear.lines.empty()) return 0;
    const auto rows = static_cast<float>(dear_rows(dear, most_dear_lines + 3).size());
    return dear_heading_height(ink) + rows * ink.px(highest_dear_row);
}

void draw_dear_lines(const Ink& ink, Box box, const DearLines& dear, std::uint32_t chosen,
                     std::string_view whose) {
    const float heading = dear_heading_height(ink);
    const float least = text_height(ink.theme.fonts.code) + ink.px(8);
    if (dear.lines.empty() || box.height() < heading + 4 * least) return;
    const std::string run = whose.empty() ? "Issue" : fmt::format("{}: issue", whose);
    ink.heading(box.take_top(heading), {run + " slots of one SM: empty while warps wait for a line, or used",
                                        run + " slots, empty by line or used"});
    const std::vector<DearRow> rows = dear_rows(dear, static_cast<std::size_t>(box.height() / least));
    const float height = std::clamp(std::floor(box.height() / static_cast<float>(rows.size())), least,
                                    ink.px(highest_dear_row));
    const DearRowsDrawing drawing(ink, rows, box.width());
    for (const DearRow& row : rows) {
        if (box.height() < height) break;
        drawing.draw(row, box.take_top(height), row.number > 0 && row.number == chosen);
    }
}

}  // namespace warplens::app
