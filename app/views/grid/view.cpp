// Grid: the whole launch at a glance. Blocks in the shape of the grid, a cell for each warp, coloured by one
// of its numbers; what was not recorded is empty, never invented.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/views/grid/drawing.h"
#include "app/views/grid/run.h"
#include "app/views/grid/words.h"
#include "app/views/shared/access_words.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/title_line.h"
#include "app/views/shared/two_runs.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

using analysis::GridFigure;

const std::array<Segment, analysis::grid_figure_count> grid_figure_segments{
    {{"grid steps", "steps", "Instructions that the warp executed."},
     {"grid lanes", "active lanes", "Active lanes, the mean over the warp's steps."},
     {"grid conflicts", "conflicts", "Wavefronts of shared memory beyond the ideal."},
     {"grid cycles", "cycles", "From the warp's arrival on its SM to its departure."},
     {"grid sm", "SM", "The SM that ran the warp, as a GPU recorded it."}}};
const std::array<Segment, 2> grid_units{
    {{"grid warps", "warps", "One cell for each warp, where there is room."},
     {"grid threads", "threads", "One cell for each thread, where there is room."}}};
const std::array<Segment, 2> grid_folds{
    {{"grid mean", "mean", "Cells of several warps show their mean."},
     {"grid worst", "worst", "Cells of several warps show the worst of them."}}};

class GridView : public View {
  private:
    ViewNeeds needs() const override { return {.warps = true, .counts = true}; }

    std::string cannot_compare(const ViewFrame& frame) override {
        if (frame.baseline->trace && !frame.baseline->trace->warps.empty()) return {};
        return fmt::format("{} has no trace.", frame.baseline_name);
    }

    void add_wishes(Selection& selection) const override { selection.wanted_grid = shown_; }

    void draw_scene(ViewFrame& frame) override {
        const Theme& theme = frame.theme;
        const Scene& scene = *frame.scene;
        if (frame.selection.wanted_grid) shown_ = *frame.selection.wanted_grid;
        frame.selection.wanted_grid.reset();
        const bool threads = shown_.threads && threads_fit_;
        now_.follow(scene, shown_.figure, threads);
        GridSpread scale = now_.of_cells();
        if (frame.baseline) {
            before_.follow(*frame.baseline, shown_.figure, threads);
            scale.join(before_.of_cells());
        }
        std::string title = grid_title(scene, shown_.figure, now_.of_warps());
        if (frame.baseline)
            title += grid_change_words(*frame.baseline, frame.baseline_name, shown_.figure,
                                       before_.of_warps(), now_.of_warps());
        title_line(theme, title);
        const GridHeadline large = grid_headline(scene, shown_.figure, now_.of_warps());
        if (!large.number.empty()) headline(theme, large.number, large.unit, large.facts);
        const WantedGrid drawn{shown_.figure, shown_.worst, threads};
        if (frame.interactive) draw_controls(frame);
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        auto entries = grid_legend(theme, scene, drawn, scale, now_.of_cells());
        if (frame.baseline && outlined_) entries.push_back(change_entry(theme, frame.baseline_name));
        const float least = frame.baseline && frame.interactive ? lowest_grids(ink) : 0;
        const PictureArea area = picture_area(ink, entries, 2400, least);
        if (frame.baseline) draw_both(frame, ink, area.box, drawn, scale);
        else draw_one(frame, ink, area.box, drawn, scale);
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
        provenance_line(theme, scene, grid_provenance(scene, drawn.figure));
    }

    void draw_controls(ViewFrame& frame) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float gap = 16 * frame.theme.fonts.scale, end = at.x + ImGui::GetContentRegionAvail().x;
        const auto figure =
            segments(frame.theme, grid_figure_segments, static_cast<std::size_t>(shown_.figure));
        shown_.figure = static_cast<GridFigure>(figure);
        float after = ImGui::GetCursorScreenPos().y;
        float x = at.x + segments_width(frame.theme, grid_figure_segments) + gap;
        const auto beside = [&](std::span<const Segment> choices, bool second) {
            const float width = segments_width(frame.theme, choices);
            if (x + width > end) return second;
            ImGui::SetCursorScreenPos({x, at.y});
            x += width + gap;
            const bool chosen = segments(frame.theme, choices, second ? 1 : 0) == 1;
            after = std::max(after, ImGui::GetCursorScreenPos().y);
            return chosen;
        };
        const bool threads = beside(grid_units, shown_.threads);
        if (threads && !shown_.threads) threads_fit_ = true;
        shown_.threads = threads;
        if (folded_) shown_.worst = beside(grid_folds, shown_.worst);
        ImGui::SetCursorScreenPos({at.x, after});
    }

    GridShape shape_of(const Ink& ink, const Scene& scene, const Box& cells, GridUnit finest) const {
        return grid_shape(scene.trace->launch.geometry, cells.width(), cells.height(), ink.px(5),
                          ink.px(widest_grid_cell), finest, text_height(ink.theme.fonts.small) + ink.px(4));
    }
    GridUnit finest() const { return shown_.threads ? GridUnit::thread : GridUnit::warp; }

    void draw_one(ViewFrame& frame, const Ink& ink, const Box& box, WantedGrid drawn,
                  const GridSpread& scale) {
        const Scene& scene = *frame.scene;
        const Box place = grid_cells_box(ink, scene.trace->launch.geometry.grid, box);
        const GridShape shape = shape_of(ink, scene, place, finest());
        draw_run(frame, ink, place, shape, drawn, scale, {});
        remember(shape);
    }

    void remember(const GridShape& shape) {
        folded_ = !shape.per_unit && shown_.figure != GridFigure::sm;
        threads_fit_ = !shown_.threads || shape.threads;
    }

    /// Width of a run in a picture of two, unscaled.
    static constexpr float least_side = 300;
    /// Height of two runs with their names, labels and some rows of cells, unscaled. A lower pane scrolls.
    static float lowest_grids(const Ink& ink) {
        constexpr float run = 150;
        const float width = ImGui::GetContentRegionAvail().x;
        const bool beside = boxes_of_runs(ink, {0, 0, width, 1}, ink.px(least_side)).before.width() < width;
        return beside ? run : 2 * run;
    }

    /// On one scale, with the cells that differ outlined in both.
    void draw_both(ViewFrame& frame, const Ink& ink, const Box& box, WantedGrid drawn,
                   const GridSpread& scale) {
        const Scene &scene = *frame.scene, &was = *frame.baseline;
        RunBoxes boxes = boxes_of_runs(ink, box, ink.px(least_side));
        const ImU32 colour = frame.theme.text_dim;
        run_heading(ink, boxes.before, frame.baseline_name,
                    {grid_run_words(was, drawn.figure, before_.of_warps())}, colour);
        run_heading(ink, boxes.after, frame.scene_name,
                    {grid_run_words(scene, drawn.figure, now_.of_warps())}, colour);
        const Box before = grid_cells_box(ink, was.trace->launch.geometry.grid, boxes.before);
        const Box after = grid_cells_box(ink, scene.trace->launch.geometry.grid, boxes.after);
        GridShape shape = shape_of(ink, scene, after, finest()), old = shape_of(ink, was, before, finest());
        // A mean of blocks beside single warps would look like a difference of the runs.
        const GridUnit coarser = std::max(shape.unit(), old.unit());
        if (shape.unit() != coarser) shape = shape_of(ink, scene, after, coarser);
        if (old.unit() != coarser) old = shape_of(ink, was, before, coarser);
        const auto& cells = now_.cells(scene, shape, drawn.worst);
        const auto& old_cells = before_.cells(was, old, drawn.worst);
        const std::vector<bool> changed = changed_cells(shape, cells, old, old_cells);
        outlined_ = !changed.empty();
        const Spot& same = counterpart_.of(frame, "grid", frame.selection.chosen);
        const GridPicture picture{ink,
                                  *was.trace,
                                  old,
                                  old_cells,
                                  wanted_of(drawn, old),
                                  scale,
                                  changed,
                                  cell_of(was, old, same.warp_record),
                                  no_cell,
                                  frame.interactive};
        const std::size_t hit = draw_grid(picture, before);
        hit_box("grid before", before.min(), before.max());
        if (hit != no_cell) explain(frame, was, before_, old, old_cells, hit);
        draw_run(frame, ink, after, shape, drawn, scale, changed);
        remember(shape);
    }

    void draw_run(ViewFrame& frame, const Ink& ink, const Box& place, const GridShape& shape,
                  WantedGrid drawn, const GridSpread& scale, const std::vector<bool>& changed) {
        const Scene& scene = *frame.scene;
        const auto& cells = now_.cells(scene, shape, drawn.worst);
        const GridPicture picture{ink,
                                  *scene.trace,
                                  shape,
                                  cells,
                                  wanted_of(drawn, shape),
                                  scale,
                                  changed,
                                  cell_of(scene, shape, frame.selection.chosen.warp_record),
                                  cell_of(scene, shape, frame.selection.hover.warp_record),
                                  frame.interactive};
        const std::size_t hit = draw_grid(picture, place);
        hit_box("grid cells", place.min(), place.max());
        if (hit != no_cell) take_mouse(frame, shape, cells, hit);
    }

    /// What the shape's words speak of: also a wish for threads that has no room.
    WantedGrid wanted_of(WantedGrid drawn, const GridShape& shape) const {
        drawn.threads = shown_.threads && !shape.threads;
        return drawn;
    }

    static std::size_t cell_of(const Scene& scene, const GridShape& shape, std::uint32_t record) {
        const auto& warps = scene.trace->warps;
        if (record >= warps.size()) return no_cell;
        return shape.cell_of(warps[record].block, warps[record].warp);
    }

    void take_mouse(ViewFrame& frame, const GridShape& shape, const std::vector<GridCellValue>& cells,
                    std::size_t at) const {
        const GridCellValue& cell = cells[at];
        explain(frame, *frame.scene, now_, shape, cells, at);
        if (cell.warp == no_index || now_.warps()[cell.warp].record == no_index) return;
        Spot spot;
        spot.warp_record = now_.warps()[cell.warp].record;
        spot.lane = cell.lane;
        frame.selection.next_hover = spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
    }

    void explain(const ViewFrame& frame, const Scene& scene, const GridRun& run, const GridShape& shape,
                 const std::vector<GridCellValue>& cells, std::size_t at) const {
        const trace::Trace& trace = *scene.trace;
        const GridCellValue& cell = cells[at];
        const std::string first = block_words(trace, shape.first_block(at));
        if (cell.warps == 0)
            return tooltip_card(frame.theme, "Not recorded in this sample: nothing is known of it.",
                                shape.blocks_per_cell() == 1 ? first : first + " and its neighbors");
        const analysis::GridWarp& warp = run.warps()[cell.warp];
        std::string who = fmt::format("warp {} of {}", warp.warp, block_words(trace, warp.block));
        if (cell.lane >= 0)
            who = fmt::format("thread {}, lane {} of {}",
                              warp.warp * warp_size + static_cast<unsigned>(cell.lane), cell.lane, who);
        if (!shape.per_unit) who = "The worst here is " + who;
        else who[0] = 'W';
        who +=
            warp.record == no_index ? ": only its times were recorded." : ". A click selects it everywhere.";
        std::vector<std::string> lines;
        const GridFigure figure = shown_.figure;
        const std::optional<double>& value = cell.lane >= 0 ? cell.value : warp.value;
        if (value)
            lines.push_back(figure == GridFigure::sm
                                ? "SM " + grid_number(figure, *value)
                                : grid_number(figure, *value) + " " + grid_unit(figure, *value));
        if (!shape.per_unit)
            lines.push_back(fmt::format("cell: {}{}, {} without an access", counted(cell.warps, "warp"),
                                        cell.value && figure != GridFigure::sm
                                            ? fmt::format(", {} {}", shown_.worst ? "worst" : "mean",
                                                          grid_number(figure, *cell.value))
                                            : std::string(),
                                        grouped(cell.idle)));
        else if (cell.lane >= 0 && cell.idle > 0) lines.emplace_back("it accesses no memory");
        else if (const int idle = warp.idle_lanes.count(); idle > 0 && cell.lane < 0)
            lines.push_back(fmt::format("{} of its {} no memory", idle,
                                        idle == 1 ? "threads accesses" : "threads access"));
        tooltip_card(frame.theme, who, lines);
    }

    WantedGrid shown_;
    bool folded_ = false;      // cells stand for several warps
    bool threads_fit_ = true;  // in the last frame
    bool outlined_ = true;     // cells that differ, in the last frame
    GridRun now_, before_;     // this run, and the baseline
    Counterpart counterpart_;
};

}  // namespace

std::unique_ptr<View> make_grid_view() { return std::make_unique<GridView>(); }

}  // namespace warplens::app
