#include "app/views/clusters/drawing.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {

namespace {

using analysis::ClusterCell;
using analysis::ClusterTraffic;

constexpr float row_label = 150, column_label = 44, small_label = 22, sums = 110, least_cell = 22,
                largest_cell = 128, gap = 3;
constexpr std::size_t most_lines = 5;

/// "6,144 updates", "12 reads, 3 writes".
std::string words_of(const ClusterCell& cell) {
    std::string words;
    const auto add = [&](std::uint64_t count, const char* noun) {
        if (count > 0) words += (words.empty() ? "" : ", ") + counted(count, noun);
    };
    add(cell.loads, "read");
    add(cell.stores, "write");
    add(cell.atomics, "update");
    return words.empty() ? "nothing" : words;
}

std::string name_of(const ClusterTraffic& traffic, std::size_t rank) {
    return fmt::format("block {}", grouped(traffic.blocks[rank]));
}

/// How all cells' counts are written: the widest of them decides.
struct CountLook {
    ImFont* font;
    bool compact;
    std::string words(const ClusterCell& cell) const {
        if (cell.requests == 0) return "–";
        return compact ? app::compact(double(cell.accesses())) : grouped(cell.accesses());
    }
};
CountLook count_look(const Ink& ink, float width, std::initializer_list<const ClusterTraffic*> runs) {
    const Theme& theme = ink.theme;
    CountLook look{theme.fonts.words, false};
    const auto fits = [&] {
        for (const ClusterTraffic* run : runs)
            if (run && std::ranges::any_of(run->cells, [&](const ClusterCell& cell) {
                    return text_width(look.font, look.words(cell)) > width;
                }))
                return false;
        return true;
    };
    if (fits()) return look;
    look.font = theme.fonts.small;
    look.compact = !fits();
    return look;
}

void draw_cell(const Ink& ink, const Box& box, const ClusterCell& cell, double share, bool own,
               const CountLook& look) {
    const Theme& theme = ink.theme;
    const ImU32 fill = cell.requests == 0 ? theme.panel : theme.amount(0.15 + 0.85 * share);
    ink.fill(box, fill);
    if (own) ink.hatch(box, hatch_on(theme, fill));
    const ImU32 colour = cell.requests == 0 ? theme.text_dim : theme.text_on(fill);
    if (own && cell.requests != 0) {  // words on a hatch need ground of their own
        const float half = std::min(ink.px(20), box.height() * 0.42f);
        const Box ground{box.x0 + box.width() * 0.08f, box.centre().y - half, box.x1 - box.width() * 0.08f,
                         box.centre().y + half};
        ink.fill(ground, fill, ink.px(3));
    }
    const bool room = box.height() > ink.px(44) && box.width() > ink.px(64);
    const Box upper{box.x0, box.centre().y - ink.px(room ? 20 : 10), box.x1,
                    box.centre().y + ink.px(room ? 2 : 10)};
    ink.text_if_fits(upper, look.words(cell), look.font, colour);
    if (!room || cell.requests == 0) return;
    const char* kind = cell.accesses() == cell.atomics  ? "updates"
                       : cell.accesses() == cell.loads  ? "reads"
                       : cell.accesses() == cell.stores ? "writes"
                                                        : "mixed";
    ink.text_if_fits({box.x0, upper.y1, box.x1, upper.y1 + ink.px(18)}, kind, theme.fonts.small, colour);
}

void draw_labels(const Ink& ink, const ClusterTraffic& traffic, ImVec2 origin, float cell) {
    const Theme& theme = ink.theme;
    // All columns are named in one way: where the widest name is too wide, the block's number stands alone,
    // with what it counts in the rows' names.
    float widest_name = 0, widest_rank = 0;
    for (std::size_t rank = 0; rank < traffic.ranks(); ++rank) {
        widest_name = std::max(widest_name, text_width(theme.fonts.words, name_of(traffic, rank)));
        widest_rank = std::max(widest_rank, text_width(theme.fonts.small, fmt::format("rank {}", rank)));
    }
    for (std::size_t rank = 0; rank < traffic.ranks(); ++rank) {
        const float at = cell * static_cast<float>(rank);
        const Box column{origin.x + at, origin.y - ink.px(38), origin.x + at + cell, origin.y - ink.px(20)};
        const Box below{column.x0, column.y1, column.x1, origin.y - ink.px(4)};
        const std::string name = name_of(traffic, rank), rank_name = fmt::format("rank {}", rank);
        if (widest_name > cell - ink.px(4) || !ink.text_if_fits(column, name, theme.fonts.words, theme.text))
            ink.text_if_fits(column, compact(double(traffic.blocks[rank])), theme.fonts.small, theme.text);
        if (widest_rank <= cell - ink.px(4))
            ink.text_if_fits(below, rank_name, theme.fonts.small, theme.text_dim);
        const Box row{origin.x - ink.px(row_label), origin.y + at, origin.x - ink.px(12),
                      origin.y + at + cell};
        const std::string more = traffic.recorded[rank] ? rank_name : rank_name + ", not recorded";
        const float middle = row.centre().y;
        if (cell < ink.px(34)) {  // too low for two lines
            ink.text(row, name + ", " + more, theme.fonts.small, theme.text, Align::right);
            continue;
        }
        ink.text({row.x0, middle - ink.px(18), row.x1, middle}, name, theme.fonts.words, theme.text,
                 Align::right);
        ink.text({row.x0, middle, row.x1, middle + ink.px(16)}, more, theme.fonts.small, theme.text_dim,
                 Align::right);
    }
}

void draw_rank_labels(const Ink& ink, const ClusterTraffic& traffic, ImVec2 origin, float cell) {
    for (std::size_t rank = 0; rank < traffic.ranks(); ++rank) {
        const float at = cell * static_cast<float>(rank);
        const std::string name = std::to_string(rank);
        ink.text({origin.x + at, origin.y - ink.px(small_label), origin.x + at + cell, origin.y}, name,
                 ink.theme.fonts.small, ink.theme.text_dim, Align::centre);
        ink.text({origin.x - ink.px(small_label), origin.y + at, origin.x - ink.px(6), origin.y + at + cell},
                 name, ink.theme.fonts.small, ink.theme.text_dim, Align::right);
    }
}

/// Accesses of each block to others after its row, and of others to it below its column.
void draw_sums(const Ink& ink, const ClusterTraffic& traffic, ImVec2 origin, float cell) {
    const Theme& theme = ink.theme;
    const float end = cell * static_cast<float>(traffic.ranks());
    ink.text({origin.x + end + ink.px(12), origin.y - ink.px(38), origin.x + end + ink.px(12 + sums),
              origin.y - ink.px(20)},
             "to others", theme.fonts.words, theme.text_dim);
    ink.text({origin.x - ink.px(row_label), origin.y + end + ink.px(6), origin.x - ink.px(12),
              origin.y + end + ink.px(26)},
             "by others", theme.fonts.words, theme.text_dim, Align::right);
    for (std::size_t rank = 0; rank < traffic.ranks(); ++rank) {
        ClusterCell made, served;
        for (std::size_t other = 0; other < traffic.ranks(); ++other) {
            if (other == rank) continue;
            made.add(traffic.cell(rank, other));
            served.add(traffic.cell(other, rank));
        }
        const float at = cell * static_cast<float>(rank);
        ink.text({origin.x + end + ink.px(12), origin.y + at, origin.x + end + ink.px(12 + sums),
                  origin.y + at + cell},
                 grouped(made.accesses()), theme.fonts.code, theme.text);
        const Box below{origin.x + at, origin.y + end + ink.px(6), origin.x + at + cell,
                        origin.y + end + ink.px(26)};
        if (!ink.text_if_fits(below, grouped(served.accesses()), theme.fonts.code, theme.text))
            ink.text_if_fits(below, compact(double(served.accesses())), theme.fonts.small, theme.text);
    }
}

}  // namespace

float clusters_matrix_least_height(const Theme& theme, const ClusterTraffic& traffic) {
    return (22 + column_label + 34 + least_cell * static_cast<float>(traffic.ranks())) * theme.fonts.scale;
}

float clusters_matrix_width(const Theme& theme, const ClusterTraffic& traffic, float height) {
    const float scale = theme.fonts.scale, ranks = static_cast<float>(traffic.ranks());
    const float cell = std::clamp((height - (22 + column_label + 34) * scale) / ranks, least_cell * scale,
                                  largest_cell * scale);
    return (row_label + sums + 12) * scale + cell * ranks;
}

bool cluster_cell_differs(const ClusterTraffic& traffic, const ClusterTraffic& other, ClusterSpot spot) {
    if (std::max(spot.who, spot.whose) >= other.ranks()) return false;
    const ClusterCell &a = traffic.cell(spot.who, spot.whose), &b = other.cell(spot.who, spot.whose);
    return a.requests != b.requests || a.loads != b.loads || a.stores != b.stores || a.atomics != b.atomics;
}

bool every_cluster_cell_differs(const ClusterTraffic& traffic, const ClusterTraffic& other) {
    const auto ranks = static_cast<std::uint32_t>(std::min(traffic.ranks(), other.ranks()));
    for (std::uint32_t who = 0; who < ranks; ++who)
        for (std::uint32_t whose = 0; whose < ranks; ++whose)
            if (!cluster_cell_differs(traffic, other, {who, whose})) return false;
    return true;
}

std::optional<ClusterSpot> draw_cluster_matrix(ImDrawList& list, const Theme& theme, Box box,
                                               const ClusterMatrix& matrix) {
    const Ink ink{&list, theme};
    const auto& [traffic, chosen, interactive, other, hits] = matrix;
    const auto ranks = static_cast<float>(std::max(traffic.ranks(), other ? other->ranks() : 0));
    ink.heading(box.take_top(ink.px(22)),
                {"Row: accessing block. Column: block that owns the shared memory. Hatched: its own.",
                 "Row: accessing block. Column: owner of the memory.", "Row accesses column"});
    const auto cell_of = [&](float left, float right, float top, float bottom) {
        return std::min((box.height() - ink.px(top + bottom)) / ranks,
                        (box.width() - ink.px(left + right)) / ranks);
    };
    float cell = cell_of(row_label, sums + 12, column_label, 34);
    // Two matrices in a small view: the ranks alone, and no sums.
    const bool small = other && cell < ink.px(40);
    if (small) cell = cell_of(small_label, 0, small_label, 4);
    cell = std::clamp(cell, ink.px(least_cell), ink.px(largest_cell));
    const ImVec2 origin{box.x0 + ink.px(small ? small_label : row_label),
                        box.y0 + ink.px(small ? small_label : column_label)};
    if (small) {
        draw_rank_labels(ink, traffic, origin, cell);
    } else {
        draw_labels(ink, traffic, origin, cell);
        draw_sums(ink, traffic, origin, cell);
    }
    std::uint64_t most = 1;
    for (const ClusterCell& one : traffic.cells) most = std::max(most, one.accesses());
    for (const ClusterCell& one : other ? other->cells : std::vector<ClusterCell>())
        most = std::max(most, one.accesses());
    const CountLook look = count_look(ink, cell - ink.px(gap + 2), {&traffic, other});
    std::optional<ClusterSpot> clicked;
    const bool marked = other && !every_cluster_cell_differs(traffic, *other);
    for (std::uint32_t who = 0; who < traffic.ranks(); ++who) {
        for (std::uint32_t whose = 0; whose < traffic.ranks(); ++whose) {
            const ClusterCell& counts = traffic.cell(who, whose);
            const float x = origin.x + cell * static_cast<float>(whose);
            const float y = origin.y + cell * static_cast<float>(who);
            const Box at{x, y, x + cell - ink.px(gap), y + cell - ink.px(gap)};
            draw_cell(ink, at, counts, double(counts.accesses()) / double(most), who == whose, look);
            if (marked && cluster_cell_differs(traffic, *other, {who, whose})) outline_change(ink, at);
            if (chosen == ClusterSpot{who, whose}) ink.outline(at, theme.selected, ink.px(2));
            hit_box(fmt::format("{} {} {}", hits, who, whose), at.min(), at.max());
            if (!interactive || !ImGui::IsWindowHovered() || !at.has(ImGui::GetMousePos())) continue;
            ink.fill(at, theme.hovered);
            tooltip_card(
                theme,
                who == whose ? fmt::format("Block {} accesses its own shared memory through the cluster: {}.",
                                           grouped(traffic.blocks[who]), words_of(counts))
                             : fmt::format("Block {} accesses the shared memory of block {}: {}.",
                                           grouped(traffic.blocks[who]), grouped(traffic.blocks[whose]),
                                           words_of(counts)),
                fmt::format("{}, {}", counted(counts.requests, "request"), bytes_words(counts.bytes)));
            if (ImGui::IsMouseClicked(0)) clicked = ClusterSpot{who, whose};
        }
    }
    return clicked;
}

float clusters_lines_height(const Theme& theme, const ClusterTraffic& traffic) {
    const float line = text_height(theme.fonts.words) + 6 * theme.fonts.scale;
    if (traffic.sites.empty()) return 0;
    return line * static_cast<float>(std::min(traffic.sites.size(), most_lines) + 1) + 8 * theme.fonts.scale;
}

void draw_cluster_lines(ImDrawList& list, const Theme& theme, Box box, const ClusterTraffic& traffic,
                        const Program& program) {
    if (traffic.sites.empty()) return;
    const Ink ink{&list, theme};
    const float line = text_height(theme.fonts.words) + ink.px(6);
    box.take_top(ink.px(8));
    ink.text(box.take_top(line), "Instructions", theme.fonts.words, theme.text_dim);
    for (std::size_t i = 0; i < std::min(traffic.sites.size(), most_lines); ++i) {
        const auto& [id, counts] = traffic.sites[i];
        const Site& site = program.sites[id];
        Box row = box.take_top(line);
        ink.text(
            row.take_left(ink.px(110)),
            site.line != 0 ? fmt::format("line {}", site.line) : fmt::format("PTX line {}", site.ptx_line),
            theme.fonts.words, theme.text);
        ink.text(row.take_left(ink.px(220)), words_of(counts), theme.fonts.words, theme.text);
        ink.text(row, site.text, theme.fonts.code, theme.text_dim);
    }
}

}  // namespace warplens::app
