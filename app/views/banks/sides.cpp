// The requests of two runs, one above the other: wavefronts on one ruler, the arrays next to them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/banks/parts.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {
namespace {

constexpr float wide_wavefront = 240;  // unscaled pixels, of use while the arrays want room

/// Columns of 32 lanes, one per wavefront, as wide in both runs.
struct Ruler {
    float x = 0, pitch = 0;
    std::uint32_t wavefronts = 0;  // of the longer run
    float at(std::uint32_t wavefront) const { return x + pitch * static_cast<float>(wavefront); }
};

void draw_wavefronts(const Ink& ink, const Box& box, const Ruler& ruler, const BankSide& side,
                     std::uint32_t other_wavefronts) {
    const Theme& theme = ink.theme;
    const BankRequest& request = side.request;
    const float lane_height = box.height() / static_cast<float>(warp_size);
    const float gap = ruler.pitch >= ink.px(6) ? ink.px(1) : 0.5f;
    const auto cell = [&](int lane, std::uint32_t wavefront) {
        const float y = box.y0 + lane_height * static_cast<float>(lane);
        return Box{ruler.at(wavefront), y, ruler.at(wavefront + 1) - gap,
                   y + lane_height - (lane_height >= 4 ? 1.0f : 0.0f)};
    };
    const ImU32 idle = mix(theme.background, theme.raised, 0.55);
    for (std::uint32_t wavefront = 0; wavefront < request.wavefronts(); ++wavefront)
        for (int lane = 0; lane < warp_size; ++lane) ink.fill(cell(lane, wavefront), idle);
    for (const BankToken& token : request.tokens)
        for_each_lane(token.lanes,
                      [&](int lane) { ink.fill(cell(lane, token.wavefront), theme.bank(token.bank)); });
    // The part where the other run continues.
    if (other_wavefronts > request.wavefronts()) {
        const Box rest{ruler.at(request.wavefronts()), box.y0, ruler.at(other_wavefronts), box.y1};
        ink.hatch(rest, theme.inactive, 8);
        const std::string words =
            fmt::format("{} fewer", counted(other_wavefronts - request.wavefronts(), "wavefront"));
        const float width = text_width(theme.fonts.words, words) + ink.px(16);
        const float height = text_height(theme.fonts.words) + ink.px(8);
        if (width < rest.width() && height < rest.height()) {
            const Box card{rest.centre().x - width / 2, rest.centre().y - height / 2,
                           rest.centre().x + width / 2, rest.centre().y + height / 2};
            ink.fill(card, theme.background, ink.px(4));
            ink.text(card, words, theme.fonts.words, theme.text, Align::centre);
        }
    }
    ImFont* small = theme.fonts.small;
    const int step = std::max(1, static_cast<int>(std::ceil(text_height(small) / lane_height / 4)) * 4);
    for (int lane = 0; lane < warp_size; lane += step) {
        const float y = box.y0 + lane_height * static_cast<float>(lane);
        draw_text_right(*ink.list, small, {ruler.x - ink.px(6), y + (lane_height - text_height(small)) / 2},
                        theme.text_dim, std::to_string(lane));
    }
    draw_text(*ink.list, small, {box.x0, box.y0 + (lane_height - text_height(small)) / 2}, theme.text_dim,
              "lane");
}

void draw_ruler(const Ink& ink, const Box& box, const Ruler& ruler) {
    const Theme& theme = ink.theme;
    ImFont* small = theme.fonts.small;
    float reached = 0;
    draw_text(*ink.list, small, {box.x0, box.y0}, theme.text_dim, "wavefront");
    reached = box.x0 + text_width(small, "wavefront");
    for (std::uint32_t wavefront = 0; wavefront < ruler.wavefronts; ++wavefront) {
        const std::string words = std::to_string(wavefront + 1);
        const float width = text_width(small, words);
        const float x = (ruler.at(wavefront) + ruler.at(wavefront + 1) - width) / 2;
        if (x < reached) continue;
        draw_text(*ink.list, small, {x, box.y0}, theme.text_dim, words);
        reached = x + width + ink.px(8);
    }
}

void draw_array(const Ink& ink, const BankSide& side, const Box& box) {
    const BanksPart part{ink, side.request, {}, -1, std::nullopt};
    draw_bank_array(part, side.layout, side.layout.pitch_bytes / double(analysis::bank_bytes), box);
}

}  // namespace

void draw_bank_sides(const Ink& ink, const BankSide& before, const BankSide& after, const Box& box) {
    Box rest = box;
    const float gap = ink.px(24);
    // In a low pane, too, the key of the banks has room under its array.
    const float key = std::min(ink.px(184), box.width() * 0.3f);
    const float gutter =
        std::max(ink.px(lanes_gutter), text_width(ink.theme.fonts.small, "wavefront") + ink.px(6));
    const std::uint32_t wavefronts = std::max({before.request.wavefronts(), after.request.wavefronts(), 1u});
    // Few wavefronts leave the arrays more room.
    const float left = box.width() - gutter - gap - static_cast<float>(wavefronts) * ink.px(wide_wavefront);
    Box arrays = rest.take_right(std::max(
        {std::min(box.width() * 0.42f, box.height() * 0.62f), key, std::min(left, box.width() * 0.6f)}));
    rest.take_right(gap);
    const Box ruler_box = rest.take_bottom(text_height(ink.theme.fonts.small) + ink.px(4));
    Ruler ruler;
    ruler.wavefronts = wavefronts;
    ruler.x = rest.x0 + gutter;
    ruler.pitch = (rest.x1 - ruler.x) / static_cast<float>(ruler.wavefronts);
    const float half = (rest.height() - ink.px(10)) / 2;
    for (const BankSide* side : {&before, &after}) {
        const BankSide& other = side == &before ? after : before;
        Box strip = rest.take_top(half);
        hit_box(side == &before ? "banks before" : "banks after", strip.min(), strip.max());
        run_heading(ink, strip, side->name,
                    {fmt::format("{}: {}", side->place, counted(side->request.wavefronts(), "wavefront")),
                     counted(side->request.wavefronts(), "wavefront")},
                    side->request.costly() ? ink.theme.cost : ink.theme.ideal);
        draw_wavefronts(ink, strip, ruler, *side, other.request.wavefronts());
        const Box array = arrays.take_top((arrays.height() - (side == &before ? ink.px(10) : 0)) /
                                          (side == &before ? 2.0f : 1.0f));
        draw_array(ink, *side, array);
        if (side == &before) {
            rest.take_top(ink.px(10));
            arrays.take_top(ink.px(10));
        }
    }
    draw_ruler(ink, ruler_box, ruler);
}

}  // namespace warplens::app
