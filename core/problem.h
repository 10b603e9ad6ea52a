// Problem: an error of the kernel itself, described so that a person can fix it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch.h"
#include "core/program.h"

namespace warplens {

enum class ProblemKind : std::uint8_t {
    out_of_bounds,
    misaligned,
    uninitialised_read,
    shared_race,
    global_race,
    diverged_barrier,
    mismatched_barrier,
    deadlock,
    endless_loop,
    absent_lane,
    division_by_zero,
    stack_overflow,
    trap,
    unsupported_instruction,
    failed_launch,  // of a grid, by device code
    // Notes: the kernel may be right; the reason is worth knowing.
    ended_threads,
    lockstep,
    diverged_recursion,
    shared_register,   // of machine code: lanes that are apart need it for two values
    many_launches,     // more grids at once than a GPU holds by default
    doubtful_address,  // outside memory, but a guess about the launch may be why
    doubtful_race,     // of an access that has a doubtful address, too
};
constexpr bool is_note(ProblemKind kind) { return kind >= ProblemKind::ended_threads; }

/// The smallest group that holds both threads of a problem between two.
enum class Reach : std::uint8_t { none, warp, block, grid };

/// The other side of a problem between two threads: the earlier access of a race, the barrier that others
/// wait at.
struct OtherParty {
    SiteId site = no_index;
    std::string file;
    std::uint32_t line = 0;
    Dim3 block{0, 0, 0};
    Dim3 thread{0, 0, 0};
    friend bool operator==(const OtherParty&, const OtherParty&) = default;
};

struct Problem {
    ProblemKind kind = ProblemKind::trap;
    std::string message;  // what happened, where, and what would be right
    std::string child;    // of a grid launched by device code: its kernel, and there are no sites; else empty
    SiteId site = no_index;
    std::string file;        // source file; empty when unknown
    std::uint32_t line = 0;  // 1-based; 0 when unknown
    Dim3 block{0, 0, 0};
    Dim3 thread{0, 0, 0};
    std::uint64_t address = 0;
    std::string element;  // the name of the address: "tile[33]"; empty: the problem has none
    std::optional<OtherParty> other;
    Reach reach = Reach::none;
    std::uint64_t count = 1;  // how often the same kind happened at the same site
};

/// One problem out of two of the same kind and site: the first, or the second where its threads are further
/// apart.
void merge(Problem& first, const Problem& second);

/// One list of problems out of two. The same fault of the same array counts up instead of standing twice: at
/// one site, or at the sites of one line; of a child grid's kernel, which has no sites here, at one line.
void merge_problems(std::vector<Problem>& into, const std::vector<Problem>& from);

/// snake_case, as the JSON report prints it: "out_of_bounds".
std::string_view to_string(ProblemKind kind);

}  // namespace warplens
