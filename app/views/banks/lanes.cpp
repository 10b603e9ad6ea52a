#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/banks/parts.h"

namespace warplens::app {
namespace {

/// Layout of the drawing: two grids of 32 columns whose rows are the same wavefronts.
struct LaneGeometry {
    Box caption;
    float gutter = 0;                  // width left of the first column
    float x = 0, pitch = 0;            // lanes and banks
    float wave_x = 0, wave_pitch = 0;  // lanes of the wavefronts
    float number_h = 0;                // of a row of numbers next to thin cells; 0 if they are inside
    float lane_y = 0, lane_h = 0;      // the cells: numbers are above the lanes' and below the banks'
    float bank_y = 0, bank_h = 0;
    std::vector<float> row_y;
    float row_height = 0;
    float counts_y = 0, counts_h = 0;

    Box lane(int i) const { return column(x, pitch, i, lane_y, lane_h); }
    Box bank(int i) const { return column(x, pitch, i, bank_y, bank_h); }
    Box token(int bank, std::uint32_t wavefront) const {
        return column(x, pitch, bank, row_y[wavefront], row_height);
    }
    Box served(int lane, std::uint32_t wavefront) const {
        return column(wave_x, wave_pitch, lane, row_y[wavefront], row_height);
    }
    static Box column(float x, float pitch, int i, float y, float height) {
        const float gap = pitch >= 8 ? 1.0f : 0.5f;
        return {std::round(x + pitch * static_cast<float>(i)), y,
                std::round(x + pitch * static_cast<float>(i + 1)) - gap,
                y + height - (height >= 5 ? 1.0f : 0.0f)};
    }
};

LaneGeometry arrange_lanes(const Ink& ink, const BankRequest& request, const Box& box) {
    LaneGeometry g;
    ImFont* small = ink.theme.fonts.small;
    Box rest = box;
    g.caption = rest.take_top(ink.px(22));
    g.gutter = ink.px(lanes_gutter);
    const float gap = ink.px(40);
    const float columns = rest.width() - g.gutter - gap;
    g.x = rest.x0 + g.gutter;
    g.pitch = columns * 0.6f / 32;
    g.wave_x = g.x + 32 * g.pitch + gap;
    g.wave_pitch = columns * 0.4f / 32;

    const bool inside = g.pitch >= text_width(small, "00") + ink.px(2);
    g.number_h = inside ? 0 : text_height(small) + ink.px(2);
    const auto wavefronts = static_cast<float>(std::max(1u, request.wavefronts()));
    g.lane_h = g.bank_h = inside ? std::round(std::clamp(g.pitch * 0.9f, ink.px(15), ink.px(34))) : ink.px(8);
    g.counts_h = ink.px(16);
    const float group_gap =
        ink.px(4) * static_cast<float>(std::max<std::size_t>(1, request.detail.groups.size()) - 1);
    const float room =
        rest.height() - g.lane_h - g.bank_h - 2 * g.number_h - g.counts_h - group_gap - ink.px(6);
    const float least_threads = std::min(ink.px(34), room * 0.4f);
    g.row_height = std::clamp(std::min((room - least_threads) / wavefronts, room * 0.68f / wavefronts), 1.0f,
                              std::clamp(g.pitch, ink.px(12), ink.px(34)));
    if (g.row_height >= 2) g.row_height = std::floor(g.row_height);
    const float threads =
        std::clamp(room - g.row_height * wavefronts, least_threads, std::max(ink.px(200), 6 * g.pitch));

    g.lane_y = rest.y0 + g.number_h;
    g.bank_y = std::round(g.lane_y + g.lane_h + threads);
    float y = g.bank_y + g.bank_h + g.number_h + ink.px(2);
    for (std::uint32_t wavefront = 0; wavefront < request.wavefronts(); ++wavefront) {
        if (wavefront > 0 && request.group_of[wavefront] != request.group_of[wavefront - 1]) y += ink.px(4);
        g.row_y.push_back(y);
        y += g.row_height;
    }
    g.counts_y = y + ink.px(2);
    return g;
}

void draw_threads(const BanksPart& part, const LaneGeometry& g, LaneMask focus) {
    const Ink& ink = part.ink;
    const Theme& theme = ink.theme;
    // Words of one bank arrive side by side on its top, so that a conflict shows as many threads.
    std::array<int, 32> arrived{};
    std::array<int, 32> expected{};
    for (const BankToken& token : part.request.tokens) ++expected[static_cast<std::size_t>(token.bank)];
    const bool dim_some = !(focus == part.request.lanes);
    for (int front = 0; front < (dim_some ? 2 : 1); ++front) {
        arrived = {};
        for (const BankToken& token : part.request.tokens) {
            const auto bank = static_cast<std::size_t>(token.bank);
            const Box target = g.bank(token.bank);
            const float spread = std::min(target.width() * 0.7f, ink.px(14));
            const int of = expected[bank], at = arrived[bank]++;
            const float x =
                target.centre().x +
                (of > 1 ? spread * (static_cast<float>(at) / static_cast<float>(of - 1) - 0.5f) : 0);
            const bool lit = !(token.lanes & focus).empty();
            if (dim_some && lit != (front == 1)) continue;
            const ImU32 colour = with_alpha(theme.bank(token.bank), dim_some && !lit ? 0.16 : 0.95);
            const bool broadcast = token.lanes.count() > 1;
            const float meet = broadcast ? std::min(ink.px(18), (g.bank_y - g.lane_y - g.lane_h) * 0.3f) : 0;
            const ImVec2 end{x, g.bank_y - meet};
            const float single = ink.px(dim_some && lit ? 2.5f : 1.5f);
            for_each_lane(token.lanes, [&](int lane) {
                const Box from = g.lane(lane);
                ink.thread({from.centre().x, from.y1}, end, colour, broadcast ? ink.px(0.9f) : single);
            });
            if (broadcast) {
                ink.line(end, {x, g.bank_y}, colour, ink.px(2.5f));
                ink.list->AddCircleFilled(end, ink.px(3), colour, 12);
            }
        }
    }
}

/// The numbers 0 to 31 over columns: all of them where they fit, else every second or fourth.
void draw_numbers(const Ink& ink, float x, float pitch, float y, float height) {
    ImFont* font = ink.theme.fonts.small;
    const float width = text_width(font, "31");
    int step = 1;
    while (step < 8 && pitch * static_cast<float>(step) < width + ink.px(step == 1 ? 2 : 5)) step *= 2;
    for (int i = 0; i < 32; i += step) {
        const float centre = x + pitch * (static_cast<float>(i) + 0.5f);
        ink.text({centre - width, y, centre + width, y + height}, std::to_string(i), font, ink.theme.text_dim,
                 Align::centre);
    }
}

}  // namespace

LaneMask focused_lanes(const BankRequest& request, const BankFocus& focus) {
    if (focus.lane >= 0) return LaneMask{1u << focus.lane} & request.lanes;
    if (focus.wavefront >= 0 && static_cast<std::size_t>(focus.wavefront) < request.detail.wavefronts.size())
        return request.detail.wavefronts[static_cast<std::size_t>(focus.wavefront)];
    if (focus.bank >= 0) {
        LaneMask lanes;
        for (const BankToken& token : request.tokens)
            if (token.bank == focus.bank) lanes = lanes | token.lanes;
        return lanes;
    }
    return request.lanes;
}

float comfortable_lanes_height(const Ink& ink, const BankRequest& request) {
    return ink.px(22 + 2 * 22 + 140 + 16 + 8) + ink.px(16) * static_cast<float>(request.wavefronts()) +
           ink.px(4) * static_cast<float>(request.detail.groups.size());
}

BankFocus draw_bank_lanes(const BanksPart& part, const Box& box) {
    const Ink& ink = part.ink;
    const Theme& theme = ink.theme;
    const BankRequest& request = part.request;
    const LaneGeometry g = arrange_lanes(ink, request, box);
    ImFont* small = theme.fonts.small;
    const LaneMask focus = focused_lanes(request, part.focus);
    BankFocus hit;
    const auto under_mouse = [&](const Box& cell) { return part.mouse && cell.has(*part.mouse); };
    const auto label = [&](float y, float height, std::string_view words) {
        ink.text({box.x0, y, g.x - ink.px(8), y + height}, words, small, theme.text_dim, Align::right);
    };

    ink.heading({g.x, g.caption.y0, g.x + 32 * g.pitch, g.caption.y1},
                {"Each lane's word and its bank", "Lanes and banks"});
    const Box wave_caption{g.wave_x, g.caption.y0, g.wave_x + 32 * g.wave_pitch, g.caption.y1};
    if (request.wavefronts() == 1)
        ink.heading(wave_caption, {"One wavefront serves all lanes", "One wavefront"});
    else ink.heading(wave_caption, {"Wavefronts: lanes served in each", "Lanes by wavefront", "Wavefronts"});

    draw_threads(part, g, focus);
    if (g.number_h > 0) {
        draw_numbers(ink, g.x, g.pitch, g.lane_y - g.number_h, g.number_h);
        draw_numbers(ink, g.x, g.pitch, g.bank_y + g.bank_h, g.number_h);
        label(g.lane_y - g.number_h, g.number_h, "lane");
        label(g.bank_y + g.bank_h, g.number_h, "bank");
    } else {
        label(g.lane_y, g.lane_h, "lane");
        label(g.bank_y, g.bank_h, "bank");
    }
    for (int lane = 0; lane < warp_size; ++lane) {
        const Box cell = g.lane(lane);
        if (!request.lanes.has(lane)) {
            ink.hatch(cell, theme.inactive, 4);
            if (g.number_h == 0) ink.text(cell, std::to_string(lane), small, theme.text_dim, Align::centre);
        } else {
            const int bank = analysis::bank_of(request.addresses[static_cast<std::size_t>(lane)]);
            const ImU32 full = theme.bank(bank);
            const ImU32 colour = focus.has(lane) ? full : mix(full, theme.background, 0.65);
            ink.fill(cell, colour, ink.px(2));
            if (g.number_h == 0)
                ink.text(cell, std::to_string(lane), small, theme.text_on(colour), Align::centre);
        }
        if (lane == part.chosen_lane)
            ink.outline(cell.inset(-ink.px(2)), theme.selected, ink.px(2), ink.px(3));
        hit_box(fmt::format("banks lane {}", lane), cell.min(), cell.max());
        if (under_mouse(cell)) hit.lane = lane;
    }

    for (int bank = 0; bank < analysis::bank_count; ++bank) {
        const Box cell = g.bank(bank);
        const bool used = request.detail.words[static_cast<std::size_t>(bank)] > 0;
        const ImU32 full = theme.bank(bank);
        const ImU32 colour = used ? full : mix(full, theme.background, 0.78);
        ink.fill(cell, colour, ink.px(2));
        if (g.number_h == 0)
            ink.text(cell, std::to_string(bank), small, used ? theme.text_on(colour) : theme.text_dim,
                     Align::centre);
        if (bank == part.focus.bank) ink.outline(cell, theme.selected, ink.px(1), ink.px(2));
        if (under_mouse(cell)) hit.bank = bank;
    }

    // Wavefronts: idle slots are drawn as well as busy ones.
    const ImU32 idle = mix(theme.background, theme.raised, 0.55);
    const bool numbers_fit = g.row_height >= text_height(small) * 0.85f;
    for (std::uint32_t wavefront = 0; wavefront < request.wavefronts(); ++wavefront) {
        const Box left{g.token(0, wavefront).x0, g.row_y[wavefront], g.token(31, wavefront).x1,
                       g.row_y[wavefront] + g.row_height};
        const Box right{g.served(0, wavefront).x0, g.row_y[wavefront], g.served(31, wavefront).x1,
                        g.row_y[wavefront] + g.row_height};
        for (int i = 0; i < 32; ++i) {
            ink.fill(g.token(i, wavefront), idle, ink.px(1));
            ink.fill(g.served(i, wavefront), idle, ink.px(1));
        }
        const int step =
            numbers_fit ? 1 : static_cast<int>(std::ceil(text_height(small) * 0.9f / g.row_height));
        const bool every = wavefront == 0 || (static_cast<int>(wavefront) + 1) % std::max(step, 4) == 0;
        if (numbers_fit || every) {
            const float y = g.row_y[wavefront] + g.row_height / 2, half = text_height(small) / 2;
            ink.text({left.x1, y - half, right.x0 - ink.px(6), y + half}, std::to_string(wavefront + 1),
                     small, theme.text_dim, Align::right);
        }
        if (static_cast<int>(wavefront) == part.focus.wavefront) {
            ink.fill(left, theme.hovered);
            ink.fill(right, theme.hovered);
        }
        if (under_mouse({g.x, left.y0, right.x1, left.y1})) hit.wavefront = static_cast<int>(wavefront);
    }
    if (request.wavefronts() > 0) label(g.row_y[0], std::max(g.row_height, text_height(small)), "words");
    // All numbers are drawn, or none.
    const float widest = text_width(small, "00") + ink.px(2);
    for (const BankToken& token : request.tokens) {
        const Box cell = g.token(token.bank, token.wavefront);
        const bool lit = !(token.lanes & focus).empty();
        const ImU32 colour =
            lit ? theme.bank(token.bank) : mix(theme.bank(token.bank), theme.background, 0.65);
        ink.fill(cell, colour, ink.px(1));
        const std::string words = token.lanes.count() == 1 ? std::to_string(token.lanes.lowest())
                                                           : fmt::format("×{}", token.lanes.count());
        if (g.pitch >= widest) ink.text_if_fits(cell, words, small, theme.text_on(colour));
        if (under_mouse(cell)) {
            hit = {};
            if (token.lanes.count() == 1) hit.lane = token.lanes.lowest();
            else hit.bank = token.bank;
        }
        for_each_lane(token.lanes, [&](int lane) {
            const Box served = g.served(lane, token.wavefront);
            // A lane with several words shows its first.
            const int bank = analysis::bank_of(request.addresses[static_cast<std::size_t>(lane)]);
            const ImU32 fill =
                focus.has(lane) ? theme.bank(bank) : mix(theme.bank(bank), theme.background, 0.65);
            if (token.bank != bank) return;
            ink.fill(served, fill, ink.px(1));
            if (g.wave_pitch >= widest)
                ink.text_if_fits(served, std::to_string(lane), small, theme.text_on(fill));
            if (under_mouse(served)) hit = {.lane = lane, .bank = -1, .wavefront = -1};
        });
    }

    // Under the stacks: the number of words requested from each bank.
    label(g.counts_y, g.counts_h, "count");
    float reached = 0;
    for (int bank = 0; bank < analysis::bank_count; ++bank) {
        const std::uint32_t words = request.detail.words[static_cast<std::size_t>(bank)];
        if (words == 0) continue;
        const std::string text = std::to_string(words);
        const float centre = g.bank(bank).centre().x, half = text_width(small, text) / 2;
        if (centre - half < reached + ink.px(1)) continue;
        const bool cost = words > request.detail.count.ideal_wavefronts;
        draw_text(*ink.list, small, {centre - half, g.counts_y + (g.counts_h - text_height(small)) / 2},
                  cost ? theme.cost : theme.text_dim, text);
        reached = centre + half;
    }
    std::string sum = request.costly()
                          ? fmt::format("{} (ideal {})", counted(request.wavefronts(), "wavefront"),
                                        request.detail.count.ideal_wavefronts)
                          : fmt::format("{} (ideal)", counted(request.wavefronts(), "wavefront"));
    if (text_width(small, sum) > box.x1 - g.wave_x)
        sum = fmt::format("{}, ideal {}", request.wavefronts(), request.detail.count.ideal_wavefronts);
    ink.text({g.wave_x, g.counts_y, box.x1, g.counts_y + g.counts_h}, sum, small,
             request.costly() ? theme.cost : theme.ideal);
    // Numbers of the lanes over the wavefronts, and the reason in the room above.
    const float head = request.wavefronts() > 0 ? g.row_y[0] : g.bank_y;
    const float numbers_y = head - text_height(small) - ink.px(4);
    draw_numbers(ink, g.wave_x, g.wave_pitch, numbers_y, text_height(small) + ink.px(2));
    ink.text(
        {g.wave_x - ink.px(40), numbers_y, g.wave_x - ink.px(6), numbers_y + text_height(small) + ink.px(2)},
        "lane", small, theme.text_dim, Align::right);
    const std::array<TextRun, 1> reason{TextRun{bank_sentence(request), theme.fonts.words, theme.text_dim}};
    const float reason_width = 32 * g.wave_pitch;
    if (g.caption.y1 + ink.paragraph({}, reason_width, reason, 12, false) < numbers_y - ink.px(4))
        ink.paragraph({g.wave_x, g.caption.y1}, reason_width, reason, 12);
    return hit;
}

}  // namespace warplens::app
