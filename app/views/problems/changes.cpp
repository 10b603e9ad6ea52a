#include "app/views/problems/changes.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "app/scene/own_source.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

/// Where a line of the file is after the edit; the same line if its text did not change or is not known.
std::uint32_t line_after(const Scene& before, const Scene& after, const std::string& file,
                         std::uint32_t line) {
    if (!before.trace || !after.trace) return line;
    const Program &old_program = before.trace->program, &program = after.trace->program;
    const std::uint32_t own = own_source(old_program);
    if (own == no_index || old_program.sources[own].name != file) return line;
    const auto map = moved_lines(old_program, program);
    if (!map.empty()) return line < map.size() ? map[line] : 0;
    return line;
}

}  // namespace

std::size_t ProblemChanges::new_count() const {
    return static_cast<std::size_t>(std::ranges::count(is_new, true));
}

ProblemChanges problem_changes(const Scene& before, const Scene& after) {
    ProblemChanges changes;
    changes.is_new.assign(after.report->problems.size(), true);
    for (const Problem& old : before.report->problems) {
        const std::uint32_t line = line_after(before, after, old.file, old.line);
        bool found = false;
        for (std::size_t i = 0; i < after.report->problems.size() && !found; ++i) {
            const Problem& now = after.report->problems[i];
            if (!changes.is_new[i] || now.kind != old.kind || now.line != line) continue;
            changes.is_new[i] = false;
            found = true;
        }
        if (!found) changes.solved.push_back(&old);
    }
    return changes;
}

std::string change_words(const ProblemChanges& changes) {
    std::vector<std::string> parts;
    if (!changes.solved.empty()) parts.push_back(fmt::format("{} solved", grouped(changes.solved.size())));
    if (const std::size_t count = changes.new_count(); count > 0)
        parts.push_back(fmt::format("{} new", grouped(count)));
    if (const std::size_t count = changes.kept_count(); count > 0)
        parts.push_back(fmt::format("{} {}", grouped(count), count == 1 ? "remains" : "remain"));
    return parts.empty() ? "no problem in either run" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace warplens::app
