#include "app/pipeline/same_threads.h"

#include <algorithm>
#include <set>

namespace warplens::app {
namespace {

/// Of one axis.
struct Axis {
    std::uint64_t blocks = 1, threads = 1;  // of the grid; of each block
    std::uint64_t extent() const { return blocks * threads; }
};

struct Axes {
    Axis x, y, z;
};
Axes axes_of(const LaunchGeometry& launch) {
    return {
        {launch.grid.x, launch.block.x}, {launch.grid.y, launch.block.y}, {launch.grid.z, launch.block.z}};
}

/// From `first` on, without `end`.
struct Span {
    std::uint32_t first = 0, end = 0;
};

/// The blocks of `to` that have threads of block `at` of `from`.
Span blocks_at(std::uint32_t at, const Axis& from, const Axis& to) {
    const std::uint64_t first = at * from.threads / to.threads;
    const std::uint64_t last = ((at + std::uint64_t{1}) * from.threads - 1) / to.threads;
    return {static_cast<std::uint32_t>(std::min(first, to.blocks)),
            static_cast<std::uint32_t>(std::min(last + 1, to.blocks))};
}

/// Calls `with` for each block of `to` that has threads of the block.
template <class With>
void for_each_block_at(std::uint64_t block, const LaunchGeometry& from, const LaunchGeometry& to,
                       const With& with) {
    const Axes a = axes_of(from), b = axes_of(to);
    const Dim3 at = coordinates(block, from.grid);
    const Span x = blocks_at(at.x, a.x, b.x), y = blocks_at(at.y, a.y, b.y), z = blocks_at(at.z, a.z, b.z);
    for (std::uint32_t k = z.first; k < z.end; ++k)
        for (std::uint32_t j = y.first; j < y.end; ++j)
            for (std::uint32_t i = x.first; i < x.end; ++i) with(linear_index({i, j, k}, to.grid));
}

/// The same extent, or two that were rounded up to whole blocks.
bool is_as_long(const Axis& a, const Axis& b, bool exactly) {
    const std::uint64_t more = std::max(a.extent(), b.extent()) - std::min(a.extent(), b.extent());
    return more == 0 || (!exactly && more < std::max(a.threads, b.threads));
}

}  // namespace

std::optional<std::vector<std::uint64_t>> blocks_of_the_same_threads(const std::vector<std::uint64_t>& blocks,
                                                                     const LaunchGeometry& from,
                                                                     const LaunchGeometry& to,
                                                                     bool reads_grid) {
    if (from == to || (from.grid == to.grid && !reads_grid)) return blocks;
    const Axes a = axes_of(from), b = axes_of(to);
    if (!is_as_long(a.x, b.x, reads_grid) || !is_as_long(a.y, b.y, reads_grid) ||
        !is_as_long(a.z, b.z, reads_grid))
        return std::nullopt;
    const std::set<std::uint64_t> given(blocks.begin(), blocks.end());
    std::set<std::uint64_t> found;
    for (const std::uint64_t block : given)
        for_each_block_at(block, from, to, [&](std::uint64_t other) { found.insert(other); });
    bool whole = !found.empty();
    for (const std::uint64_t other : found)
        for_each_block_at(other, to, from,
                          [&](std::uint64_t block) { whole = whole && given.contains(block); });
    if (!whole) return std::nullopt;
    return std::vector(found.begin(), found.end());
}

std::optional<std::vector<std::uint64_t>> blocks_of_the_same_work(const std::vector<std::uint64_t>& blocks,
                                                                  const LaunchGeometry& from,
                                                                  const LaunchGeometry& to,
                                                                  BlockRatio ratio) {
    if (from.grid.y != to.grid.y || from.grid.z != to.grid.z) return std::nullopt;
    const std::set<std::uint64_t> given(blocks.begin(), blocks.end());
    std::set<std::uint64_t> found;
    for (const std::uint64_t block : given) {
        Dim3 at = coordinates(block, from.grid);
        const std::uint32_t group = at.x / ratio.from;
        for (at.x = group * ratio.from; at.x < std::min((group + 1) * ratio.from, from.grid.x); ++at.x)
            if (!given.contains(linear_index(at, from.grid))) return std::nullopt;
        for (at.x = group * ratio.to; at.x < std::min((group + 1) * ratio.to, to.grid.x); ++at.x)
            found.insert(linear_index(at, to.grid));
    }
    return std::vector(found.begin(), found.end());
}

bool reads_grid(const Program& program) {
    return std::ranges::any_of(
        program.sites, [](const Site& site) { return site.text.find("%nctaid") != std::string::npos; });
}

std::vector<std::uint64_t> in_groups(const std::vector<std::uint64_t>& blocks, Dim3 group, Dim3 grid) {
    std::set<std::uint64_t> chosen;
    for (const std::uint64_t block : blocks) {
        const Dim3 at = coordinates(block, grid);
        const Dim3 first{at.x / group.x * group.x, at.y / group.y * group.y, at.z / group.z * group.z};
        for (std::uint32_t z = first.z; z < std::min(first.z + group.z, grid.z); ++z)
            for (std::uint32_t y = first.y; y < std::min(first.y + group.y, grid.y); ++y)
                for (std::uint32_t x = first.x; x < std::min(first.x + group.x, grid.x); ++x)
                    chosen.insert(linear_index({x, y, z}, grid));
    }
    return {chosen.begin(), chosen.end()};
}

}  // namespace warplens::app
