// Activities as JSON: a chunk of a .wltrace in addition to, or instead of, a launch's warps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "trace/activity.h"

namespace warplens::trace {

std::string describe_activities(const std::vector<Activity>& activities);
Result<std::vector<Activity>> parse_activities(std::string_view json);

}  // namespace warplens::trace
