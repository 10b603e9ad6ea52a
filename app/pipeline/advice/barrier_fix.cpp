#include "app/pipeline/advice/barrier_fix.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "app/pipeline/advice/source_edits.h"

namespace warplens::app {
namespace {

/// The brackets { } that are open after each line; comments and literals count as blanks.
std::vector<int> depths_of(const std::vector<std::string>& lines) {
    std::vector<int> depths;
    int depth = 0;
    bool comment = false;
    for (const std::string& line : lines) {
        char quote = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string_view two = std::string_view(line).substr(i, 2);
            if (comment) {
                if (two == "*/") comment = false, ++i;
            } else if (quote != 0) {
                if (line[i] == '\\') ++i;
                else if (line[i] == quote) quote = 0;
            } else if (two == "//") {
                break;
            } else if (two == "/*") {
                comment = true, ++i;
            } else if (line[i] == '"' || line[i] == '\'') {
                quote = line[i];
            } else if (line[i] == '{') {
                ++depth;
            } else if (line[i] == '}') {
                --depth;
            }
        }
        depths.push_back(depth);
    }
    return depths;
}

/// After how many lines a barrier may stand, from the access outwards: after its line, then after the end of
/// each block around it but the function's.
void add_places_after(const std::vector<int>& depths, std::size_t line, int function_depth,
                      std::vector<std::size_t>& places) {
    std::size_t at = line;
    for (int depth = depths[line - 1]; depth >= function_depth;) {
        places.push_back(at);
        while (at < depths.size() && depths[at] >= depth) ++at;
        if (at >= depths.size()) return;
        depth = depths[at];
        ++at;
    }
}

/// Before the access's line, then before each block around it.
void add_places_before(const std::vector<int>& depths, std::size_t line, int function_depth,
                       std::vector<std::size_t>& places) {
    std::size_t before = line - 1;  // lines before the barrier
    int depth = before > 0 ? depths[before - 1] : 0;
    while (depth >= function_depth) {
        places.push_back(before);
        while (before > 0 && depths[before - 1] >= depth) --before;
        if (before == 0) return;
        --before;  // the line that opens the block
        depth = before > 0 ? depths[before - 1] : 0;
    }
}

/// The barrier that is all of the line, or nothing.
std::string barrier_of_line(std::string_view line) {
    line = line.substr(0, line.find("//"));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    constexpr std::array<std::string_view, 2> barriers{"__syncthreads();", "__syncwarp();"};
    return std::ranges::find(barriers, line) == barriers.end() ? std::string() : std::string(line);
}

}  // namespace

std::vector<Edit> barrier_places(const std::string& source, const Problem& race) {
    std::vector<Edit> edits;
    const bool is_race = race.kind == ProblemKind::shared_race || race.kind == ProblemKind::global_race;
    const std::vector<std::string> lines = lines_of(source);
    const std::size_t one = race.line, other = race.other ? race.other->line : 0;
    if (!is_race || race.reach == Reach::grid || one == 0 || other == 0 || one > lines.size() ||
        other > lines.size() || race.other->file != race.file)
        return edits;
    // Which warp came first does not say which access is first in the text. In a loop, the barrier may also
    // be needed from the second one to the first one of the next iteration.
    const std::size_t first = std::min(one, other), second = std::max(one, other);
    const std::vector<int> depths = depths_of(lines);
    // The function's own block: the outermost that holds the accesses.
    constexpr int function_depth = 1;
    std::vector<std::size_t> places, around;
    add_places_before(depths, second, function_depth, places);
    add_places_after(depths, first, function_depth, places);
    add_places_after(depths, second, function_depth, around);
    add_places_before(depths, first, function_depth, around);
    // Where a barrier is between the two already, it is the next iteration that races.
    const bool between = std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(first),
                                     lines.begin() + static_cast<std::ptrdiff_t>(second),
                                     [](const std::string& line) { return !barrier_of_line(line).empty(); });
    // There the end of what both are in is nearest to what a person would write.
    const int common = *std::min_element(depths.begin() + static_cast<std::ptrdiff_t>(first) - 1,
                                         depths.begin() + static_cast<std::ptrdiff_t>(second));
    if (between)
        std::ranges::stable_sort(
            around, {}, [&](std::size_t place) { return place == 0 || depths.at(place - 1) != common; });
    places.insert(between ? places.begin() : places.end(), around.begin(), around.end());
    std::vector<std::size_t> once;
    for (const std::size_t place : places)
        if (std::ranges::find(once, place) == once.end()) once.push_back(place);
    constexpr std::size_t most_places = 8;
    if (once.size() > most_places) once.resize(most_places);
    std::vector<std::string> barriers{"__syncthreads();"};
    if (race.reach == Reach::warp) barriers.insert(barriers.begin(), "__syncwarp();");
    for (const std::string& barrier : barriers)
        for (const std::size_t place : once)
            edits.push_back({Edit::Kind::insert, static_cast<std::uint32_t>(place + 1), barrier});
    return edits;
}

namespace {

constexpr std::size_t most_barriers = 4, most_needless = 8;

/// Of the races in the file: the one between the most distant threads.
const Problem* widest_race(const std::vector<Problem>& problems, const std::string& path) {
    const auto name = std::filesystem::path(path).filename();
    const Problem* widest = nullptr;
    for (const Problem& problem : problems)
        if (problem.other && !problem.file.empty() &&
            std::filesystem::path(problem.file).filename() == name &&
            (!widest || problem.reach > widest->reach))
            widest = &problem;
    return widest;
}

std::vector<Edit> with_edit(std::vector<Edit> edits, const Edit& edit) {
    edits.insert(std::ranges::upper_bound(edits, edit.line, {}, &Edit::line), edit);
    return edits;
}

std::vector<Edit> without_edit(std::vector<Edit> edits, std::size_t index) {
    edits.erase(edits.begin() + static_cast<std::ptrdiff_t>(index));
    return edits;
}

/// A barrier may have become needless through one that was placed later.
void drop_superfluous(std::vector<Edit>& edits, std::size_t notes, const TryEdits& run) {
    for (std::size_t i = 0; edits.size() > 1 && i < edits.size();) {
        const std::vector<Edit> fewer = without_edit(edits, i);
        const auto found = run(fewer);
        if (found && found->problems.empty() && found->notes <= notes) edits = fewer;
        else ++i;
    }
}

/// Executed less often: the same barrier outside of the blocks around its place, as far out as it still
/// removes all problems.
std::vector<Edit> outermost(const std::vector<Edit>& others, Edit found, const std::vector<Edit>& places,
                            const std::string& source, std::size_t notes, const TryEdits& run) {
    const std::vector<int> depths = depths_of(lines_of(source));
    const auto depth = [&](const Edit& edit) { return edit.line < 2 ? 0 : depths.at(edit.line - 2); };
    std::vector<Edit> wider;
    for (const Edit& place : places)
        if (place.code == found.code && depth(place) < depth(found)) wider.push_back(place);
    std::ranges::stable_sort(wider, std::ranges::greater{}, depth);
    for (const Edit& place : wider) {
        if (depth(place) == depth(found)) continue;
        const auto result = run(with_edit(others, place));
        if (!result || !result->problems.empty() || result->notes > notes) break;
        found = place;
    }
    return with_edit(others, found);
}

}  // namespace

std::vector<Edit> missing_barriers(const std::string& path, const std::string& source, const Findings& now,
                                   const TryEdits& run) {
    std::vector<Edit> edits;
    std::vector<Problem> left = now.problems;
    while (!left.empty() && edits.size() < most_barriers) {
        const Problem* widest = widest_race(left, path);
        if (widest == nullptr) return {};
        Problem race = *widest;
        race.line = line_before(edits, race.line);
        race.other->line = line_before(edits, race.other->line);
        std::vector<Edit> best;
        const std::vector<Edit> places = barrier_places(source, race);
        for (const Edit& place : places) {
            std::vector<Edit> more = with_edit(edits, place);
            auto found = run(more);
            // A barrier that not all threads of the block reach works on some GPUs only; a note says so.
            if (!found || found->notes > now.notes || found->problems.size() >= left.size()) continue;
            left = std::move(found->problems);
            best = std::move(more);
            if (!left.empty()) continue;
            best = outermost(edits, place, places, source, now.notes, run);
            break;
        }
        if (best.empty()) return {};
        edits = std::move(best);
    }
    if (!left.empty()) return {};
    drop_superfluous(edits, now.notes, run);
    return edits;
}

std::vector<Edit> needless_barriers(const std::string& source, const TryEdits& run,
                                    const std::function<bool(std::uint32_t line)>& is_in_kernel) {
    const std::vector<std::string> lines = lines_of(source);
    std::vector<Edit> needless;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < lines.size() && tried < most_needless; ++i) {
        std::string barrier = barrier_of_line(lines[i]);
        if (barrier.empty() || !is_in_kernel(static_cast<std::uint32_t>(i + 1))) continue;
        ++tried;
        std::vector<Edit> fewer =
            with_edit(needless, {Edit::Kind::remove, static_cast<std::uint32_t>(i + 1), std::move(barrier)});
        const auto found = run(fewer);
        if (found && found->problems.empty() && found->notes == 0) needless = std::move(fewer);
    }
    return needless;
}

}  // namespace warplens::app
