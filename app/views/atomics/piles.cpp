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

namespace {

/// One drawing of the request, part by part; `hit` is the lane under the mouse.
class PilesDrawing {
  public:
    PilesDrawing(const AtomicPiles& part, const Box& whole)
        : part_(part),
          ink_(part.ink),
          theme_(part.ink.theme),
          request_(part.request),
          whole_(whole),
          array_(array_of(part.request.places.front())) {
        Box box = whole;
        heading_ = box.take_top(ink_.px(22));
        // For the names of the rounds and of the array.
        margin_ = std::clamp(text_width(theme_.fonts.small, array_) + ink_.px(10), ink_.px(64), ink_.px(110));
        lanes_ = box.take_top(ink_.px(24));
        lanes_.take_left(margin_);
        // The threads get the height that the rounds do not need.
        const float needed = ink_.px(44) + ink_.px(34) * static_cast<float>(rounds_of(part));
        threads_ = box.take_top(std::clamp(box.height() - needed, box.height() * 0.18f,
                                           std::max(box.height() * 0.5f, ink_.px(28))));
        names_ = box.take_top(ink_.px(20));
        counts_ = box.take_top(ink_.px(20));
        Box pile = box;
        pile.take_left(margin_);
        pile.take_top(ink_.px(4));
        grid_ = grid_of(part, pile);
        marked_ = part.other && std::min(grid_.row, grid_.cell) >= ink_.px(12) &&
                  shares_a_cell(request_, *part.other);
    }

    int draw() {
        draw_heading();
        draw_lanes();
        const Naming naming = naming_of(ink_, request_, grid_.column);
        for (std::size_t a = 0; a < request_.detail.addresses.size(); ++a) draw_address(a, naming);
        draw_captions();
        return hit_;
    }

  private:
    void draw_heading() const {
        if (marked_)
            ink_.heading(
                heading_,
                {"Lanes and the addresses that they update; with a corner: differs from the other run",
                 "Lanes and addresses; with a corner: differs", "Lanes and addresses"});
        else
            ink_.heading(heading_,
                         {"Lanes and the addresses that they update", "Lanes and addresses", "Lanes"});
    }

    Box lane_box(int lane) const {
        const float width = lanes_.width() / warp_size;
        const float x = lanes_.x0 + width * static_cast<float>(lane);
        return {x + 1, lanes_.y0, x + width - 1, lanes_.y1};
    }
    bool under_mouse(const Box& cell) const { return part_.mouse && cell.has(*part_.mouse); }

    void draw_lanes() {
        const bool numbered = lanes_.width() / warp_size - 2 >= text_width(theme_.fonts.small, "20");
        for (int lane = 0; lane < warp_size; ++lane) {
            const Box cell = lane_box(lane);
            if (!request_.detail.lanes.has(lane)) {
                ink_.hatch(cell, theme_.inactive);
                continue;
            }
            ink_.fill(cell, mix(theme_.panel, theme_.text, 0.16), ink_.px(2));
            if (numbered) ink_.text_if_fits(cell, std::to_string(lane), theme_.fonts.small, theme_.text);
            if (lane == part_.chosen) ink_.outline(cell, theme_.selected, 2, ink_.px(2));
            if (under_mouse(cell)) hit_ = lane;
            if (part_.named_lanes) hit_box(fmt::format("atomics lane {}", lane), cell.min(), cell.max());
        }
    }

    void draw_address(std::size_t a, Naming naming) {
        const analysis::ContendedAddress& address = request_.detail.addresses[a];
        const auto most = static_cast<std::size_t>(address.lanes.count());
        const ImU32 colour = most > 1 ? theme_.cost : theme_.ideal;
        const Box head = grid_.at(a, 0);
        const Box column{head.centre().x - grid_.column / 2, 0, head.centre().x + grid_.column / 2, 0};
        const Box name{column.x0, names_.y0, column.x1, names_.y1};
        if (naming == Naming::whole)
            ink_.text(name, request_.places[a], theme_.fonts.code, theme_.text, Align::centre);
        else if (naming == Naming::index || most > 1)  // a contended address is named in any case
            ink_.text({name.x0 - ink_.px(12), name.y0, name.x1 + ink_.px(12), name.y1},
                      index_of(request_.places[a]), theme_.fonts.small, theme_.text, Align::centre);
        ink_.text_if_fits({column.x0, counts_.y0, column.x1, counts_.y1}, fmt::format("×{}", most),
                          theme_.fonts.code, colour);
        std::size_t round = 0;
        for_each_lane(address.lanes, [&](int lane) {
            const Box from = lane_box(lane);
            const bool bright = part_.focus < 0 || part_.focus == lane;
            ink_.thread({from.centre().x, from.y1}, {head.centre().x, threads_.y1},
                        with_alpha(colour, bright ? 0.75 : 0.12), ink_.px(part_.focus == lane ? 2.5f : 1.2f));
            draw_update(a, round++, lane);
        });
    }

    void draw_update(std::size_t a, std::size_t round, int lane) {
        Box cell = grid_.at(a, round);
        cell.y1 -= grid_.row > ink_.px(6) ? ink_.px(2) : 0;
        // The first round is needed even without contention; every later one waits.
        const ImU32 colour = round == 0 ? theme_.ideal : theme_.cost;
        ink_.fill(cell, colour, ink_.px(2));
        ink_.text_if_fits(cell, std::to_string(lane), theme_.fonts.small, theme_.text_on(colour));
        if (marked_ && lane_in_round(*part_.other, request_.places[a], round) != lane)
            outline_change(ink_, cell);
        if (lane == part_.focus || lane == part_.chosen) ink_.outline(cell, theme_.selected, 2, ink_.px(2));
        if (under_mouse(cell)) hit_ = lane;
    }

    void draw_captions() const {
        const std::size_t rounds = request_.detail.rounds.size();
        for (std::size_t round = 0; round < rounds; ++round) {
            if (round != 0 && round + 1 != rounds && grid_.row < ink_.px(16)) continue;
            const float middle = grid_.at(0, round).centre().y;
            caption({middle - ink_.px(9), middle + ink_.px(9)}, fmt::format("round {}", round + 1));
        }
        caption({names_.y0, names_.y1}, array_);
        caption({counts_.y0, counts_.y1}, "lanes");
    }
    /// `y`: begin and end.
    void caption(ImVec2 y, std::string_view words) const {
        ink_.text({whole_.x0, y.x, whole_.x0 + margin_ - ink_.px(8), y.y}, words, theme_.fonts.small,
                  theme_.text_dim, Align::right);
    }

    const AtomicPiles& part_;
    const Ink& ink_;
    const Theme& theme_;
    const AtomicRequest& request_;
    const Box whole_;
    const std::string array_;
    Box heading_, lanes_, threads_, names_, counts_;
    float margin_ = 0;
    PileGrid grid_;
    bool marked_ = false;
    int hit_ = -1;
};

}  // namespace

int draw_atomic_piles(const AtomicPiles& part, const Box& whole) { return PilesDrawing(part, whole).draw(); }

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
