// LaunchTree: the grids of a launch whose device code launches grids, with the counts of each; and its
// groups, in which equal launches are one row. The order of execution is the engine's: see
// simt/functional/launch_tree.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "core/launch.h"
#include "core/program.h"

namespace warplens::analysis {

struct LaunchReport;

/// The streams that CUDA gives a meaning, and those of the program.
enum class LaunchStream : std::uint8_t { of_block, tail, fire_and_forget, own };
/// snake_case, as the JSON report prints it.
std::string_view to_string(LaunchStream stream);

/// Exact sums over the steps of a grid, or of several.
struct GridWork {
    std::uint64_t blocks = 0;
    std::uint64_t steps = 0;                       // by warps
    std::uint64_t active_lanes = 0;                // over those steps
    std::uint64_t sectors = 0, ideal_sectors = 0;  // of global and local memory

    double mean_active_lanes() const { return steps ? double(active_lanes) / double(steps) : 0; }
    void add(const GridWork& other);
    friend bool operator==(const GridWork&, const GridWork&) = default;
};
/// Of the blocks that the report is of.
GridWork work_of(const LaunchReport& report);

struct LaunchedGrid {
    std::uint32_t parent = 0;  // index of the grid that launched it
    std::uint32_t depth = 0;   // levels below the host's grid; a tail launch has its launcher's
    std::string kernel;
    Dim3 grid, block;
    LaunchStream stream = LaunchStream::of_block;
    Dim3 by_block{0, 0, 0}, by_thread{0, 0, 0};  // in the parent
    SiteId site = no_index;                      // in the parent's program
    std::string file;
    std::uint32_t line = 0;  // 0: unknown
    GridWork work;
};

struct LaunchTree {
    std::vector<LaunchedGrid> grids;    // in order of execution; the first is the host's
    std::uint64_t left_out = 0;         // launched and not executed: what they would launch is not known
    std::uint64_t left_out_blocks = 0;  // of the grids above
    std::string why_left_out;           // a clause; empty: nothing is

    /// Without the host's grid.
    GridWork children() const;
};

/// Grids of one kernel that were launched at one line of one kernel, in one way, and are in one row of the
/// drawing: a row below their launchers, but a chain of tail launches is one row.
struct LaunchGroup {
    std::vector<std::uint32_t> parents;  // indices of groups, ascending; a chain's group is its own parent
    std::uint32_t row = 0;
    std::uint32_t first = 0;  // index of its first grid
    std::uint64_t grids = 0;
    std::uint64_t launchers = 0;  // threads that launched them
    std::uint64_t fewest_blocks = 0, most_blocks = 0;
    std::uint64_t fewest_threads = 0, most_threads = 0;  // of a block
    GridWork work;
};
/// Row by row; the first is the host's grid.
std::vector<LaunchGroup> launch_groups(const LaunchTree& tree);

/// For each group of `after` the group of `before` that corresponds: the same kernel, launched in the
/// same way and row; of several the one at the same line, else the next in order. no_index: none.
std::vector<std::uint32_t> matching_groups(const LaunchTree& before,
                                           const std::vector<LaunchGroup>& before_groups,
                                           const LaunchTree& after,
                                           const std::vector<LaunchGroup>& after_groups);
/// As many grids, blocks and threads, launched by as many threads.
bool launched_alike(const LaunchGroup& a, const LaunchGroup& b);

/// "71 %"; "less than 1 %", "more than 99 %" for what is not 0 or all.
std::string share_in_words(double share);
/// "12 grids of 5 to 8 blocks × 128 threads", "1 grid of 1,024 blocks (of them 44 executed) × 64 threads"
std::string grids_in_words(const LaunchGroup& group);
/// "by 12 threads of `child_launch` at line 61", and how.
std::string launchers_in_words(const LaunchTree& tree, const LaunchGroup& group);
/// "13 of 256 threads launch grids: 13 grids with 61 blocks do 71 % of all warp-steps"
std::string launch_finding(const LaunchTree& tree);

/// "7 launched grids and 12 blocks of others not executed: the run was stopped"; empty: all are.
std::string left_out_in_words(const LaunchTree& tree);

/// A clause: what modelled times leave out where device code launches grids.
inline constexpr std::string_view untimed_grids_clause =
    "modelled times leave out the grids that the kernel launches, and what launching them costs";
/// The clause as a sentence where the launch has such grids; else empty. With every modelled time that is
/// shown.
std::string untimed_grids(const LaunchReport& report);
/// The work of the grids below the host's; nothing is launched: none.
GridWork work_below(const LaunchReport& report);

/// The section of the report for a terminal, a line each; empty: nothing is launched.
std::vector<std::string> launch_tree_lines(const LaunchTree& tree);
/// The contract of docs/report_json.md.
warplens::Json launch_tree_json(const LaunchTree& tree);

}  // namespace warplens::analysis
