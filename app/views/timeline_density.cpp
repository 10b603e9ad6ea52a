#include "app/views/timeline_density.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::app {

namespace {

using Light = std::array<float, 4>;  // linear red, green, blue; the fourth is there for the vector unit

// A gamma of 2 is near enough to sRGB's to mix light, and its root is one instruction.
Light light_of(ImU32 colour) {
    const auto channel = [&](int shift) {
        const float c = static_cast<float>((colour >> shift) & 255) / 255;
        return c * c;
    };
    return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), 0};
}

ImU32 colour_of(const Light& light) {
    const auto channel = [](float c) {
        return static_cast<ImU32>(std::sqrt(std::max(c, 0.0f)) * 255 + 0.5f);
    };
    return std::min(channel(light[0]), 255u) << IM_COL32_R_SHIFT |
           std::min(channel(light[1]), 255u) << IM_COL32_G_SHIFT |
           std::min(channel(light[2]), 255u) << IM_COL32_B_SHIFT | 255u << IM_COL32_A_SHIFT;
}

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
    const bool same = index_ == &canvas.index && view_ == canvas.view && columns_ == columns &&
                      theme_ == canvas.frame.theme.name;
    if (same && (painted_ || !with_pixels)) return;
    index_ = &canvas.index;
    view_ = canvas.view;
    columns_ = columns;
    theme_ = canvas.frame.theme.name;
    painted_ = with_pixels;
    uploaded_ = false;

    const analysis::ScheduleSums& sums = canvas.index.sums();
    shares_.resize(columns);
    issued_.resize(static_cast<std::size_t>(std::max(canvas.index.schedule().schedulers, 1)));
    for (auto& issued : issued_) issued.assign(columns, 0);
    eligible_.assign(columns, 0);
    if (with_pixels) pixels_.resize(columns * sums.rows().size());
    for (std::size_t row = 0; row < sums.rows().size(); ++row) {
        sums.columns(row, view_.first, view_.last, shares_);
        auto& issued = issued_[sums.rows()[row].scheduler];
        for (std::size_t x = 0; x < columns; ++x) {
            issued[x] += shares_[x][WarpState::selected];
            eligible_[x] += shares_[x][WarpState::selected] + shares_[x][WarpState::not_selected];
        }
        if (with_pixels) paint(canvas.frame.theme, row);
    }
    for (float& warps : eligible_) warps /= static_cast<float>(issued_.size());
}

void TimelineDensity::paint(const Theme& theme, std::size_t row) {
    std::array<Light, warp_state_count> more{};  // than the background
    const Light background = light_of(theme.background);
    for (std::size_t s = 0; s < warp_state_count; ++s) {
        more[s] = light_of(theme.state(static_cast<WarpState>(s)));
        for (std::size_t c = 0; c < 4; ++c) more[s][c] -= background[c];
    }
    ImU32* out = pixels_.data() + row * columns_;
    for (std::size_t x = 0; x < columns_; ++x) {
        Light sum = background;
        for (std::size_t s = 0; s < warp_state_count; ++s)
            for (std::size_t c = 0; c < 4; ++c) sum[c] += shares_[x].values[s] * more[s][c];
        out[x] = colour_of(sum);
    }
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
        if (line.issue_slots) continue;
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
