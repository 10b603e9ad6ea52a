// A texture as the host code makes it, in place of the guess from the kernel's reads. Internal to
// host_launch.cpp.
#pragma once

#include <string>

#include "instrumentation/catalog/launch_draft.h"
#include "instrumentation/catalog/launch_relations.h"

namespace warplens::instrumentation {

/// Type, extents, filter, address mode, how it is read, and its texels where the copies into it are followed.
/// `from`: where it is made.
void take_image(DraftArgument& row, const host_code::HostImage& given, const Relations& relations,
                const std::string& from, const host_code::HostCode& code);

}  // namespace warplens::instrumentation
