#include "analysis/memory/mapped_arrays.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/memory/banks.h"
#include "analysis/memory/block_runs.h"
#include "analysis/memory/declared_shape.h"
#include "analysis/memory/pitch_votes.h"
#include "analysis/memory/stored_request.h"
#include "core/symbol_name.h"

namespace warplens::analysis {
namespace {

/// Requests of an array that are asked for its pitch.
constexpr std::uint64_t most_asked = 1 << 14;
/// Positions closer than this are in one row.
constexpr std::uint64_t least_row_bytes = 32;
/// An array with more rows than this many times its columns gets longer rows, for a picture.
constexpr std::uint64_t tallest = 4;
constexpr std::uint64_t no_stride = ~std::uint64_t{0};

/// What the requests to one array say about it.
class ArrayUse {
  public:
    explicit ArrayUse(const LaunchGeometry& geometry) : geometry_(geometry) {}

    void hear(const trace::Trace& trace, std::uint64_t access, const trace::WarpRecord& warp) {
        const Site& site = trace.program.sites[trace.accesses[access].site];
        const Operation operation = trace::operation_of(trace, trace.accesses[access]);
        loaded_ |= operation != Operation::store;
        stored_ |= operation != Operation::load;
        narrowest_ = std::min(narrowest_, std::max(1u, site.bytes_per_lane));
        if (asked_++ >= most_asked) return;
        const StoredRequest request(trace, access);
        votes_.hear(request);
        runs_.hear(request, warp.block);
        hear_stride(request);
        const int lane = request.record.mask.lowest();
        const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
        hear_thread(request, warp, lane, address);
        if (geometry_.grid.y * geometry_.grid.z == 1 && geometry_.block.y * geometry_.block.z == 1)
            hear_block(request, warp, address);
    }

    bool loaded() const { return loaded_; }
    bool stored() const { return stored_; }
    std::uint32_t narrowest() const { return narrowest_; }
    /// In bytes; 0: not known.
    std::uint64_t pitch(bool adjacent_rows) {
        if (const std::uint64_t pitch = runs_.pitch()) return pitch;
        if (const std::uint64_t pitch = votes_.pitch(adjacent_rows)) return pitch;
        return stride() == 0 ? blocks_.pitch(false) : 0;
    }
    /// In bytes, from lane to lane, where most requests step over something; 0: they do not.
    std::uint64_t stride() const {
        const auto common =
            std::ranges::max_element(strides_, {}, [](const auto& stride) { return stride.second; });
        return common != strides_.end() && 2 * common->second > heard_ ? common->first : 0;
    }

  private:
    /// Threads below each other in a block: the first request of each at this instruction.
    void hear_thread(const StoredRequest& request, const trace::WarpRecord& warp, int lane,
                     std::uint64_t address) {
        const std::uint64_t linear = std::uint64_t{warp.warp} * warp_size + static_cast<std::uint64_t>(lane);
        const Dim3 thread = coordinates(linear, geometry_.block);
        const auto [at, is_new] = above_.try_emplace({request.record.site, warp.block, thread.x, thread.z},
                                                     std::pair{thread.y, address});
        if (is_new) return;
        auto& [y, above] = at->second;
        if (thread.y <= y) return;
        const std::uint64_t rows = thread.y - y;
        if (address > above && (address - above) % rows == 0 && (address - above) / rows >= least_row_bytes)
            votes_.add((address - above) / rows);
        at->second = {thread.y, address};
    }

    /// Lanes that are equally far apart, further than what they access: records, or a stride.
    void hear_stride(const StoredRequest& request) {
        ++heard_;
        std::uint64_t stride = 0, last = 0;
        bool is_first = true;
        for_each_lane(request.record.mask, [&](int lane) {
            const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
            const std::uint64_t step = address - last;
            if (!is_first) stride = stride == 0 || stride == step ? step : no_stride;
            is_first = false;
            last = address;
        });
        if (stride > request.bytes_per_lane && stride < least_row_bytes) ++strides_[stride];
    }

    /// Blocks of one dimension that access more than one element per thread: a row per block.
    void hear_block(const StoredRequest& request, const trace::WarpRecord& warp, std::uint64_t address) {
        if (warp.warp != 0) return;
        const auto [at, is_new] = of_blocks_.try_emplace(request.record.site, std::pair{warp.block, address});
        const auto [block, base] = at->second;
        if (is_new || block == warp.block) return;
        const std::uint64_t blocks = warp.block - block;
        const std::uint64_t part = std::uint64_t{geometry_.block.x} * request.bytes_per_lane;
        if (address > base && (address - base) % blocks == 0 && (address - base) / blocks > part)
            blocks_.add((address - base) / blocks);
        at->second = {warp.block, address};
    }

    LaunchGeometry geometry_;
    PitchVotes votes_, blocks_;
    BlockRuns runs_;
    std::map<std::uint64_t, std::size_t> strides_;
    std::size_t heard_ = 0;
    bool loaded_ = false, stored_ = false;
    std::uint32_t narrowest_ = 16;
    std::uint64_t asked_ = 0;
    std::map<std::tuple<SiteId, std::uint64_t, std::uint32_t, std::uint32_t>,
             std::pair<std::uint32_t, std::uint64_t>>
        above_;                                                            // site, block, x, z → y, address
    std::map<SiteId, std::pair<std::uint64_t, std::uint64_t>> of_blocks_;  // → block, address
};

std::vector<MappedArray> named_arrays(const trace::Trace& trace) {
    std::vector<MappedArray> arrays;
    const auto add = [&](std::string name, Space space, std::uint64_t base, std::uint64_t bytes,
                         std::uint32_t element_bytes) {
        if (bytes > 0) arrays.push_back({std::move(name), space, base, bytes, element_bytes});
    };
    for (const trace::Buffer& buffer : trace.launch.buffers)
        add(buffer.name, Space::global, buffer.base, buffer.bytes, buffer.element_bytes);
    for (const trace::Buffer& variable : trace.launch.variables)
        add(plain_name(variable.name), Space::global, variable.base, variable.bytes, variable.element_bytes);
    for (const Variable& variable : trace.program.variables) {
        const bool shared = variable.space == Space::shared;
        if (!shared && variable.space != Space::constant) continue;
        // The PTX declares arrays as bytes: their elements are in the source or in the requests.
        add(plain_name(variable.name), variable.space, variable.offset,
            variable.bytes == 0 && shared ? trace.launch.geometry.dynamic_shared_bytes : variable.bytes,
            variable.element_bytes > 1 ? variable.element_bytes : 0);
    }
    return arrays;
}

void shape(MappedArray& array, ArrayUse& use, const trace::Trace& trace) {
    const auto declared =
        array.space == Space::shared ? declared_shape(trace, array.name, array.bytes) : std::nullopt;
    if (declared && declared->extents.back() > 0) array.element_bytes = declared->element_bytes;
    if (array.element_bytes == 0) array.element_bytes = use.narrowest();
    std::uint64_t columns = 0;
    if (declared && declared->row_elements() > 0) {
        columns = declared->row_elements();
        if (declared->extents.size() > 1) array.extents = declared->extents;
    } else if (!declared || declared->is_product) {
        const std::uint64_t pitch = use.pitch(array.space == Space::shared);
        if (pitch % array.element_bytes == 0) columns = pitch / array.element_bytes;
        if (columns > array.elements() / 2) columns = 0;
        // Rows of a buffer fill it, also those with padding at their ends.
        if (columns != 0 && array.space == Space::global && array.elements() % columns != 0) columns = 0;
    }
    array.columns_known = columns != 0;
    if (array.columns_known) {
        array.columns = columns;
        if (array.space != Space::global || array.rows() <= tallest * tallest * columns) return;
        array.columns_known = false;
        array.group = columns;
        array.columns = easy_columns(array, array.elements());
    } else if (array.space == Space::shared) {
        const std::uint64_t row =
            std::min<std::uint64_t>(bank_count * bank_bytes / array.element_bytes, array.elements());
        array.columns = std::max<std::uint64_t>(1, row);
    } else {
        const std::uint64_t stride = use.stride();
        if (stride % array.element_bytes == 0 && stride > array.element_bytes)
            array.group = stride / array.element_bytes;
        array.columns = easy_columns(array, array.elements());
    }
}

/// Arrays that only whole copies or equal addresses of all lanes reach say nothing about their rows: keys and
/// values beside queries. Where all others of the same size agree, they have those rows.
void shape_by_others(std::vector<MappedArray>& arrays) {
    for (MappedArray& array : arrays) {
        if (!array.is_flat() || array.group > 1) continue;
        const MappedArray* model = nullptr;
        bool agree = true;
        for (const MappedArray& other : arrays) {
            const bool fits = other.space == Space::global && other.columns_known && other.like.empty() &&
                              other.element_bytes == array.element_bytes &&
                              other.elements() == array.elements();
            if (!fits) continue;
            if (model == nullptr) model = &other;
            agree = agree && model->columns == other.columns;
        }
        if (model == nullptr || !agree) continue;
        array.columns = model->columns;
        array.columns_known = true;
        array.like = model->name;
    }
}

}  // namespace

std::uint64_t easy_columns(const MappedArray& array, std::uint64_t elements, std::uint64_t most) {
    std::uint64_t columns = warp_size;
    while (columns * columns < 2 * elements) columns *= 2;
    if (columns >= array.elements() && array.group == 1) return std::max<std::uint64_t>(1, array.elements());
    columns = std::min(columns, std::max<std::uint64_t>(1, array.elements()));
    const std::uint64_t groups = (columns + array.group - 1) / array.group;
    return array.group *
           (array.group == 1 ? groups : std::clamp<std::uint64_t>(most / array.group, 1, groups));
}

std::vector<MappedArray> mapped_arrays(const trace::Trace& trace) {
    std::vector<MappedArray> arrays = named_arrays(trace);
    std::vector<std::optional<ArrayUse>> uses(arrays.size());
    std::size_t last = 0;
    const auto holds = [&](std::size_t i, Space space, std::uint64_t address) {
        return arrays[i].space == space && address >= arrays[i].base &&
               address - arrays[i].base < arrays[i].bytes;
    };
    for (const trace::WarpRecord& warp : trace.warps) {
        for (std::uint64_t access = warp.accesses_begin; access < warp.accesses_end; ++access) {
            const trace::AccessRecord& record = trace.accesses[access];
            const std::uint64_t address =
                record.scattered && record.stride == 0 ? trace.exceptions[record.base] : record.base;
            if (last >= arrays.size() || !holds(last, record.space, address)) {
                last = 0;
                while (last < arrays.size() && !holds(last, record.space, address)) ++last;
                if (last == arrays.size()) continue;
            }
            if (!uses[last]) uses[last].emplace(trace.launch.geometry);
            uses[last]->hear(trace, access, warp);
        }
    }
    std::vector<MappedArray> used;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        if (!uses[i]) continue;
        arrays[i].loaded = uses[i]->loaded();
        arrays[i].stored = uses[i]->stored();
        shape(arrays[i], *uses[i], trace);
        used.push_back(std::move(arrays[i]));
    }
    shape_by_others(used);
    return used;
}

}  // namespace warplens::analysis
