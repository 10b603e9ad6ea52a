// Activities as a .wltrace of their own: a program's streams, without a launch. In a file that
// holds a launch as well they are Trace::activities.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "trace/activity.h"

namespace warplens::trace {

Status write_activities(const std::vector<Activity>& activities, const std::string& path);
/// Of any .wltrace. One that holds none is an error.
Result<std::vector<Activity>> read_activities(const std::string& path);

}  // namespace warplens::trace
