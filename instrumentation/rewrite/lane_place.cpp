#include "instrumentation/rewrite/lane_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "instrumentation/rewrite/own_index.h"
#include "instrumentation/rewrite/passes.h"

namespace warplens::instrumentation {

namespace {

constexpr std::string_view log_place_in_slab = "%warplens_log_place";

/// Spaces have 2 GiB at most, so that 32 bits suffice.
std::uint32_t slab_bytes(const Draft& draft) { return draft.plan.min_chunk_units * unit_bytes; }

/// The bits that say which row of a word for each lane it is.
std::uint32_t row_bits(const Draft& draft) { return slab_bytes(draft) - 4 * warp_size; }

/// Whether the warp with the index in these upper bits is its block's first: sets %first.
std::string is_first_of_block(std::uint32_t warps, std::uint32_t bytes) {
    if (std::has_single_bit(warps))
        return fmt::format("and.b32 %of_block, {}, {};\nsetp.eq.u32 %first, %of_block, 0;\n", lane_place,
                           (warps - 1) * bytes);
    // Of indices below 2^26, and up to 32 warps: those that are divided without a rest, and no others, have a
    // product with 2^32 / warps, rounded up, that is smaller in 32 bits.
    const std::uint32_t part = 0xffffffffu / warps + 1;
    return fmt::format(
        "shr.u32 %of_block, {0}, {1};\nmul.lo.u32 %of_block, %of_block, {2};\n"
        "setp.lt.u32 %first, %of_block, {2};\n",
        lane_place, std::countr_zero(bytes), part);
}

/// Sets %thread: its index in the grid, as most kernels compute it themselves.
std::string index_of_thread(const Draft& draft) {
    const LaunchGeometry& geometry = draft.options.launch->geometry;
    const bool rows =
        geometry.block.y > 1 || geometry.block.z > 1 || geometry.grid.y > 1 || geometry.grid.z > 1;
    const std::string text = ".reg .b32 %thread;\n";
    if (rows) return text + fmt::format("mad.lo.u32 %thread, %block, {}, %linear;\n", geometry.block.count());
    if (const auto own = own_index_of_thread(draft, draft.start_block))
        return text + fmt::format("mov.b32 %thread, %own{};\n", *own);
    return text + "mov.u32 %thread, %ntid.x;\nmad.lo.u32 %thread, %block, %thread, %linear;\n";
}

/// Warps fill the grid's threads one behind the other, and so do their slabs the space.
bool numbers_threads(const Draft& draft) {
    return fills_warps(draft.options) && !leaves_warps_out(draft.options);
}

}  // namespace

std::string begin_lane_place(Draft& draft, FunctionDraft& entry) {
    draft.share(entry, std::string(lane_place), ptx::Type::b32);
    constexpr std::uint32_t lanes = warp_size, least = 4 * lanes;
    const std::uint32_t bytes = slab_bytes(draft);
    if (!numbers_threads(draft))
        return fmt::format("shl.b32 {0}, %lane, 2;\nmad.lo.u32 {0}, %slab, {1}, {0};\n", lane_place, bytes);
    std::string text = index_of_thread(draft) + fmt::format("shl.b32 {}, %thread, 2;\n", lane_place);
    if (bytes > least)
        text += fmt::format("and.b32 %thread, %thread, {1};\nmad.lo.u32 {0}, %thread, {2}, {0};\n",
                            lane_place, ~(lanes - 1), (bytes - least) / lanes);
    return text;
}

std::string slab_of_first_lane(const Draft& draft) {
    if (!numbers_threads(draft) || !draft.plan.fixed_chunks || draft.plan.has_lane_words() ||
        draft.plan.value_words > 0 || draft.plan.lanes_leave() || !adds_up_lanes(draft.module))
        return {};
    return index_of_thread(draft) + fmt::format("mad.wide.u32 %warplens_slab, %thread, {}, %base;\n",
                                                slab_bytes(draft) / static_cast<std::uint32_t>(warp_size));
}

std::string end_of_place(const Draft& draft, bool all_leave) {
    const auto set = [](std::string_view to, std::uint32_t mask) {
        return fmt::format(
            "and.b32 %of_slab, {1}, {2};\ncvt.u64.u32 {0}, %of_slab;\nadd.u64 {0}, {0}, %base;\n", to,
            lane_place, mask);
    };
    const std::string text = fmt::format(
        ".reg .b32 %of_slab, %of_lane; .reg .b64 %to;\nand.b32 %of_lane, {}, {};\n", lane_place, lane_bits);
    if (all_leave)
        return text + set("%to", draft.plan.stores_log_words() ? ~row_bits(draft) : 0xffffffffu) +
               "mov.b64 %at, %to;\n";
    return text + set("%at", ~(slab_bytes(draft) - 1)) +
           "cvt.u64.u32 %to, %of_lane;\nadd.u64 %to, %to, %at;\n";
}

std::string head_of_place(const Draft& draft) {
    std::string text = "setp.eq.u32 %leads, %of_lane, 0;\n";
    if (leaves_warps_out(draft.options)) text += "and.pred %leads, %leads, %warplens_records;\n";
    const auto& launch = draft.options.launch;
    if (!launch || !launch->exact_block)
        return text + identify_warp(draft.options) + "setp.eq.u32 %first, %warp, 0;\n";
    return text + ".reg .b32 %of_block;\n" +
           is_first_of_block(static_cast<std::uint32_t>(launch->geometry.warps_per_block()),
                             slab_bytes(draft));
}

LogPlace log_place(const Draft& draft) {
    if (!draft.one_place)
        return {.name = log_place_in_slab,
                .passed = log_place_in_slab,
                .find_passed = "",
                .find_word = fmt::format("cvt.u64.u32 %word, {};\nadd.u64 %word, %word, %warplens_slab;\n",
                                         log_place_in_slab)};
    return {.name = lane_place,
            .passed = "%passed",
            .find_passed =
                fmt::format(".reg .b32 %passed;\nand.b32 %passed, {}, {};\n", lane_place, row_bits(draft)),
            .find_word = fmt::format("cvt.u64.u32 %word, {};\nadd.u64 %word, %word, %base;\n", lane_place)};
}

}  // namespace warplens::instrumentation
