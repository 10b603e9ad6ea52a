#include "app/views/timeline/density.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {

namespace {

/// The difference is invisible at the size of a pixel.
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

    colours_.resize(columns);
    issued_.resize(static_cast<std::size_t>(std::max(canvas.index.schedule().schedulers, 1)));
    for (auto& issued : issued_) issued.assign(columns, 0);
    eligible_.assign(columns, 0);
    if (with_pixels) pixels_.resize(columns * sums.rows().size());
    const StateLight light(canvas.frame.theme);
    for (std::size_t row = 0; row < sums.rows().size(); ++row) {
        fill_row(canvas, light, row);
        if (with_pixels) std::ranges::copy(colours_, pixels_.data() + row * columns_);
    }
    for (float& warps : eligible_) warps /= static_cast<float>(issued_.size());
}

void TimelineDensity::fill_row(const TimelineCanvas& canvas, const StateLight& light, std::size_t row) {
    const double width = view_.size() / static_cast<double>(columns_);
    const DensityPyramid& pyramid = canvas.index.density();
    const analysis::ScheduleSums& sums = canvas.index.sums();
    auto& issued = issued_[sums.rows()[row].scheduler];
    const auto count = [&](std::size_t x, WarpState state, float share) {
        if (state == WarpState::selected) issued[x] += share;
        if (state == WarpState::selected || state == WarpState::not_selected) eligible_[x] += share;
    };
    if (width >= pyramid.least_column()) {
        cells_.resize(columns_);
        pyramid.columns(row, view_.first, view_.last, cells_);
        for (std::size_t x = 0; x < columns_; ++x) {
            for (const WarpState state : {WarpState::selected, WarpState::not_selected})
                count(x, state, static_cast<float>(cells_[x][state]) * (1.0f / 255));
            colours_[x] = StateLight::colour(light.mixed(cells_[x]));
        }
        return;
    }
    if (width >= sums.bin_cycles()) {
        shares_.resize(columns_);
        sums.columns(row, view_.first, view_.last, shares_);
        for (std::size_t x = 0; x < columns_; ++x) {
            for (const WarpState state : {WarpState::selected, WarpState::not_selected})
                count(x, state, shares_[x][state]);
            colours_[x] = StateLight::colour(light.mixed(shares_[x]));
        }
        return;
    }
    // A column's parts come one after another: its mixture stays in registers until it is complete.
    std::ranges::fill(colours_, StateLight::colour(light.background()));
    StateLight::Mixture mixture = light.background();
    std::size_t mixed = 0;
    sums.for_each_share(row, view_.first, view_.last, columns_,
                        [&](std::size_t x, WarpState state, float share) {
                            if (x != mixed) {
                                colours_[mixed] = StateLight::colour(mixture);
                                mixture = light.background();
                                mixed = x;
                            }
                            light.add(mixture, state, share);
                            count(x, state, share);
                        });
    colours_[mixed] = StateLight::colour(mixture);
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
