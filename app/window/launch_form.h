// Launch form: how a kernel that does not say so itself is to be launched — which entry, grid, block, dynamic
// shared memory, and each argument. What was guessed says so until it is touched; what is wrong is said
// next to its field. The result runs at once, or goes into the file as its header.
#pragma once

#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/ui/theme.h"

namespace warplens::app {

/// Fills the rest of the current window.
void launch_form(const Theme& theme, Session& session, OwnFile& own);

}  // namespace warplens::app
