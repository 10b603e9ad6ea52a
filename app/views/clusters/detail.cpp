#include "app/views/clusters/detail.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "analysis/memory/element_name.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "core/cluster.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

using analysis::ClusterTraffic;

std::string whose_words(const ClusterTraffic& traffic, ClusterSpot spot) {
    return spot.who == spot.whose
               ? std::string("its own shared memory")
               : fmt::format("block {}'s shared memory", grouped(traffic.blocks[spot.whose]));
}

/// Bytes from the start of the block's shared memory.
std::uint64_t offset_of(std::uint64_t address) { return address & ((std::uint64_t{1} << rank_shift) - 1); }

/// The lanes that a request takes to each rank.
std::array<LaneMask, 32> lanes_by_rank(const trace::AccessRecord& record, const trace::Addresses& addresses) {
    std::array<LaneMask, 32> lanes{};
    for_each_lane(record.mask, [&](int lane) {
        const std::uint32_t rank = rank_of(addresses[static_cast<std::size_t>(lane)]);
        if (rank < lanes.size()) lanes[rank].bits |= 1u << lane;
    });
    return lanes;
}

}  // namespace

int draw_cluster_request(ImDrawList& list, const Theme& theme, Box box, const trace::Trace& trace,
                         const ClusterTraffic& traffic, const ClusterDetail& detail, int chosen_lane,
                         bool interactive) {
    const Ink ink{&list, theme};
    const trace::AccessRecord& record = trace.accesses[detail.access];
    const trace::Addresses addresses = trace::addresses_of(trace, record);
    const trace::WarpRecord& warp = trace::warp_of_access(trace, detail.access);
    const Site& site = trace.program.sites[record.site];
    const auto by_rank = lanes_by_rank(record, addresses);
    const auto reached = static_cast<std::uint64_t>(
        std::ranges::count_if(by_rank, [](LaneMask lanes) { return !lanes.empty(); }));
    const std::string line =
        site.line != 0 ? fmt::format("line {}", site.line) : fmt::format("PTX line {}", site.ptx_line);
    const std::string block = grouped(warp.block);
    ink.heading(
        box.take_top(ink.px(24)),
        {fmt::format("One request of block {}, warp {}, {}: {} to the shared memory of {}", block, warp.warp,
                     line, counted(static_cast<std::uint64_t>(record.mask.count()), "lane"),
                     counted(reached, "block")),
         fmt::format("Block {}, warp {}: lanes to {}", block, warp.warp, counted(reached, "block")),
         fmt::format("Block {}, warp {}", block, warp.warp)});
    const Box lanes = box.take_top(ink.px(24));
    const Box targets = box.take_bottom(std::min(ink.px(56), box.height() * 0.4f));
    const float pitch = lanes.width() / warp_size;
    const float wide = targets.width() / static_cast<float>(traffic.ranks());
    const auto target = [&](std::size_t rank) {
        const float x = targets.x0 + wide * static_cast<float>(rank);
        return Box{x + ink.px(3), targets.y0, x + wide - ink.px(3), targets.y1};
    };
    const auto lane_box = [&](int lane) {
        const float x = lanes.x0 + pitch * static_cast<float>(lane);
        return Box{x + 1, lanes.y0, x + pitch - 1, lanes.y1};
    };
    int hit = -1;
    const bool mouse = interactive && ImGui::IsWindowHovered();
    for (int lane = 0; lane < warp_size; ++lane)
        if (record.mask.has(lane) && mouse && lane_box(lane).has(ImGui::GetMousePos())) hit = lane;
    for (std::size_t rank = 0; rank < traffic.ranks(); ++rank) {
        const ImU32 colour = theme.category(static_cast<int>(rank % 8));
        const Box to = target(rank);
        int nth = 0;
        const int count = by_rank[rank].count();
        for_each_lane(by_rank[rank], [&](int lane) {
            // Threads arrive side by side, so that as many as there are can be seen.
            const float share = (static_cast<float>(nth++) + 0.5f) / static_cast<float>(std::max(1, count));
            const bool bright = hit < 0 ? rank == detail.spot.whose : hit == lane;
            ink.thread({lane_box(lane).centre().x, lanes.y1},
                       {to.x0 + to.width() * (0.2f + 0.6f * share), to.y0},
                       with_alpha(colour, bright ? 1 : 0.38), ink.px(bright ? 1.8f : 1.1f));
        });
        ink.fill(to, mix(colour, theme.background, by_rank[rank].empty() ? 0.88 : 0.72), ink.px(4));
        ink.outline(to, rank == detail.spot.whose ? theme.selected : colour,
                    ink.px(rank == detail.spot.whose ? 2 : 1), ink.px(4));
        hit_box(fmt::format("cluster target {}", rank), to.min(), to.max());
        const Box words = to.inset(ink.px(4));
        const float middle = words.centre().y;
        const bool own = traffic.blocks[rank] == warp.block;
        const std::string name = fmt::format("block {}", grouped(traffic.blocks[rank])),
                          times = own ? fmt::format("×{} own", count) : fmt::format("×{}", count);
        if (words.height() < ink.px(36)) {
            const Box line{words.x0, to.y0, words.x1, to.y1};
            if (!ink.text_if_fits(line, name + " " + times, theme.fonts.small, theme.text))
                ink.text_if_fits(line, times, theme.fonts.small, theme.text);
            continue;
        }
        ink.text({words.x0, middle - ink.px(19), words.x1, middle}, name, theme.fonts.words, theme.text,
                 Align::centre);
        ink.text({words.x0, middle, words.x1, middle + ink.px(17)}, times, theme.fonts.code, theme.text,
                 Align::centre);
    }
    const bool numbered = pitch >= text_width(theme.fonts.small, "20") + ink.px(4);
    for (int lane = 0; lane < warp_size; ++lane) {
        const Box cell = lane_box(lane);
        if (!record.mask.has(lane)) {
            ink.hatch(cell, theme.inactive);
            continue;
        }
        const std::uint32_t rank = rank_of(addresses[static_cast<std::size_t>(lane)]);
        const ImU32 colour = theme.category(static_cast<int>(rank % 8));
        ink.fill(cell, colour, ink.px(2));
        if (numbered) ink.text_if_fits(cell, std::to_string(lane), theme.fonts.small, theme.text_on(colour));
        if (lane == chosen_lane) ink.outline(cell, theme.selected, ink.px(2), ink.px(2));
        hit_box(fmt::format("cluster lane {}", lane), cell.min(), cell.max());
    }
    if (hit >= 0) {
        const std::uint64_t address = addresses[static_cast<std::size_t>(hit)], offset = offset_of(address);
        tooltip_card(theme,
                     fmt::format("Lane {} accesses {} of rank {}.", hit,
                                 analysis::element_name(trace, Space::shared, offset, site.bytes_per_lane),
                                 rank_of(address)),
                     fmt::format("{} into its shared memory", bytes_words(offset)));
    }
    return hit;
}

void draw_cluster_words(ImDrawList& list, const Theme& theme, Box box, const trace::Trace& trace,
                        const ClusterTraffic& traffic, const ClusterDetail& detail, bool interactive) {
    const Ink ink{&list, theme};
    const analysis::ClusterWords& words = detail.words;
    if (words.counts.empty()) return;
    ink.heading(box.take_top(ink.px(24)),
                {fmt::format("Accesses by block {} to {}, per 4-byte word, {} at most",
                             grouped(traffic.blocks[detail.spot.who]), whose_words(traffic, detail.spot),
                             grouped(words.most)),
                 fmt::format("Accesses per word, {} at most", grouped(words.most)), "Accesses per word"});
    const Box axis = box.take_bottom(ink.px(20));
    box.take_top(ink.px(4));
    // As many bars as there are pixels for; a bar of several words is as high as the busiest of them.
    const auto all = words.counts.size();
    const auto bars =
        std::min<std::size_t>(all, static_cast<std::size_t>(std::max(1.0f, box.width() / ink.px(2))));
    const float pitch = box.width() / static_cast<float>(bars);
    const ImU32 colour = theme.category(static_cast<int>(detail.spot.whose % 8));
    std::optional<std::size_t> under;
    for (std::size_t bar = 0; bar < bars; ++bar) {
        const std::size_t begin = bar * all / bars, end = std::max(begin + 1, (bar + 1) * all / bars);
        const std::uint64_t most =
            *std::max_element(words.counts.begin() + static_cast<std::ptrdiff_t>(begin),
                              words.counts.begin() + static_cast<std::ptrdiff_t>(end));
        const float x = box.x0 + pitch * static_cast<float>(bar);
        const float high = box.height() * static_cast<float>(double(most) / double(words.most));
        const Box drawn{x, box.y1 - high, x + std::max(pitch - (pitch > ink.px(4) ? ink.px(1) : 0), 1.0f),
                        box.y1};
        if (most > 0) ink.fill(drawn, colour);
        if (interactive && ImGui::IsWindowHovered() &&
            Box{x, box.y0, x + pitch, box.y1}.has(ImGui::GetMousePos()))
            under = begin;
    }
    ink.line({box.x0, box.y1}, {box.x1, box.y1}, theme.hairline);
    const auto name_at = [&](std::size_t word) {
        return analysis::element_name(trace, Space::shared,
                                      words.first + 4 * static_cast<std::uint64_t>(word), 4);
    };
    ink.text({axis.x0, axis.y0, axis.x0 + axis.width() / 2, axis.y1}, name_at(0), theme.fonts.small,
             theme.text_dim);
    ink.text({axis.x0 + axis.width() / 2, axis.y0, axis.x1, axis.y1}, name_at(all - 1), theme.fonts.small,
             theme.text_dim, Align::right);
    if (under)
        tooltip_card(
            theme,
            fmt::format("{}: {}.", name_at(*under), counted(words.counts[*under], "access", "accesses")),
            fmt::format("{} in all from block {}", counted(words.sum, "access", "accesses"),
                        grouped(traffic.blocks[detail.spot.who])));
}

}  // namespace warplens::app
