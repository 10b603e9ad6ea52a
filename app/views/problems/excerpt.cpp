#include "app/views/problems/excerpt.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "app/ui/text.h"
#include "app/views/shared/problem_words.h"

namespace warplens::app {
namespace {

constexpr std::uint32_t most_around = 3;  // lines above and below

struct ExcerptRow {
    std::uint32_t number = 0;  // 0: lines are left out here
    std::string text;
};

std::vector<std::string> lines_of(const Program& program, const std::string& file) {
    std::vector<std::string> lines;
    for (const SourceFile& source : program.sources) {
        if (source.name != file) continue;
        std::istringstream text(source.text);
        for (std::string line; std::getline(text, line);) {
            for (std::size_t at = line.find('\t'); at != std::string::npos; at = line.find('\t'))
                line.replace(at, 1, "    ");
            lines.push_back(std::move(line));
        }
        break;
    }
    return lines;
}

/// So many lines around both sides, and one row for the gap if they are far apart.
std::vector<ExcerptRow> excerpt_rows(const std::vector<std::string>& lines, const Problem& problem,
                                     std::uint32_t around) {
    std::array<std::uint32_t, 2> sides{problem.line, problem.line};
    if (problem.other && problem.other->file == problem.file && problem.other->line != 0)
        sides[1] = problem.other->line;
    std::ranges::sort(sides);
    std::vector<ExcerptRow> rows;
    if (sides[0] == 0) return rows;
    std::uint32_t next = 1;
    for (const std::uint32_t side : sides) {
        const std::uint32_t begin = std::max(next, side > around ? side - around : 1);
        if (!rows.empty() && begin > next) rows.push_back({0, "…"});
        for (next = begin; next <= side + around && next <= lines.size(); ++next)
            rows.push_back({next, lines[next - 1]});
    }
    return rows;
}

float excerpt_row_height(const Theme& theme) { return text_height(theme.fonts.code) + 5 * theme.fonts.scale; }
float excerpt_head_height(const Theme& theme) { return 30 * theme.fonts.scale; }

/// With as many lines around as fit, so that both sides are shown; empty: not even three rows fit.
std::vector<ExcerptRow> rows_that_fit(const Theme& theme, const Scene& scene, const Problem& problem,
                                      float room) {
    room -= excerpt_head_height(theme);
    const std::vector<std::string> lines = lines_of(scene.trace->program, problem.file);
    for (std::uint32_t around = most_around + 1; around-- > 0;) {
        auto rows = excerpt_rows(lines, problem, around);
        if (rows.size() < 3) break;
        if (excerpt_row_height(theme) * static_cast<float>(rows.size()) <= room + 0.5f) return rows;
    }
    return {};
}

}  // namespace

float problem_excerpt_height(const Theme& theme, const Scene& scene, const Problem& problem, float room) {
    const auto rows = rows_that_fit(theme, scene, problem, room);
    if (rows.empty()) return 0;
    return excerpt_head_height(theme) + excerpt_row_height(theme) * static_cast<float>(rows.size());
}

void draw_problem_excerpt(const Ink& ink, const Scene& scene, const Problem& problem, Box box) {
    const Theme& theme = ink.theme;
    const std::vector<ExcerptRow> rows = rows_that_fit(theme, scene, problem, box.height());
    ink.text(box.take_top(excerpt_head_height(theme)),
             fmt::format("In {}: {}", problem.file, kind_and_place(problem)), theme.fonts.words,
             theme.text_dim);
    const auto who = [](Dim3 block, Dim3 thread) {
        return fmt::format("block ({}, {}, {}) · thread ({}, {}, {})", block.x, block.y, block.z, thread.x,
                           thread.y, thread.z);
    };
    std::optional<float> first;
    for (const ExcerptRow& row : rows) {
        Box line = box.take_top(excerpt_row_height(theme));
        const bool here = row.number != 0 && row.number == problem.line;
        const bool other = row.number != 0 && problem.other && problem.other->file == problem.file &&
                           row.number == problem.other->line;
        Box signs = line.take_left(ink.px(34));
        if (here || other) {
            ink.fill({signs.x1, line.y0, line.x1, line.y1}, with_alpha(theme.error, 0.14));
            const ImVec2 at{signs.x0 + ink.px(12), signs.centre().y};
            ink.list->AddCircleFilled(at, ink.px(4), theme.error);
            ink.line(at, {signs.x1, at.y}, theme.error, ink.px(1.5f));
            if (first) ink.line({at.x, *first}, at, theme.error, ink.px(1.5f));
            first = at.y;
            std::string words = here ? who(problem.block, problem.thread) : "";
            if (other && !here) words = who(problem.other->block, problem.other->thread);
            const Box right = line.take_right(text_width(theme.fonts.words, words) + ink.px(12));
            ink.text(right, words, theme.fonts.words, theme.text_dim);
        }
        ink.text(line.take_left(ink.px(44)), row.number ? std::to_string(row.number) : "", theme.fonts.code,
                 theme.text_dim, Align::right);
        line.take_left(ink.px(14));
        ink.text(line, row.text, theme.fonts.code, here || other ? theme.text : theme.text_dim);
    }
}

}  // namespace warplens::app
