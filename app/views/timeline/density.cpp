#include "app/views/timeline/density.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {

namespace {

/// No eye sees the difference at a pixel's size.
bool alike(ImU32 a, ImU32 b) {
    constexpr int near = 5;
    for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT})
        if (std::abs(static_cast<int>((a >> shift) & 255) - static_cast<int>((b >> shift) & 255)) > near)
            return false;
    return true;
}

}  // namespace

void TimelineDensity::update(const TimelineCanvas& canvas, bool with_pixels) {
    const auto columns = static_cast<std::size_t>(std::max(1.0f, std::round(canvas.plot.width())));
    const ThemeName theme = canvas.frame.theme.name;
    const bool same_colours = index_ == &canvas.index && theme_ == theme;
    if (same_colours && view_ == canvas.view && columns_ == columns && (painted_ || !with_pixels)) return;
    const analysis::ScheduleSums& sums = canvas.index.sums();
    index_ = &canvas.index;
    view_ = canvas.view;
    columns_ = columns;
    theme_ = theme;
    painted_ = with_pixels;
    uploaded_ = false;

    cells_.resize(columns);
    issued_.resize(static_cast<std::size_t>(std::max(canvas.index.schedule().schedulers, 1)));
    for (auto& issued : issued_) issued.assign(columns, 0);
    eligible_.assign(columns, 0);
    if (with_pixels) pixels_.resize(columns * sums.rows().size());
    for (std::size_t row = 0; row < sums.rows().size(); ++row) {
        fill_row(canvas, row);
        auto& issued = issued_[sums.rows()[row].scheduler];
        for (std::size_t x = 0; x < columns; ++x) {
            issued[x] += static_cast<float>(cells_[x].issued) / 255;
            eligible_[x] += static_cast<float>(cells_[x].eligible) / 255;
        }
        if (!with_pixels) continue;
        ImU32* out = pixels_.data() + row * columns_;
        for (std::size_t x = 0; x < columns; ++x) out[x] = colour_of(cells_[x]);
    }
    for (float& warps : eligible_) warps /= static_cast<float>(issued_.size());
}

void TimelineDensity::fill_row(const TimelineCanvas& canvas, std::size_t row) {
    const double width = view_.size() / static_cast<double>(columns_);
    const DensityPyramid& pyramid = canvas.index.density().of(theme_);
    if (width >= pyramid.least_column()) return pyramid.columns(row, view_.first, view_.last, cells_);
    const analysis::ScheduleSums& sums = canvas.index.sums();
    const StateLight light(canvas.frame.theme);
    if (width >= sums.bin_cycles()) {
        shares_.resize(columns_);
        sums.columns(row, view_.first, view_.last, shares_);
        for (std::size_t x = 0; x < columns_; ++x) cells_[x] = light.mixed(shares_[x]);
        return;
    }
    // A column's parts come one after another: its mixture stays in registers until it is complete.
    std::ranges::fill(cells_, light.background());
    StateLight::Mixture mixture = light.nothing();
    std::size_t mixed = 0;
    sums.for_each_share(row, view_.first, view_.last, columns_,
                        [&](std::size_t x, WarpState state, float share) {
                            if (x != mixed) {
                                cells_[mixed] = StateLight::cell_of(mixture);
                                mixture = light.nothing();
                                mixed = x;
                            }
                            light.add(mixture, state, share);
                        });
    cells_[mixed] = StateLight::cell_of(mixture);
}

void TimelineDensity::draw(const TimelineCanvas& canvas, bool as_image) {
    const auto rows = canvas.index.sums().rows().size();
    if (rows == 0 || pixels_.empty()) return;
    if (as_image && !uploaded_) {
        texture_.update(static_cast<int>(columns_), static_cast<int>(rows), pixels_);
        uploaded_ = true;
    }
    ImDrawList& list = *canvas.ink.list;
    const float gap = canvas.lines.empty() || canvas.lines.back().y1 - canvas.lines.back().y0 < 5 ? 0 : 1;
    for (const TimelineLine& line : canvas.lines) {
        if (line.head) continue;
        if (as_image) {
            const float v = (static_cast<float>(line.row) + 0.5f) / static_cast<float>(rows);
            list.AddImage(texture_.id(), {canvas.plot.x0, line.y0}, {canvas.plot.x1, line.y1 - gap}, {0, v},
                          {1, v});
            continue;
        }
        const ImU32* pixels = pixels_.data() + line.row * columns_;
        for (std::size_t x = 0; x < columns_;) {
            std::size_t end = x + 1;
            while (end < columns_ && alike(pixels[end], pixels[x])) ++end;
            if (!alike(pixels[x], canvas.frame.theme.background))
                list.AddRectFilled({canvas.plot.x0 + static_cast<float>(x), line.y0},
                                   {canvas.plot.x0 + static_cast<float>(end), line.y1 - gap}, pixels[x]);
            x = end;
        }
    }
}

}  // namespace warplens::app
