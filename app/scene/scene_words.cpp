#include "app/scene/scene_words.h"

#include <fmt/format.h>

#include "analysis/report/launch_report.h"
#include "analysis/report/launch_tree.h"
#include "app/ui/number.h"
#include "core/symbol_name.h"

namespace warplens::app {

std::string launch_words(const Scene& scene) {
    std::string words;
    if (scene.trace) words = scene.trace->launch.kernel;
    if (words.empty() && scene.kernel) words = scene.kernel->name;
    const auto add = [&](const std::string& more) {
        if (!words.empty() && !more.empty()) words += " · ";
        words += more;
    };
    // Of a file that is named otherwise, which of its kernels.
    if (scene.kernel && words == scene.kernel->name && scene.kernel->entry != words) {
        const std::string entry = demangled(scene.kernel->entry);
        add(entry.substr(0, entry.find('(')));
    }
    if (scene.kernel) {
        // In the header's order, like the knobs.
        for (const auto& parameter : scene.kernel->parameters)
            if (const auto value = scene.parameters.find(parameter.name); value != scene.parameters.end())
                add(parameter.name + " " + grouped_text(instrumentation::to_string(value->second)));
    } else if (scene.trace) {
        for (const auto& [name, value] : scene.trace->launch.parameters)
            add(name + " " + grouped_text(value));
    }
    if (scene.gpu) add(std::string(scene.gpu->name));
    return words;
}

bool launched_grids(const Scene& scene) {
    return scene.report && scene.report->launches && scene.report->launches->grids.size() > 1;
}

std::string sampled_words(const Scene& scene) {
    if (scene.blocks_in_grid == 0) return {};
    const Provenance provenance = scene.trace ? scene.trace->launch.provenance : Provenance::simulated;
    const std::string_view whose = launched_grids(scene) ? " of the host's grid" : "";
    if (scene.blocks_executed >= scene.blocks_in_grid)
        return scene.blocks_in_grid == 1 ? fmt::format("{} the only block{}", to_string(provenance), whose)
                                         : fmt::format("{} all {} blocks{}", to_string(provenance),
                                                       grouped(scene.blocks_in_grid), whose);
    const bool timed = scene.trace && scene.trace->measured;  // times may be of more blocks than records
    return fmt::format("{} {}{} of {} blocks{}", to_string(provenance), timed ? "records of " : "",
                       grouped(scene.blocks_executed), grouped(scene.blocks_in_grid), whose);
}

std::vector<std::string> changed_settings(const Scene& scene) {
    std::vector<std::string> settings;
    if (!scene.kernel) return settings;
    for (const auto& parameter : scene.kernel->parameters)
        if (const auto set = scene.parameters.find(parameter.name);
            set != scene.parameters.end() && set->second != parameter.fallback)
            settings.push_back(fmt::format("{}={}", parameter.name, instrumentation::to_string(set->second)));
    return settings;
}

}  // namespace warplens::app
