// The lines of the paired timeline: a block's length in both as a double bar, each warp's measured row and
// its modelled row, joined where basic blocks begin; and their words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/scene/paired_index.h"
#include "app/views/timeline/hover.h"
#include "app/views/timeline/measured_rows.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// Time is cycles since the block began. Rows are pairs' two halves: 2 i measured, 2 i + 1 modelled.
struct PairedCanvas : TimelinePlot {
    const PairedIndex& pairs;

    CycleScale measured_scale(std::size_t pair) const { return scale(pairs.block_of(pair).measured_begin); }
    CycleScale modelled_scale(std::size_t pair) const { return scale(pairs.block_of(pair).modelled_begin); }
    CycleScale scale(std::uint32_t begin) const {
        const double cycle = static_cast<double>(plot.width()) / view.size();
        return {plot.x0 - (view.first + begin) * cycle, cycle};
    }
};

/// The colour of everything measured: no state of the model has it, and here blocks have their own lines.
ImU32 measured_colour(const Theme& theme);

class PairedRows {
  public:
    void update(const PairedCanvas& canvas);
    void draw(const PairedCanvas& canvas);

  private:
    struct Run {
        float x0 = 0, x1 = 0;
        ImU32 colour = 0;
        bool hatched = false;
    };
    const std::vector<Run>& states_of(const PairedCanvas& canvas, std::size_t pair);

    const PairedIndex* index_ = nullptr;
    CycleView view_;
    float x0_ = 0, x1_ = 0;
    ThemeName theme_ = ThemeName::dark;
    std::map<std::size_t, std::vector<Run>> states_;
};

/// "block 132", "warp 3 measured", "modelled".
void draw_paired_names(const PairedCanvas& canvas, std::uint32_t chosen);
void draw_paired_selection(const PairedCanvas& canvas, std::uint32_t chosen, std::uint32_t hovered);

std::vector<std::string> paired_titles(const PairedIndex& pairs);
/// A pair under the mouse: the basic block in which each warp was, and since when.
TimelineWords paired_words(const PairedIndex& pairs, std::uint32_t pair, bool modelled, double now);
/// Lengths of blocks, and the basic blocks with the largest error of the model.
void draw_paired_side(const PairedCanvas& canvas, const Box& box);

}  // namespace warplens::app
