// The launch tree in words: lines of the report for a terminal, sentences of the view, JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "analysis/report/launch_report.h"
#include "analysis/report/launch_tree.h"
#include "analysis/wording.h"

namespace warplens::analysis {

namespace {

constexpr std::size_t most_rows = 40;

/// "5 to 8 blocks", "1 block".
std::string range(std::uint64_t fewest, std::uint64_t most, std::string_view noun) {
    if (fewest == most) return counted(most, noun);
    return fmt::format("{} to {}", grouped(fewest), counted(most, noun));
}

std::string place(const LaunchedGrid& grid) {
    return grid.line == 0 ? "an unknown line" : fmt::format("line {}", grid.line);
}

/// "  (after its parent)": how the stream orders the grids; empty: as the default does.
std::string_view order_in_words(LaunchStream stream) {
    switch (stream) {
        case LaunchStream::of_block:
            return "";
        case LaunchStream::tail:
            return ", tail launch: after the grid that launched it";
        case LaunchStream::fire_and_forget:
            return ", fire and forget";
        case LaunchStream::own:
            return ", in a stream of its own";
    }
    return "";
}

Json extent_json(Dim3 extent) { return Json::array({extent.x, extent.y, extent.z}); }

Json work_json(const GridWork& work) {
    return {{"blocks", work.blocks},
            {"steps", work.steps},
            {"active_lanes", work.active_lanes},
            {"mean_active_lanes", work.mean_active_lanes()},
            {"sectors", work.sectors},
            {"ideal_sectors", work.ideal_sectors}};
}

}  // namespace

std::string_view to_string(LaunchStream stream) {
    switch (stream) {
        case LaunchStream::of_block:
            return "block";
        case LaunchStream::tail:
            return "tail_launch";
        case LaunchStream::fire_and_forget:
            return "fire_and_forget";
        case LaunchStream::own:
            return "own";
    }
    return "";
}

std::string untimed_grids(const LaunchReport& report) {
    if (!report.launches || report.launches->grids.size() + report.launches->left_out < 2) return {};
    std::string sentence = fmt::format("{}.", untimed_grids_clause);
    sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
    return sentence;
}

std::string share_in_words(double share) {
    if (share > 0 && share < 0.005) return "less than 1 %";
    if (share < 1 && share >= 0.995) return "more than 99 %";
    return percent(share);
}

std::string grids_in_words(const LaunchGroup& group) {
    std::string blocks = range(group.fewest_blocks, group.most_blocks, "block");
    const std::string threads = range(group.fewest_threads, group.most_threads, "thread");
    if (group.grids == 1 && group.work.blocks < group.most_blocks)
        blocks = fmt::format("{} (of them {} executed)", blocks, grouped(group.work.blocks));
    return fmt::format("{} of {} × {}", counted(group.grids, "grid"), blocks, threads);
}

std::string launchers_in_words(const LaunchTree& tree, const LaunchGroup& group) {
    const LaunchedGrid& first = tree.grids[group.first];
    if (group.first == 0) return "by the host";
    const std::string& launcher = tree.grids[first.parent].kernel;
    std::string who = fmt::format("by {} of `{}`", counted(group.launchers, "thread"), launcher);
    if (group.launchers == 1 && group.grids == 1)
        who = fmt::format("by thread ({}, {}, {}) of block ({}, {}, {}) of `{}`", first.by_thread.x,
                          first.by_thread.y, first.by_thread.z, first.by_block.x, first.by_block.y,
                          first.by_block.z, launcher);
    return fmt::format("{} at {}{}", who, place(first), order_in_words(first.stream));
}

std::string launch_finding(const LaunchTree& tree) {
    if (tree.grids.empty()) return {};
    const GridWork below = tree.children();
    const LaunchedGrid& host = tree.grids.front();
    std::set<std::pair<std::uint64_t, std::uint64_t>> launchers;  // block and thread of the host's grid
    std::uint32_t deepest = 0;
    for (std::size_t i = 1; i < tree.grids.size(); ++i) {
        const LaunchedGrid& grid = tree.grids[i];
        deepest = std::max(deepest, grid.depth);
        if (grid.parent == 0)
            launchers.emplace(linear_index(grid.by_block, host.grid),
                              linear_index(grid.by_thread, host.block));
    }
    const std::uint64_t threads = host.work.blocks * host.block.count();
    const std::uint64_t children = tree.grids.size() - 1;
    if (children == 0)
        return fmt::format("none of {} threads launches a grid{}", grouped(threads),
                           tree.left_out > 0 ? " that was executed" : "");
    const std::string share = share_in_words(
        double(below.steps) / double(std::max<std::uint64_t>(1, below.steps + host.work.steps)));
    return fmt::format("{} of {} {}: {} with {}{} {} {} of all warp-steps", grouped(launchers.size()),
                       counted(threads, "thread"), launchers.size() == 1 ? "launches grids" : "launch grids",
                       counted(children, "grid"), counted(below.blocks, "block"),
                       deepest > 1 ? fmt::format(" on {} levels", grouped(deepest)) : "",
                       children == 1 ? "does" : "do", share);
}

std::string left_out_in_words(const LaunchTree& tree) {
    if (tree.why_left_out.empty()) return {};
    std::vector<std::string> parts;
    if (tree.left_out > 0) parts.push_back(counted(tree.left_out, "launched grid"));
    if (tree.left_out_blocks > 0)
        parts.push_back(fmt::format("{} of {}", counted(tree.left_out_blocks, "block"),
                                    tree.left_out > 0 ? "others" : "launched grids"));
    return fmt::format("{} not executed: {}", fmt::join(parts, " and "), tree.why_left_out);
}

std::vector<std::string> launch_tree_lines(const LaunchTree& tree) {
    const std::vector<LaunchGroup> groups = launch_groups(tree);
    if (groups.empty()) return {};
    std::vector<std::string> lines;
    lines.push_back(fmt::format("Launches from the device  {}", launch_finding(tree)));
    lines.push_back("  All numbers above are of the grid that the host launches.");
    lines.push_back(
        fmt::format("  {:<60}{:>12}{:>12}{:>12}{:>12}", "", "blocks", "steps", "lanes", "sectors"));
    const auto row = [&](const std::string& name, const GridWork& work) {
        lines.push_back(fmt::format("  {:<60}{:>12}{:>12}{:>12}{:>12}", name, grouped(work.blocks),
                                    grouped(work.steps), rounded(work.mean_active_lanes()),
                                    grouped(work.sectors)));
    };
    for (std::size_t i = 0; i < std::min(groups.size(), most_rows); ++i) {
        const LaunchGroup& group = groups[i];
        const std::string indent(std::size_t{2} * std::min<std::uint32_t>(group.row, 12), ' ');
        row(fmt::format("{}{}, {}", indent, tree.grids[group.first].kernel, grids_in_words(group)),
            group.work);
        if (i > 0) lines.push_back(fmt::format("  {}  launched {}", indent, launchers_in_words(tree, group)));
    }
    if (groups.size() > most_rows)
        lines.push_back(fmt::format("  and {} more groups", groups.size() - most_rows));
    GridWork all = tree.children();
    all.add(tree.grids.front().work);
    row("all grids", all);
    lines.push_back(
        "  Grids run after the one that launched them, in order of launch: the order is the engine's.");
    if (const std::string left_out = left_out_in_words(tree); !left_out.empty())
        lines.push_back("  " + left_out);
    return lines;
}

Json launch_tree_json(const LaunchTree& tree) {
    const std::vector<LaunchGroup> groups = launch_groups(tree);
    GridWork all = tree.children();
    if (!tree.grids.empty()) all.add(tree.grids.front().work);
    Json out{{"grids", tree.grids.empty() ? 0 : tree.grids.size() - 1},
             {"left_out", tree.left_out},
             {"left_out_blocks", tree.left_out_blocks},
             {"why_left_out", tree.why_left_out},
             {"children", work_json(tree.children())},
             {"all_grids", work_json(all)},
             {"groups", Json::array()}};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const LaunchGroup& group = groups[i];
        const LaunchedGrid& first = tree.grids[group.first];
        Json one{{"kernel", first.kernel},
                 {"row", group.row},
                 {"depth", first.depth},
                 {"grids", group.grids},
                 {"first_grid", extent_json(first.grid)},
                 {"first_block", extent_json(first.block)},
                 {"blocks_per_grid", {group.fewest_blocks, group.most_blocks}},
                 {"threads_per_block", {group.fewest_threads, group.most_threads}}};
        one["work"] = work_json(group.work);
        if (i > 0) {
            one["parents"] = group.parents;
            one["launched_by"] = tree.grids[first.parent].kernel;
            one["launchers"] = group.launchers;
            one["first_launcher"] = {{"block", extent_json(first.by_block)},
                                     {"thread", extent_json(first.by_thread)}};
            one["file"] = first.file;
            one["line"] = first.line;
            one["stream"] = to_string(first.stream);
        }
        out["groups"].push_back(std::move(one));
    }
    return out;
}

}  // namespace warplens::analysis
