#include "analysis/memory/access_map.h"

#include <algorithm>
#include <bit>

#include "analysis/memory/stored_request.h"

namespace warplens::analysis {
namespace {

/// Requests that one map counts.
constexpr std::uint64_t most_requests = 1 << 18;
/// Elements between the first and the last accessed one of which each is counted once.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 28;

bool takes(const trace::Trace& trace, const trace::AccessRecord& record, const MappedArray& array,
           const MapFilter& filter) {
    if (record.space != array.space || (filter.site != no_index && record.site != filter.site)) return false;
    const Operation operation = trace::operation_of(trace, record);
    return operation == Operation::load    ? filter.loads
           : operation == Operation::store ? filter.stores
                                           : filter.loads || filter.stores;
}

/// Calls use(request, warp, lane, first element, last element, order, access) for every lane within the
/// array. Returns the requests beyond the limit.
template <class Use>
std::uint64_t for_each_lane_access(const trace::Trace& trace, const MappedArray& array,
                                   const MapFilter& filter, Use&& use) {
    std::uint64_t requests = 0, left_out = 0;
    const auto end = std::min<std::size_t>(filter.last_warp, trace.warps.size());
    for (std::uint32_t w = filter.first_warp; w < end; ++w) {
        const trace::WarpRecord& warp = trace.warps[w];
        for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end; ++i) {
            const auto order = static_cast<std::uint32_t>(i - warp.accesses_begin);
            if (order >= filter.last_order) break;
            if (!takes(trace, trace.accesses[i], array, filter)) continue;
            if (requests >= most_requests) {
                ++left_out;
                continue;
            }
            const StoredRequest request(trace, i);
            bool is_inside = false;
            for_each_lane(request.record.mask, [&](int lane) {
                const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
                if (address < array.base || address - array.base >= array.bytes) return;
                is_inside = true;
                const std::uint64_t offset = address - array.base;
                const std::uint64_t last =
                    std::min(offset + std::max(1u, request.bytes_per_lane), array.bytes) - 1;
                use(request, w, lane, offset / array.element_bytes, last / array.element_bytes, order, i);
            });
            requests += is_inside;
        }
    }
    return left_out;
}

/// A set of elements of a known range.
class ElementSet {
  public:
    ElementSet(std::uint64_t first, std::uint64_t last) : first_(first), bits_((last - first) / 64 + 1) {}
    /// Whether it is new.
    bool add(std::uint64_t element) {
        std::uint64_t& word = bits_[(element - first_) / 64];
        const std::uint64_t bit = std::uint64_t{1} << (element - first_) % 64;
        const bool is_new = (word & bit) == 0;
        word |= bit;
        return is_new;
    }

  private:
    std::uint64_t first_;
    std::vector<std::uint64_t> bits_;
};

/// The accessed elements' range, and their rows and columns.
struct ElementExtent {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    std::uint64_t first_column = ~std::uint64_t{0}, last_column = 0;
    bool empty() const { return first > last; }
};

ElementExtent extent_of(const trace::Trace& trace, const MappedArray& array, const MapFilter& filter) {
    ElementExtent extent;
    for_each_lane_access(trace, array, filter,
                         [&](const StoredRequest&, std::uint32_t, int, std::uint64_t first,
                             std::uint64_t last, std::uint32_t, std::uint64_t) {
                             extent.first = std::min(extent.first, first);
                             extent.last = std::max(extent.last, last);
                             const bool wraps = first / array.columns != last / array.columns;
                             extent.first_column =
                                 wraps ? 0 : std::min(extent.first_column, first % array.columns);
                             extent.last_column = wraps ? array.columns - 1
                                                        : std::max(extent.last_column, last % array.columns);
                         });
    return extent;
}

MapArea area_of(const MappedArray& array, const ElementExtent& extent, bool whole) {
    const MapArea all{0, 0, array.rows(), array.columns};
    if (whole || extent.empty()) return all;
    const std::uint64_t row = extent.first / array.columns;
    const MapArea part{row, extent.first_column, extent.last / array.columns - row + 1,
                       extent.last_column - extent.first_column + 1};
    return double(part.rows) * double(part.columns) * 4 >= double(all.rows) * double(all.columns) ? all
                                                                                                  : part;
}

std::uint64_t per_cell(std::uint64_t positions, std::uint32_t most) {
    return std::bit_ceil((positions + std::max(1u, most) - 1) / std::max(1u, most));
}

void count(MapCell& cell, Operation operation, const MapThread& thread,
           const std::vector<trace::WarpRecord>& warps) {
    ++cell.accesses;
    cell.loads += operation != Operation::store;
    cell.stores += operation != Operation::load;
    if (cell.first.warp_record == no_index) {
        cell.first = thread;
        return;
    }
    const bool same_warp = cell.first.warp_record == thread.warp_record;
    cell.several_threads |= !same_warp || cell.first.lane != thread.lane;
    cell.several_warps |= !same_warp;
    cell.several_blocks |=
        !same_warp && warps[cell.first.warp_record].block != warps[thread.warp_record].block;
    if (thread.order < cell.first.order) cell.first = thread;
}

}  // namespace

const MapCell* AccessMap::cell_of(const MappedArray& array, std::uint64_t element) const {
    const std::uint64_t row = element / array.columns, column = element % array.columns;
    if (row < area.row || column < area.column) return nullptr;
    const std::uint64_t r = (row - area.row) / rows_per_cell, c = (column - area.column) / columns_per_cell;
    return r < rows && c < columns ? &cells[r * columns + c] : nullptr;
}

AccessMap access_map(const trace::Trace& trace, const MappedArray& array, const MapFilter& filter,
                     MapSize size, bool whole) {
    AccessMap map;
    const ElementExtent extent = extent_of(trace, array, filter);
    map.area = area_of(array, extent, whole);
    map.rows_per_cell = per_cell(map.area.rows, size.rows);
    map.columns_per_cell = per_cell(map.area.columns, size.columns);
    // Elements stay square where they are too small in both directions.
    if (map.rows_per_cell > 1 && map.columns_per_cell > 1)
        map.rows_per_cell = map.columns_per_cell = std::max(map.rows_per_cell, map.columns_per_cell);
    map.rows = static_cast<std::uint32_t>((map.area.rows + map.rows_per_cell - 1) / map.rows_per_cell);
    map.columns =
        static_cast<std::uint32_t>((map.area.columns + map.columns_per_cell - 1) / map.columns_per_cell);
    map.cells.resize(std::size_t{map.rows} * map.columns);
    if (extent.empty() || extent.last - extent.first >= most_elements) return map;
    ElementSet read(extent.first, extent.last), written = read, either = read;
    map.left_out = for_each_lane_access(
        trace, array, filter,
        [&](const StoredRequest& request, std::uint32_t warp, int lane, std::uint64_t first,
            std::uint64_t last, std::uint32_t order, std::uint64_t access) {
            const MapThread thread{warp, static_cast<std::uint8_t>(lane), order, access};
            map.orders = std::max(map.orders, order + 1);
            for (std::uint64_t element = first; element <= last; ++element) {
                const auto place = map.cell_of(array, element) - map.cells.data();
                MapCell& cell = map.cells[static_cast<std::size_t>(place)];
                ++map.accesses;
                map.loads += request.operation != Operation::store;
                map.stores += request.operation != Operation::load;
                count(cell, request.operation, thread, trace.warps);
                if (request.operation != Operation::store) map.read += read.add(element);
                if (request.operation != Operation::load) map.written += written.add(element);
                const bool is_new = either.add(element);
                map.elements += is_new;
                cell.elements += is_new;
            }
        });
    return map;
}

std::optional<ElementRange> accessed_range(const trace::Trace& trace, const MappedArray& array,
                                           const MapFilter& filter) {
    const ElementExtent extent = extent_of(trace, array, filter);
    return extent.empty() ? std::nullopt : std::optional(ElementRange{extent.first, extent.last});
}

std::vector<ThreadElement> elements_of_thread(const trace::Trace& trace, const MappedArray& array,
                                              std::uint32_t warp_record, int lane, const MapFilter& filter) {
    std::vector<ThreadElement> elements;
    MapFilter own = filter;
    own.first_warp = warp_record;
    own.last_warp = warp_record + 1;
    for_each_lane_access(trace, array, own,
                         [&](const StoredRequest&, std::uint32_t, int one, std::uint64_t first,
                             std::uint64_t last, std::uint32_t, std::uint64_t access) {
                             for (std::uint64_t element = first; one == lane && element <= last; ++element)
                                 elements.push_back({element, access});
                         });
    return elements;
}

LaneMask idle_lanes(const trace::Trace& trace, const trace::WarpRecord& warp) {
    const LaneMask lanes = trace.launch.geometry.warp_lanes(static_cast<int>(warp.warp));
    LaneMask busy;
    for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end && busy != lanes; ++i)
        if (trace.accesses[i].space != Space::param) busy = busy | trace.accesses[i].mask;
    return lanes & ~busy;
}

IdleThreads idle_threads(const trace::Trace& trace, const MapFilter& filter) {
    IdleThreads threads;
    const auto end = std::min<std::size_t>(filter.last_warp, trace.warps.size());
    for (std::uint32_t w = filter.first_warp; w < end; ++w) {
        const trace::WarpRecord& warp = trace.warps[w];
        const int lanes = trace.launch.geometry.warp_lanes(static_cast<int>(warp.warp)).count();
        threads.threads += static_cast<std::uint64_t>(lanes);
        threads.idle += static_cast<std::uint64_t>(idle_lanes(trace, warp).count());
    }
    return threads;
}

}  // namespace warplens::analysis
