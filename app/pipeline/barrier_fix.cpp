#include "app/pipeline/barrier_fix.h"

#include <algorithm>

namespace warplens::app {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n') lines.emplace_back();
        else lines.back() += c;
    }
    return lines;
}

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

std::string indented_like(const std::string& line) {
    return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

}  // namespace

std::vector<Change> barrier_changes(const std::string& source, const Problem& race) {
    std::vector<Change> changes;
    const bool is_race = race.kind == ProblemKind::shared_race || race.kind == ProblemKind::global_race;
    const std::vector<std::string> lines = lines_of(source);
    const std::size_t one = race.line, other = race.other ? race.other->line : 0;
    if (!is_race || race.reach == Reach::grid || one == 0 || other == 0 || one > lines.size() ||
        other > lines.size() || race.other->file != race.file)
        return changes;
    // Which warp came first does not say which access is first in the text. In a loop, the barrier may also
    // be needed from the second one to the first one of the next iteration.
    const std::size_t first = std::min(one, other), second = std::max(one, other);
    const std::vector<int> depths = depths_of(lines);
    // The function's own block: the outermost that holds the accesses.
    constexpr int function_depth = 1;
    std::vector<std::size_t> places;
    add_places_before(depths, second, function_depth, places);
    add_places_after(depths, first, function_depth, places);
    add_places_before(depths, first, function_depth, places);
    add_places_after(depths, second, function_depth, places);
    std::vector<std::size_t> once;
    for (const std::size_t place : places)
        if (std::ranges::find(once, place) == once.end()) once.push_back(place);
    constexpr std::size_t most_places = 8;
    if (once.size() > most_places) once.resize(most_places);
    std::vector<std::string> barriers{"__syncthreads();"};
    if (race.reach == Reach::warp) barriers.insert(barriers.begin(), "__syncwarp();");
    for (const std::string& barrier : barriers)
        for (const std::size_t place : once) {
            Change change;
            change.code = barrier;
            change.line = static_cast<std::uint32_t>(place + 1);
            change.inserted = true;
            changes.push_back(std::move(change));
        }
    return changes;
}

std::string with_change(const std::string& source, const Change& change) {
    std::vector<std::string> lines = lines_of(source);
    const std::size_t at = std::min<std::size_t>(change.line - 1, lines.size());
    if (change.inserted) {
        const std::string indent = indented_like(at > 0 ? lines[at - 1] : "");
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), indent + change.code);
    } else if (at < lines.size()) {
        lines[at] = change.code;
    }
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
    return text;
}

}  // namespace warplens::app
