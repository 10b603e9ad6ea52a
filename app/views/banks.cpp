// The Banks view: why a shared-memory request takes as many passes as it does. banks_lanes.cpp,
// banks_array.cpp and banks_heatmap.cpp draw its three parts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/hit_boxes.h"
#include "app/view.h"
#include "app/views/access_bar.h"
#include "app/views/access_choice.h"
#include "app/views/access_words.h"
#include "app/views/banks_parts.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/number.h"
#include "app/widgets/text.h"
#include "app/widgets/title_line.h"
#include "app/widgets/tooltip.h"

namespace warplens::app {
namespace {

class BanksView : public View {
  public:
    void draw(ViewFrame& frame) override;

  private:
    static constexpr std::uint64_t no_block = ~std::uint64_t{0};
    /// What follows from the scene, and from the shown block where the heatmap is one block's.
    struct SceneData {
        std::uint64_t generation = 0;
        const trace::Trace* trace = nullptr;
        RequestIndex index;
        BankHeatmapData heatmap;
        std::uint64_t heatmap_block = no_block;
    };
    /// Everything that follows from the shown request too.
    struct RequestData {
        AccessWords words;
        BankRequest request;
        analysis::SharedLayout layout;
    };

    void derive_scene(const Scene& scene);
    void derive_request(const trace::Trace& trace, const AccessChoice& choice);
    void draw_title(const Ink& ink, float width, bool compact) const;
    void lay_out(const Ink& ink, const Box& body, Box& lanes, Box& array, Box& heatmap) const;
    double shown_pitch(const ViewFrame& frame);
    void draw_parts(ViewFrame& frame, const Ink& ink, const Box& body);

    SceneData scene_;
    std::optional<AccessChoice> shown_;
    RequestData data_;
    BankFocus focus_;
    // The pitch that the array's colours shear from, in words, and since when; 0: they stand still.
    double former_pitch_ = 0, shear_began_ = 0;
};

void BanksView::derive_scene(const Scene& scene) {
    scene_ = {scene.generation, scene.trace.get(), index_requests(scene, MemoryKind::shared), {}, no_block};
}

void BanksView::derive_request(const trace::Trace& trace, const AccessChoice& choice) {
    data_.words = words_of(trace, choice);
    data_.request = bank_request(trace, choice.access);
    const std::uint64_t block = trace.warps[choice.warp_record].block;
    if (scene_.heatmap_block != block &&
        (scene_.heatmap_block == no_block || !shows_all_blocks(scene_.index))) {
        scene_.heatmap = derive_bank_heatmap(trace, scene_.index, block);
        scene_.heatmap_block = block;
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

void BanksView::draw_title(const Ink& ink, float width, bool compact) const {
    const Theme& theme = ink.theme;
    const BankRequest& request = data_.request;
    const AccessWords& words = data_.words;
    ImFont* title = compact ? theme.fonts.words : theme.fonts.title;
    const ImU32 cost = request.costly() ? theme.cost : theme.ideal;
    std::vector<TextRun> runs{
        {words.verb + " ", title, theme.text},
        {words.expression, compact ? theme.fonts.code : theme.fonts.code_title, theme.text, true},
        {fmt::format(", {}: ", words.line), title, theme.text},
        {counted(static_cast<std::uint64_t>(request.lanes.count()), "lane") + ", ", title, theme.text, false,
         true},
        {counted(static_cast<std::uint64_t>(request.banks_used), "bank") + ", ", title, theme.text, false,
         true},
        {counted(request.passes(), "wavefront"), title, cost, false, true},
    };
    if (request.costly()) {
        runs.push_back({" ", title, theme.text});
        runs.push_back({fmt::format("({} would do)", request.detail.count.ideal_wavefronts), title,
                        theme.ideal, false, true});
    } else {
        runs.push_back({", ", title, theme.text});
        runs.push_back(
            {request.passes() == 1 ? "no conflict" : "as few as possible", title, theme.text, false, true});
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ink.paragraph(at, width, runs, 2);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
}

/// Wide and high: lanes over the heatmap, the array beside them, as it wants a square; an array of long rows
/// gets the whole width below. Narrow: everything below the lanes. Low: array over heatmap beside the lanes.
void BanksView::lay_out(const Ink& ink, const Box& body, Box& lanes, Box& array, Box& heatmap) const {
    const float gap = ink.px(24), row_gap = ink.px(12);
    const float comfortable = comfortable_lanes_height(ink, data_.request);
    const float ratio = static_cast<float>(std::max(1u, data_.layout.columns)) /
                        static_cast<float>(std::max(1u, data_.layout.rows));
    Box rest = body;
    if (body.height() < ink.px(300)) {
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
        if (ratio > 1.8f) {
            array = below.take_top(std::min(below.height() * 0.5f, below.width() / ratio + ink.px(60)));
            below.take_top(row_gap);
        } else {
            array = below.take_left(std::min(below.width() * 0.5f, below.height() * 1.3f));
            below.take_left(gap);
        }
        heatmap = below;
    }
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

    Box lanes, array, heatmap;
    lay_out(ink, body, lanes, array, heatmap);
    BankFocus hit = draw_bank_lanes(part, lanes);
    const BankFocus on_array = draw_bank_array(part, data_.layout, shown_pitch(frame), array);
    if (on_array.any()) hit = on_array;
    const auto on_map = draw_bank_heatmap(ink, scene_.heatmap, shown_->site, shown_->access, mouse, heatmap);
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
            tooltip_card(frame.theme, fmt::format("{} `{}`", data_.words.verb, data_.words.expression),
                         parts_of(bank_arithmetic(data_.request, data_.layout, hit.lane)));
        } else if (hit.bank >= 0) {
            const std::uint32_t words = data_.request.detail.words[static_cast<std::size_t>(hit.bank)];
            tooltip_card(
                frame.theme,
                fmt::format(
                    "Bank {} is asked for {} by {}.", hit.bank, counted(words, "word"),
                    counted(static_cast<std::uint64_t>(focused_lanes(data_.request, hit).count()), "lane")));
        } else {
            const LaneMask served = focused_lanes(data_.request, hit);
            tooltip_card(frame.theme,
                         fmt::format("Wavefront {} of {} serves {}.", hit.pass + 1, data_.request.passes(),
                                     counted(static_cast<std::uint64_t>(served.count()), "lane")));
        }
    } else if (on_map) {
        const auto& column = scene_.heatmap.strips[on_map->strip].map.columns[on_map->column];
        const Spot spot = spot_of(trace, choice_of(scene_.index, trace, on_map->access));
        frame.selection.next_hover = spot;
        if (clicked) frame.selection.chosen = spot;
        const std::uint32_t words = column.max_words[static_cast<std::size_t>(on_map->bank)];
        tooltip_card(frame.theme, fmt::format("{}: {} here; bank {} is asked for {}. Click to see it.",
                                              column.requests == 1 ? site_words(trace, spot.site)
                                                                   : fmt::format("The worst of {} requests",
                                                                                 grouped(column.requests)),
                                              counted(column.wavefronts, "wavefront"), on_map->bank,
                                              counted(words, "word")));
    }
}

void BanksView::draw(ViewFrame& frame) {
    if (!frame.scene || !frame.scene->trace) {
        empty_state(frame.theme, "No kernel has run yet",
                    "Choose a kernel at the left: its shared-memory accesses are drawn here, bank by bank.");
        return;
    }
    const Scene& scene = *frame.scene;
    const trace::Trace& trace = *scene.trace;
    if (scene_.generation != scene.generation || scene_.trace != scene.trace.get()) {
        derive_scene(scene);
        shown_.reset();
    }
    const auto choice = choose_access(scene_.index, trace, frame.selection.chosen, shown_);
    if (!choice) {
        empty_state(frame.theme, fmt::format("`{}` makes no shared-memory request", trace.launch.kernel),
                    "Banks belong to shared memory. Look at Sectors for global memory, or choose "
                    "`transpose_tiled` or `shared_stride`.");
        return;
    }
    if (shown_ != choice) {
        derive_request(trace, *choice);
        shown_ = choice;
    }

    const Ink ink{ImGui::GetWindowDrawList(), frame.theme};
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    const float left = origin.x, width = size.x;
    const bool compact = size.y < ink.px(420);  // a thumbnail: words give way to the picture
    ImGui::PushClipRect(origin, {origin.x + size.x, origin.y + size.y}, true);
    ImGui::SetCursorScreenPos(origin);
    if (frame.interactive) {
        if (const auto wanted = access_bar(frame, "banks", "wavefronts", scene_.index, *choice))
            frame.selection.chosen = spot_of(trace, *wanted);
        const ImVec2 after = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({left, after.y + ink.px(8)});
    }
    draw_title(ink, width, compact);

    // The arithmetic of the lane under the mouse, else of the chosen one, else the pattern of the first few.
    ImVec2 at = ImGui::GetCursorScreenPos();
    int lane = frame.selection.hover.lane;
    if (lane < 0 && frame.selection.chosen.access == shown_->access) lane = frame.selection.chosen.lane;
    const std::string arithmetic =
        lane >= 0 ? bank_arithmetic(data_.request, data_.layout, lane) : bank_pattern(data_.request);
    const auto runs = runs_of(arithmetic, frame.theme.fonts.code, frame.theme.text_dim);
    const float top = at.y + ink.paragraph({left, at.y}, width, runs, compact ? 1 : 2);
    std::string provenance = "exact · PTX level";
    if (!frame.interactive) {
        // The window says this in the bar above; a picture says it here.
        std::string place = data_.words.thread_place;
        if (!data_.words.occurrence.empty()) place += " · " + data_.words.occurrence;
        provenance = place + " · " + provenance;
    }
    const float bottom = origin.y + size.y - provenance_line_height(frame.theme) - ink.px(2);
    draw_parts(frame, ink, {left, top + ink.px(8), left + width, bottom - ink.px(4)});
    ImGui::SetCursorScreenPos({left, bottom});
    provenance_line(frame.theme, scene, provenance);
    ImGui::PopClipRect();
}

}  // namespace

std::unique_ptr<View> make_banks_view() { return std::make_unique<BanksView>(); }

}  // namespace warplens::app
