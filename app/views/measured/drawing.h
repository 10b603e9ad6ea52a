// The parts of the Measured view, drawn into boxes: what recording cost, each metric exact, measured and
// modelled, and the durations of blocks SM by SM.
#pragma once

#include <string>
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
/// Returns the SM under the mouse (into MeasuredIndex::sms()), or -1.
int draw_block_chart(const Ink& ink, Box box, const MeasuredIndex& index, ImVec2 mouse);

/// A metric's value in its unit: "6.12", "23,620", "31.4".
std::string value_words(double value, const std::string& unit);

}  // namespace warplens::app
