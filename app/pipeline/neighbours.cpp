#include "app/pipeline/neighbours.h"

#include <algorithm>

#include "app/pipeline/knob_steps.h"

namespace warplens::app {

std::vector<RunRequest> neighbours(const RunRequest& request, const std::string& turned) {
    using instrumentation::ParameterDeclaration;
    std::vector<const ParameterDeclaration*> order;
    for (const ParameterDeclaration& parameter : request.kernel->parameters)
        if (parameter.is_macro) order.push_back(&parameter);
    std::stable_partition(order.begin(), order.end(),
                          [&](const ParameterDeclaration* parameter) { return parameter->name == turned; });
    std::vector<RunRequest> found;
    for (const ParameterDeclaration* parameter : order) {
        const auto set = request.overrides.find(parameter->name);
        const std::string value =
            set != request.overrides.end() ? set->second : instrumentation::to_string(parameter->fallback);
        for (const int step : {1, -1}) {
            const auto next = stepped(*parameter, value, step);
            if (!next || found.size() == most_neighbours) continue;
            found.push_back(request);
            found.back().overrides[parameter->name] = *next;
        }
    }
    return found;
}

}  // namespace warplens::app
