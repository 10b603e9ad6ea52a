// The words for problems in titles and explanations: the kind, the lines, and how many more there are.
#pragma once

#include <string>

#include "app/scene/problem_kind.h"
#include "app/scene/scene.h"
#include "core/problem.h"

namespace warplens::app {

/// "shared race between lines 14 and 16", "endless loop at line 9"; without lines where none is known.
std::string kind_and_place(const Problem& problem);
/// What happened, as a complete sentence: "The thread reads tile[3] …."
std::string problem_sentence(const Problem& problem);
/// "`kernel`: shared race between lines 14 and 16, and 2 problems more". Only with a problem in the report.
std::string problems_title(const Scene& scene);

}  // namespace warplens::app
