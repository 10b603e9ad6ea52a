#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/atomics/parts.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {
namespace {

/// Addresses and rounds as a grid of columns and rows that fits the box.
struct PileGrid {
    Box box;
    float column = 0, row = 0, cell = 0;

    Box at(std::size_t address, std::size_t round) const {
        const float middle = box.x0 + column * (static_cast<float>(address) + 0.5f);
        const float y = box.y0 + row * static_cast<float>(round);
        return {middle - cell / 2, y, middle + cell / 2, y + row};
    }
};

/// Of the two runs' requests the larger count: that is the scale.
std::size_t addresses_of(const AtomicPiles& part) {
    return std::max({std::size_t{1}, part.request.detail.addresses.size(),
                     part.other ? part.other->detail.addresses.size() : 0});
}
std::size_t rounds_of(const AtomicPiles& part) {
    return std::max({std::size_t{1}, part.request.detail.rounds.size(),
                     part.other ? part.other->detail.rounds.size() : 0});
}

PileGrid grid_of(const AtomicPiles& part, const Box& box) {
    const Ink& ink = part.ink;
    PileGrid grid;
    grid.box = box;
    const auto addresses = static_cast<float>(addresses_of(part));
    const auto rounds = static_cast<float>(rounds_of(part));
    grid.column = box.width() / addresses;
    grid.row = std::min(box.height() / rounds, ink.px(34));
    grid.cell = std::min(grid.column - ink.px(3), ink.px(46));
    return grid;
}

/// "17" of "bins[17]", for columns too narrow for the name; the full text if there is no index.
std::string index_of(const std::string& place) {
    const std::size_t open = place.rfind('['), close = place.rfind(']');
    return open == std::string::npos || close == std::string::npos || close < open
               ? place
               : place.substr(open + 1, close - open - 1);
}

/// How the addresses are named. Names in only some of the columns would look like a difference.
enum class Naming { whole, index, contended };
Naming naming_of(const Ink& ink, const AtomicRequest& request, float column) {
    float whole = 0, index = 0;
    for (const std::string& place : request.places) {
        whole = std::max(whole, text_width(ink.theme.fonts.code, place));
        index = std::max(index, text_width(ink.theme.fonts.small, index_of(place)));
    }
    return whole + ink.px(8) <= column   ? Naming::whole
           : index + ink.px(5) <= column ? Naming::index
                                         : Naming::contended;
}

/// Some lane has the same place and round in both. Else a mark at every cell would say nothing.
bool shares_a_cell(const AtomicRequest& request, const AtomicRequest& other) {
    for (std::size_t a = 0; a < request.places.size(); ++a) {
        const auto rounds = static_cast<std::size_t>(request.detail.addresses[a].lanes.count());
        for (std::size_t round = 0; round < rounds; ++round) {
            const int lane = lane_in_round(request, request.places[a], round);
            if (lane == lane_in_round(other, request.places[a], round)) return true;
        }
    }
    return false;
}

/// "bins[ ]" of "bins[17]".
std::string array_of(const std::string& place) {
    const std::size_t open = place.rfind('[');
    return open == std::string::npos ? "address" : place.substr(0, open) + "[ ]";
}

}  // namespace

int lane_in_round(const AtomicRequest& request, const std::string& place, std::size_t round) {
    for (std::size_t a = 0; a < request.places.size(); ++a) {
        if (request.places[a] != place) continue;
        const LaneMask lanes = request.detail.addresses[a].lanes;
        int found = -1;
        std::size_t at = 0;
        for_each_lane(lanes, [&](int lane) {
            if (at++ == round) found = lane;
        });
        return found;
    }
    return -1;
}

int draw_atomic_piles(const AtomicPiles& part, const Box& whole) {
    const Ink& ink = part.ink;
    const AtomicRequest& request = part.request;
    const int focus = part.focus, chosen = part.chosen;
    const std::optional<ImVec2>& mouse = part.mouse;
    const Theme& theme = ink.theme;
    const analysis::AtomicDetail& detail = request.detail;
    int hit = -1;
    Box box = whole;
    const Box heading = box.take_top(ink.px(22));
    const std::string array = array_of(request.places.front());
    const float margin =  // for the names of the rounds and of the array
        std::clamp(text_width(theme.fonts.small, array) + ink.px(10), ink.px(64), ink.px(110));
    Box lanes = box.take_top(ink.px(24));
    lanes.take_left(margin);
    // The threads get the height that the rounds do not need.
    const float needed = ink.px(44) + ink.px(34) * static_cast<float>(rounds_of(part));
    const Box threads = box.take_top(
        std::clamp(box.height() - needed, box.height() * 0.18f, std::max(box.height() * 0.5f, ink.px(28))));
    const Box names = box.take_top(ink.px(20));
    const Box counts = box.take_top(ink.px(20));
    Box pile = box;
    pile.take_left(margin);
    pile.take_top(ink.px(4));
    const PileGrid grid = grid_of(part, pile);
    const bool marked =
        part.other && std::min(grid.row, grid.cell) >= ink.px(12) && shares_a_cell(request, *part.other);
    if (marked)
        ink.heading(heading,
                    {"Lanes and the addresses that they update; with a corner: differs from the other run",
                     "Lanes and addresses; with a corner: differs", "Lanes and addresses"});
    else ink.heading(heading, {"Lanes and the addresses that they update", "Lanes and addresses", "Lanes"});
    const float lane_width = lanes.width() / warp_size;
    const bool numbered = lane_width - 2 >= text_width(theme.fonts.small, "20");
    const auto lane_box = [&](int lane) {
        const float x = lanes.x0 + lane_width * static_cast<float>(lane);
        return Box{x + 1, lanes.y0, x + lane_width - 1, lanes.y1};
    };
    for (int lane = 0; lane < warp_size; ++lane) {
        const Box cell = lane_box(lane);
        if (!detail.lanes.has(lane)) {
            ink.hatch(cell, theme.inactive);
            continue;
        }
        ink.fill(cell, mix(theme.panel, theme.text, 0.16), ink.px(2));
        if (numbered) ink.text_if_fits(cell, std::to_string(lane), theme.fonts.small, theme.text);
        if (lane == chosen) ink.outline(cell, theme.selected, 2, ink.px(2));
        if (mouse && cell.has(*mouse)) hit = lane;
        if (part.named_lanes) hit_box(fmt::format("atomics lane {}", lane), cell.min(), cell.max());
    }
    const Naming naming = naming_of(ink, request, grid.column);
    for (std::size_t a = 0; a < detail.addresses.size(); ++a) {
        const analysis::ContendedAddress& address = detail.addresses[a];
        const auto most = static_cast<std::size_t>(address.lanes.count());
        const ImU32 colour = most > 1 ? theme.cost : theme.ideal;
        const Box head = grid.at(a, 0);
        const Box column{head.centre().x - grid.column / 2, 0, head.centre().x + grid.column / 2, 0};
        const Box name{column.x0, names.y0, column.x1, names.y1};
        if (naming == Naming::whole)
            ink.text(name, request.places[a], theme.fonts.code, theme.text, Align::centre);
        else if (naming == Naming::index || most > 1)  // a contended address is named in any case
            ink.text({name.x0 - ink.px(12), name.y0, name.x1 + ink.px(12), name.y1},
                     index_of(request.places[a]), theme.fonts.small, theme.text, Align::centre);
        ink.text_if_fits({column.x0, counts.y0, column.x1, counts.y1}, fmt::format("×{}", most),
                         theme.fonts.code, colour);
        std::size_t round = 0;
        for_each_lane(address.lanes, [&](int lane) {
            const Box from = lane_box(lane);
            const bool bright = focus < 0 || focus == lane;
            ink.thread({from.centre().x, from.y1}, {head.centre().x, threads.y1},
                       with_alpha(colour, bright ? 0.75 : 0.12), ink.px(focus == lane ? 2.5f : 1.2f));
            Box cell = grid.at(a, round);
            cell.y1 -= grid.row > ink.px(6) ? ink.px(2) : 0;
            // The first round is needed even without contention; every later one waits.
            ink.fill(cell, round == 0 ? theme.ideal : theme.cost, ink.px(2));
            ink.text_if_fits(cell, std::to_string(lane), theme.fonts.small,
                             theme.text_on(round == 0 ? theme.ideal : theme.cost));
            if (marked && lane_in_round(*part.other, request.places[a], round) != lane)
                outline_change(ink, cell);
            if (lane == focus || lane == chosen) ink.outline(cell, theme.selected, 2, ink.px(2));
            if (mouse && cell.has(*mouse)) hit = lane;
            ++round;
        });
    }
    for (std::size_t round = 0; round < detail.rounds.size(); ++round) {
        const Box first = grid.at(0, round);
        const bool named = round == 0 || round + 1 == detail.rounds.size() || grid.row >= ink.px(16);
        if (named)
            ink.text({whole.x0, first.centre().y - ink.px(9), whole.x0 + margin - ink.px(8),
                      first.centre().y + ink.px(9)},
                     fmt::format("round {}", round + 1), theme.fonts.small, theme.text_dim, Align::right);
    }
    ink.text({whole.x0, names.y0, whole.x0 + margin - ink.px(8), names.y1}, array, theme.fonts.small,
             theme.text_dim, Align::right);
    ink.text({whole.x0, counts.y0, whole.x0 + margin - ink.px(8), counts.y1}, "lanes", theme.fonts.small,
             theme.text_dim, Align::right);
    return hit;
}

std::optional<std::size_t> draw_atomic_sites(const Ink& ink, const trace::Trace& trace,
                                             const RequestIndex& index, SiteId shown,
                                             std::optional<ImVec2> mouse, const Box& whole) {
    const Theme& theme = ink.theme;
    std::optional<std::size_t> hit;
    Box box = whole;
    ink.heading(box.take_top(ink.px(22)),
                {"Atomic instructions, most contended first", "Atomic instructions"});
    const float number = ink.px(86);
    const auto columns = [&](Box row, const std::array<std::string, 4>& words, ImFont* font, ImU32 colour,
                             ImU32 last) {
        row.take_right(ink.px(6));
        ink.text(row.take_right(number), words[3], font, last, Align::right);
        ink.text(row.take_right(number), words[2], font, colour, Align::right);
        ink.text(row.take_left(ink.px(52)), words[0], font, colour, Align::right);
        row.take_left(ink.px(12));
        ink.text(row, words[1], font, colour);
    };
    columns(box.take_top(ink.px(18)), {"line", "instruction", "requests", "mean rounds"}, theme.fonts.small,
            theme.text_dim, theme.text_dim);
    ink.text(box.take_bottom(ink.px(20)), "mean rounds: over all recorded requests", theme.fonts.small,
             theme.text_dim);
    for (std::size_t i = 0; i < index.sites.size() && box.height() > ink.px(22); ++i) {
        const RequestIndex::SiteRequests& site = index.sites[i];
        const Site& about = trace.program.sites[site.site];
        const Box row = box.take_top(ink.px(22));
        if (mouse && row.has(*mouse)) {
            hit = i;
            ink.fill(row, theme.hovered, ink.px(3));
        }
        if (site.site == shown) ink.outline(row, theme.selected, ink.px(1), ink.px(3));
        columns(row,
                {about.line ? std::to_string(about.line) : fmt::format("PTX {}", about.ptx_line),
                 about.opcode, grouped(site.requests), decimal(site.ratio())},
                theme.fonts.code, theme.text, site.cost > site.ideal ? theme.cost : theme.ideal);
        hit_box(fmt::format("atomics row {}", i), row.min(), row.max());
    }
    return hit;
}

}  // namespace warplens::app
