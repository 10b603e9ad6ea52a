// Where the numbers of a guessed launch are in host code, for the sentences that say so. Internal to
// host_launch.cpp and guessed_values.cpp.
#pragma once

#include <string>

#include "instrumentation/catalog/kernel.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {

/// "line 12", "image.h:7"; empty: nowhere.
std::string place_in_code(const host_code::Origin& origin, const host_code::HostCode& code);
/// The same of what may be computed from a size that the program reads from somewhere.
std::string place_in_code(const host_code::Origin& origin, bool assumed, const host_code::HostCode& code);
/// The source and the user's headers: a kernel may be in any of them.
std::string text_with_headers(const KernelFile& kernel);

}  // namespace warplens::instrumentation
