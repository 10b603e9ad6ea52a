#include "app/scene/level_of_time.h"

#include <fmt/core.h>

#include "analysis/report/roofline.h"
#include "app/scene/machine_code.h"

namespace warplens::app {

std::string why_not_machine_counts(const Scene& scene) {
    if (!scene.machine) return "The machine code has not been executed yet.";
    return scene.machine->absent.empty() ? scene.machine->stopped : scene.machine->absent;
}

std::string why_not_machine_level(const Scene& scene) {
    if (std::string why = why_not_machine_counts(scene); !why.empty()) return why;
    const MachineCode& machine = *scene.machine;
    if (!machine.timing || !machine.timing->schedule)
        return machine.timing ? machine.timing->absent : "The machine code was not timed.";
    if (scene.timing && !(scene.timing->options == machine.timing->options))
        return "The machine code is being timed.";
    return {};
}

Level level_of_counts(const Scene& scene) { return scene.report ? scene.report->level : Level::ptx; }

Level level_of_counts(const Scene& scene, Level wanted) {
    return level_of_counts(scene) == Level::machine ? Level::machine : common_counts(scene, nullptr, wanted);
}

std::string provenance_of_masks(const Scene& scene) {
    const Level level = level_of_counts(scene);
    const char* const how = level == Level::ptx ? "earliest possible reconvergence"
                                                : "lanes reconverge where the machine code says";
    return fmt::format("masks: {} · {}", how, to_string(level));
}

LeveledTiming timing_at(const Scene& scene, Level wanted) {
    if (wanted == Level::machine && why_not_machine_level(scene).empty())
        return {scene.machine->timing.get(), Level::machine};
    return {scene.timing.get(), level_of_counts(scene)};
}

std::shared_ptr<const Scene> at_machine_level(const Scene& scene, Level counts) {
    auto machine = std::make_shared<Scene>(scene);
    machine->trace = scene.machine->trace;
    machine->report = scene.machine->report;
    machine->timing = scene.machine->timing;
    machine->what_if = scene.machine->what_if;
    machine->requests = scene.machine->requests;
    machine->measured = nullptr;
    if (counts == Level::machine) machine->timing = with_counts_of(*machine, machine->timing);
    return machine;
}

std::shared_ptr<const SceneTiming> with_counts_of(const Scene& scene,
                                                  std::shared_ptr<const SceneTiming> machine) {
    if (!machine || !scene.report || !scene.trace || !scene.gpu) return machine;
    auto timing = std::make_shared<SceneTiming>(*machine);
    timing->roofline =
        analysis::roofline(*scene.report, scene.trace->program, *scene.gpu, timing->schedule.get());
    return timing;
}

namespace {

Level common(const Scene& scene, const Scene* other, Level wanted, std::string (*why_not)(const Scene&)) {
    const auto has = [&](const Scene& run) { return why_not(run).empty(); };
    if (other && level_of_counts(scene) != level_of_counts(*other)) wanted = Level::machine;
    return wanted == Level::machine && has(scene) && (!other || has(*other)) ? Level::machine : Level::ptx;
}

}  // namespace

Level common_level(const Scene& scene, const Scene* other, Level wanted) {
    return common(scene, other, wanted, why_not_machine_level);
}

Level common_counts(const Scene& scene, const Scene* other, Level wanted) {
    return common(scene, other, wanted, why_not_machine_counts);
}

}  // namespace warplens::app
