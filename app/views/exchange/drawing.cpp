#include "app/views/exchange/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/views/exchange/differences.h"
#include "app/views/exchange/warp_exchanges.h"
#include "app/views/shared/cell_text.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {
namespace {

using analysis::Collective;
using analysis::CollectiveKind;

/// Rows of lanes and the room for arrows between them.
struct ExchangeGeometry {
    Box captions;  // left of the lanes
    float x = 0, pitch = 0;
    float first_row = 0, row_height = 0, band = 0;  // band: arrows alone

    float row_y(std::size_t row) const { return first_row + static_cast<float>(row) * (row_height + band); }
    Box cell(std::size_t row, int lane) const {
        const float left = std::round(x + pitch * static_cast<float>(lane));
        return {left, row_y(row), std::round(left + pitch) - (pitch >= 8 ? 2.0f : 1.0f),
                row_y(row) + row_height};
    }
    float least_cell_width() const { return std::floor(pitch) - (pitch >= 8 ? 2.0f : 1.0f); }
    Box arrows(std::size_t band_index) const {
        const float y = row_y(band_index) + row_height;
        return {x, y, x + 32 * pitch, y + band};
    }
};

ExchangeGeometry arrange_exchange(const Ink& ink, std::size_t bands, bool values, const Box& box) {
    ExchangeGeometry g;
    Box rest = box;
    g.captions = rest.take_left(std::clamp(box.width() * 0.19f, ink.px(112), ink.px(190)));
    rest.take_left(ink.px(10));
    g.x = rest.x0;
    g.pitch = rest.width() / 32;
    const auto count = static_cast<float>(bands);
    // A lane's number, and below it its value.
    const float lines = values ? 2 : 1;
    const float least = lines * text_height(ink.theme.fonts.small) + ink.px(2);
    g.row_height = std::clamp(rest.height() / (count + 1) * 0.3f, least, lines * ink.px(28));
    g.band = std::min((rest.height() - g.row_height * (count + 1)) / count, ink.px(440));
    g.first_row = rest.y0;
    return g;
}

/// What the cells of a row show; empty: one of the values does not fit, and only some would look like a
/// difference.
std::vector<std::string> texts_that_fit(const Ink& ink, const ExchangeRow& row, const ExchangeGeometry& g) {
    auto texts = cell_texts(ink, row, g.least_cell_width());
    const bool fit = std::ranges::all_of(texts, [&](const std::string& text) {
        return text != "…" && text_width(ink.theme.fonts.small, text) <= g.least_cell_width();
    });
    return fit ? texts : std::vector<std::string>();
}

void exchange_arrow(const Ink& ink, ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
    const float dx = to.x - from.x, dy = to.y - from.y;
    const float length = std::max(std::sqrt(dx * dx + dy * dy), 1.0f);
    const ImVec2 along{dx / length, dy / length}, across{-along.y, along.x};
    const float head = ink.px(3.5f) + thickness;
    const ImVec2 neck{to.x - along.x * head, to.y - along.y * head};
    ink.line(from, neck, colour, thickness);
    const float half = head * 0.55f;
    ink.list->AddTriangleFilled(to, {neck.x + across.x * half, neck.y + across.y * half},
                                {neck.x - across.x * half, neck.y - across.y * half}, colour);
}

/// A value that stays where it is: a thin upright of dashes.
void stays(const Ink& ink, ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
    const float dash = ink.px(4);
    for (float y = from.y; y < to.y; y += 2 * dash)
        ink.line({from.x, y}, {from.x, std::min(y + dash, to.y)}, colour, thickness);
}

class ExchangeDrawing {
  public:
    ExchangeDrawing(const ExchangePart& part, const Box& box)
        : part_(part),
          ink_(part.ink),
          theme_(part.ink.theme),
          g_(arrange_exchange(part.ink, std::max(part.shown.size(), part.other.size()),
                              !part.values.empty() || !part.other_values.empty(), box)),
          marks_values_(some_exchange_value_stays(part.values, part.other_values)),
          behind_(part.lane >= 0 ? lanes_behind(part.shown, part.lane) : std::vector<LaneMask>()) {
        for (const ExchangeRow& row : part.values) texts_.push_back(texts_that_fit(ink_, row, g_));
    }

    ExchangeHit draw() {
        for (std::size_t band = 0; band < part_.shown.size(); ++band) draw_band(band);
        ExchangeHit hit;
        for (std::size_t row = 0; row <= part_.shown.size(); ++row) draw_row(row, hit);
        if (hit.band < 0 && part_.mouse)
            for (std::size_t band = 0; band < part_.shown.size(); ++band)
                if (const Box arrows = g_.arrows(band); arrows.has(*part_.mouse))
                    hit = {static_cast<int>(band),
                           std::clamp(static_cast<int>((part_.mouse->x - g_.x) / g_.pitch), 0, 31)};
        return hit;
    }

  private:
    bool lit(std::size_t row, int lane) const { return behind_.empty() || behind_[row].has(lane); }
    ImU32 faded(ImU32 colour) const { return mix(colour, theme_.background, 0.78); }
    ImVec2 below(std::size_t row, int lane) const {
        return {g_.cell(row, lane).centre().x, g_.cell(row, lane).y1};
    }
    ImVec2 above(std::size_t row, int lane) const {
        return {g_.cell(row, lane).centre().x, g_.cell(row, lane).y0};
    }

    void draw_band(std::size_t band) {
        const Collective& c = part_.shown[band];
        caption(band);
        if (is_shuffle(c.kind)) shuffle(band);
        else if (c.kind == CollectiveKind::match && c.recorded) match(band);
        else all_to_one(band);
    }

    std::string first_that_fits(std::initializer_list<std::string> wordings) const {
        return std::string(wording_that_fits(theme_.fonts.small, wordings, g_.captions.width()));
    }

    /// "by 16" of "Butterfly shuffle by 16".
    static std::string short_name(const std::string& name) {
        const std::size_t by = name.find("by ");
        return by == std::string::npos ? name : name.substr(by);
    }

    /// "segments of 8 · line 45 · all lanes active", or as much of it as there is room for.
    std::string detail_words(const Collective& c, const Site& site) const {
        const std::string line = site.line == 0 ? std::string() : fmt::format("line {}", site.line);
        const std::string active = c.mask == LaneMask::all() ? std::string("all lanes active")
                                                             : fmt::format("{} lanes active", c.mask.count());
        const std::string parts = c.width < warp_size ? fmt::format("segments of {}", c.width) : "";
        const auto joined = [](const std::string& a, const std::string& b) {
            return a.empty() || b.empty() ? a + b : a + " · " + b;
        };
        return first_that_fits(
            {joined(parts, joined(line, active)), joined(parts, line), parts.empty() ? active : parts, line});
    }

    void caption(std::size_t band) const {
        const Collective& c = part_.shown[band];
        const Site& site = part_.program.sites[c.site];
        const Box arrows = g_.arrows(band);
        const float line = text_height(theme_.fonts.words), small = text_height(theme_.fonts.small);
        const float lines = line + small + ink_.px(2);
        const std::string name = analysis::collective_name(c, site);
        // Rows that are close together leave room for one line.
        if (arrows.height() + g_.row_height - small < lines) {
            const float middle = arrows.centre().y;
            ink_.text({g_.captions.x0, middle - small / 2, g_.captions.x1, middle + small / 2},
                      site.line == 0 ? name
                                     : first_that_fits({fmt::format("{} · line {}", name, site.line), name,
                                                        short_name(name)}),
                      theme_.fonts.small, theme_.text, Align::right);
            return;
        }
        Box box{g_.captions.x0, arrows.y0 + (arrows.height() - lines) / 2, g_.captions.x1, arrows.y1};
        const bool whole = text_width(theme_.fonts.words, name) <= box.width();
        ink_.text(box.take_top(line), whole ? name : first_that_fits({name, short_name(name)}),
                  whole ? theme_.fonts.words : theme_.fonts.small, theme_.text, Align::right);
        box.take_top(ink_.px(2));
        ink_.text(box.take_top(small), detail_words(c, site), theme_.fonts.small, theme_.text_dim,
                  Align::right);
    }

    void shuffle(std::size_t band) const {
        const Collective& c = part_.shown[band];
        if (!c.recorded) {
            ink_.text(g_.arrows(band),
                      "The source lane of each value was not recorded. The CPU engine records it.",
                      theme_.fonts.words, theme_.text_dim, Align::centre);
            return;
        }
        const float gap = ink_.px(2);
        // The traced path is on top.
        for (const bool front : {false, true})
            for_each_lane(c.mask, [&](int lane) {
                const int source = c.lanes[static_cast<std::size_t>(lane)];
                const bool followed = lit(band + 1, lane);
                if (followed != front) return;
                ImVec2 from = below(band, source), to = above(band + 1, lane);
                from.y += gap;
                to.y -= gap;
                if (source == lane) {
                    const bool out = c.reached_out(lane);
                    const ImU32 colour = out ? theme_.inactive : theme_.category(0);
                    stays(ink_, from, to,
                          followed && !behind_.empty() ? colour : mix(colour, theme_.background, 0.4),
                          ink_.px(1.4f));
                    return;
                }
                const ImU32 colour = theme_.category(0);
                if (followed && !behind_.empty()) {
                    stays(ink_, {to.x, below(band, lane).y + gap}, to, mix(colour, theme_.background, 0.25),
                          ink_.px(1.4f));
                    exchange_arrow(ink_, from, to, colour, ink_.px(2));
                } else {
                    exchange_arrow(ink_, from, to, behind_.empty() ? colour : faded(colour), ink_.px(1.2f));
                }
            });
    }

    /// Lanes with the same value meet in the lowest of them.
    void match(std::size_t band) const {
        const Collective& c = part_.shown[band];
        for_each_lane(c.mask, [&](int lane) {
            const int first = c.lanes[static_cast<std::size_t>(lane)];
            const ImU32 colour = theme_.category(group_of(c, lane) % 8);
            const bool followed = part_.lane < 0 || !c.mask.has(part_.lane) ||
                                  c.lanes[static_cast<std::size_t>(part_.lane)] == first;
            ImVec2 from = below(band, lane), to = above(band + 1, first);
            from.y += ink_.px(2);
            to.y -= ink_.px(2);
            const ImU32 drawn = followed ? colour : faded(colour);
            if (lane == first) exchange_arrow(ink_, from, to, drawn, ink_.px(2));
            else ink_.thread(from, to, drawn, ink_.px(1.4f));
        });
    }

    /// Number of the lane's value among the different ones, in order of the lanes.
    static int group_of(const Collective& c, int lane) {
        std::uint32_t firsts = 0;
        for_each_lane(c.mask, [&](int other) { firsts |= 1u << c.lanes[static_cast<std::size_t>(other)]; });
        const std::uint32_t below = (1u << c.lanes[static_cast<std::size_t>(lane)]) - 1;
        return std::popcount(firsts & below);
    }

    void all_to_one(std::size_t band) const {
        const Collective& c = part_.shown[band];
        const Box arrows = g_.arrows(band);
        const bool votes = c.kind == CollectiveKind::ballot || c.kind == CollectiveKind::vote;
        const LaneMask holds = votes && c.recorded ? c.holds() : c.mask;
        const std::string words = meeting_words(c);
        const float half_width = text_width(theme_.fonts.code, words) / 2 + ink_.px(12);
        const float half_height = text_height(theme_.fonts.code) / 2 + ink_.px(5);
        const ImVec2 middle = arrows.centre();
        const Box node{middle.x - half_width, middle.y - half_height, middle.x + half_width,
                       middle.y + half_height};
        // Threads end side by side on the node, in the lanes' order.
        const auto x_on_node = [&](int lane) {
            return node.x0 + ink_.px(8) +
                   (node.width() - ink_.px(16)) * (static_cast<float>(lane) + 0.5f) / 32.0f;
        };
        for_each_lane(c.mask, [&](int lane) {
            const bool gives = holds.has(lane);
            const ImU32 colour = gives ? theme_.category(0) : theme_.inactive;
            const bool followed = part_.lane < 0 || part_.lane == lane;
            ink_.thread({below(band, lane).x, below(band, lane).y + ink_.px(2)}, {x_on_node(lane), node.y0},
                        followed ? colour : faded(colour), ink_.px(gives ? 1.6f : 1.0f));
            const ImU32 back = theme_.category(2);
            ink_.thread({x_on_node(lane), node.y1},
                        {above(band + 1, lane).x, above(band + 1, lane).y - ink_.px(2)},
                        followed ? mix(back, theme_.background, 0.2) : faded(back), ink_.px(1.2f));
        });
        ink_.fill(node, theme_.raised, ink_.px(5));
        ink_.outline(node, theme_.category(2), ink_.px(1.5f), ink_.px(5));
        ink_.text(node, words, theme_.fonts.code, theme_.text, Align::centre);
    }

    std::string meeting_words(const Collective& c) const {
        const Site& site = part_.program.sites[c.site];
        if (c.kind == CollectiveKind::ballot)
            return c.recorded ? fmt::format("{:#010x}: true for {} of {}", c.holds().bits, c.holds().count(),
                                            c.mask.count())
                              : fmt::format("ballot of {} lanes", c.mask.count());
        if (c.kind == CollectiveKind::vote) {
            if (!c.recorded) return fmt::format("vote of {} lanes", c.mask.count());
            const int holds = c.holds().count();
            const bool yes = analysis::has_modifier(site, "all")   ? holds == c.mask.count()
                             : analysis::has_modifier(site, "any") ? holds > 0
                                                                   : holds == 0 || holds == c.mask.count();
            return fmt::format("{}: true for {} of {}", yes ? "yes" : "no", holds, c.mask.count());
        }
        if (c.kind == CollectiveKind::match) return fmt::format("match of {} lanes", c.mask.count());
        return fmt::format("{} of {} lanes", analysis::collective_name(c, site), c.mask.count());
    }

    /// The lane's number, and its value.
    void label(Box cell, std::size_t row, int lane, ImU32 colour, bool numbers) const {
        if (has_texts(row)) {
            const Box below = cell.take_bottom(cell.height() / 2);
            ink_.text_if_fits(below, texts_[row][static_cast<std::size_t>(lane)], theme_.fonts.small, colour);
        }
        if (numbers) ink_.text(cell, std::to_string(lane), theme_.fonts.small, colour, Align::centre);
    }

    bool has_texts(std::size_t row) const { return row < texts_.size() && !texts_[row].empty(); }
    /// "lane 0 gives 275": of a row whose cells have no room for the values of all lanes.
    std::string said_words(std::size_t row) const {
        if (row >= part_.said.size()) return {};
        const std::string& value = part_.said[row][static_cast<std::size_t>(part_.said_lane)];
        if (value.empty()) return {};
        const std::string lane = fmt::format("lane {}", part_.said_lane);
        const char* verb = row < part_.shown.size() ? "gives" : "receives";
        return first_that_fits(
            {fmt::format("{} {} {}", lane, verb, value), fmt::format("{}: {}", lane, value)});
    }
    /// Of the first row and the last; values there are those before and after all steps.
    std::string row_words(std::size_t row) const {
        const bool values = has_texts(row);
        if (const std::string said = said_words(row); !said.empty()) return said;
        if (row == 0) return values ? first_that_fits({"lane, value given", "value given"}) : "lane";
        if (row < part_.shown.size()) return {};
        return values ? first_that_fits({"lane, value received", "received"}) : "lane, after";
    }

    void draw_row(std::size_t row, ExchangeHit& hit) const {
        // A row is between two bands: its lanes are those active in the one below, the last row's those
        // above.
        const Collective& c = part_.shown[std::min(row, part_.shown.size() - 1)];
        const Collective* row_above = row > 0 ? &part_.shown[row - 1] : nullptr;
        const Box row_box{g_.captions.x0, g_.row_y(row), g_.captions.x1, g_.row_y(row) + g_.row_height};
        // Between two captions only where there is room.
        if ((g_.row_height + g_.band) / 2 >= text_height(theme_.fonts.small))
            ink_.text(row_box, row_words(row), theme_.fonts.small, theme_.text_dim, Align::right);
        const bool numbers = g_.pitch >= text_width(theme_.fonts.small, "31") + ink_.px(2);
        for (int lane = 0; lane < warp_size; ++lane) {
            const Box cell = g_.cell(row, lane);
            if (!c.mask.has(lane)) {
                ink_.hatch(cell, theme_.inactive, 4);
                if (numbers)
                    ink_.text(cell, std::to_string(lane), theme_.fonts.small, theme_.text_dim, Align::centre);
            } else {
                const ImU32 full = colour_of(c, row, lane);
                const ImU32 fill = lit(row, lane) ? full : mix(full, theme_.background, 0.72);
                ink_.fill(cell, fill, ink_.px(2));
                label(cell, row, lane, lit(row, lane) ? theme_.text_on(fill) : theme_.text_dim, numbers);
                if (row_above && row_above->reached_out(lane))
                    ink_.outline(cell, theme_.inactive, ink_.px(1.5f), ink_.px(2));
            }
            if (lane == part_.chosen && row == part_.shown.size())
                ink_.outline(cell.inset(-ink_.px(2)), theme_.selected, ink_.px(2), ink_.px(3));
            if (exchange_differs(part_.shown, part_.other, row, lane) ||
                (marks_values_ && exchange_value_differs(part_.values, part_.other_values, row, lane)))
                outline_change(ink_, cell);
            if (part_.named)
                hit_box(fmt::format("exchange row {} lane {}", row, lane), cell.min(), cell.max());
            if (part_.mouse && cell.has(*part_.mouse)) {
                if (lit(row, lane)) ink_.fill(cell, theme_.hovered, ink_.px(2));
                hit = {static_cast<int>(row == 0 ? 0 : row - 1), lane};
            }
        }
    }

    /// Of a vote's lanes the true ones are highlighted; in a match lanes with the same value look the same.
    ImU32 colour_of(const Collective& c, std::size_t row, int lane) const {
        const bool gives = row < part_.shown.size();
        if (c.recorded && c.kind == CollectiveKind::match) return theme_.category(group_of(c, lane) % 8);
        const bool votes = c.kind == CollectiveKind::ballot || c.kind == CollectiveKind::vote;
        if (gives && c.recorded && votes && !c.holds().has(lane))
            return mix(theme_.inactive, theme_.background, 0.35);
        return !gives && (votes || c.kind == CollectiveKind::reduce) ? theme_.category(2)
                                                                     : theme_.category(0);
    }

    const ExchangePart& part_;
    const Ink& ink_;
    const Theme& theme_;
    ExchangeGeometry g_;
    bool marks_values_;  // those that differ
    std::vector<LaneMask> behind_;
    std::vector<std::vector<std::string>> texts_;  // of the values in each row that fits
};

}  // namespace

std::vector<bool> exchange_rows_that_fit(const Ink& ink, std::span<const ExchangeRow> values,
                                         const Box& box) {
    const auto g = arrange_exchange(ink, std::max<std::size_t>(values.size(), 2) - 1, true, box);
    std::vector<bool> fit;
    for (const ExchangeRow& row : values) fit.push_back(!texts_that_fit(ink, row, g).empty());
    return fit;
}

float comfortable_exchange_height(const Ink& ink, std::size_t bands) {
    return ink.px(28) + static_cast<float>(bands) * ink.px(110);
}

ExchangeHit draw_exchange(const ExchangePart& part, const Box& box) {
    return ExchangeDrawing(part, box).draw();
}

}  // namespace warplens::app
