#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/banks/parts.h"
#include "app/views/shared/access_words.h"

namespace warplens::app {
namespace {

/// One scale for all kernels and settings, so that pictures before and after a change can be compared: each
/// doubling of the words per bank is one step.
ImU32 words_colour(const Theme& theme, std::uint32_t words) {
    if (words == 0) return mix(theme.background, theme.raised, 0.55);
    const double steps = std::min(5.0, std::log2(static_cast<double>(words)));
    const ImU32 colour = theme.amount(0.1 + 0.18 * steps);
    // One word per bank is ideal and has a calm colour.
    return steps < 1 ? mix(colour, theme.background, 0.5 * (1 - steps)) : colour;
}

std::size_t column_of(const analysis::BankHeatmap& map, std::uint64_t access) {
    const auto after = std::upper_bound(map.columns.begin(), map.columns.end(), access,
                                        [](std::uint64_t at, const auto& c) { return at < c.first_access; });
    return after == map.columns.begin() ? map.columns.size()
                                        : static_cast<std::size_t>(after - map.columns.begin()) - 1;
}

constexpr std::size_t most_strips = 12;
constexpr std::uint32_t most_columns = 320;

/// The maps of some warps' requests as one.
void append(analysis::BankHeatmap& map, analysis::BankHeatmap&& more) {
    map.requests += more.requests;
    map.wavefronts += more.wavefronts;
    map.ideal_wavefronts += more.ideal_wavefronts;
    map.requests_per_column = std::max(map.requests_per_column, more.requests_per_column);
    map.most_words = std::max(map.most_words, more.most_words);
    map.columns.insert(map.columns.end(), more.columns.begin(), more.columns.end());
}

}  // namespace

bool shows_all_blocks(const RequestIndex& index) { return index.requests <= most_columns; }

BankHeatmapData derive_bank_heatmap(const trace::Trace& trace, const RequestIndex& index,
                                    std::uint64_t block) {
    BankHeatmapData data;
    std::vector<SiteId> sites;
    for (const auto& site : index.sites) sites.push_back(site.site);
    std::sort(sites.begin(), sites.end());
    if (sites.size() > most_strips) sites = {no_index};  // more strips would be unreadable
    std::vector<std::uint32_t> warps;
    if (shows_all_blocks(index)) {
        warps.push_back(no_index);
    } else {
        for (std::uint32_t i = 0; i < trace.warps.size(); ++i)
            if (trace.warps[i].block == block) warps.push_back(i);
    }
    const auto columns = static_cast<std::uint32_t>(
        std::max<std::size_t>(1, most_columns / (sites.size() * std::max<std::size_t>(1, warps.size()))));
    std::uint64_t requests = 0;
    std::uint32_t sharing = 1;
    for (SiteId site : sites) {
        HeatmapStrip strip{site, site == no_index ? std::string("all sites") : site_words(trace, site), {}};
        for (std::uint32_t warp : warps)
            append(strip.map,
                   analysis::bank_heatmap(trace, {site, warp, warp == no_index ? most_columns : columns}));
        requests += strip.map.requests;
        sharing = std::max(sharing, strip.map.requests_per_column);
        // A site that this block never reached has no requests to show.
        if (!strip.map.columns.empty()) data.strips.push_back(std::move(strip));
    }
    const std::string count = grouped(requests);
    const std::string shared =
        sharing > 1 ? fmt::format("; a column stands for up to {}, each bank at its worst", sharing)
                    : std::string();
    if (requests == 1) {
        data.headings = {"The only shared-memory request", "The only request"};
    } else if (shows_all_blocks(index)) {
        data.headings = {fmt::format("All {} shared-memory requests in order", count),
                         fmt::format("All {} requests in order", count),
                         fmt::format("All {} requests", count)};
    } else {
        const std::string place = block_words(trace, block);
        data.headings = {fmt::format("The {} shared-memory requests of {}{}", count, place, shared),
                         fmt::format("{} requests of {}{}", count, place, shared),
                         fmt::format("{} requests of {}", count, place),
                         fmt::format("{} in {}", count, place), fmt::format("{} requests", count)};
    }
    return data;
}

std::optional<HeatmapHit> draw_bank_heatmap(const Ink& ink, const BankHeatmapData& data, SiteId shown_site,
                                            std::uint64_t shown, std::optional<ImVec2> mouse,
                                            const Box& box) {
    const Theme& theme = ink.theme;
    ImFont* small = theme.fonts.small;
    std::optional<HeatmapHit> hit;
    Box rest = box;
    Box caption = rest.take_top(ink.px(22));
    caption.x0 += ink.px(lanes_gutter);
    const std::vector<HeatmapStrip>& strips = data.strips;
    std::size_t columns = 0;
    for (const HeatmapStrip& strip : strips) columns += strip.map.columns.size();
    if (columns == 0) return hit;

    // The scale is to the right of the caption if it fits, otherwise it is omitted: the numbers are
    // shown with every request.
    const bool roomy = caption.width() > ink.px(420);
    const float swatch = ink.px(18);
    const char* unit = roomy ? "words per bank" : "words";
    if (caption.width() > ink.px(230)) {
        Box scale = caption.take_right(6 * swatch + text_width(small, unit) + ink.px(10));
        ink.text({scale.x0, scale.y0, scale.x1 - 6 * swatch - ink.px(6), scale.y1}, unit, small,
                 theme.text_dim, Align::right);
        float x = scale.x1 - 6 * swatch;
        for (std::uint32_t words = 1; words <= 32; words *= 2) {
            const Box cell{x, scale.y0 + ink.px(4), x + swatch - 1, scale.y1 - ink.px(4)};
            const ImU32 colour = words_colour(theme, words);
            ink.fill(cell, colour);
            ink.text(cell, std::to_string(words), small, theme.text_on(colour), Align::centre);
            x += swatch;
        }
    }
    std::string_view heading = data.headings.back();
    for (const std::string& wording : data.headings) {
        if (text_width(theme.fonts.words, wording) > caption.width()) continue;
        heading = wording;
        break;
    }
    ink.text(caption, heading, theme.fonts.words, theme.text);

    const Box labels = rest.take_bottom(ink.px(18));
    const float left = ink.px(lanes_gutter);
    const float height = std::min(std::floor(rest.height()) / 32, ink.px(24));
    const float row_h = height >= 2 ? std::floor(height) : height;
    const auto row_y = [&](int bank) { return std::round(rest.y0 + row_h * static_cast<float>(bank)); };
    int apart = 4;  // banks from one label to the next
    while (apart < 32 && row_h * static_cast<float>(apart) < text_height(small)) apart *= 2;
    for (int bank = 0; bank < 32; bank += apart) {
        const float y = (row_y(bank) + row_y(bank + 1)) / 2, half = text_height(small) / 2;
        ink.text({rest.x0, y - half, rest.x0 + left - ink.px(6), y + half},
                 bank == 0 ? std::string("bank 0") : std::to_string(bank), small, theme.text_dim,
                 Align::right);
    }

    const float gap = ink.px(8) * static_cast<float>(strips.size() - 1);
    const float room = rest.width() - left - gap;
    const float pitch = std::min(room / static_cast<float>(columns), ink.px(40));
    float x = rest.x0 + left;
    for (std::size_t s = 0; s < strips.size(); ++s) {
        const HeatmapStrip& strip = strips[s];
        const auto count = strip.map.columns.size();
        const auto column_x = [&](std::size_t c) { return std::round(x + pitch * static_cast<float>(c)); };
        const bool lined = pitch >= 7;
        for (std::size_t c = 0; c < count; ++c) {
            const auto& words = strip.map.columns[c].max_words;
            const float x0 = column_x(c), x1 = column_x(c + 1) - (lined ? 1.0f : 0.0f);
            for (int bank = 0; bank < 32;) {
                // Equal neighbours are one rectangle.
                int end = bank + 1;
                while (end < 32 &&
                       words[static_cast<std::size_t>(end)] == words[static_cast<std::size_t>(bank)])
                    ++end;
                ink.fill({x0, row_y(bank), std::max(x1, x0 + 1), row_y(end)},
                         words_colour(theme, words[static_cast<std::size_t>(bank)]));
                bank = end;
            }
        }
        const Box area{x, row_y(0), column_x(count), row_y(32)};
        if (mouse && area.has(*mouse)) {
            const auto c = std::min(count - 1, static_cast<std::size_t>((mouse->x - x) / pitch));
            const int bank = std::clamp(static_cast<int>((mouse->y - area.y0) / row_h), 0, 31);
            hit = HeatmapHit{strip.map.columns[c].worst_access, bank, s, c};
            ink.fill({column_x(c), area.y0, column_x(c + 1), area.y1}, theme.hovered);
        }
        const bool is_shown = strip.site == shown_site || strip.site == no_index;
        if (is_shown) {
            const std::size_t c = column_of(strip.map, shown);
            if (c < count)
                ink.outline({column_x(c) - ink.px(2), area.y0 - ink.px(2),
                             std::max(column_x(c + 1), column_x(c) + 1) + ink.px(2), area.y1 + ink.px(2)},
                            theme.selected, ink.px(2));
        }
        const float label_end = s + 1 < strips.size() ? area.x1 + ink.px(6) : box.x1;
        const Box label{x, std::max(area.y1 + ink.px(2), labels.y0 - (labels.y0 - area.y1) + ink.px(2)),
                        label_end, area.y1 + ink.px(2) + ink.px(16)};
        if (!ink.text_if_fits(label, strip.words, small, is_shown ? theme.text : theme.text_dim, Align::left))
            ink.text_if_fits(label, strip.words.substr(0, strip.words.find(" ·")), small,
                             is_shown ? theme.text : theme.text_dim, Align::left);
        x = column_x(count) + ink.px(8);
    }
    return hit;
}

}  // namespace warplens::app
