#include "app/views/source/title.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/scene/level_of_time.h"
#include "app/scene/line_costs.h"
#include "app/scene/scene_words.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/shared/problem_words.h"
#include "app/views/source/line_times.h"
#include "app/views/source/listing.h"

namespace warplens::app {
namespace {

/// "8 sectors per request (ideal 4)": the requests of the line with most excess; else its lanes. May be
/// empty.
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
    const std::uint64_t global = excess_of(line.global);
    if (global > 0 && global >= std::max(shared, constant))
        return words(line.global, line.global.sectors, line.global.ideal_sectors, "sector");
    if (constant > 0 && constant >= shared)
        return words(line.constant, line.constant.wavefronts, line.constant.ideal_wavefronts,
                     "constant-memory wavefront");
    if (shared > 0)
        return words(line.shared, line.shared.wavefronts, line.shared.ideal_wavefronts, "wavefront");
    if (line.steps > 0 && line.executed_lanes < line.steps * warp_size)
        return fmt::format(", {} of 32 lanes active", decimal(line.mean_executed_lanes()));
    return {};
}

}  // namespace

std::string shown_path(const std::string& path) {
    namespace fs = std::filesystem;
    if (!fs::path(path).is_absolute()) return path;
    std::error_code error;
    const fs::path here = fs::current_path(error);
    const fs::path from_here = error ? fs::path() : fs::path(path).lexically_relative(here);
    const bool inside = !from_here.empty() && *from_here.begin() != "..";
    return inside ? from_here.string() : fs::path(path).filename().string();
}

std::string source_title(const Scene& scene, Level wanted) {
    if (!scene.report->problems.empty()) return problems_title(scene);
    const std::string name = "`" + scene.report->launch.kernel + "`";
    const auto line = costliest_line(scene, wanted);
    if (!line) return fmt::format("{}: all 32 lanes active, no excess sectors or wavefronts", name);
    const std::string time = line->is_timed() ? fmt::format(": its waits leave {} of the issue slots empty",
                                                            percent(line->share, 0))
                                              : "";
    const char* words = line->costs_most ? "{}: line {} costs most{}{}" : "{}: look at line {} first{}{}";
    return fmt::format(fmt::runtime(words), name, line->line.line, time, requests_words(line->line));
}

std::string source_change_title(const Scene& scene, const std::vector<CodeLine>& lines,
                                std::string_view other_run) {
    if (!scene.report->problems.empty()) return {};
    struct Column {
        std::size_t column;
        const char *unit, *one;
    };
    constexpr std::array columns{Column{exposed_column, "exposed issue slots", "exposed issue slot"},
                                 Column{sectors_column, "sectors per request", "sector per request"},
                                 Column{ways_column, "conflict ways", "conflict way"}};
    // A line without a difference shows its own value, whose cost says nothing of another run.
    const auto changed = [](const CodeLine& line, std::size_t column) {
        const std::string& text = line.heat[column].text;
        return line.number != 0 && (text.starts_with("+") || text.starts_with("−"))
                   ? std::abs(line.heat[column].value.value_or(0))
                   : 0.0;
    };
    for (const Column& decisive : columns) {
        const auto most = std::ranges::max_element(
            lines, {}, [&](const CodeLine& line) { return changed(line, decisive.column); });
        if (most == lines.end() || changed(*most, decisive.column) == 0) continue;
        std::string words;
        for (const Column& shown : columns) {
            if (changed(*most, shown.column) == 0) continue;
            const double value = *most->heat[shown.column].value;
            const std::string amount =
                std::abs(value) < 1000 ? decimal(std::abs(value), 1) : compact(std::abs(value));
            const std::string than = words.empty() ? fmt::format(" than {}", other_run) : "";
            words += fmt::format("{} {} {} {}{}", words.empty() ? "" : ",", amount,
                                 value < 0 ? "fewer" : "more", amount == "1" ? shown.one : shown.unit, than);
        }
        return fmt::format("`{}`: line {} changes most:{}", scene.report->launch.kernel, most->number, words);
    }
    return {};
}

Headline source_headline(const Scene& scene, Level wanted) {
    const auto line = scene.report->problems.empty() ? costliest_line(scene, wanted) : std::nullopt;
    if (!line || !line->is_timed()) return {};
    return {
        percent(line->share, 0), "",
        fmt::format("of the issue slots are empty while warps wait for line {} (modelled)", line->line.line)};
}

std::string source_provenance(const Theme& theme, const Scene& scene, const std::optional<SiteCosts>& costs,
                              bool lines, bool machine, float width) {
    const std::string_view counts = to_string(level_of_counts(scene));
    const std::string times = line_times_provenance(costs);
    const auto joined = [](const std::string& one, const std::string& other) {
        return one.empty() || other.empty() ? one + other : one + " · " + other;
    };
    std::string full, brief;
    if (lines) {
        full = joined(
            fmt::format("sectors per request, worst conflict ways, lanes with their predicate on: exact, {}",
                        counts),
            times);
        brief = joined(fmt::format("sectors, ways, lanes: exact, {}", counts),
                       costs ? fmt::format("waited, exposed: modelled, {}", to_string(costs->level)) : "");
    }
    if (machine) {
        full = joined(full,
                      "executions, lanes, sectors and wavefronts per request of machine instructions: exact, "
                      "their waits and exposed issue slots: modelled, machine level");
        brief = joined(brief, "instructions, machine level: counts exact, times modelled");
    }
    const std::string blocks = sampled_words(scene);
    return text_width(theme.fonts.small, joined(full, blocks)) <= width ? full : brief;
}

}  // namespace warplens::app
