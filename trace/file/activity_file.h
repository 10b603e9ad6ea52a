// Activities as a separate .wltrace: a program's streams, without a launch. In a file that also has a launch
// they are Trace::activities.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "trace/activity.h"

namespace warplens::trace {

Status write_activities(const std::vector<Activity>& activities, const std::string& path);
/// Reads any .wltrace. A file without activities is an error.
Result<std::vector<Activity>> read_activities(const std::string& path);

}  // namespace warplens::trace
