#include "analysis/report/launch_tree.h"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/report/launch_report.h"

namespace warplens::analysis {

namespace {

/// The row of each grid in a drawing: one below its launcher's. A tail launch of a tail launch stays in its
/// row, so that a chain of them takes one.
std::vector<std::uint32_t> rows_of(const LaunchTree& tree) {
    std::vector<std::uint32_t> rows;
    for (const LaunchedGrid& grid : tree.grids) {
        if (rows.empty()) {
            rows.push_back(0);
            continue;
        }
        const LaunchedGrid& launcher = tree.grids[grid.parent];
        const bool in_chain =
            grid.stream == LaunchStream::tail && grid.parent != 0 && launcher.stream == LaunchStream::tail;
        rows.push_back(rows[grid.parent] + (in_chain ? 0 : 1));
    }
    return rows;
}

struct GroupKey {
    std::uint32_t row = 0;
    std::string kernel, launcher, file;
    std::uint32_t line = 0;
    SiteId site = no_index;  // only where the line is unknown
    LaunchStream stream = LaunchStream::of_block;
    auto operator<=>(const GroupKey&) const = default;
};

GroupKey key_of(const LaunchTree& tree, std::uint32_t index, std::uint32_t row) {
    const LaunchedGrid& grid = tree.grids[index];
    if (index == 0) return {};
    return {row,        grid.kernel, tree.grids[grid.parent].kernel,
            grid.file,  grid.line,   grid.line == 0 ? grid.site : no_index,
            grid.stream};
}

void add_grid(LaunchGroup& group, const LaunchedGrid& grid) {
    ++group.grids;
    const std::uint64_t blocks = grid.grid.count(), threads = grid.block.count();
    group.fewest_blocks = std::min(group.fewest_blocks, blocks);
    group.most_blocks = std::max(group.most_blocks, blocks);
    group.fewest_threads = std::min(group.fewest_threads, threads);
    group.most_threads = std::max(group.most_threads, threads);
    group.work.add(grid.work);
}

}  // namespace

void GridWork::add(const GridWork& other) {
    blocks += other.blocks;
    steps += other.steps;
    active_lanes += other.active_lanes;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
}

GridWork work_of(const LaunchReport& report) {
    GridWork work{report.blocks_executed, report.steps, report.active_lanes};
    for (const AccessTotals* totals : {&report.global_load, &report.global_store, &report.global_atomic,
                                       &report.local_load, &report.local_store}) {
        work.sectors += totals->sectors;
        work.ideal_sectors += totals->ideal_sectors;
    }
    return work;
}

GridWork work_below(const LaunchReport& report) {
    return report.launches ? report.launches->children() : GridWork{};
}

GridWork LaunchTree::children() const {
    GridWork sum;
    for (std::size_t i = 1; i < grids.size(); ++i) sum.add(grids[i].work);
    return sum;
}

std::vector<LaunchGroup> launch_groups(const LaunchTree& tree) {
    using Thread = std::array<std::uint32_t, 7>;
    const std::vector<std::uint32_t> rows = rows_of(tree);
    const auto count = static_cast<std::uint32_t>(tree.grids.size());
    std::map<GroupKey, std::uint32_t> first_of;
    for (std::uint32_t i = 0; i < count; ++i) first_of.emplace(key_of(tree, i, rows[i]), i);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // row, first grid
    for (const auto& [key, first] : first_of) order.emplace_back(rows[first], first);
    std::ranges::sort(order);

    std::vector<LaunchGroup> groups(order.size());
    std::map<std::uint32_t, std::uint32_t> group_of_first;
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        groups[g].row = order[g].first;
        groups[g].first = order[g].second;
        groups[g].fewest_blocks = groups[g].fewest_threads = ~std::uint64_t{0};
        group_of_first.emplace(order[g].second, g);
    }
    std::vector<std::uint32_t> group_of(count);
    std::vector<std::set<Thread>> launchers(groups.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const LaunchedGrid& grid = tree.grids[i];
        const std::uint32_t g = group_of_first.at(first_of.at(key_of(tree, i, rows[i])));
        group_of[i] = g;
        add_grid(groups[g], grid);
        if (i == 0) continue;
        const Dim3 block = grid.by_block, thread = grid.by_thread;
        launchers[g].insert({grid.parent, block.x, block.y, block.z, thread.x, thread.y, thread.z});
        const std::uint32_t parent = group_of[grid.parent];
        auto& parents = groups[g].parents;
        if (const auto at = std::ranges::lower_bound(parents, parent); at == parents.end() || *at != parent)
            parents.insert(at, parent);
    }
    for (std::size_t g = 0; g < groups.size(); ++g) groups[g].launchers = launchers[g].size();
    return groups;
}

std::vector<std::uint32_t> matching_groups(const LaunchTree& before,
                                           const std::vector<LaunchGroup>& before_groups,
                                           const LaunchTree& after,
                                           const std::vector<LaunchGroup>& after_groups) {
    std::vector<std::uint32_t> match(after_groups.size(), no_index);
    std::vector<bool> taken(before_groups.size());
    // Of the host's grids the kernels may differ, as in two kernels that are compared.
    if (!match.empty() && !taken.empty()) {
        match[0] = 0;
        taken[0] = true;
    }
    const auto alike = [&](const LaunchGroup& was, const LaunchGroup& now, bool at_same_line) {
        const GroupKey a = key_of(before, was.first, was.row), b = key_of(after, now.first, now.row);
        if (at_same_line && (a.line != b.line || a.file != b.file)) return false;
        return a.row == b.row && a.kernel == b.kernel && a.stream == b.stream;
    };
    for (const bool at_same_line : {true, false})
        for (std::size_t g = 1; g < after_groups.size(); ++g)
            for (std::uint32_t b = 1; b < before_groups.size() && match[g] == no_index; ++b)
                if (!taken[b] && alike(before_groups[b], after_groups[g], at_same_line)) {
                    match[g] = b;
                    taken[b] = true;
                }
    return match;
}

bool launched_alike(const LaunchGroup& a, const LaunchGroup& b) {
    const auto figures = [](const LaunchGroup& of) {
        return std::tuple(of.grids, of.launchers, of.fewest_blocks, of.most_blocks, of.fewest_threads,
                          of.most_threads, of.work.blocks);
    };
    return figures(a) == figures(b);
}

}  // namespace warplens::analysis
