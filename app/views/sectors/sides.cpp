// The requests of two runs, one above the other: the sectors that each moves, with the same width in both,
// and bytes used and moved as bars on one axis.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/sectors/parts.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {
namespace {

/// The largest number of sectors in a row, so that a byte stays visible.
constexpr std::size_t most_in_row = 32;

struct SideRow {
    float x = 0, pitch = 0, height = 0;
    std::size_t columns = 1;  // sectors in a row, of both runs
};

/// A sector's 32 bytes: filled where lanes use them, hatched where they are moved without being used.
void draw_sector(const Ink& ink, const Box& cell, std::uint32_t used) {
    const Theme& theme = ink.theme;
    constexpr int bytes = 32;
    const auto x_of = [&](int byte) {
        return cell.x0 + cell.width() * static_cast<float>(byte) / static_cast<float>(bytes);
    };
    for (int byte = 0; byte < bytes;) {
        const bool on = (used >> byte & 1) != 0;
        int end = byte + 1;
        while (end < bytes && ((used >> end & 1) != 0) == on) ++end;
        const Box part{x_of(byte), cell.y0, x_of(end), cell.y1};
        if (on) ink.fill(part, theme.ideal);
        else ink.hatch(part, theme.cost, 4);
        byte = end;
    }
    ink.outline(cell, theme.hairline, 1);
}

/// Those that use bytes of a sector.
LaneMask lanes_in_sector(const SectorRequest& request, std::size_t line, std::size_t sector) {
    const std::size_t begin = sector * analysis::sector_bytes, end = begin + analysis::sector_bytes;
    LaneMask lanes;
    for (const SectorStretch& stretch : request.stretches)
        if (stretch.line == line && stretch.begin < end && stretch.end > begin) lanes = lanes | stretch.lanes;
    return lanes;
}

/// "lanes 0–7", "lane 3", "5 lanes".
std::string sector_lanes_in_words(LaneMask lanes) {
    const int count = lanes.count();
    if (count == 1) return fmt::format("lane {}", lanes.lowest());
    const int last = 31 - std::countl_zero(lanes.bits);
    if (last - lanes.lowest() + 1 == count) return fmt::format("lanes {}–{}", lanes.lowest(), last);
    return fmt::format("{} lanes", count);
}

/// Who uses the sector, where its cell has room.
void name_lanes(const Ink& ink, const Box& cell, LaneMask lanes) {
    if (lanes.empty()) return;
    const Theme& theme = ink.theme;
    ImFont* const font = theme.fonts.words;
    const std::string words = sector_lanes_in_words(lanes);
    const float half = text_width(font, words) / 2 + ink.px(6), high = text_height(font) / 2 + ink.px(2);
    if (2 * half > cell.width() - ink.px(8) || 2 * high > cell.height() - ink.px(4)) return;
    const ImVec2 middle = cell.centre();
    const Box label{middle.x - half, middle.y - high, middle.x + half, middle.y + high};
    ink.fill(label, with_alpha(theme.background, 0.9), ink.px(3));
    ink.text(label, words, font, theme.text, Align::centre);
}

void draw_sectors(const Ink& ink, Box box, const SideRow& row, const SectorRequest& request) {
    std::size_t at = 0;
    for (std::size_t l = 0; l < request.lines.size(); ++l)
        for (std::size_t sector = 0; sector < request.lines[l].fetched.size(); ++sector) {
            if (!request.lines[l].fetched[sector]) continue;
            const float x = row.x + row.pitch * static_cast<float>(at % row.columns);
            const float y = box.y0 + row.height * static_cast<float>(at / row.columns);
            ++at;
            if (y + row.height > box.y1 + 1) return;
            const Box cell{x, y, x + row.pitch - ink.px(3), y + row.height - ink.px(4)};
            draw_sector(ink, cell, request.lines[l].used[sector]);
            name_lanes(ink, cell, lanes_in_sector(request, l, sector));
        }
}

float names_width(const Ink& ink) { return text_width(ink.theme.fonts.words, "moved") + ink.px(12); }
float figures_width(const Ink& ink) { return text_width(ink.theme.fonts.code, "1,024 bytes") + ink.px(12); }

/// Used over moved, as long as the bytes are on the axis that both runs share.
void draw_bytes(const Ink& ink, Box box, const SectorRequest& request, std::uint64_t most) {
    const Theme& theme = ink.theme;
    const float line = box.height() / 2;
    const float names = names_width(ink), figures = figures_width(ink);
    for (const auto& [name, bytes, colour] :
         {std::tuple{"used", std::uint64_t{request.count.used_bytes}, theme.ideal},
          std::tuple{"moved", request.moved_bytes(), request.costly() ? theme.cost : theme.ideal}}) {
        Box row = box.take_top(line);
        ink.text(row.take_left(names), name, theme.fonts.words, theme.text_dim);
        ink.text(row.take_right(figures), fmt::format("{} bytes", grouped(bytes)), theme.fonts.code,
                 theme.text, Align::right);
        const float end = row.x0 + row.width() * static_cast<float>(bytes) / static_cast<float>(most);
        ink.fill({row.x0, row.y0 + ink.px(3), end, row.y1 - ink.px(3)}, colour, ink.px(2));
    }
}

}  // namespace

void draw_sector_sides(const Ink& ink, const SectorSide& before, const SectorSide& after, const Box& box) {
    const Theme& theme = ink.theme;
    Box rest = box;
    const std::size_t most_sectors =
        std::max<std::size_t>({before.request.count.sectors, after.request.count.sectors, 1});
    const std::uint64_t most_bytes =
        std::max<std::uint64_t>({before.request.moved_bytes(), after.request.moved_bytes(), 1});
    SideRow row;
    row.columns = std::min(most_sectors, most_in_row);
    // The bars' axis, so that a sector stands over its bytes where one row holds them all.
    row.x = rest.x0 + names_width(ink);
    row.pitch = (rest.x1 - figures_width(ink) - row.x) / static_cast<float>(row.columns);
    const Box foot = rest.take_bottom(text_height(theme.fonts.small) + ink.px(6));
    const float half = (rest.height() - ink.px(16)) / 2;
    const float heading = text_height(theme.fonts.title) + ink.px(8);
    const float bars = std::clamp(half * 0.28f, ink.px(36), ink.px(104));
    const std::size_t rows = (most_sectors + row.columns - 1) / row.columns;
    row.height = std::clamp((half - heading - bars) / static_cast<float>(rows), ink.px(8), ink.px(220));
    for (const SectorSide* side : {&before, &after}) {
        Box part = rest.take_top(half);
        run_heading(ink, part, side->name,
                    {fmt::format("{}: {}", side->place, counted(side->request.count.sectors, "sector")),
                     counted(side->request.count.sectors, "sector")},
                    side->request.costly() ? theme.cost : theme.ideal);
        const Box sectors =
            part.take_top(std::min(part.height() - bars, row.height * static_cast<float>(rows)));
        draw_sectors(ink, sectors, row, side->request);
        part.take_top(ink.px(4));
        draw_bytes(ink, part.take_top(bars), side->request, most_bytes);
        rest.take_top(ink.px(16));
    }
    ink.text(foot,
             "Each cell is a 32-byte sector that the request moves, in the order of addresses: filled where "
             "lanes use its bytes, hatched where they do not.",
             theme.fonts.small, theme.text_dim);
}

}  // namespace warplens::app
