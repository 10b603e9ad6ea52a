#include "app/views/grid/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/wording.h"
#include "app/ui/number.h"
#include "app/views/shared/schedule_words.h"

namespace warplens::app {
namespace {

using analysis::GridFigure;

std::uint64_t threads_of_launch(const Scene& scene) {
    const LaunchGeometry& geometry = scene.trace->launch.geometry;
    return geometry.blocks() * static_cast<std::uint64_t>(geometry.threads_per_block());
}

std::uint64_t warps_of_launch(const Scene& scene) {
    const LaunchGeometry& geometry = scene.trace->launch.geometry;
    return geometry.blocks() * static_cast<std::uint64_t>(geometry.warps_per_block());
}

/// Why no warp has a number.
std::string no_number_words(const Scene& scene, GridFigure figure) {
    switch (figure) {
        case GridFigure::sm:
            return "only a GPU's recording knows which SM ran a warp";
        case GridFigure::cycles:
            return scene.timing ? "no cycles, because there is no schedule" : "the timing model is running";
        case GridFigure::conflicts:
            return "no addresses were recorded";
        case GridFigure::steps:
        case GridFigure::lanes:
            return "no steps were recorded";
    }
    return {};
}

/// What the worst warp's number is called.
const char* worst_words(GridFigure figure) {
    switch (figure) {
        case GridFigure::steps:
            return "steps in the longest warp";
        case GridFigure::lanes:
            return "active lanes per step in the emptiest warp";
        case GridFigure::conflicts:
            return "excess wavefronts in the worst warp";
        case GridFigure::cycles:
            return "cycles for the slowest warp";
        case GridFigure::sm:
            return "";
    }
    return "";
}

/// How the planes of a three-dimensional grid lie.
std::string plane_words(const GridShape& shape) {
    const std::string what = shape.fold_z > 1 ? "z in planes" : "a plane for each z";
    if (shape.planes_x == 1) return what + " below each other";
    if (shape.planes_x >= shape.planes) return what + " beside each other";
    return what + fmt::format(", {} in a row", grouped(shape.planes_x));
}

}  // namespace

void GridSpread::take(double value) {
    least = valued == 0 ? value : std::min(least, value);
    most = valued == 0 ? value : std::max(most, value);
    sum += value;
    ++valued;
}

GridSpread::GridSpread(const std::vector<analysis::GridWarp>& warps) : known(warps.size()) {
    for (const analysis::GridWarp& warp : warps) {
        idle += warp.idle ? 1 : 0;
        idle_threads += static_cast<std::uint64_t>(warp.idle_lanes.count());
        if (warp.value) take(*warp.value);
    }
}

GridSpread::GridSpread(const std::vector<analysis::GridWarp>& warps, const LaunchGeometry& geometry,
                       const std::vector<analysis::ThreadSteps>& steps) {
    for (const analysis::GridWarp& warp : warps)
        for_each_lane(geometry.warp_lanes(static_cast<int>(warp.warp)), [&](int lane) {
            ++known;
            idle += warp.idle_lanes.has(lane) ? 1 : 0;
            if (warp.record < steps.size()) take(double(steps[warp.record][static_cast<std::size_t>(lane)]));
            else if (warp.value) take(*warp.value);
        });
    idle_threads = idle;
}

void GridSpread::join(const GridSpread& other) {
    if (other.valued == 0) return;
    least = valued == 0 ? other.least : std::min(least, other.least);
    most = valued == 0 ? other.most : std::max(most, other.most);
    sum += other.sum;
    valued += other.valued;
}

double GridSpread::share(double value) const {
    return most > least ? std::clamp((value - least) / (most - least), 0.0, 1.0) : 0.6;
}

std::string grid_number(GridFigure figure, double value) {
    if (value >= 1000) return grouped(static_cast<std::uint64_t>(std::llround(value)));
    return decimal(value, figure == GridFigure::sm ? 0 : 1);
}

const char* grid_unit(GridFigure figure, double value) {
    const bool one = value == 1;
    switch (figure) {
        case GridFigure::steps:
            return one ? "step" : "steps";
        case GridFigure::lanes:
            return one ? "active lane" : "active lanes";
        case GridFigure::conflicts:
            return one ? "excess wavefront" : "excess wavefronts";
        case GridFigure::cycles:
            return one ? "cycle" : "cycles";
        case GridFigure::sm:
            return "";
    }
    return "";
}

std::string grid_title(const Scene& scene, GridFigure figure, const GridSpread& spread) {
    const trace::Launch& launch = scene.trace->launch;
    std::string words =
        fmt::format("`{}`, {} in {}: ", launch.kernel, counted(warps_of_launch(scene), "warp"),
                    counted(launch.geometry.blocks(), "block"));
    if (spread.valued == 0) words += no_number_words(scene, figure);
    else if (figure == GridFigure::sm)
        words += fmt::format("{} ran on SMs {:.0f} to {:.0f}", counted(spread.valued, "warp"), spread.least,
                             spread.most);
    else if (spread.least == spread.most)
        words += fmt::format("{} {} in each {}warp", grid_number(figure, spread.most),
                             grid_unit(figure, spread.most),
                             spread.valued < warps_of_launch(scene) ? "recorded " : "");
    else
        words += fmt::format("{} to {} {} per warp", grid_number(figure, spread.least),
                             grid_number(figure, spread.most), grid_unit(figure, spread.most));
    if (spread.idle_threads > 0)
        words += fmt::format("; {} {} no memory", counted(spread.idle_threads, "thread"),
                             spread.idle_threads == 1 ? "accesses" : "access");
    if (spread.idle > 0) words += fmt::format(", among them {}", counted(spread.idle, "whole warp"));
    return words;
}

std::string grid_run_words(const Scene& scene, GridFigure figure, const GridSpread& spread) {
    if (spread.valued == 0) return no_number_words(scene, figure);
    if (figure == GridFigure::sm) return fmt::format("SMs {:.0f} to {:.0f}", spread.least, spread.most);
    if (spread.least == spread.most)
        return fmt::format("{} {} in each warp", grid_number(figure, spread.most),
                           grid_unit(figure, spread.most));
    return fmt::format("{} to {} {} per warp, mean {}", grid_number(figure, spread.least),
                       grid_number(figure, spread.most), grid_unit(figure, spread.most),
                       grid_number(figure, spread.mean()));
}

std::string grid_change_words(const Scene& before, std::string_view before_name, GridFigure figure,
                              const GridSpread& was, const GridSpread& now) {
    if (was.valued == 0 || now.valued == 0 || figure == GridFigure::sm) return {};
    if (was.least == now.least && was.most == now.most && was.mean() == now.mean())
        return fmt::format("; {} has as many", before_name);
    std::string words = fmt::format("; {} has {}", before_name, grid_run_words(before, figure, was));
    if (was.mean() > 0)  // where the numbers differ, the words end with the mean
        words += fmt::format(" ({}{})", was.least == was.most ? "mean " : "",
                             analysis::signed_percent((now.mean() / was.mean() - 1) * 100));
    return words;
}

GridHeadline grid_headline(const Scene& scene, GridFigure figure, const GridSpread& spread) {
    if (spread.valued == 0 || figure == GridFigure::sm) return {};
    const std::uint64_t all = warps_of_launch(scene);
    const std::string known =
        spread.valued < all ? fmt::format("{} of {} recorded", grouped(spread.valued), counted(all, "warp"))
                            : counted(all, "warp");
    if (spread.least == spread.most)
        return {grid_number(figure, spread.most),
                std::string(grid_unit(figure, spread.most)) + (spread.valued == 1 ? "" : " in each warp"),
                known};
    const bool few_are_worse = is_worse(figure, 0, 1);
    const std::string other = few_are_worse ? "most " + grid_number(figure, spread.most)
                                            : "least " + grid_number(figure, spread.least);
    return {grid_number(figure, few_are_worse ? spread.least : spread.most), worst_words(figure),
            fmt::format("mean {} · {} · {}", grid_number(figure, spread.mean()), other, known)};
}

std::string grid_shape_words(const GridShape& shape, Dim3 grid, const WantedGrid& shown) {
    std::string words = shape.blocks == 1 ? std::string("1 block")
                        : shape.wrapped   ? fmt::format("grid of {}, in lines", counted(grid.x, "block"))
                        : grid.z > 1
                            ? fmt::format("grid of {} × {} × {} blocks, {}", grouped(grid.x), grouped(grid.y),
                                          grouped(grid.z), plane_words(shape))
                            : fmt::format("grid of {} × {} blocks", grouped(grid.x), grouped(grid.y));
    if (shape.threads)
        return words + (shown.figure == GridFigure::steps
                            ? " · one cell for each thread, a line for each warp"
                            : " · one cell for each thread, with the number of its warp");
    if (shown.threads) words += " · no room for a cell for each thread";
    if (shape.per_unit) return words + " · one cell for each warp";
    std::string cell = "one cell for each block";
    if (shape.fold_z > 1)
        cell = fmt::format("one cell for {} × {} × {} blocks", grouped(shape.fold_x), grouped(shape.fold_y),
                           grouped(shape.fold_z));
    else if (shape.fold_y > 1)
        cell = fmt::format("one cell for {} × {} blocks", grouped(shape.fold_x), grouped(shape.fold_y));
    else if (shape.fold_x > 1) cell = fmt::format("one cell for {} blocks", grouped(shape.fold_x));
    if (shown.figure == GridFigure::sm) return words + " · " + cell;
    return words + fmt::format(" · {}: the {} of its recorded warps", cell, shown.worst ? "worst" : "mean");
}

std::vector<LegendEntry> grid_legend(const Theme& theme, const Scene& scene, const WantedGrid& shown,
                                     const GridSpread& scale, const GridSpread& spread) {
    using Shape = LegendEntry::Shape;
    const GridFigure figure = shown.figure;
    std::vector<LegendEntry> entries;
    if (figure == GridFigure::sm) {
        if (scale.valued > 0) entries.push_back({theme.category(0), "number: the SM (8 colors repeat)"});
    } else if (scale.valued > 0 && scale.least == scale.most) {
        entries.push_back({theme.amount(scale.share(scale.most)),
                           grid_number(figure, scale.most) + " " + grid_unit(figure, scale.most)});
    } else if (scale.valued > 0) {
        for (const double value : {scale.least, (scale.least + scale.most) / 2, scale.most})
            entries.push_back(
                {theme.amount(scale.share(value)),
                 grid_number(figure, value) +
                     (value == scale.most ? fmt::format(" {}", grid_unit(figure, value)) : "")});
    }
    if (spread.idle > 0) entries.push_back({theme.inactive, "accesses no memory", Shape::hatched});
    if (!shown.threads && spread.idle_threads > 0)
        entries.push_back({theme.inactive, "strip: share of its threads without an access", Shape::hatched});
    const std::uint64_t all = shown.threads ? threads_of_launch(scene) : warps_of_launch(scene);
    if (spread.known < all)
        entries.push_back({theme.hairline, "not recorded in this sample", Shape::outlined});
    const std::uint64_t without = figure == GridFigure::lanes ? spread.idle : 0;
    if (spread.valued + without < spread.known)
        entries.push_back({theme.raised, figure == GridFigure::cycles && spread.valued > 0
                                             ? "not on the modelled SM"
                                             : "recorded, without this number"});
    return entries;
}

std::string grid_provenance(const Scene& scene, GridFigure figure) {
    const auto* schedule = scene.timing ? scene.timing->schedule.get() : nullptr;
    if (figure == GridFigure::sm ||
        (figure == GridFigure::cycles && analysis::has_measured_warps(*scene.trace)))
        return analysis::has_measured_warps(*scene.trace) ? "measured" : "";
    if (figure == GridFigure::cycles) return schedule ? schedule_provenance(*schedule, scene) : "";
    return fmt::format("exact · {}", to_string(scene.report ? scene.report->level : Level::ptx));
}

}  // namespace warplens::app
