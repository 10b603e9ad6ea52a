#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/views/sectors/parts.h"
#include "app/views/shared/access_words.h"

namespace warplens::app {

std::uint32_t sector_axis_end(std::uint32_t sectors) {
    for (const std::uint32_t end : {8u, 16u, 32u})
        if (sectors <= end) return end;
    return sectors;
}

std::optional<std::size_t> draw_sector_histogram(const Ink& ink, const analysis::SectorHistogram& histogram,
                                                 std::uint32_t shown_sectors, std::optional<ImVec2> mouse,
                                                 const Box& box) {
    const Theme& theme = ink.theme;
    ImFont* small = theme.fonts.small;
    std::optional<std::size_t> hit;
    Box rest = box;
    const Box caption = rest.take_top(ink.px(22));
    const std::string count = grouped(histogram.requests);
    if (histogram.requests == 1) ink.heading(caption, {"The site's only request"});
    else
        ink.heading(caption, {fmt::format("All {} requests of the site, by sectors", count),
                              fmt::format("{} requests by sectors", count), "Sectors per request"});
    if (histogram.bins.empty()) return hit;
    const Box axis = rest.take_bottom(ink.px(34));
    rest.take_top(ink.px(18));  // counts over the highest bar
    std::uint64_t most = 1;
    for (const auto& bin : histogram.bins) most = std::max(most, bin.requests);
    const auto ideal = static_cast<std::uint32_t>(std::lround(histogram.ideal_per_request()));
    const std::uint32_t last =
        sector_axis_end(std::max({histogram.bins.back().sectors, shown_sectors, ideal}));
    const float pitch = rest.width() / static_cast<float>(last);
    const auto bar_x = [&](std::uint32_t sectors) {
        return rest.x0 + pitch * static_cast<float>(sectors - 1);
    };

    const auto bar_height = [&](std::uint64_t requests) {
        const auto share = static_cast<float>(double(requests) / double(most));
        return std::max(ink.px(2), std::round(rest.height() * share));
    };

    draw_horizontal_hairline(*ink.list, theme, rest.x0, rest.x1, rest.y1);
    for (std::size_t i = 0; i < histogram.bins.size(); ++i) {
        const auto& bin = histogram.bins[i];
        const float height = bar_height(bin.requests);
        const Box bar{std::round(bar_x(bin.sectors)), rest.y1 - height,
                      std::round(bar_x(bin.sectors) + pitch) - (pitch >= 5 ? 2.0f : 0.0f), rest.y1};
        // Requests of partly active warps have smaller ideals: a bin may hold both kinds.
        ink.fill(bar, bin.at_ideal == bin.requests ? theme.ideal : theme.cost, ink.px(2));
        if (bin.at_ideal > 0 && bin.at_ideal < bin.requests) {
            const float share = static_cast<float>(double(bin.at_ideal) / double(bin.requests));
            ink.fill({bar.x0, bar.y1 - std::round(bar.height() * share), bar.x1, bar.y1}, theme.ideal,
                     ink.px(2));
        }
        if (bin.sectors == shown_sectors)
            ink.outline(bar.inset(-ink.px(2)), theme.selected, ink.px(2), ink.px(3));
        if (mouse && Box{bar.x0, rest.y0, bar.x1, rest.y1}.has(*mouse)) {
            hit = i;
            ink.fill({bar.x0, rest.y0, bar.x1, rest.y1}, theme.hovered);
        }
    }
    // Counts over the bars: the shown one's and the highest first, the others where they have room.
    std::vector<std::size_t> order(histogram.bins.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto rank = [&](std::size_t i) {
            return std::pair(histogram.bins[i].sectors == shown_sectors, histogram.bins[i].requests);
        };
        return rank(a) > rank(b);
    });
    std::vector<Box> taken;
    for (std::size_t i : order) {
        const auto& bin = histogram.bins[i];
        const std::string words = grouped(bin.requests);
        const float half = text_width(small, words) / 2;
        const float centre = std::clamp(bar_x(bin.sectors) + pitch / 2, rest.x0 + half, rest.x1 - half);
        const float bottom = rest.y1 - bar_height(bin.requests) - ink.px(3);
        const Box box{centre - half - ink.px(3), bottom - text_height(small), centre + half + ink.px(3),
                      bottom};
        const auto overlaps = [&](const Box& other) {
            return box.x0 < other.x1 && other.x0 < box.x1 && box.y0 < other.y1 && other.y0 < box.y1;
        };
        bool crowded = std::any_of(taken.begin(), taken.end(), overlaps);
        for (const auto& other : histogram.bins)
            crowded = crowded || (other.sectors != bin.sectors &&
                                  overlaps({bar_x(other.sectors), rest.y1 - bar_height(other.requests),
                                            bar_x(other.sectors) + pitch, rest.y1}));
        if (crowded) continue;
        draw_text(*ink.list, small, {centre - half, box.y0}, theme.text, words);
        taken.push_back(box);
    }
    const std::uint32_t step = std::max(last / 8, 1u);
    for (std::uint32_t sectors = 1; sectors <= last; sectors += sectors == 1 && step > 1 ? step - 1 : step) {
        const float half = std::max(pitch, text_width(small, "32")) / 2 + 1;
        const float centre = std::min(bar_x(sectors) + pitch / 2, rest.x1 - text_width(small, "32") / 2);
        if (sectors == step && static_cast<float>(step - 1) * pitch < 2 * half && step > 1) continue;
        ink.text({centre - half, axis.y0 + ink.px(2), centre + half, axis.y0 + ink.px(16)},
                 std::to_string(sectors), small, theme.text_dim, Align::centre);
    }
    // The ideal, under the axis.
    if (ideal >= 1) {
        const float centre = bar_x(ideal) + pitch / 2;
        ink.list->AddTriangleFilled({centre, rest.y1 + ink.px(16)},
                                    {centre - ink.px(4), rest.y1 + ink.px(22)},
                                    {centre + ink.px(4), rest.y1 + ink.px(22)}, theme.ideal);
        // Of requests with different ideals the mark is at their mean.
        const bool whole = histogram.ideal_sectors == std::uint64_t{ideal} * histogram.requests;
        const std::string words = whole
                                      ? std::string("ideal")
                                      : fmt::format("mean ideal {}", decimal(histogram.ideal_per_request()));
        ink.text({centre + ink.px(8), axis.y0 + ink.px(16), axis.x1, axis.y1}, words, small, theme.ideal);
        const float used = centre + ink.px(8) + text_width(small, words) + ink.px(12);
        ink.text({used, axis.y0 + ink.px(16), axis.x1, axis.y1}, "sectors", small, theme.text_dim,
                 Align::right);
    }
    return hit;
}

std::optional<std::size_t> draw_sector_sites(const Ink& ink, const trace::Trace& trace,
                                             const RequestIndex& index, SiteId shown,
                                             std::optional<ImVec2> mouse, const Box& box) {
    const Theme& theme = ink.theme;
    ImFont* small = theme.fonts.small;
    ImFont* code = theme.fonts.code;
    std::optional<std::size_t> hit;
    Box rest = box;
    const Box caption = rest.take_top(ink.px(22));
    const Box head = rest.take_top(ink.px(18));
    draw_horizontal_hairline(*ink.list, theme, box.x0, box.x1, head.y1);

    struct Column {
        const char* title;
        float width;
        bool right;
        std::string (*words)(const trace::Trace&, const RequestIndex::SiteRequests&);
    };
    // In the order in which columns are dropped when the table is narrow: see the widths below.
    const std::array<Column, 6> columns{
        Column{"line", 0, true,
               [](const trace::Trace& t, const RequestIndex::SiteRequests& s) {
                   const Site& site = t.program.sites[s.site];
                   return site.line ? std::to_string(site.line) : fmt::format("PTX {}", site.ptx_line);
               }},
        Column{"instruction", 0, false,
               [](const trace::Trace& t, const RequestIndex::SiteRequests& s) {
                   return t.program.sites[s.site].opcode;
               }},
        Column{"requests", 0, true,
               [](const trace::Trace&, const RequestIndex::SiteRequests& s) { return grouped(s.requests); }},
        Column{"sectors", 0, true,
               [](const trace::Trace&, const RequestIndex::SiteRequests& s) { return grouped(s.cost); }},
        Column{"ideal", 0, true,
               [](const trace::Trace&, const RequestIndex::SiteRequests& s) { return grouped(s.ideal); }},
        Column{"per request", 0, true,
               [](const trace::Trace&, const RequestIndex::SiteRequests& s) {
                   return s.requests ? decimal(double(s.cost) / double(s.requests), 2) : std::string("–");
               }},
    };
    double worst = 0;
    for (const auto& site : index.sites)
        if (site.requests) worst = std::max(worst, double(site.cost) / double(site.requests));
    const float gap = ink.px(16), row_h = ink.px(22);
    const std::size_t fits =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::max(0.0f, rest.height() - ink.px(2)) / row_h));
    const std::size_t rows = std::min(fits, index.sites.size());
    std::array<float, columns.size()> widths{};
    float total = gap * static_cast<float>(columns.size() - 1) + ink.px(8);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        widths[c] = text_width(small, columns[c].title);
        for (std::size_t r = 0; r < rows; ++r)
            widths[c] = std::max(widths[c], text_width(code, columns[c].words(trace, index.sites[r])));
        widths[c] = std::ceil(widths[c]) + 1;
        total += widths[c];
    }
    // Too narrow: requests and ideal go, then the instruction is shortened.
    std::array<bool, columns.size()> visible{};
    visible.fill(true);
    for (std::size_t c : {std::size_t{2}, std::size_t{4}}) {
        if (total <= box.width()) break;
        visible[c] = false;
        total -= widths[c] + gap;
    }
    if (total > box.width()) {
        const float take = total - box.width();
        if (widths[1] - take >= ink.px(84)) {
            widths[1] -= take;
        } else {
            visible[1] = false;
            total -= widths[1] + gap;
        }
    }
    // Sums return if the instruction leaves room for them.
    for (std::size_t c : {std::size_t{4}, std::size_t{2}}) {
        if (visible[1] || visible[c] || total + widths[c] + gap > box.width()) continue;
        visible[c] = true;
        total += widths[c] + gap;
    }

    ink.text(caption,
             rows == index.sites.size() ? fmt::format("{}, worst first", counted(rows, "site"))
                                        : fmt::format("The worst {} of {} sites", rows, index.sites.size()),
             theme.fonts.words, theme.text);
    for (std::size_t r = 0; r <= rows; ++r) {
        const bool is_head = r == 0;
        Box line = is_head
                       ? head
                       : Box{rest.x0, rest.y0 + ink.px(2) + row_h * static_cast<float>(r - 1), rest.x1, 0};
        line.y1 = is_head ? head.y1 : line.y0 + row_h;
        const RequestIndex::SiteRequests* site = is_head ? nullptr : &index.sites[r - 1];
        if (site) {
            if (mouse && line.has(*mouse)) {
                hit = r - 1;
                ink.fill(line, theme.hovered, ink.px(3));
            }
            if (site->site == shown) ink.outline(line, theme.selected, ink.px(1), ink.px(3));
            hit_box(fmt::format("sectors row {}", r - 1), line.min(), line.max());
        }
        float x = line.x0 + ink.px(4);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (!visible[c]) continue;
            const Box cell{x, line.y0, x + widths[c], line.y1};
            const Align align = columns[c].right ? Align::right : Align::left;
            if (is_head) {
                ink.text(cell, columns[c].title, small, theme.text_dim, align);
            } else {
                const bool costly = c >= 3 && c != 4 && site->cost > site->ideal;
                const ImU32 colour = costly ? theme.cost : c == 4 ? theme.ideal : theme.text;
                ink.text(cell, columns[c].words(trace, *site), code, colour, align);
            }
            x += widths[c] + gap;
        }
        // The rest of the row shows the last number as a bar, and its ideal part.
        const float room = line.x1 - ink.px(6) - x;
        if (site && site->requests && room >= ink.px(40)) {
            const double most = sector_axis_end(static_cast<std::uint32_t>(std::ceil(worst))),
                         ratio = double(site->cost) / double(site->requests);
            const double ideal = double(site->ideal) / double(site->requests);
            const float unit = room / static_cast<float>(most);
            const float top = line.y0 + ink.px(7), bottom = line.y1 - ink.px(7);
            ink.fill({x, top, x + unit * static_cast<float>(ratio), bottom}, theme.cost, ink.px(2));
            ink.fill({x, top, x + unit * static_cast<float>(ideal), bottom}, theme.ideal, ink.px(2));
        }
    }
    return hit;
}

}  // namespace warplens::app
