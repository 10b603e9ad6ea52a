// Access bar: the row above a memory view that chooses which request it shows: the site (worst first), the
// warp, and which of the warp's requests. Returns the new choice when something was clicked.
#pragma once

#include <optional>
#include <string_view>

#include "app/views/shared/access_choice.h"
#include "app/views/view.h"

namespace warplens::app {

/// At the cursor, over the content region's width; wraps where it is narrow. `unit` names what a site costs:
/// "wavefronts" or "sectors"; hit boxes are named "<view> site next", "<view> warp back" and so on.
std::optional<AccessChoice> access_bar(const ViewFrame& frame, const char* view, const char* unit,
                                       const RequestIndex& index, const AccessChoice& choice);

}  // namespace warplens::app
