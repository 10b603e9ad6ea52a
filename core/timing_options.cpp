#include "core/timing_options.h"

namespace warplens {

std::string_view to_string(SchedulerPolicy policy) {
    switch (policy) {
        case SchedulerPolicy::greedy_then_oldest:
            return "greedy then oldest";
        case SchedulerPolicy::round_robin:
            return "round robin";
        case SchedulerPolicy::oldest_first:
            return "oldest first";
    }
    return "unknown";
}

}  // namespace warplens
