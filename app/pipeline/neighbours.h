// Neighbours: the settings that one turn of a knob leads to, where that means a new compilation. The window
// makes their code while nobody turns one, so that the next turn finds it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/pipeline/run_request.h"

namespace warplens::app {

/// Makes the code that the run needs, and executes nothing. An error is the run's to report.
using PrepareRun = std::function<void(const RunRequest& request, const std::function<bool()>& cancelled)>;

/// The request with one compile-time parameter a step up or down, or at the next or the former value of its
/// list; those of `turned`, the parameter that was set last, come first. At most `most_neighbours`.
std::vector<RunRequest> neighbours(const RunRequest& request, const std::string& turned);

inline constexpr std::size_t most_neighbours = 8;

}  // namespace warplens::app
