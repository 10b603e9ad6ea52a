// Explain launch: what a view of the whole launch shows, in sentences for the Explain view — occupancy, the
// roofline, what limits the time. A selected request or site is analysis/report/explain.h's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/scene/scene.h"

namespace warplens::app {

struct LaunchExplanation {
    std::string what, why;  // why may be empty
};

/// Nothing for a view that shows no launch as a whole (ViewSubject::launch, occupancy or roofline).
std::optional<LaunchExplanation> explain_launch(const Scene& scene, std::string_view view);

}  // namespace warplens::app
