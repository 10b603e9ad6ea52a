#include "app/views/map/words.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/memory/element_name.h"
#include "app/scene/scene_words.h"
#include "app/ui/number.h"
#include "app/views/shared/access_words.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

/// Elements of one thread that a line names for each of so many arrays.
std::size_t most_named(std::size_t arrays) { return arrays > 3 ? 1 : 2; }

std::string thread_place(const trace::Trace& trace, std::uint64_t linear) {
    const Dim3 block = trace.launch.geometry.block;
    const Dim3 at = coordinates(linear, block);
    if (block.z > 1) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
    if (block.y > 1) return fmt::format("({}, {})", at.x, at.y);
    return grouped(at.x);
}

/// Sums over the arrays in global memory, or over all where there is none.
struct Sums {
    std::uint64_t read = 0, written = 0, loads = 0, stores = 0;
};
Sums sums_of(const std::vector<MapPanel>& panels) {
    const auto is_global = [](const MapPanel& panel) { return panel.array.space == Space::global; };
    const bool any_global = std::ranges::any_of(panels, is_global);
    Sums sums;
    for (const MapPanel& panel : panels) {
        if (any_global && !is_global(panel)) continue;
        sums.read += panel.map.read;
        sums.written += panel.map.written;
        sums.loads += panel.map.loads;
        sums.stores += panel.map.stores;
    }
    return sums;
}

/// "1,024 elements", "1,024 elements 16 times each on average".
std::string elements_words(std::uint64_t elements, std::uint64_t accesses) {
    std::string words = counted(elements, "element");
    if (accesses == elements) return words;
    return words + fmt::format(" {} times each{}", decimal(double(accesses) / double(elements)),
                               accesses % elements == 0 ? "" : " on average");
}

}  // namespace

analysis::MapFilter filter_of(const MapSettings& settings, const Scene& scene, std::uint32_t warp_record) {
    const auto& warps = scene.trace->warps;
    analysis::MapFilter filter;
    filter.loads = settings.loads;
    filter.stores = settings.stores;
    filter.last_order = settings.shown_orders;
    filter.last_warp = static_cast<std::uint32_t>(warps.size());
    const MapScope scope = scope_of(settings, scene);
    if (scope == MapScope::launch || warp_record >= warps.size()) return filter;
    filter.first_warp = warp_record;
    filter.last_warp = warp_record + 1;
    if (scope == MapScope::warp) return filter;
    const std::uint64_t block = warps[warp_record].block;
    while (filter.first_warp > 0 && warps[filter.first_warp - 1].block == block) --filter.first_warp;
    while (filter.last_warp < warps.size() && warps[filter.last_warp].block == block) ++filter.last_warp;
    return filter;
}

namespace {

/// "Block (0, 0) of `transpose_tiled`: 256 threads".
std::string who_words(const trace::Trace& trace, MapScope scope, const analysis::MapFilter& filter,
                      const analysis::IdleThreads& threads) {
    const trace::WarpRecord& warp = trace.warps[filter.first_warp];
    const std::string kernel = "`" + trace.launch.kernel + "`";
    std::string block = block_words(trace, warp.block);
    block.front() = 'B';
    const std::string count = counted(threads.threads, "thread");
    if (scope == MapScope::launch)
        return fmt::format("{}: {} in {}", kernel, count,
                           counted(trace::recorded_blocks(trace).size(), "block"));
    if (scope == MapScope::block) return fmt::format("{} of {}: {}", block, kernel, count);
    return fmt::format("Warp {} of b{}, {}: {}", warp.warp, block.substr(1), kernel, count);
}

std::string idle_words(const analysis::IdleThreads& threads) {
    if (threads.idle == 0) return {};
    return fmt::format("; {} {} no memory", grouped(threads.idle), threads.idle == 1 ? "accesses" : "access");
}

/// "512 → 256 elements", "256 elements 32 → 1 times each"; of what is the same in both runs one number.
std::string elements_change_words(std::uint64_t elements_before, std::uint64_t accesses_before,
                                  std::uint64_t elements, std::uint64_t accesses) {
    const auto times = [](std::uint64_t of, std::uint64_t in) {
        return in == 0 ? std::string("0") : decimal(double(of) / double(in));
    };
    const std::string was = times(accesses_before, elements_before), is = times(accesses, elements);
    std::string words = elements_before == elements
                            ? counted(elements, "element")
                            : fmt::format("{} → {} elements", grouped(elements_before), grouped(elements));
    if (was != is && accesses_before > 0 && accesses > 0)
        words += fmt::format(" {} → {} times each", was, is);
    else if (is != "1" && accesses > 0) words += fmt::format(" {} times each", is);
    return words;
}

}  // namespace

std::string map_change_title(const Scene& scene, MapScope scope, const analysis::MapFilter& filter,
                             const std::vector<MapPanel>& panels, const std::vector<MapPanel>& before,
                             std::string_view other_run) {
    const analysis::IdleThreads threads = analysis::idle_threads(*scene.trace, filter);
    // Of the arrays that are drawn in pairs.
    const Sums was = sums_of(before),
               is = sums_of({panels.begin(), panels.begin() + static_cast<std::ptrdiff_t>(
                                                                  std::min(panels.size(), before.size()))});
    std::string words = who_words(*scene.trace, scope, filter, threads);
    if (was.read + is.read > 0)
        words += " read " + elements_change_words(was.read, was.loads, is.read, is.loads);
    if (was.written + is.written > 0)
        words += fmt::format("{} write {}", was.read + is.read > 0 ? " and" : "",
                             elements_change_words(was.written, was.stores, is.written, is.stores));
    const bool same =
        was.read == is.read && was.written == is.written && was.loads == is.loads && was.stores == is.stores;
    return words + idle_words(threads) +
           (same ? fmt::format(", as many as in {}", other_run)
                 : fmt::format(", compared with {}", other_run));
}

std::string map_title(const Scene& scene, MapScope scope, const analysis::MapFilter& filter,
                      const std::vector<MapPanel>& panels) {
    const analysis::IdleThreads threads = analysis::idle_threads(*scene.trace, filter);
    std::string words = who_words(*scene.trace, scope, filter, threads);
    const Sums sums = sums_of(panels);
    const bool one = threads.threads == 1;
    if (sums.read > 0)
        words += fmt::format(" {} {}", one ? "reads" : "read", elements_words(sums.read, sums.loads));
    if (sums.written > 0)
        words += fmt::format("{} {} {}", sums.read > 0 ? " and" : "", one ? "writes" : "write",
                             elements_words(sums.written, sums.stores));
    if (sums.read + sums.written == 0) words += " access no element";
    return words + idle_words(threads);
}

Headline map_headline(const std::vector<MapPanel>& panels) {
    const Sums sums = sums_of(panels);
    if (sums.read + sums.written == 0) return {};
    if (sums.read == 0) return {grouped(sums.written), "elements written", ""};
    return {decimal(double(sums.loads) / double(sums.read)),
            sums.loads == sums.read ? "load per element" : "loads per element", ""};
}

std::string thread_words(const trace::Trace& trace, const analysis::MapThread& thread) {
    const trace::WarpRecord& warp = trace.warps[thread.warp_record];
    return fmt::format("{} · thread {} · lane {} of warp {}", block_words(trace, warp.block),
                       thread_place(trace, std::uint64_t{warp.warp} * warp_size + thread.lane), thread.lane,
                       warp.warp);
}

namespace {

/// "A[70] = row 2, column 6 · tile[12] and 3 more"; begins with " · ".
std::string outlined_words(const std::vector<MapPanel>& panels) {
    std::string words;
    const std::size_t named = most_named(panels.size());
    for (const MapPanel& panel : panels) {
        if (panel.of_thread.empty()) continue;
        words += " · ";
        for (std::size_t i = 0; i < std::min(panel.of_thread.size(), named); ++i)
            words += fmt::format("{}{}", i > 0 ? ", " : "", element_words(panel.array, panel.of_thread[i]));
        if (panel.of_thread.size() > named)
            words += fmt::format(" and {} more", grouped(panel.of_thread.size() - named));
    }
    return words;
}

}  // namespace

std::string example_words(const trace::Trace& trace, const analysis::MapThread& thread,
                          const std::vector<MapPanel>& panels) {
    return thread_words(trace, thread) + outlined_words(panels);
}

std::string before_words(std::string_view run, const trace::Trace& trace, const analysis::MapThread& thread,
                         const std::vector<MapPanel>& panels) {
    const std::string words = outlined_words(panels);
    return fmt::format("{}: {}{}", run, thread_words(trace, thread),
                       words.empty() ? " · accesses none of them" : words);
}

std::string element_words(const analysis::MappedArray& array, std::uint64_t element) {
    if (!array.extents.empty())
        return analysis::element_words(array.name, array.extents, array.element_bytes,
                                       element * array.element_bytes);
    if (!array.columns_known) return fmt::format("{}[{}]", array.name, grouped(element));
    return fmt::format("{}[{}] = row {}, column {}", array.name, grouped(element),
                       grouped(element / array.columns), grouped(element % array.columns));
}

std::string untouched_words(const Scene& scene) {
    return launched_grids(scene) ? "not accessed by the host's grid" : "not accessed";
}

std::string cell_sentence(const trace::Trace& trace, const MapPanel& panel, const analysis::MapCell& cell) {
    if (cell.accesses == 0) return "No thread of these accesses it.";
    const Site& site = trace.program.sites[trace.accesses[cell.first.access].site];
    const std::string line =
        site.line != 0 ? fmt::format("line {}", site.line) : fmt::format("PTX line {}", site.ptx_line);
    std::string words = cell.loads == 0 ? "Written" : cell.stores == 0 ? "Read" : "Read and written";
    const std::uint64_t elements = panel.map.rows_per_cell * panel.map.columns_per_cell;
    if (elements > 1)
        words = fmt::format("{} of {} elements: {}", grouped(cell.elements), grouped(elements),
                            cell.loads == 0    ? "written"
                            : cell.stores == 0 ? "read"
                                               : "read and written");
    words +=
        fmt::format(" {}, first in {} by {}", cell.accesses == 1 ? "once" : grouped(cell.accesses) + " times",
                    line, thread_words(trace, cell.first));
    if (cell.several_threads)
        words += cell.several_blocks  ? "; also by other blocks"
                 : cell.several_warps ? "; also by other warps of the block"
                                      : "; also by other lanes of the warp";
    return words + ".";
}

}  // namespace warplens::app
