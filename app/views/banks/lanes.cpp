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

namespace {

/// One drawing of the request, part by part; `hit` is what the mouse is on.
class LanesDrawing {
  public:
    LanesDrawing(const BanksPart& part, const Box& box)
        : part_(part),
          ink_(part.ink),
          theme_(part.ink.theme),
          request_(part.request),
          small_(part.ink.theme.fonts.small),
          box_(box),
          g_(arrange_lanes(part.ink, part.request, box)),
          focus_(focused_lanes(part.request, part.focus)) {}

    BankFocus draw() {
        draw_captions();
        draw_threads(part_, g_, focus_);
        draw_column_names();
        for (int lane = 0; lane < warp_size; ++lane) draw_lane(lane);
        for (int bank = 0; bank < analysis::bank_count; ++bank) draw_bank(bank);
        for (std::uint32_t wavefront = 0; wavefront < request_.wavefronts(); ++wavefront)
            draw_wavefront(wavefront);
        if (request_.wavefronts() > 0)
            label(g_.row_y[0], std::max(g_.row_height, text_height(small_)), "words");
        for (const BankToken& token : request_.tokens) draw_token(token);
        draw_counts();
        draw_sum();
        draw_reason();
        return hit_;
    }

  private:
    bool under_mouse(const Box& cell) const { return part_.mouse && cell.has(*part_.mouse); }
    int bank_of_lane(int lane) const {
        return analysis::bank_of(request_.addresses[static_cast<std::size_t>(lane)]);
    }
    ImU32 colour_of(int bank, bool lit) const {
        return lit ? theme_.bank(bank) : mix(theme_.bank(bank), theme_.background, 0.65);
    }
    void label(float y, float height, std::string_view words) const {
        ink_.text({box_.x0, y, g_.x - ink_.px(8), y + height}, words, small_, theme_.text_dim, Align::right);
    }

    void draw_captions() const {
        ink_.heading({g_.x, g_.caption.y0, g_.x + 32 * g_.pitch, g_.caption.y1},
                     {"Each lane's word and its bank", "Lanes and banks"});
        const Box wave{g_.wave_x, g_.caption.y0, g_.wave_x + 32 * g_.wave_pitch, g_.caption.y1};
        if (request_.wavefronts() == 1)
            ink_.heading(wave, {"One wavefront serves all lanes", "One wavefront"});
        else ink_.heading(wave, {"Wavefronts: lanes served in each", "Lanes by wavefront", "Wavefronts"});
    }

    void draw_column_names() const {
        if (g_.number_h > 0) {
            draw_numbers(ink_, g_.x, g_.pitch, g_.lane_y - g_.number_h, g_.number_h);
            draw_numbers(ink_, g_.x, g_.pitch, g_.bank_y + g_.bank_h, g_.number_h);
            label(g_.lane_y - g_.number_h, g_.number_h, "lane");
            label(g_.bank_y + g_.bank_h, g_.number_h, "bank");
        } else {
            label(g_.lane_y, g_.lane_h, "lane");
            label(g_.bank_y, g_.bank_h, "bank");
        }
    }

    void draw_lane(int lane) {
        const Box cell = g_.lane(lane);
        if (!request_.lanes.has(lane)) {
            ink_.hatch(cell, theme_.inactive, 4);
            if (g_.number_h == 0)
                ink_.text(cell, std::to_string(lane), small_, theme_.text_dim, Align::centre);
        } else {
            const ImU32 colour = colour_of(bank_of_lane(lane), focus_.has(lane));
            ink_.fill(cell, colour, ink_.px(2));
            if (g_.number_h == 0)
                ink_.text(cell, std::to_string(lane), small_, theme_.text_on(colour), Align::centre);
        }
        if (lane == part_.chosen_lane)
            ink_.outline(cell.inset(-ink_.px(2)), theme_.selected, ink_.px(2), ink_.px(3));
        hit_box(fmt::format("banks lane {}", lane), cell.min(), cell.max());
        if (under_mouse(cell)) hit_.lane = lane;
    }

    void draw_bank(int bank) {
        const Box cell = g_.bank(bank);
        hit_box(fmt::format("banks bank {}", bank), cell.min(), cell.max());
        const bool used = request_.detail.words[static_cast<std::size_t>(bank)] > 0;
        const ImU32 full = theme_.bank(bank);
        const ImU32 colour = used ? full : mix(full, theme_.background, 0.78);
        ink_.fill(cell, colour, ink_.px(2));
        if (g_.number_h == 0)
            ink_.text(cell, std::to_string(bank), small_, used ? theme_.text_on(colour) : theme_.text_dim,
                      Align::centre);
        if (bank == part_.focus.bank) ink_.outline(cell, theme_.selected, ink_.px(1), ink_.px(2));
        if (under_mouse(cell)) hit_.bank = bank;
    }

    /// Idle slots are drawn as well as busy ones.
    void draw_wavefront(std::uint32_t wavefront) {
        const ImU32 idle = mix(theme_.background, theme_.raised, 0.55);
        const float y = g_.row_y[wavefront];
        const Box left{g_.token(0, wavefront).x0, y, g_.token(31, wavefront).x1, y + g_.row_height};
        const Box right{g_.served(0, wavefront).x0, y, g_.served(31, wavefront).x1, y + g_.row_height};
        for (int i = 0; i < 32; ++i) {
            ink_.fill(g_.token(i, wavefront), idle, ink_.px(1));
            ink_.fill(g_.served(i, wavefront), idle, ink_.px(1));
        }
        const float text = text_height(small_);
        const bool numbers_fit = g_.row_height >= text * 0.85f;
        const int step = numbers_fit ? 1 : static_cast<int>(std::ceil(text * 0.9f / g_.row_height));
        // Where it is taller than its row, the first would reach into what stands above the rows.
        if (numbers_fit || (static_cast<int>(wavefront) + 1) % std::max(step, 4) == 0) {
            const float top = y + (g_.row_height - text) / 2;
            ink_.text({left.x1, top, right.x0 - ink_.px(6), top + text}, std::to_string(wavefront + 1),
                      small_, theme_.text_dim, Align::right);
        }
        if (static_cast<int>(wavefront) == part_.focus.wavefront) {
            ink_.fill(left, theme_.hovered);
            ink_.fill(right, theme_.hovered);
        }
        if (under_mouse({g_.x, left.y0, right.x1, left.y1})) hit_.wavefront = static_cast<int>(wavefront);
    }

    /// In its bank's column, and in those of its lanes. All numbers are drawn, or none.
    void draw_token(const BankToken& token) {
        const float widest = text_width(small_, "00") + ink_.px(2);
        const Box cell = g_.token(token.bank, token.wavefront);
        const ImU32 colour = colour_of(token.bank, !(token.lanes & focus_).empty());
        ink_.fill(cell, colour, ink_.px(1));
        const bool single = token.lanes.count() == 1;
        const std::string words =
            single ? std::to_string(token.lanes.lowest()) : fmt::format("×{}", token.lanes.count());
        if (g_.pitch >= widest) ink_.text_if_fits(cell, words, small_, theme_.text_on(colour));
        if (under_mouse(cell)) {
            hit_ = {};
            if (single) hit_.lane = token.lanes.lowest();
            else hit_.bank = token.bank;
        }
        for_each_lane(token.lanes, [&](int lane) {
            // A lane with several words shows its first.
            if (token.bank != bank_of_lane(lane)) return;
            const Box served = g_.served(lane, token.wavefront);
            const ImU32 fill = colour_of(token.bank, focus_.has(lane));
            ink_.fill(served, fill, ink_.px(1));
            if (g_.wave_pitch >= widest)
                ink_.text_if_fits(served, std::to_string(lane), small_, theme_.text_on(fill));
            if (under_mouse(served)) hit_ = {.lane = lane, .bank = -1, .wavefront = -1};
        });
    }

    /// Under the stacks: the number of words requested from each bank.
    void draw_counts() const {
        label(g_.counts_y, g_.counts_h, "count");
        float reached = 0;
        for (int bank = 0; bank < analysis::bank_count; ++bank) {
            const std::uint32_t words = request_.detail.words[static_cast<std::size_t>(bank)];
            if (words == 0) continue;
            const std::string text = std::to_string(words);
            const float centre = g_.bank(bank).centre().x, half = text_width(small_, text) / 2;
            if (centre - half < reached + ink_.px(1)) continue;
            const bool cost = words > request_.detail.count.ideal_wavefronts;
            draw_text(*ink_.list, small_,
                      {centre - half, g_.counts_y + (g_.counts_h - text_height(small_)) / 2},
                      cost ? theme_.cost : theme_.text_dim, text);
            reached = centre + half;
        }
    }

    void draw_sum() const {
        const std::uint32_t ideal = request_.detail.count.ideal_wavefronts;
        const std::string all = counted(request_.wavefronts(), "wavefront");
        std::string sum =
            request_.costly() ? fmt::format("{} (ideal {})", all, ideal) : fmt::format("{} (ideal)", all);
        if (text_width(small_, sum) > box_.x1 - g_.wave_x)
            sum = fmt::format("{}, ideal {}", request_.wavefronts(), ideal);
        ink_.text({g_.wave_x, g_.counts_y, box_.x1, g_.counts_y + g_.counts_h}, sum, small_,
                  request_.costly() ? theme_.cost : theme_.ideal);
    }

    /// Numbers of the lanes over the wavefronts, and the reason in the room above.
    void draw_reason() const {
        const float head = request_.wavefronts() > 0 ? g_.row_y[0] : g_.bank_y;
        const float text = text_height(small_), numbers_y = head - text - ink_.px(4);
        draw_numbers(ink_, g_.wave_x, g_.wave_pitch, numbers_y, text + ink_.px(2));
        ink_.text({g_.wave_x - ink_.px(40), numbers_y, g_.wave_x - ink_.px(6), numbers_y + text + ink_.px(2)},
                  "lane", small_, theme_.text_dim, Align::right);
        const std::array<TextRun, 1> reason{
            TextRun{bank_sentence(request_), theme_.fonts.words, theme_.text_dim}};
        const float width = 32 * g_.wave_pitch;
        if (g_.caption.y1 + ink_.paragraph({}, width, reason, 12, false) < numbers_y - ink_.px(4))
            ink_.paragraph({g_.wave_x, g_.caption.y1}, width, reason, 12);
    }

    const BanksPart& part_;
    const Ink& ink_;
    const Theme& theme_;
    const BankRequest& request_;
    ImFont* small_;
    Box box_;
    LaneGeometry g_;
    LaneMask focus_;
    BankFocus hit_;
};

}  // namespace

BankFocus draw_bank_lanes(const BanksPart& part, const Box& box) { return LanesDrawing(part, box).draw(); }

}  // namespace warplens::app
