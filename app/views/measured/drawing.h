// The parts of the Measured view, drawn into boxes: what recording cost, each metric exact, measured and
// modelled, and the durations of blocks SM by SM.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/measured_against_modelled.h"
#include "app/scene/measured_index.h"
#include "app/ui/ink.h"

namespace warplens::app {

/// Heights that the parts want at a width.
float cost_table_height(const Ink& ink, const trace::Measured& measured);
float comparison_height(const Ink& ink, std::size_t metrics);
float block_chart_height(const Ink& ink);

/// The original kernel in the first row, then each mode that was run.
void draw_cost_table(const Ink& ink, Box box, const trace::Measured& measured);
/// Returns the metric under the mouse, or -1.
int draw_comparison(const Ink& ink, Box box, const std::vector<analysis::ComparedMetric>& metrics,
                    ImVec2 mouse);
/// Returns the SM under the mouse (into MeasuredIndex::sms()), or -1. `before`: null, or another run's
/// measurements, drawn as outlines on the same axis.
int draw_block_chart(const Ink& ink, Box box, const MeasuredIndex& index, const MeasuredIndex* before,
                     ImVec2 mouse);

/// The metrics that both runs measured: a bar of this run in front of an outline of the other.
struct MeasuredChange {
    const analysis::ComparedMetric* before = nullptr;
    const analysis::ComparedMetric* after = nullptr;
};
std::vector<MeasuredChange> measured_changes(const std::vector<analysis::ComparedMetric>& before,
                                             const std::vector<analysis::ComparedMetric>& after);
/// Returns the row under the mouse, or -1.
int draw_measured_changes(const Ink& ink, Box box, const std::vector<MeasuredChange>& changes,
                          std::string_view before_name, std::string_view after_name, ImVec2 mouse);

/// A metric's value in its unit: "6.12", "23,620", "31.4".
/// "Launch time, µs"; "Blocks on an SM", which names its unit.
std::string name_with_unit(const analysis::ComparedMetric& metric);
std::string value_words(double value, const std::string& unit);

}  // namespace warplens::app
