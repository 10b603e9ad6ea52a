// The Banks view: why a shared-memory request takes its number of wavefronts. lanes.cpp, array.cpp and
// heatmap.cpp draw its three parts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/banks/parts.h"
#include "app/views/shared/request_view.h"

namespace warplens::app {
namespace {

class BanksView : public RequestView {
  public:
    BanksView()
        : RequestView({MemoryKind::shared, "banks", "wavefronts", "shared-memory request",
                       "This view is for shared memory. See Sectors for global memory, or choose "
                       "`transpose_tiled` or `shared_stride`."}) {}

  private:
    static constexpr std::uint64_t no_block = ~std::uint64_t{0};
    /// Data derived from the shown request.
    struct RequestData {
        BankRequest request;
        analysis::SharedLayout layout;
    };

    void forget_scene() override { heatmap_block_ = no_block; }
    void derive_request(const trace::Trace& trace, const AccessChoice& choice) override;
    std::uint64_t cost_of(const trace::Trace& trace, std::uint64_t access) const override {
        return bank_request(trace, access).wavefronts();
    }
    void draw_title(const Ink& ink, float width, bool compact,
                    const std::optional<Before>& before) const override;
    Headline headline_of() const override {
        const auto count = data_.request.wavefronts();
        return {grouped(static_cast<std::uint64_t>(count)), count == 1 ? "wavefront" : "wavefronts",
                data_.request.costly() ? fmt::format("ideal {}", data_.request.detail.count.ideal_wavefronts)
                                       : std::string()};
    }
    /// Without a lane: the pattern of the first few.
    std::string arithmetic(const trace::Trace&, int lane) const override {
        return lane >= 0 ? bank_arithmetic(data_.request, data_.layout, lane) : bank_pattern(data_.request);
    }
    void draw_parts(ViewFrame& frame, const Ink& ink, const Box& body) override;
    float body_height(const Ink& ink, const Box& room) override;
    void lay_out(const Ink& ink, const Box& body, Box& lanes, Box& array, Box& heatmap) const;
    double shown_pitch(const ViewFrame& frame);
    /// The shown request next to the baseline's; false if there is none.
    bool draw_both(const ViewFrame& frame, const Ink& ink, const Box& body);
    bool shows_fixes(const ViewFrame& frame) const;
    bool draw_fixes(ViewFrame& frame, const Ink& ink, Box& heatmap);

    RequestData data_;
    BankHeatmapData heatmap_;  // of the scene, or of the shown block where it is one block's
    std::uint64_t heatmap_block_ = no_block;
    BankFocus focus_;
    RequestData other_;  // the baseline's, of these
    SceneIdentity other_scene_;
    std::uint64_t other_access_ = no_access;
    float first_row_ = 0;      // of a low pane, which scrolls: what is in sight first; 0: all of it is
    bool both_ = false;        // two runs were drawn in the last frame
    bool fixes_open_ = false;  // other layouts are shown in the heatmap's place
    // The pitch that the array's colours shear from, in words, and since when; 0: no animation.
    double former_pitch_ = 0, shear_began_ = 0;
};

void BanksView::derive_request(const trace::Trace& trace, const AccessChoice& choice) {
    data_.request = bank_request(trace, choice.access);
    const std::uint64_t block = trace.warps[choice.warp_record].block;
    if (heatmap_block_ != block && (heatmap_block_ == no_block || !shows_all_blocks(index()))) {
        heatmap_ = derive_bank_heatmap(trace, index(), block);
        heatmap_block_ = block;
    }
    const analysis::SharedLayout former =
        std::exchange(data_.layout, analysis::shared_layout(trace, choice.access));
    const bool same_array = former.pitch_known && data_.layout.pitch_known &&
                            former.variable == data_.layout.variable && former.rows == data_.layout.rows;
    former_pitch_ = same_array && former.pitch_bytes != data_.layout.pitch_bytes
                        ? former.pitch_bytes / double(analysis::bank_bytes)
                        : 0;
    shear_began_ = ImGui::GetTime();
}

/// The colours follow the pitch to its new value, so that the eye sees padding shear them.
double BanksView::shown_pitch(const ViewFrame& frame) {
    constexpr double seconds = 0.18;
    const double pitch = data_.layout.pitch_bytes / double(analysis::bank_bytes);
    const double t = (ImGui::GetTime() - shear_began_) / seconds;
    if (former_pitch_ == 0 || !frame.motion || !frame.interactive || t >= 1) {
        former_pitch_ = 0;
        return pitch;
    }
    frame.commands.redraw = true;
    const double eased = t * t * (3 - 2 * t);
    return former_pitch_ + (pitch - former_pitch_) * eased;
}

void BanksView::draw_title(const Ink& ink, float width, bool compact,
                           const std::optional<Before>& before) const {
    const Theme& theme = ink.theme;
    const BankRequest& request = data_.request;
    const AccessWords& words = words_;
    ImFont* title = compact ? theme.fonts.words : theme.fonts.title;
    const ImU32 cost = request.costly() ? theme.cost : theme.ideal;
    std::vector<TextRun> runs{
        {words.verb + " ", title, theme.text},
        {words.expression, compact ? theme.fonts.code : theme.fonts.code_title, theme.text, true},
        {fmt::format(", {}: ", words.line), title, theme.text},
    };
    const auto add = [&](std::string text, ImU32 colour) {
        runs.push_back({std::move(text), title, colour, false, true});
    };
    if (before) {
        add(fmt::format("{} wavefront{}", cost_words(before, request.wavefronts()),
                        before->cost == 1 && request.wavefronts() == 1 ? "" : "s"),
            cost);
        add(", " + fewer_words(before->cost, request.wavefronts(), before->run), theme.text);
    } else {
        add(counted(static_cast<std::uint64_t>(request.lanes.count()), "lane") + ", ", theme.text);
        add(counted(static_cast<std::uint64_t>(request.banks_used), "bank") + ", ", theme.text);
        add(counted(request.wavefronts(), "wavefront"), cost);
    }
    if (request.costly()) {
        runs.push_back({" ", title, theme.text});
        add(fmt::format("(ideal {})", request.detail.count.ideal_wavefronts), theme.ideal);
    } else if (!before) {
        runs.push_back({", ", title, theme.text});
        add(request.wavefronts() == 1 ? "no conflict" : "ideal", theme.text);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ink.paragraph(at, width, runs, 2);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
}

/// In a low pane the lanes keep a height at which they are read, and the heatmap is below them.
float BanksView::body_height(const Ink& ink, const Box& room) {
    if (both_) return std::max(room.height(), ink.px(170));  // both runs are in sight
    const float low = ink.px(300), least_first = ink.px(182), second = ink.px(190);
    // The button over the heatmap is in sight, too.
    const float button = ink.px(22);
    first_row_ = room.height() < low ? std::max(room.height() - button, least_first) : 0;
    return first_row_ > 0 ? first_row_ + ink.px(12) + second : room.height();
}

/// Wide and high: lanes over the heatmap, the array next to them, because it is square; an array of long rows
/// uses the full width below. Narrow: everything below the lanes. Low: the array next to the lanes, or in a
/// narrow pane below them, and the heatmap below; in a picture, which does not scroll, under the array.
void BanksView::lay_out(const Ink& ink, const Box& body, Box& lanes, Box& array, Box& heatmap) const {
    const float gap = ink.px(24), row_gap = ink.px(12);
    const float comfortable = comfortable_lanes_height(ink, data_.request);
    const float ratio = static_cast<float>(std::max(1u, data_.layout.columns)) /
                        static_cast<float>(std::max(1u, data_.layout.rows));
    Box rest = body;
    if (first_row_ > 0) {
        lanes = rest.take_top(first_row_);
        rest.take_top(row_gap);
        Box& beside = body.width() < ink.px(560) ? rest : lanes;
        array = beside.take_right(beside.width() * 0.4f);
        beside.take_right(gap);
        heatmap = rest;
    } else if (body.height() < ink.px(300)) {
        Box right = rest.take_right(body.width() * 0.42f);
        rest.take_right(gap);
        lanes = rest;
        array = right.take_top(right.height() * 0.56f);
        right.take_top(ink.px(4));
        heatmap = right;
    } else if (body.width() >= ink.px(1000) && ratio > 1.8f) {
        array = rest.take_bottom(
            std::clamp(body.width() / ratio + ink.px(60), body.height() * 0.2f, body.height() * 0.4f));
        rest.take_bottom(row_gap);
        heatmap = rest.take_right(body.width() * 0.38f);
        rest.take_right(gap);
        lanes = rest;
    } else if (body.width() >= ink.px(1000) && body.width() >= body.height() * 1.15f) {
        array = rest.take_right(
            std::clamp(body.height() * std::min(ratio, 1.2f), body.width() * 0.34f, body.width() * 0.42f));
        rest.take_right(gap);
        heatmap = rest.take_bottom(std::max(body.height() * 0.36f, body.height() - comfortable));
        rest.take_bottom(row_gap);
        lanes = rest;
    } else {
        Box below =
            rest.take_bottom(std::max(body.height() * 0.42f, body.height() - comfortable - ink.px(40)));
        rest.take_bottom(row_gap);
        lanes = rest;
        if (ratio > 1.8f && below.height() > ink.px(280)) {
            array = below.take_top(std::min(below.height() * 0.5f, below.width() / ratio + ink.px(60)));
            below.take_top(row_gap);
        } else {
            array = below.take_left(std::min(below.width() * 0.5f, below.height() * std::max(ratio, 1.3f)));
            below.take_left(gap);
        }
        heatmap = below;
    }
}

/// In a picture as soon as they are known for its scene; in the window on request.
bool BanksView::shows_fixes(const ViewFrame& frame) const {
    const BankFixState* state = frame.bank_fixes;
    if (!state || frame.interactive) return state && fixes_open_;
    return state->generation == frame.scene->generation && (state->found || !state->failure.empty());
}

/// True when alternative layouts of the array replace the heatmap; else, if the site has conflicts,
/// the button that tries them takes its room off the heatmap.
bool BanksView::draw_fixes(ViewFrame& frame, const Ink& ink, Box& heatmap) {
    const BankFixState* state = frame.bank_fixes;
    if (!state) return false;
    if (!frame.interactive) {
        if (!shows_fixes(frame)) return false;
        draw_bank_fixes(ink, *state, false, heatmap);
        return true;
    }
    const std::string array = shared_array_of(*frame.scene->trace, shown_->access);
    const auto* site = index().find(shown_->site);
    if (!fixes_open_) {
        if (!site || site->ratio() <= 1) return false;
        const char* words = "try paddings";
        const Box row = heatmap.take_top(control_height(ink.theme) + ink.px(6));
        ImGui::SetCursorScreenPos({row.x1 - text_button_width(ink.theme, words), row.y0});
        fixes_open_ = text_button(ink.theme, words, words,
                                  "Computes the wavefronts with padded rows and swizzled columns.");
        if (!fixes_open_) return false;
    }
    // A changed knob or another array starts a new search.
    if (state->generation != frame.scene->generation || state->array != array)
        frame.commands.try_bank_fixes = array;
    const BankFixAnswer answer = draw_bank_fixes(ink, *state, true, heatmap);
    if (answer.set) frame.commands.set_parameters.push_back({answer.set->first, answer.set->second});
    if (answer.closed) fixes_open_ = false;
    return true;
}

bool BanksView::draw_both(const ViewFrame& frame, const Ink& ink, const Box& body) {
    if (fixes_open_) return false;
    const auto other = baseline_request(frame);
    if (!other) return false;
    const trace::Trace& trace = *frame.baseline->trace;
    if (other_scene_ != frame.baseline || other_access_ != other->access) {
        other_scene_ = frame.baseline;
        other_access_ = other->access;
        other_ =
            RequestData{bank_request(trace, other->access), analysis::shared_layout(trace, other->access)};
    }
    draw_bank_sides(
        ink, {std::string(frame.baseline_name), baseline_place(frame, *other), other_.request, other_.layout},
        {std::string(frame.scene_name), words_.line, data_.request, data_.layout}, body);
    return true;
}

void BanksView::draw_parts(ViewFrame& frame, const Ink& ink, const Box& body) {
    const Selection& selection = frame.selection;
    const trace::Trace& trace = *frame.scene->trace;
    std::optional<ImVec2> mouse;
    if (frame.interactive && ImGui::IsWindowHovered()) mouse = ImGui::GetIO().MousePos;

    BankFocus highlight = focus_;
    if (!highlight.any() && selection.hover.lane >= 0) highlight.lane = selection.hover.lane;
    const bool is_chosen = selection.chosen.access == shown_->access;
    const BanksPart part{ink, data_.request, highlight, is_chosen ? selection.chosen.lane : -1, mouse};

    both_ = draw_both(frame, ink, body);
    if (both_) return;
    Box lanes, array, heatmap;
    lay_out(ink, body, lanes, array, heatmap);
    // Other layouts need room for their rows: in a small pane they take all of it.
    const bool alone = shows_fixes(frame) && heatmap.height() < ink.px(240);
    BankFocus hit;
    if (alone) {
        lanes = array = {};
        heatmap = body;
    } else {
        hit = draw_bank_lanes(part, lanes);
        const BankFocus on_array = draw_bank_array(part, data_.layout, shown_pitch(frame), array);
        if (on_array.any()) hit = on_array;
    }
    const bool tried = draw_fixes(frame, ink, heatmap);
    std::optional<HeatmapHit> on_map;
    if (!tried) on_map = draw_bank_heatmap(ink, heatmap_, shown_->site, shown_->access, mouse, heatmap);
    hit_box("banks lanes", lanes.min(), lanes.max());
    hit_box("banks array", array.min(), array.max());
    hit_box("banks heatmap", heatmap.min(), heatmap.max());
    focus_ = mouse ? hit : BankFocus{};

    const bool clicked = mouse && ImGui::IsMouseClicked(0);
    if (hit.any()) {
        Spot spot = spot_of(trace, *shown_, hit.lane);
        frame.selection.next_hover = spot;
        if (clicked) frame.selection.chosen = spot;
        if (hit.lane >= 0) {
            tooltip_card(frame.theme, fmt::format("{} `{}`", words_.verb, words_.expression),
                         parts_of(bank_arithmetic(data_.request, data_.layout, hit.lane)));
        } else if (hit.bank >= 0) {
            const std::uint32_t words = data_.request.detail.words[static_cast<std::size_t>(hit.bank)];
            tooltip_card(
                frame.theme,
                fmt::format(
                    "Bank {} serves {} for {}.", hit.bank, counted(words, "word"),
                    counted(static_cast<std::uint64_t>(focused_lanes(data_.request, hit).count()), "lane")));
        } else {
            const LaneMask served = focused_lanes(data_.request, hit);
            tooltip_card(
                frame.theme,
                fmt::format("Wavefront {} of {} serves {}.", hit.wavefront + 1, data_.request.wavefronts(),
                            counted(static_cast<std::uint64_t>(served.count()), "lane")));
        }
    } else if (on_map) {
        const auto& column = heatmap_.strips[on_map->strip].map.columns[on_map->column];
        const Spot spot = spot_of(trace, choice_of(index(), trace, on_map->access));
        frame.selection.next_hover = spot;
        if (clicked) frame.selection.chosen = spot;
        const std::uint32_t words = column.max_words[static_cast<std::size_t>(on_map->bank)];
        tooltip_card(frame.theme, fmt::format("{}: {} here; bank {} serves {}. Click to show it.",
                                              column.requests == 1 ? site_words(trace, spot.site)
                                                                   : fmt::format("The worst of {} requests",
                                                                                 grouped(column.requests)),
                                              counted(column.wavefronts, "wavefront"), on_map->bank,
                                              counted(words, "word")));
    }
}

}  // namespace

std::unique_ptr<View> make_banks_view() { return std::make_unique<BanksView>(); }

}  // namespace warplens::app
