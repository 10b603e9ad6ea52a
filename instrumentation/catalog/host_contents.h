// What the host puts into memory, as the fill of a buffer. Internal to host_launch.cpp and host_image.cpp.
#pragma once

#include "instrumentation/catalog/launch_draft.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {

/// Sets the row's fill, of elements of its type, and the sentence that says where it is not the program's
/// own.
void take_contents(DraftArgument& row, const host_code::Contents& contents, const host_code::HostCode& code);

}  // namespace warplens::instrumentation
