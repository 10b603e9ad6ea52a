// How many lines each pass adds, as bars on one scale.
#pragma once

#include <string>
#include <string_view>

#include "app/scene/passes.h"
#include "app/ui/theme.h"

namespace warplens::app {

/// The run to compare with.
struct PassesBefore {
    const ModePasses& mode;
    std::string_view name, other_name;  // of it, and of this run
};
/// "+12 −1"
std::string pass_sum_words(const PassText& pass);
/// At the cursor: a row per pass, in columns where the pane is wide; with two runs, a pair of bars per pass.
void draw_pass_sums(const Theme& theme, const ModePasses& mode, const PassesBefore* before = nullptr);

}  // namespace warplens::app
