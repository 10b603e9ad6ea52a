#include "analysis/memory/shared_layout.h"

#include <algorithm>

#include "analysis/memory/declared_shape.h"
#include "analysis/memory/pitch_votes.h"
#include "analysis/memory/stored_request.h"
#include "core/symbol_name.h"

namespace warplens::analysis {
namespace {

constexpr std::uint32_t cell_bytes = bank_bytes;
constexpr std::uint32_t default_pitch = bank_count * bank_bytes;

struct Extent {
    std::string name;
    std::uint64_t begin = 0, end = 0;
};

Extent extent_around(const trace::Trace& trace, std::uint64_t address) {
    const std::uint64_t whole = std::uint64_t{trace.launch.resources.shared_static_bytes} +
                                trace.launch.geometry.dynamic_shared_bytes;
    for (const Variable& variable : trace.program.variables) {
        if (variable.space != Space::shared) continue;
        const bool dynamic = variable.bytes == 0;
        const std::uint64_t end =
            variable.offset + (dynamic ? trace.launch.geometry.dynamic_shared_bytes : variable.bytes);
        if (address >= variable.offset && address < end)
            return {plain_name(variable.name), variable.offset, end};
    }
    return {"shared memory", 0, std::max(whole, address + cell_bytes)};
}

/// Visits every shared request of the block of `access` that is within the extent.
template <class Visit>
void for_each_request(const trace::Trace& trace, std::uint64_t access, const Extent& extent, Visit&& visit) {
    const std::uint64_t block = trace::warp_of_access(trace, access).block;
    for (const trace::WarpRecord& warp : trace.warps) {
        if (warp.block != block) continue;
        for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end; ++i) {
            if (trace.accesses[i].space != Space::shared) continue;
            const StoredRequest request(trace, i);
            const std::uint64_t first =
                request.addresses[static_cast<std::size_t>(request.record.mask.lowest())];
            if (first >= extent.begin && first < extent.end) visit(request);
        }
    }
}

template <class Visit>
void for_each_cell(const SharedLayout& layout, const StoredRequest& request, int lane, Visit&& visit) {
    const std::uint64_t first = request.addresses[static_cast<std::size_t>(lane)];
    for (std::uint64_t address = first / cell_bytes * cell_bytes; address < first + request.bytes_per_lane;
         address += cell_bytes) {
        if (address >= layout.base && (address - layout.base) / cell_bytes < layout.cells.size())
            visit((address - layout.base) / cell_bytes);
    }
}

void show_request(SharedLayout& layout, const StoredRequest& request) {
    const BankDetail detail = detail_banks(request.access());
    layout.count = detail.count;
    for_each_lane(request.record.mask, [&](int lane) {
        std::size_t wavefront = 0;
        while (wavefront + 1 < detail.wavefronts.size() && !detail.wavefronts[wavefront].has(lane))
            ++wavefront;
        for_each_cell(layout, request, lane, [&](std::uint64_t cell) {
            if (layout.cells[cell].lanes.empty())
                layout.cells[cell].wavefront =
                    static_cast<std::uint8_t>(std::min<std::size_t>(wavefront, 255));
            layout.cells[cell].lanes.bits |= 1u << lane;
        });
    });
}

}  // namespace

SharedLayout shared_layout(const trace::Trace& trace, std::uint64_t access, std::uint32_t max_rows) {
    SharedLayout layout;
    if (access >= trace.accesses.size() || trace.accesses[access].space != Space::shared) return layout;
    const StoredRequest shown(trace, access);
    std::uint64_t lowest = ~std::uint64_t{0};
    for_each_lane(shown.record.mask, [&](int lane) {
        lowest = std::min(lowest, shown.addresses[static_cast<std::size_t>(lane)]);
    });
    const Extent extent = extent_around(trace, lowest);
    layout.variable = extent.name;
    layout.cell_bytes = cell_bytes;

    // The declaration has priority; without one, or for a product that does not tell its rows, the addresses
    // decide.
    std::uint64_t pitch = 0;
    const auto declared = declared_shape(trace, extent.name, extent.end - extent.begin);
    if (declared) {
        layout.extents = declared->extents;
        layout.element_bytes = declared->element_bytes;
        layout.element_type = declared->element_type;
    }
    if (declared && declared->row_elements() > 0) {
        pitch = std::uint64_t{declared->row_elements()} * declared->element_bytes;
    } else if (!declared || declared->is_product) {
        PitchVotes votes;
        for_each_request(trace, access, extent, [&](const StoredRequest& request) { votes.hear(request); });
        pitch = votes.pitch();
    }
    layout.pitch_known = pitch != 0 && pitch % cell_bytes == 0 && pitch <= extent.end - extent.begin;
    layout.pitch_bytes = layout.pitch_known ? static_cast<std::uint32_t>(pitch) : default_pitch;
    layout.columns = layout.pitch_bytes / cell_bytes;

    const std::uint64_t all_rows = (extent.end - extent.begin + layout.pitch_bytes - 1) / layout.pitch_bytes;
    const std::uint64_t limit = std::max(1u, max_rows);
    std::uint64_t first_row = 0;
    if (all_rows > limit) {
        layout.truncated = true;
        first_row = std::min((lowest - extent.begin) / layout.pitch_bytes, all_rows - limit);
    }
    layout.rows = static_cast<std::uint32_t>(std::min(all_rows, limit));
    layout.begin = extent.begin;
    layout.base = extent.begin + first_row * layout.pitch_bytes;
    layout.cells.resize(std::size_t{layout.rows} * layout.columns);
    layout.bytes = std::min<std::uint64_t>(layout.cells.size() * cell_bytes, extent.end - layout.base);
    for (std::size_t i = 0; i < layout.cells.size(); ++i) {
        layout.cells[i].address = layout.base + i * cell_bytes;
        layout.cells[i].bank = static_cast<std::uint8_t>(bank_of(layout.cells[i].address));
    }
    for_each_request(trace, access, extent, [&](const StoredRequest& request) {
        for_each_lane(request.record.mask, [&](int lane) {
            for_each_cell(layout, request, lane, [&](std::uint64_t cell) {
                layout.cells[cell].used = true;
                layout.columns_used =
                    std::max(layout.columns_used, static_cast<std::uint32_t>(cell % layout.columns) + 1);
            });
        });
    });
    // A list has no rows of its own, so that what follows its last accessed element is not padding.
    if (!layout.pitch_known) layout.columns_used = layout.columns;
    show_request(layout, shown);
    return layout;
}

}  // namespace warplens::analysis
