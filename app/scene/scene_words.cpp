#include "app/scene/scene_words.h"

#include <fmt/format.h>

#include "analysis/report/launch_report.h"
#include "analysis/report/launch_tree.h"
#include "app/ui/number.h"
#include "core/symbol_name.h"

namespace warplens::app {

namespace {

/// A real number of many digits in six of them: this is a heading, and the knob has them all.
std::string brief(const instrumentation::Value& value) {
    constexpr std::size_t longest = 10;
    std::string text = instrumentation::to_string(value);
    if (const double* const real = std::get_if<double>(&value); real && text.size() > longest)
        text = fmt::format("{:.6g}", *real);
    return grouped_text(text);
}

}  // namespace

std::string launch_words(const Scene& scene) {
    std::string words;
    if (scene.kernel) words = scene.kernel->name;
    else if (scene.trace) words = scene.trace->launch.kernel;
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
                add(parameter.name + " " + brief(value->second));
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

namespace {

std::string blocks_words(const Scene& scene) {
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

}  // namespace

std::string sampled_words(const Scene& scene) {
    if (scene.blocks_in_grid == 0) return {};
    std::string words = blocks_words(scene);
    if (scene.doubt.empty()) return words;
    std::string doubt = scene.doubt;
    std::erase(doubt, '`');
    return words + " · " + doubt;
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
