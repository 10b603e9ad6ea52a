#include "app/pipeline/machine_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/pipeline/find_shared_registers.h"
#include "app/pipeline/kernel_code.h"
#include "app/pipeline/machine_level.h"
#include "app/scene/level_of_time.h"
#include "app/scene/request_index.h"
#include "app/scene/time_scene.h"
#include "trace/query.h"

#ifdef WARPLENS_SASS
#include "sass/live_registers.h"
#include "sass/program.h"
#include "sass/scoreboards.h"
#endif

namespace warplens::app {
namespace {

/// A warp that runs longer than this is reported as an endless loop, as in a picture's run.
constexpr std::uint64_t most_steps_per_warp = 2'000'000;

std::shared_ptr<const MachineCode> none(std::string why) {
    auto code = std::make_shared<MachineCode>();
    code->absent = std::move(why);
    return code;
}

#ifdef WARPLENS_SASS

LaunchRequest request_of(const Scene& scene) {
    LaunchRequest request;
    request.kernel = scene.kernel;
    for (const auto& [name, value] : scene.parameters)
        request.overrides[name] = instrumentation::to_string(value);
    if (scene.gpu) request.gpu = scene.gpu->name;
    return request;
}

/// The control fields of the instructions, which have the numbers of the program's sites.
Status read_control_fields(const KernelCode& built, MachineCode& code) {
    WARPLENS_TRY(const auto cubin, sass::read_cubin(built.cubin));
    WARPLENS_TRY(const auto machine, sass::number_machine_sites(cubin, built.program.entry));
    code.target = fmt::format("sm_{}", machine.sm);
    code.registers_per_thread = cubin.find(built.program.entry)->registers_per_thread;
    for (const sass::Instruction& instruction : machine.instructions)
        code.stall_counts.push_back(instruction.control.stall);
    code.live_registers = sass::live_registers(machine).counts;
    for (const sass::ScoreboardWait& wait : sass::scoreboard_waits(machine))
        code.arcs.push_back({wait.setter, wait.waiter, wait.scoreboard, wait.of_sources});
    return {};
}

std::string why_stopped(const analysis::LaunchReport& report) {
    for (const Problem& problem : report.problems)
        if (problem.kind == ProblemKind::unsupported_instruction)
            return fmt::format("The counts are not complete: {}.", problem.message);
    return {};
}

/// The Scene's launch with its machine code, not yet executed.
Result<LoadedLaunch> load_machine_code(Pipeline& pipeline, const Scene& scene) {
    if (!scene.trace || !scene.report) return fail("Nothing was executed, so there is no machine code.");
    if (!scene.kernel) return fail("A recorded trace has no machine code; open its kernel to see it.");
    auto loaded = pipeline.load(request_of(scene));
    if (!loaded) return fail("There is no machine code: {}.", loaded.error().message);
    const std::shared_ptr<const KernelCode> built = loaded->built;
    if (loaded->level == Level::machine) return loaded;
    if (const Status used = use_machine_code(*loaded, *built); !used)
        return fail("There is no machine code here: {}. The PTX level is complete without it.",
                    used.error().message);
    return loaded;
}

/// The blocks that the Scene has.
Result<Scene> execute(Pipeline& pipeline, LoadedLaunch loaded, const Scene& scene,
                      const std::function<bool()>& cancelled) {
    ExecuteOptions options;
    options.keep_trace = true;
    if (scene.blocks_executed < scene.blocks_in_grid) options.blocks = trace::recorded_blocks(*scene.trace);
    options.check_golden = false;
    options.max_steps_per_warp = most_steps_per_warp;
    options.threads = 1;
    options.cancelled = cancelled;
    Scene machine = scene;
    machine.model_streams = {};  // of the Scene itself
    SceneTiming untimed;
    untimed.code = loaded.timed_code;
    machine.timing = std::make_shared<const SceneTiming>(std::move(untimed));
    std::vector<instrumentation::PreparedBuffer> buffers = std::move(loaded.prepared.buffers);
    LoadedLaunch again = loaded;  // without the buffers' contents, which may be large
    loaded.prepared.buffers = std::move(buffers);
    auto executed = pipeline.execute(std::move(loaded), options);
    if (!executed) return fail("The machine code was not executed: {}.", executed.error().message);
    // Races are known: the Scene's own run has searched for them.
    options.races = ExecuteOptions::Races::within_budget;
    WARPLENS_TRY(const auto registers, find_shared_registers(std::move(again), *executed->report, options));
    merge_problems(executed->report->notes, registers.notes);
    executed->report->measured = scene.report->measured;
    machine.report = std::move(executed->report);
    machine.trace = std::move(executed->trace);
    return machine;
}

#else

constexpr const char* not_built = "This Warplens was built without the machine level (WARPLENS_SASS).";

#endif

}  // namespace

#ifdef WARPLENS_SASS

Result<Scene> run_machine_code(Pipeline& pipeline, const Scene& scene,
                               const std::function<bool()>& cancelled) {
    WARPLENS_TRY(auto loaded, load_machine_code(pipeline, scene));
    WARPLENS_TRY(auto machine, execute(pipeline, std::move(loaded), scene, cancelled));
    if (std::string stopped = why_stopped(*machine.report); !stopped.empty()) return fail("{}", stopped);
    return machine;
}

std::shared_ptr<const MachineCode> machine_code_of(Pipeline& pipeline, const Scene& scene,
                                                   const std::function<bool()>& cancelled) {
    auto loaded = load_machine_code(pipeline, scene);
    if (!loaded) return none(loaded.error().message);
    auto code = std::make_shared<MachineCode>();
    if (const Status read = read_control_fields(*loaded->built, *code); !read)
        return none(fmt::format("The machine code cannot be read: {}.", read.error().message));
    code->program = loaded->program;
    auto machine = execute(pipeline, std::move(*loaded), scene, cancelled);
    if (!machine) return none(machine.error().message);
    code->report = machine->report;
    code->trace = machine->trace;
    code->requests = index_requests(*machine);
    code->stopped = why_stopped(*code->report);
    if (code->stopped.empty()) code->timing = with_counts_of(scene, time_scene(*machine, {}, cancelled));
    if (level_of_counts(scene) == Level::ptx)
        code->merged =
            analysis::merged_accesses(*scene.report, scene.trace->program, *code->report, code->program);
    return code;
}

#else

Result<Scene> run_machine_code(Pipeline&, const Scene&, const std::function<bool()>&) {
    return fail("{}", not_built);
}

std::shared_ptr<const MachineCode> machine_code_of(Pipeline&, const Scene&, const std::function<bool()>&) {
    return none(not_built);
}

#endif

}  // namespace warplens::app
