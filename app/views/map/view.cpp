// Map: which block, warp and thread accesses which element of each array, as grids of elements in the colour
// of who accesses them; one thread's elements are outlined in all arrays.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/scene/level_of_time.h"
#include "app/scene/scene_words.h"
#include "app/ui/empty_state.h"
#include "app/ui/number.h"
#include "app/ui/tooltip.h"
#include "app/views/map/layout.h"
#include "app/views/map/legend.h"
#include "app/views/map/pairing.h"
#include "app/views/map/panel.h"
#include "app/views/map/settings.h"
#include "app/views/map/words.h"
#include "app/views/shared/access_words.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

class MapView : public View {
  private:
    ViewNeeds needs() const override { return {.warps = true, .counts = true}; }

    void add_wishes(Selection& selection) const override { selection.wanted_map = wanted_; }

    void draw_scene(ViewFrame& frame) override {
        if (paired_ && !frame.baseline) trace_ = nullptr;  // the shapes without the other run's
        follow_scene(*frame.scene);
        if (frame.selection.wanted_map) take(*frame.selection.wanted_map, settings_);
        frame.selection.wanted_map.reset();
        wanted_ = wanted_of(settings_);
        if (arrays_.empty()) {
            empty_state(frame.theme, "No recorded request accesses a named array.",
                        "Light recordings contain no addresses: record with `--mode full`.");
            return;
        }
        const Theme& theme = frame.theme;
        paired_ = frame.baseline != nullptr;
        settings_.common_scope.reset();
        if (paired_) settings_.common_scope = common_scope(*frame.scene, *frame.baseline);
        if (frame.interactive) map_controls(frame, arrays_, orders_, settings_);
        const std::uint32_t warp = shown_warp(frame);
        filter_ = filter_of(settings_, *frame.scene, warp);
        if (paired_) before_filter_ = filter_of(settings_, *frame.baseline, before_warp(frame, warp));
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        lay_out(ink, {room.x, room.y});
        derive(frame);
        const MapScope scope = scope_of(settings_, *frame.scene);
        title_line(theme, paired_ ? map_change_title(*frame.scene, scope, filter_, panels_, before_panels_,
                                                     frame.baseline_name)
                                  : map_title(*frame.scene, scope, filter_, panels_));
        mark(frame);
        Headline large = map_headline(panels_);
        large.words = example_words(*frame.scene->trace, example_, panels_);
        if (paired_ || !headline_with_room(theme, large)) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float words = draw_followed(frame, ink, at);
            ImGui::SetCursorScreenPos({at.x, at.y + words + ink.px(8)});
        }
        stretch(frame, ink);
        draw_panels(frame, ink);
        draw_map_legend(map_legend(frame));
        provenance_line(theme, *frame.scene, provenance(*frame.scene));
    }

    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene& baseline = *frame.baseline;
        if (before_of_ != frame.baseline) {
            before_of_ = frame.baseline;
            const bool traced = baseline.trace && !baseline.trace->warps.empty();
            before_arrays_ = traced ? arrays_of(*baseline.trace) : std::vector<analysis::MappedArray>();
            before_orders_ = traced ? orders_of(*baseline.trace) : 0;
            derived_.reset();
            trace_ = nullptr;
        }
        follow_scene(*frame.scene);
        for (const analysis::MappedArray& array : arrays_)
            if (before_array(array)) return {};
        return fmt::format("{} accesses no array that corresponds to one of this run.", frame.baseline_name);
    }

    const analysis::MappedArray* before_array(const analysis::MappedArray& array) const {
        return array_before(arrays_, before_arrays_, array);
    }

    /// The warp of the baseline that corresponds to the shown one.
    std::uint32_t before_warp(const ViewFrame& frame, std::uint32_t warp) {
        Spot spot;
        spot.warp_record = warp;
        const Spot& found = counterpart_.of(frame, "map", spot);
        return found.warp_record < frame.baseline->trace->warps.size() ? found.warp_record : 0;
    }

    /// As data moves: what is read, what the block keeps, what is written. Tables in constant memory last,
    /// since not all arrays may have room.
    static std::vector<analysis::MappedArray> arrays_of(const trace::Trace& trace) {
        std::vector<analysis::MappedArray> arrays = analysis::mapped_arrays(trace);
        std::ranges::stable_sort(arrays, {}, [](const analysis::MappedArray& array) {
            if (array.space == Space::constant) return 3;
            return array.space != Space::global ? 1 : array.stored ? 2 : 0;
        });
        return arrays;
    }

    static std::uint32_t orders_of(const trace::Trace& trace) {
        std::uint32_t orders = 0;
        for (const trace::WarpRecord& warp : trace.warps)
            orders = std::max(orders, static_cast<std::uint32_t>(warp.accesses_end - warp.accesses_begin));
        return orders;
    }

    void follow_scene(const Scene& scene) {
        if (!(run_ == RunIdentity(scene))) take_scene(scene);
    }

    void take_scene(const Scene& scene) {
        run_ = scene;
        trace_ = scene.trace.get();
        arrays_ = arrays_of(*scene.trace);
        orders_ = orders_of(*scene.trace);
        settings_.shown_orders = no_index;
        const auto shown = std::ranges::find(arrays_, settings_.array, &analysis::MappedArray::name);
        if (shown == arrays_.end()) settings_.array.clear();
        panels_.clear();
        derived_.reset();
    }

    /// The selected warp, or that of the selected request.
    static std::uint32_t shown_warp(const ViewFrame& frame) {
        const std::uint32_t warp = frame.selection.chosen.warp_record;
        return warp < frame.scene->trace->warps.size() ? warp : 0;
    }

    void lay_out(const Ink& ink, ImVec2 room) {
        const std::size_t count = settings_.array.empty() ? arrays_.size() : 1;
        const MapLayout layout = lay_out_panels(ink, room, count, paired_);
        boxes_ = layout.boxes;
        height_ = layout.height;
        size_ = map_size(ink, paired_ ? pair_boxes(ink, boxes_.front()).after : boxes_.front());
    }

    /// Over the room that the words above have left; they were laid out before these were known.
    void stretch(const ViewFrame& frame, const Ink& ink) {
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float below = map_legend_height(map_legend(frame), room.x) + provenance_line_height(ink.theme) +
                            3 * ImGui::GetStyle().ItemSpacing.y + ink.px(8);
        const float factor = (room.y - below) / height_;
        if (factor <= 1) return;
        for (Box& box : boxes_) {
            box.y0 *= factor;
            box.y1 *= factor;
        }
        height_ *= factor;
    }

    /// The panels, again only if something they depend on has changed.
    void derive(const ViewFrame& frame) {
        const Derived now{filter_,       before_filter_, settings_, size_.rows,
                          size_.columns, boxes_.size(),  paired_};
        if (derived_ == now) return;
        derived_ = now;
        marked_.reset();
        panels_.clear();
        before_panels_.clear();
        for (analysis::MappedArray& array : arrays_) {
            if (panels_.size() == most_panels) break;
            std::optional<analysis::MappedArray> before;
            if (const auto* found = paired_ ? before_array(array) : nullptr) before = *found;
            const ScopedArray now{*frame.scene->trace, array, filter_};
            if (before)
                fit_rows(now, ScopedArray{*frame.baseline->trace, *before, before_filter_}, size_.columns);
            else fit_rows(now, std::nullopt, size_.columns);
            if (!settings_.array.empty() && settings_.array != array.name) continue;
            panels_.push_back(panel_of(*frame.scene->trace, array, filter_));
            if (!paired_ || before_panels_.size() == boxes_.size()) continue;
            before_panels_.push_back(before ? panel_of(*frame.baseline->trace, *before, before_filter_)
                                            : MapPanel{});
        }
    }

    MapPanel panel_of(const trace::Trace& trace, analysis::MappedArray array,
                      analysis::MapFilter filter) const {
        if (const auto set = settings_.columns.find(array.name); set != settings_.columns.end()) {
            array.columns = set->second;
            array.columns_known = true;
            array.like.clear();
        }
        // Every block has its own: that of the block where the scope begins.
        if (array.space == Space::shared) limit_to_block(trace, filter);
        return {array, analysis::access_map(trace, array, filter, size_), {}, {}};
    }

    static void limit_to_block(const trace::Trace& trace, analysis::MapFilter& filter) {
        std::uint32_t last = filter.first_warp;
        while (last < filter.last_warp && trace.warps[last].block == trace.warps[filter.first_warp].block)
            ++last;
        filter.last_warp = last;
    }

    /// The example thread — under the mouse, selected, or the first of the selected request.
    analysis::MapThread example_of(const ViewFrame& frame) const {
        const trace::Trace& trace = *frame.scene->trace;
        const Spot& chosen = frame.selection.chosen;
        const Spot& spot = frame.selection.hover.lane >= 0 ? frame.selection.hover : chosen;
        analysis::MapThread example;
        example.warp_record = spot.warp_record < trace.warps.size() ? spot.warp_record : filter_.first_warp;
        example.access = chosen.access;
        if (spot.lane >= 0) example.lane = static_cast<std::uint8_t>(spot.lane);
        else if (chosen.access < trace.accesses.size())
            example.lane = static_cast<std::uint8_t>(trace.accesses[chosen.access].mask.lowest());
        return example;
    }

    /// What is outlined: the example thread's elements, and those of the selected request, in both runs.
    void mark(const ViewFrame& frame) {
        const analysis::MapThread example = example_of(frame);
        if (marked_ == example) return;
        example_ = example;
        marked_ = example;
        mark_thread(*frame.scene->trace, example, filter_, panels_);
        if (!paired_) return;
        const Spot& was = counterpart_of_thread_.of(frame, "map", spot_of(*frame.scene->trace, example));
        before_example_ = {};
        before_example_.warp_record = was.warp_record < frame.baseline->trace->warps.size()
                                          ? was.warp_record
                                          : before_filter_.first_warp;
        before_example_.access = was.access;
        before_example_.lane = example.lane;
        mark_thread(*frame.baseline->trace, before_example_, before_filter_, before_panels_);
    }

    /// The followed thread, and of two runs a line for each. Returns the height they take.
    float draw_followed(const ViewFrame& frame, const Ink& ink, ImVec2 at) const {
        const Theme& theme = frame.theme;
        const float width = ImGui::GetContentRegionAvail().x;
        const auto draw = [&](float y, const std::string& words, int lines) {
            const auto runs = runs_of(words, theme.fonts.code, theme.text_dim);
            return ink.paragraph({at.x, at.y + y}, width, runs, lines);
        };
        const std::string now = example_words(*frame.scene->trace, example_, panels_);
        if (!paired_) return draw(0, now, 2);
        const int lines = width < ink.px(900) ? 2 : 1;
        const float above = draw(
            0, before_words(frame.baseline_name, *frame.baseline->trace, before_example_, before_panels_),
            lines);
        return above + draw(above, fmt::format("{}: {}", frame.scene_name, now), lines);
    }

    void draw_panels(ViewFrame& frame, const Ink& ink) {
        const trace::Trace& trace = *frame.scene->trace;
        const ImVec2 origin = ImGui::GetCursorScreenPos();
        MapLook look{ink, trace, colour_of(settings_, *frame.scene), std::max(1u, orders_), 1, std::nullopt};
        if (paired_) look.orders = std::max(look.orders, before_orders_);
        for (const auto* panels : {&panels_, &before_panels_})
            for (const MapPanel& panel : *panels)
                for (const analysis::MapCell& cell : panel.map.cells)
                    look.most = std::max(
                        look.most, static_cast<std::uint64_t>(std::llround(accesses_per_element(cell))));
        most_ = look.most;
        if (frame.interactive && ImGui::IsWindowHovered()) look.mouse = ImGui::GetMousePos();
        // The title and the line below it count all arrays, also those without room.
        for (std::size_t i = 0; i < std::min(panels_.size(), boxes_.size()); ++i) {
            const Box box{origin.x + boxes_[i].x0, origin.y + boxes_[i].y0, origin.x + boxes_[i].x1,
                          origin.y + boxes_[i].y1};
            look.colour = colour_in(panels_[i], colour_of(settings_, *frame.scene));
            const analysis::MapCell* hit =
                paired_ ? draw_pair(frame, look, i, box) : draw_map_panel(look, panels_[i], box);
            if (hit == nullptr) continue;
            tooltip_card(frame.theme, cell_sentence(trace, panels_[i], *hit), cell_place(panels_[i], *hit));
            if (hit->accesses == 0) continue;
            const Spot spot = spot_of(trace, hit->first);
            frame.selection.next_hover = spot;
            if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
        }
        ImGui::SetCursorScreenPos({origin.x, origin.y + height_});
        ImGui::Dummy({1, ink.px(4)});
    }

    /// The array in the baseline, and in this run; the cell of this run under the mouse.
    const analysis::MapCell* draw_pair(const ViewFrame& frame, const MapLook& look, std::size_t i,
                                       const Box& box) const {
        RunBoxes boxes = pair_boxes(look.ink, box);
        MapLook was{look.ink,  *frame.baseline->trace, look.colour, look.orders,
                    look.most, std::nullopt,           false};
        const MapPanel& before = before_panels_[i];
        // Of arrays in a row the first has the name of the run that is above or below the other.
        const bool named = boxes.before.x0 != boxes.after.x0 || boxes_[i].x0 == boxes_.front().x0;
        run_heading(look.ink, boxes.before, named ? frame.baseline_name : "", {}, frame.theme.text_dim);
        run_heading(look.ink, boxes.after, named ? frame.scene_name : "", {}, frame.theme.text_dim);
        if (before.array.name.empty()) {
            look.ink.text(boxes.before.take_top(look.ink.px(24)),
                          fmt::format("does not access {}", panels_[i].array.name), frame.theme.fonts.words,
                          frame.theme.text_dim);
            return draw_map_panel(look, panels_[i], boxes.after);
        }
        const OtherMap after{look, panels_[i]}, other{was, before};
        draw_map_panel(was, before, boxes.before, &after);
        return draw_map_panel(look, panels_[i], boxes.after, &other);
    }

    static std::string cell_place(const MapPanel& panel, const analysis::MapCell& cell) {
        const auto index = static_cast<std::uint64_t>(&cell - panel.map.cells.data());
        const std::uint64_t row = panel.map.area.row + index / panel.map.columns * panel.map.rows_per_cell;
        const std::uint64_t column =
            panel.map.area.column + index % panel.map.columns * panel.map.columns_per_cell;
        return element_words(panel.array, row * panel.array.columns + column);
    }

    static Spot spot_of(const trace::Trace& trace, const analysis::MapThread& thread) {
        Spot spot;
        spot.warp_record = thread.warp_record;
        spot.lane = thread.lane;
        if (thread.access >= trace.accesses.size()) return spot;
        spot.access = thread.access;
        spot.site = trace.accesses[thread.access].site;
        spot.source_line = trace.program.sites[spot.site].line;
        return spot;
    }

    MapLegend map_legend(const ViewFrame& frame) const {
        return {frame.theme,
                *frame.scene,
                colour_of(settings_, *frame.scene),
                {panels_.data(), std::min(panels_.size(), boxes_.size())},
                orders_,
                most_,
                paired_};
    }

    std::string provenance(const Scene& scene) const {
        std::string words = fmt::format("exact · {}", to_string(level_of_counts(scene)));
        if (launched_grids(scene)) words += " · accesses of launched grids are not recorded";
        for (const MapPanel& panel : panels_)
            if (panel.map.left_out > 0)
                return words + fmt::format(" · {}: {} further requests not counted", panel.array.name,
                                           grouped(panel.map.left_out));
        if (settings_.array.empty() && arrays_.size() > boxes_.size())
            words += fmt::format(" · {} of {} arrays shown", boxes_.size(), arrays_.size());
        return words;
    }

    struct Derived {
        analysis::MapFilter filter, before_filter;
        MapSettings settings;
        std::uint32_t rows, columns;
        std::size_t boxes;
        bool paired;
        friend bool operator==(const Derived&, const Derived&) = default;
    };

    RunIdentity run_;
    const trace::Trace* trace_ = nullptr;
    std::vector<analysis::MappedArray> arrays_;
    std::uint32_t orders_ = 0;  // most requests of a warp
    std::uint64_t most_ = 1;    // accesses of an element
    MapSettings settings_;
    WantedMap wanted_;
    analysis::MapFilter filter_, before_filter_;
    bool paired_ = false;  // with the baseline
    SceneIdentity before_of_;
    std::vector<analysis::MappedArray> before_arrays_;
    std::uint32_t before_orders_ = 0;
    std::vector<MapPanel> before_panels_;  // of the first of `panels_`, those with room
    Counterpart counterpart_;
    std::vector<Box> boxes_;
    analysis::MapSize size_;
    float height_ = 0;
    std::vector<MapPanel> panels_;
    std::optional<Derived> derived_;
    analysis::MapThread example_, before_example_;
    Counterpart counterpart_of_thread_;
    std::optional<analysis::MapThread> marked_;  // what `panels_` outline
};

}  // namespace

std::unique_ptr<View> make_map_view() { return std::make_unique<MapView>(); }

}  // namespace warplens::app
