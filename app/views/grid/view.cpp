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
#include "app/views/grid/words.h"
#include "app/views/shared/access_words.h"
#include "app/views/shared/headline.h"
#include "app/views/shared/picture_area.h"
#include "app/views/shared/title_line.h"
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
const std::array<Segment, 2> grid_folds{
    {{"grid mean", "mean", "Cells of several warps show their mean."},
     {"grid worst", "worst", "Cells of several warps show the worst of them."}}};

/// Steps from one label to the next: a power of two, at least `room` pixels.
std::uint64_t label_step(float pitch, float room) {
    std::uint64_t step = 1;
    while (pitch * static_cast<float>(step) < room) step *= 2;
    return step;
}

class GridView : public View {
  private:
    ViewNeeds needs() const override { return {.warps = true}; }

    void add_wishes(Selection& selection) const override { selection.wanted_grid = shown_; }

    void draw_scene(ViewFrame& frame) override {
        const Theme& theme = frame.theme;
        const Scene& scene = *frame.scene;
        if (frame.selection.wanted_grid) shown_ = *frame.selection.wanted_grid;
        frame.selection.wanted_grid.reset();
        follow(scene);
        title_line(theme, grid_title(scene, shown_.figure, spread_));
        const GridHeadline large = grid_headline(scene, shown_.figure, spread_);
        if (!large.number.empty()) headline(theme, large.number, large.unit, large.facts);
        if (frame.interactive) draw_controls(frame);
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        const auto entries = grid_legend(theme, scene, derived_->figure, spread_);
        const PictureArea area = picture_area(ink, entries, 2400);
        draw_grid(frame, ink, area.box);
        ImGui::Dummy({area.width, area.height});
        legend(theme, entries);
        provenance_line(theme, scene, grid_provenance(scene, derived_->figure));
    }

    void follow(const Scene& scene) {
        const trace::Schedule* schedule = scene.timing ? scene.timing->schedule.get() : nullptr;
        const Derived now{scene.generation, scene.timing_generation, scene.trace.get(), schedule,
                          shown_.figure};
        if (derived_ == now) return;
        derived_ = now;
        cells_of_.reset();
        warps_ = analysis::grid_figures(*scene.trace, schedule, shown_.figure);
        spread_ = GridSpread(warps_);
    }

    void draw_controls(ViewFrame& frame) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const auto figure =
            segments(frame.theme, grid_figure_segments, static_cast<std::size_t>(shown_.figure));
        shown_.figure = static_cast<GridFigure>(figure);
        const float after = ImGui::GetCursorScreenPos().y;
        const float x =
            at.x + segments_width(frame.theme, grid_figure_segments) + 16 * frame.theme.fonts.scale;
        const float end = at.x + ImGui::GetContentRegionAvail().x;
        if (folded_ && x + segments_width(frame.theme, grid_folds) < end) {
            ImGui::SetCursorScreenPos({x, at.y});
            shown_.worst = segments(frame.theme, grid_folds, shown_.worst ? 1 : 0) == 1;
        }
        ImGui::SetCursorScreenPos({at.x, std::max(after, ImGui::GetCursorScreenPos().y)});
    }

    void draw_grid(ViewFrame& frame, const Ink& ink, Box box) {
        const Theme& theme = frame.theme;
        const LaunchGeometry& geometry = frame.scene->trace->launch.geometry;
        const float line = text_height(theme.fonts.small) + ink.px(6);
        const Box words = box.take_top(line);
        const bool flat = geometry.grid.y <= 1 && geometry.grid.z <= 1;
        const Box above = flat ? Box{} : box.take_top(line);
        const std::string last = flat ? "block " + grouped(geometry.grid.x)
                                      : row_label(geometry.grid, {0, geometry.grid.y, geometry.grid.z}, true);
        const float gutter = text_width(theme.fonts.small, last) + ink.px(8);
        const Box left = box.take_left(geometry.blocks() > 1 ? gutter : 0);
        const GridShape shape = grid_shape(geometry, box.width(), box.height(), ink.px(5), ink.px(120));
        folded_ = !shape.per_warp && shown_.figure != GridFigure::sm;
        const DerivedCells now{shape, shown_.worst, theme.name};
        if (cells_of_ != now) {
            cells_of_ = now;
            cells_ = grid_cells(shape, warps_, derived_->figure, shown_.worst);
            number_font_ = font_of_numbers(ink, shape);
        }
        const WantedGrid drawn{derived_->figure, shown_.worst};
        ink.text(words, grid_shape_words(shape, geometry.grid, drawn), theme.fonts.small, theme.text_dim);
        if (geometry.blocks() > 1) draw_row_labels(ink, shape, geometry.grid, left);
        if (!flat) draw_column_labels(ink, shape, {box.x0, above.y0, box.x1, above.y1});
        draw_cells(frame, ink, shape, box);
        hit_box("grid cells", box.min(), box.max());
    }

    /// "block 64" of a line of blocks, "y 3" or "y 3, z 1" of a grid; without the letters if not `named`.
    static std::string row_label(Dim3 grid, Dim3 at, bool named) {
        const std::string y = (named ? "y " : "") + grouped(at.y);
        return grid.z > 1 ? fmt::format("{}, {}{}", y, named ? "z " : "", grouped(at.z)) : y;
    }

    static void draw_row_labels(const Ink& ink, const GridShape& shape, Dim3 grid, const Box& area) {
        ImFont* font = ink.theme.fonts.small;
        const float height = text_height(font);
        const std::uint64_t step = label_step(shape.pitch_y, height * 1.3f);
        for (std::uint64_t row = 0; row < shape.cells_y; row += step) {
            const std::uint64_t block = row * shape.fold_y * shape.columns;
            const std::string label = shape.wrapped
                                          ? fmt::format("{}{}", row == 0 ? "block " : "", grouped(block))
                                          : row_label(grid, coordinates(block, grid), row == 0);
            const float middle = area.y0 + shape.pitch_y * (static_cast<float>(row) + 0.5f);
            const float y = std::clamp(middle - height / 2, area.y0, std::max(area.y0, area.y1 - height));
            ink.text({area.x0, y, area.x1 - ink.px(8), y + height}, label, font, ink.theme.text_dim,
                     Align::right);
        }
    }

    static void draw_column_labels(const Ink& ink, const GridShape& shape, const Box& area) {
        ImFont* font = ink.theme.fonts.small;
        const float room = text_width(font, "x " + grouped(shape.columns)) + ink.px(10);
        const std::uint64_t step = label_step(shape.pitch_x, room);
        for (std::uint64_t column = 0; column < shape.cells_x; column += step) {
            const float x = area.x0 + shape.pitch_x * static_cast<float>(column);
            const std::string label =
                fmt::format("{}{}", column == 0 ? "x " : "", grouped(column * shape.fold_x));
            if (x + text_width(font, label) > area.x1) break;
            ink.text({x, area.y0, std::min(x + room, area.x1), area.y1 - ink.px(4)}, label, font,
                     ink.theme.text_dim);
        }
    }

    void draw_cells(ViewFrame& frame, const Ink& ink, const GridShape& shape, const Box& area) {
        const Theme& theme = frame.theme;
        const float gap = std::min(ink.px(4), std::max(1.0f, shape.pitch_x * 0.12f));
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const bool follows_mouse = frame.interactive && ImGui::IsWindowHovered();
        const std::size_t chosen = cell_of_record(frame, shape, frame.selection.chosen.warp_record);
        const std::size_t hovered = cell_of_record(frame, shape, frame.selection.hover.warp_record);
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            if (!shape.exists(i)) continue;
            const Box box = grid_cell_box(shape, area, i, gap);
            draw_cell(ink, cells_[i], box);
            const bool under_mouse = follows_mouse && box.has(mouse);
            if (frame.interactive && (under_mouse || i == hovered)) ink.fill(box, theme.hovered);
            if (under_mouse) take_mouse(frame, shape, i);
        }
        if (chosen < cells_.size())
            ink.outline(grid_cell_box(shape, area, chosen, gap), theme.selected, std::max(1.5f, ink.px(2)));
    }

    static std::size_t cell_of_record(const ViewFrame& frame, const GridShape& shape, std::uint32_t record) {
        const auto& warps = frame.scene->trace->warps;
        if (record >= warps.size()) return ~std::size_t{0};
        return shape.cell_of(warps[record].block, warps[record].warp);
    }

    void draw_cell(const Ink& ink, const GridCellValue& cell, const Box& box) const {
        const Theme& theme = ink.theme;
        if (cell.warps == 0) return ink.outline(box, theme.hairline);
        const bool plain = !cell.value || cell.mixed;
        const ImU32 fill = plain ? theme.raised
                           : derived_->figure == GridFigure::sm
                               ? theme.category(static_cast<int>(*cell.value) % 8)
                               : theme.amount(spread_.share(*cell.value));
        ink.fill(box, fill);
        if (cell.idle == cell.warps) return ink.hatch(box, theme.inactive, 4);
        if (plain) return;
        if (number_font_) ink.text_if_fits(box, cell_number(*cell.value), number_font_, theme.text_on(fill));
    }

    /// The largest in which the numbers of all cells fit; null: they don't fit in any.
    ImFont* font_of_numbers(const Ink& ink, const GridShape& shape) const {
        const Fonts& fonts = ink.theme.fonts;
        const Box one = grid_cell_box(shape, {}, 0, ink.px(4));
        for (ImFont* font : {fonts.title, fonts.words, fonts.small}) {
            float widest = 0;
            for (const GridCellValue& cell : cells_)
                if (cell.value) widest = std::max(widest, text_width(font, cell_number(*cell.value)));
            const bool crowded = font != fonts.small && one.height() < 1.8f * text_height(font);
            if (!crowded && widest + ink.px(2) <= one.width() && text_height(font) <= one.height())
                return font;
        }
        return nullptr;
    }

    std::string cell_number(double value) const {
        return value >= 1000 ? compact(value) : grid_number(derived_->figure, value);
    }

    void take_mouse(ViewFrame& frame, const GridShape& shape, std::size_t at) const {
        const GridCellValue& cell = cells_[at];
        explain(frame, shape, at);
        if (cell.warp == no_index || warps_[cell.warp].record == no_index) return;
        Spot spot;
        spot.warp_record = warps_[cell.warp].record;
        frame.selection.next_hover = spot;
        if (ImGui::IsMouseClicked(0)) frame.selection.chosen = spot;
    }

    void explain(const ViewFrame& frame, const GridShape& shape, std::size_t at) const {
        const trace::Trace& trace = *frame.scene->trace;
        const GridCellValue& cell = cells_[at];
        const std::string first = block_words(trace, shape.first_block(at));
        if (cell.warps == 0)
            return tooltip_card(frame.theme, "Not recorded in this sample: nothing is known of it.",
                                shape.fold_x * shape.fold_y == 1 ? first : first + " and its neighbors");
        const analysis::GridWarp& warp = warps_[cell.warp];
        std::string who = fmt::format("warp {} of {}", warp.warp, block_words(trace, warp.block));
        if (!shape.per_warp) who = "The worst here is " + who;
        else who[0] = 'W';
        who +=
            warp.record == no_index ? ": only its times were recorded." : ". A click selects it everywhere.";
        std::vector<std::string> lines;
        const GridFigure figure = derived_->figure;
        if (warp.value)
            lines.push_back(figure == GridFigure::sm
                                ? "SM " + grid_number(figure, *warp.value)
                                : grid_number(figure, *warp.value) + " " + grid_unit(figure, *warp.value));
        if (!shape.per_warp)
            lines.push_back(fmt::format("cell: {}{}, {} without an access", counted(cell.warps, "warp"),
                                        cell.value && figure != GridFigure::sm
                                            ? fmt::format(", {} {}", shown_.worst ? "worst" : "mean",
                                                          grid_number(figure, *cell.value))
                                            : std::string(),
                                        grouped(cell.idle)));
        else if (cell.idle > 0) lines.emplace_back("its threads access no memory");
        tooltip_card(frame.theme, who, lines);
    }

    /// What the warps' numbers were derived from.
    struct Derived {
        std::uint64_t generation = 0, timing_generation = 0;
        const trace::Trace* trace = nullptr;
        const trace::Schedule* schedule = nullptr;
        GridFigure figure = GridFigure::steps;
        friend bool operator==(const Derived&, const Derived&) = default;
    };
    struct DerivedCells {
        GridShape shape;
        bool worst = false;
        ThemeName theme = ThemeName::dark;
        friend bool operator==(const DerivedCells&, const DerivedCells&) = default;
    };

    WantedGrid shown_;
    bool folded_ = false;  // cells stand for several warps
    std::optional<Derived> derived_;
    std::vector<analysis::GridWarp> warps_;
    GridSpread spread_{{}};
    std::optional<DerivedCells> cells_of_;
    std::vector<GridCellValue> cells_;
    ImFont* number_font_ = nullptr;
};

}  // namespace

std::unique_ptr<View> make_grid_view() { return std::make_unique<GridView>(); }

}  // namespace warplens::app
