// The title of the source view, and the line that says what its numbers are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/site_costs.h"
#include "app/ui/theme.h"
#include "app/views/shared/headline.h"
#include "app/views/source/code_pane.h"

namespace warplens::app {

/// Of a file below the working folder the path from there, of another one its name: pictures are passed on.
std::string shown_path(const std::string& path);

/// Problems come before costs. Else the line to look at first, and whether it costs most: see
/// app/scene/line_costs.h.
std::string source_title(const Scene& scene, Level wanted);
/// Of two runs: the line whose costs differ most. `lines`: of difference(). Empty where no line's do, or with
/// problems.
std::string source_change_title(const Scene& scene, const std::vector<CodeLine>& lines,
                                std::string_view other_run);
/// The share of issue slots that the waits for the title's line leave empty; empty without times, or with
/// problems.
Headline source_headline(const Scene& scene, Level wanted);

/// Of what kind the numbers are: the longest wording that fits a line of `width` pixels with what
/// provenance_line adds. `lines`: CUDA or PTX is shown; `machine`: machine code is.
std::string source_provenance(const Theme& theme, const Scene& scene, const std::optional<SiteCosts>& costs,
                              bool lines, bool machine, float width);

}  // namespace warplens::app
