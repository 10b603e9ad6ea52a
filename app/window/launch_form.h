// Launch form: the launch of a kernel without a header — entry, grid, block, dynamic shared memory, and each
// argument. Guessed values are marked until they are edited; errors appear next to their fields. The result
// runs at once, or is added to the file as its header.
#pragma once

#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/ui/theme.h"

namespace warplens::app {

/// Fills the rest of the current window.
void launch_form(const Theme& theme, Session& session, OwnFile& own);

}  // namespace warplens::app
