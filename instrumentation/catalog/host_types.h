// C's types and a structure's arrays, as the texts of a launch write them.
#pragma once

#include <string>

#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {

/// The element type of a launch for C's: "f32" for "float"; empty: none.
std::string element_type_of(const std::string& written);

/// A member of type "int[4]" as members one after the other: "i32=4, i32=1, i32=0, i32=0"; empty: not known.
std::string elements_of(const host_code::HostArgument& member);

}  // namespace warplens::instrumentation
