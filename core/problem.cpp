#include "core/problem.h"

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

/// "tile" of "tile[33]"; "tile[-" of "tile[-1]", since an index before the array is a fault of its own.
std::string_view array_of(const Problem& problem) {
    const std::string_view element = problem.element;
    const std::size_t open = element.find('[');
    return element.substr(0,
                          element.substr(std::min(open, element.size())).starts_with("[-") ? open + 2 : open);
}

std::pair<std::string_view, std::uint32_t> place_of_other(const Problem& problem) {
    if (!problem.other) return {};
    return {problem.other->file, problem.other->line};
}

/// Of the same instruction, or of several that one line was compiled to, such as those of an unrolled loop.
bool is_same_fault(const Problem& a, const Problem& b) {
    if (a.kind != b.kind || a.child != b.child) return false;
    const bool has_site = a.child.empty();
    if (has_site && a.site == b.site && a.site != no_index) return true;
    const bool doubted = a.kind == ProblemKind::doubtful_address || a.kind == ProblemKind::doubtful_race;
    if (has_site &&
        ((is_note(a.kind) && !doubted) || a.kind == ProblemKind::unsupported_instruction || a.line == 0))
        return false;
    return a.line == b.line && a.file == b.file && array_of(a) == array_of(b) &&
           place_of_other(a) == place_of_other(b);
}

}  // namespace

std::string_view to_string(ProblemKind kind) {
    switch (kind) {
        case ProblemKind::out_of_bounds:
            return "out_of_bounds";
        case ProblemKind::misaligned:
            return "misaligned";
        case ProblemKind::uninitialised_read:
            return "uninitialised_read";
        case ProblemKind::shared_race:
            return "shared_race";
        case ProblemKind::global_race:
            return "global_race";
        case ProblemKind::diverged_barrier:
            return "diverged_barrier";
        case ProblemKind::mismatched_barrier:
            return "mismatched_barrier";
        case ProblemKind::deadlock:
            return "deadlock";
        case ProblemKind::endless_loop:
            return "endless_loop";
        case ProblemKind::absent_lane:
            return "absent_lane";
        case ProblemKind::division_by_zero:
            return "division_by_zero";
        case ProblemKind::stack_overflow:
            return "stack_overflow";
        case ProblemKind::trap:
            return "trap";
        case ProblemKind::unsupported_instruction:
            return "unsupported_instruction";
        case ProblemKind::failed_launch:
            return "failed_launch";
        case ProblemKind::ended_threads:
            return "ended_threads";
        case ProblemKind::lockstep:
            return "lockstep";
        case ProblemKind::diverged_recursion:
            return "diverged_recursion";
        case ProblemKind::shared_register:
            return "shared_register";
        case ProblemKind::many_launches:
            return "many_launches";
        case ProblemKind::doubtful_address:
            return "doubtful_address";
        case ProblemKind::doubtful_race:
            return "doubtful_race";
    }
    return "";
}

void merge(Problem& first, const Problem& second) {
    const std::uint64_t count = first.count + second.count;
    if (first.reach < second.reach) first = second;
    first.count = count;
}

void merge_problems(std::vector<Problem>& into, const std::vector<Problem>& from) {
    for (const Problem& problem : from) {
        const auto same =
            std::ranges::find_if(into, [&](const Problem& other) { return is_same_fault(other, problem); });
        if (same != into.end()) merge(*same, problem);
        else into.push_back(problem);
    }
}

}  // namespace warplens
