#include "trace/file/activity_file.h"

#include <utility>

#include "trace/file/trace_file.h"

namespace warplens::trace {

Status write_activities(const std::vector<Activity>& activities, const std::string& path) {
    Trace trace;
    trace.activities = activities;
    return write(trace, path);
}

Result<std::vector<Activity>> read_activities(const std::string& path) {
    WARPLENS_TRY(auto file, TraceFile::open(path));
    WARPLENS_TRY(auto trace, file.read_all());
    if (trace.activities.empty())
        return fail("{} has no activity of streams, only a launch of {}", path, trace.launch.kernel);
    return std::move(trace.activities);
}

}  // namespace warplens::trace
