#include "core/problem.h"

namespace warplens {

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
        case ProblemKind::many_launches:
            return "many_launches";
    }
    return "";
}

void merge(Problem& first, const Problem& second) {
    const std::uint64_t count = first.count + second.count;
    if (first.reach < second.reach) first = second;
    first.count = count;
}

}  // namespace warplens
