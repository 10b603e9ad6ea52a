// What views share that draw two runs, the baseline and the present one: the spot of the baseline that
// corresponds to the selected one, a box for each run, and the mark of a cell that differs. Why a view cannot
// compare two given runs is View::cannot_compare.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/ink.h"
#include "app/ui/legend.h"
#include "app/views/view.h"

namespace warplens::app {

/// The baseline's spot that corresponds to one of the present run; found again when one of the three changes.
class Counterpart {
  public:
    /// `frame` has a baseline with a trace. `view` names the default selection, if nothing corresponds.
    const Spot& of(const ViewFrame& frame, std::string_view view, const Spot& spot);

  private:
    SceneIdentity scene_, baseline_;
    Spot spot_, found_;
};

/// The same area for each run.
struct RunBoxes {
    Box before, after;
};
/// Side by side where each is at least `least_width` wide, else above each other.
RunBoxes boxes_of_runs(const Ink& ink, const Box& box, float least_width);

/// The name of a run, and its figures in `colour`: the first of the wordings, longest first, that fits. Takes
/// its room off the top of the box.
void run_heading(const Ink& ink, Box& box, std::string_view name, std::initializer_list<std::string> figures,
                 ImU32 colour);

/// A run's name, and its figures in wordings, longest first.
struct RunHeading {
    std::string_view name;
    std::vector<std::string> figures;
};
/// The same for both runs, with as many wordings each: the first that fits in both.
void run_headings(const Ink& ink, RunBoxes& boxes, const RunHeading& before, const RunHeading& after,
                  ImU32 colour);

/// A cell that differs from the other run's: a thin outline, and a corner where there is room, so that it
/// looks unlike a selected one. Where every cell differs it says nothing: then leave it out.
void outline_change(const Ink& ink, const Box& cell);
/// What it means: "differs from PAD=0".
LegendEntry change_entry(const Theme& theme, std::string_view other_run);

/// "97 % fewer than PAD=0", "25 % more than PAD=0", "as many as PAD=0": of a count above 0.
std::string fewer_words(std::uint64_t before, std::uint64_t after, std::string_view other_run);

/// What to do next where this run has nothing that the view shows: see the baseline's, if only it has some;
/// otherwise `alone`.
std::string next_step_of_two(const ViewFrame& frame, std::string_view view, std::string_view alone);

/// "14,379 → 8,376 cycles (−42 %)"; "8,376 cycles in both runs".
std::string figure_change_words(std::uint64_t before, std::uint64_t after, std::string_view unit);

}  // namespace warplens::app
