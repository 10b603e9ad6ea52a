// `warplens shot`: one view, or the whole window, as PNG or SVG, with no display.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "app/command_line/code_option.h"
#include "app/command_line/commands.h"
#include "app/command_line/grid_option.h"
#include "app/command_line/map_option.h"
#include "app/command_line/picture_options.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/command_line/versus.h"
#include "app/pipeline/advice/advise.h"
#include "app/pipeline/engine_sweep.h"
#include "app/pipeline/machine_scene.h"
#include "app/pipeline/values/step_values.h"
#include "app/scene/default_selection.h"
#include "app/scene/index_scene.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/scene/requested_selection.h"
#include "app/scene/same_step.h"
#include "app/scene/scene_facts.h"
#include "app/scene/time_scene.h"
#include "app/session/advice_task.h"
#include "app/session/bank_fix_task.h"
#include "app/session/sweep_task.h"
#include "app/session/values_task.h"
#include "app/views/banks/parts.h"
#include "app/views/view.h"
#include "app/window/pictures.h"
#include "core/whole_file.h"

namespace warplens::app {
namespace {

/// The values of --view besides the views.
constexpr std::string_view whole_window = "window";

/// The view shows this, or it is the window, which shows everything.
bool shows(const std::string& view, ViewExtra extra) {
    const ViewRow* row = find_view_row(view);
    return row != nullptr ? row->extra == extra : extra != ViewExtra::sweep && extra != ViewExtra::bank_fixes;
}

bool shows_times(const std::string& view) {
    return shows(view, ViewExtra::times) || shows(view, ViewExtra::moment);
}

Status check_view(const std::string& name) {
    if (name == whole_window || find_view(name) != nullptr) return {};
    std::vector<std::string> names;
    for (const ViewEntry& entry : view_entries()) names.push_back(entry.name);
    return fail("--view {} is not known; the views are {} and {}", name, fmt::join(names, ", "),
                whole_window);
}

enum class PictureFormat { png, svg };

Result<PictureFormat> picture_format(const std::string& format, const std::string& output) {
    if (format == "png") return PictureFormat::png;
    if (format == "svg") return PictureFormat::svg;
    if (!format.empty()) return fail("--format {} is not known; it is png or svg", format);
    if (output.ends_with(".png")) return PictureFormat::png;
    if (output.ends_with(".svg")) return PictureFormat::svg;
    if (is_written_directly(output)) return PictureFormat::png;
    return fail("-o {}: a picture's name ends in .png or .svg; --format names the format of another", output);
}

Result<Catalogue> shared_catalogue() {
    WARPLENS_TRY(auto kernels, catalogue());
    Catalogue shared;
    for (auto& kernel : kernels) {
        shared.push_back(std::make_shared<const instrumentation::KernelFile>(std::move(kernel)));
    }
    return shared;
}

/// What the options ask for, checked.
struct Shot {
    std::string view, output;
    PictureSize size;
    ThemeName theme;
    PictureFormat format;
    std::vector<Annotation> annotations;
};

/// Of modelled times: the machine's unless the PTX's are asked for.
Level level_of(const ShotOptions& options) { return options.level == "ptx" ? Level::ptx : Level::machine; }

/// Of counts: the PTX's unless the machine's are asked for.
Level counts_of(const ShotOptions& options) {
    return options.level == "machine" ? Level::machine : Level::ptx;
}

/// Half a picture would look like a whole one.
Status check_drawn_whole() { return check_not_stopped("nothing was drawn"); }

/// The sweep that the sweep view opens with; nothing else has run it before. `before`: null, or the run that
/// is swept over the same values.
SweepState first_sweep_of(const ShotOptions& options, const Scene& scene, const Scene* before) {
    SweepState state;
    if (!shows(options.view, ViewExtra::sweep) || scene.kernel == nullptr) return state;
    auto request = sweep_of_run(scene, first_sweep(*scene.kernel));
    if (request) request->times = level_of(options);
    if (!request || request->plan.points() == 0) return state;
    const RunSweep run = sweep_on_engine(make_pipeline());
    SweepOptions run_options;
    run_options.cancelled = should_stop;
    auto sweep = run(*request, run_options);
    if (!sweep) {
        state.failure = sweep.error().message;
        return state;
    }
    state.sweep = std::make_shared<const Sweep>(std::move(*sweep));
    if (before == nullptr || on_one_sweep(*before, scene, request->plan)) return state;
    if (auto other = sweep_of_run(*before, request->plan)) {
        other->times = state.sweep->level_of_times.value_or(request->times);
        if (auto swept = run(*other, run_options)) {
            state.before = std::make_shared<const Sweep>(std::move(*swept));
            state.before_kernel = before->kernel;
        }
    }
    return state;
}

/// The advice that the window would show once it has tried changes of the kernel.
AdviceState advice_for(const ShotOptions& options, const Scene& scene) {
    AdviceState state;
    if (!shows(options.view, ViewExtra::advice) || scene.kernel == nullptr) return state;
    AdviceRequest request{scene.kernel, {}, options.launch.gpu};
    for (const auto& [name, value] : scene.parameters)
        request.overrides[name] = instrumentation::to_string(value);
    state.generation = scene.generation;
    state.advice =
        std::make_shared<const Advice>(advise(*make_pipeline(), timing_model(), request, {}, should_stop));
    return state;
}

/// The machine level, with its answers where the view shows them.
std::shared_ptr<const MachineCode> machine_for(const std::string& view, const Scene& scene) {
    auto code = machine_code_of(*make_pipeline(), scene, should_stop);
    if (!shows(view, ViewExtra::what_if)) return code;
    Scene with_code = scene;
    with_code.machine = code;
    if (!why_not_machine_level(with_code).empty()) return code;
    auto answered = std::make_shared<MachineCode>(*code);
    answered->what_if = answer_questions(*at_machine_level(with_code), should_stop);
    return answered;
}

/// What is asked for is drawn, or nothing is.
Status check_level(const ShotOptions& options, const Scene& scene) {
    if (options.level != "machine") return {};
    const bool is_timed = scene.timing && scene.timing->schedule;
    const std::string why = is_timed ? why_not_machine_level(scene) : why_not_machine_counts(scene);
    return why.empty() ? Status{} : fail("--level machine: {}", why);
}

/// The cycle of a view that shows one, in the schedule of the level that is drawn.
Status check_cycle(const ShotOptions& options, const std::optional<WantedCycles>& cycles,
                   const Scene& scene) {
    if (!cycles || !shows(options.view, ViewExtra::moment)) return {};
    const LeveledTiming timed = timing_at(scene, level_of(options));
    if (timed.timing == nullptr || !timed.timing->schedule)
        return fail("--select cycle={}: there is no schedule of this run", cycles->first);
    const std::uint64_t last = timed.timing->schedule->totals.cycles;
    if (cycles->first >= last)
        return fail("--select cycle={}: the schedule has {} cycles", cycles->first, last);
    return {};
}

/// Of the array that the shown request goes to.
BankFixState fixes_for(const ShotOptions& options, const Scene& scene, const Selection& selection) {
    BankFixState state;
    if (!options.fix || selection.chosen.access >= scene.trace->accesses.size()) return state;
    return bank_fixes_of(scene, shared_array_of(*scene.trace, selection.chosen.access));
}

/// The scene of a run, indexed and timed, with what the view draws of its times.
Result<Scene> whole_scene(const LaunchFlags& flags, const std::string& view) {
    auto scene = load_scene(flags);
    if (!scene) return scene;
    index_scene(*scene);
    scene->timing = time_scene(*scene, {}, should_stop);
    scene->timing_generation = 1;
    if (scene->timing->baseline && shows(view, ViewExtra::what_if))
        scene->what_if = answer_questions(*scene, should_stop);
    scene->machine = machine_for(view, *scene);
    WARPLENS_TRY(check_drawn_whole());
    return scene;
}

/// Of the selected step.
ValuesState values_for(const ShotOptions& options, const Scene& scene, const Spot& spot) {
    if (!shows(options.view, ViewExtra::values) || scene.trace->warps.empty()) return {};
    const auto read = [pipeline = make_pipeline()](const Scene& of, const ValuesQuestion& question,
                                                   const std::function<bool()>& cancelled) {
        return values_of_scene(*pipeline, of, question, cancelled);
    };
    const ValuesQuestion question = subject_of(options.view) == ViewSubject::collectives
                                        ? question_of_exchanges(*scene.trace, spot.warp_record)
                                        : question_of_spot(*scene.trace, spot);
    return read_values(read, scene, question, should_stop);
}

/// Of the baseline's corresponding exchanges, or of its corresponding step, where there is one.
ValuesState baseline_values_for(const ShotOptions& options, const Scene& scene, const Spot& spot,
                                const Scene& before) {
    if (subject_of(options.view) == ViewSubject::collectives)
        return values_for(options, before,
                          carried_over(scene, spot, before, default_selection(before, options.view)));
    if (scene.trace->warps.empty() || before.trace->warps.empty()) return {};
    const auto same = same_step(scene, spot, before);
    return same ? values_for(options, before, *same) : ValuesState{};
}

Status write_shot(const Shot& shot, const Scene& scene, const Selection& selection, const TaskStates& tasks,
                  const PictureBaseline& baseline) {
    const bool is_window = shot.view == whole_window;
    Catalogue kernels;
    std::string view = shot.view;
    if (is_window) {
        WARPLENS_TRY(kernels, shared_catalogue());
        view = {};  // the kernel's first
    }
    if (shot.format == PictureFormat::svg) {
        WARPLENS_TRY(auto svg, is_window ? capture_window_svg(scene, kernels, view, shot.size, shot.theme,
                                                              selection, tasks, baseline)
                                         : capture_view_svg(scene, view, shot.size, shot.theme, selection,
                                                            tasks, baseline, shot.annotations));
        return write_whole_file(shot.output, svg);
    }
    WARPLENS_TRY(auto picture, is_window ? capture_window(scene, kernels, view, shot.size, shot.theme,
                                                          selection, tasks, baseline)
                                         : capture_view(scene, view, shot.size, shot.theme, selection, tasks,
                                                        baseline, shot.annotations));
    return write_png(picture, shot.output);
}

/// What the picture is to show of the scene.
struct Asked {
    SpotRequest spot;
    std::optional<WantedCycles> cycles;
    std::optional<TimelineSource> times;
    std::optional<ShownCode> code;
    std::optional<WantedMap> map;
    std::optional<WantedGrid> grid;
};

/// Of machine code that is asked for, the source view shows the instructions.
Result<std::optional<ShownCode>> parse_code(const ShotOptions& options) {
    const bool shows_code = shows(options.view, ViewExtra::machine_code);
    if (options.code.empty())
        return shows_code && counts_of(options) == Level::machine
                   ? std::optional(ShownCode{.cuda = true, .ptx = false, .machine = true})
                   : std::nullopt;
    if (!shows_code) return fail("--code is for the source view; the {} view shows no code", options.view);
    return parse_code_option(options.code);
}

Result<std::optional<TimelineSource>> parse_times(const ShotOptions& options) {
    if (options.times.empty()) return std::nullopt;
    if (!shows_times(options.view))
        return fail(
            "--times is for the timeline and the SM; the {} view always shows both where there are two",
            options.view);
    if (options.times == "measured") return TimelineSource::measured;
    if (options.times == "modelled") return TimelineSource::modelled;
    if (options.times == "both") return TimelineSource::both;
    return fail("--times {} is not known; it is measured, modelled or both", options.times);
}

/// The play head is at the PTX level and in one run. A view of one cycle shows it at both levels and in both
/// runs.
Status take_cycle(const ShotOptions& options, Asked& asked) {
    if (!asked.spot.cycle) return {};
    const bool at_machine_level = level_of(options) == Level::machine;
    if (shows(options.view, ViewExtra::moment)) {
        asked.cycles = {*asked.spot.cycle, *asked.spot.cycle + 1};
        if (at_machine_level || !options.versus.empty()) asked.spot.cycle.reset();
    } else if (at_machine_level) {
        return fail("--select cycle={}: the {} view has no play head at the machine level", *asked.spot.cycle,
                    options.view);
    }
    return {};
}

Result<Asked> parse_asked(const ShotOptions& options) {
    Asked asked;
    if (options.fix && !shows(options.view, ViewExtra::bank_fixes))
        return fail("--fix is for the banks view; the {} view shows no layout of shared memory",
                    options.view);
    auto spot = parse_spot_request(options.select);
    if (!spot) return fail("--select {}", spot.error().message);
    asked.spot = *spot;
    WARPLENS_TRY(auto times, parse_times(options));
    asked.times = times;
    WARPLENS_TRY(asked.code, parse_code(options));
    if (!options.map.empty()) {
        if (!shows(options.view, ViewExtra::map))
            return fail("--map is for the map view; the {} view shows no array's elements", options.view);
        WARPLENS_TRY(asked.map, parse_map_option(options.map));
    }
    if (!options.cells.empty()) {
        if (!shows(options.view, ViewExtra::grid))
            return fail("--cells is for the grid view; the {} view has no cells of warps", options.view);
        WARPLENS_TRY(asked.grid, parse_grid_option(options.cells));
    }
    WARPLENS_TRY(take_cycle(options, asked));
    if (options.cycles.empty()) return asked;
    if (!shows(options.view, ViewExtra::times))
        return fail("--cycles is for the timeline; the {} view shows no range of cycles", options.view);
    WARPLENS_TRY(auto cycles, parse_cycles(options.cycles));
    asked.cycles = {cycles.first, cycles.second};
    return asked;
}

Result<Selection> selection_of(const ShotOptions& options, const Asked& asked, const Scene& scene) {
    Selection selection;
    auto spot = requested_selection(scene, options.view, asked.spot);
    if (!spot) return fail("--select {}", spot.error().message);
    selection.chosen = *spot;
    if (asked.times && !scene.measured && *asked.times != TimelineSource::modelled)
        return fail("--times {}: nothing was measured; record on a GPU, or open a recording", options.times);
    selection.wanted_timeline = asked.times;
    selection.wanted_code = asked.code;
    selection.wanted_map = asked.map;
    selection.wanted_grid = asked.grid;
    if (asked.map) WARPLENS_TRY(check_map(*asked.map, *scene.trace));
    const trace::Schedule* schedule = timing_at(scene, level_of(options)).timing->schedule.get();
    if (!options.cycles.empty() && asked.cycles && schedule && !scene.measured &&
        asked.cycles->first >= schedule->totals.cycles)
        return fail("--cycles {}: the schedule has {} cycles", options.cycles, schedule->totals.cycles);
    selection.wanted_cycles = asked.cycles;
    return selection;
}

}  // namespace

Result<int> shot(const ShotOptions& options) {
    WARPLENS_TRY(auto size, parse_size(options.size, options.scale));
    WARPLENS_TRY(auto theme, parse_theme(options.theme));
    WARPLENS_TRY(check_view(options.view));
    WARPLENS_TRY(auto format, picture_format(options.format, options.output));
    WARPLENS_TRY(auto annotations, parse_annotations(options.annotate));
    if (!annotations.empty() && options.view == whole_window)
        return fail("--annotate is for a picture of one view, not of the window");
    WARPLENS_TRY(auto asked, parse_asked(options));
    WARPLENS_TRY(can_be_written(options.output));
    if (options.view == "program")  // which shows no launch, but all that the program makes
        return list_launches({options.launch, options.format, options.output, options.size, options.theme},
                             draw_program);
    LaunchFlags launch = options.launch;
    WARPLENS_TRY(const Versus versus, drawn_versus(launch, options.versus));
    WARPLENS_TRY(auto scene, whole_scene(launch, options.view));
    WARPLENS_TRY(auto selection, selection_of(options, asked, scene));
    std::optional<Scene> before;
    PictureBaseline baseline;
    if (!options.versus.empty()) {
        WARPLENS_TRY(Scene after, whole_scene(versus.launch, options.view));
        before = std::exchange(scene, std::move(after));
        scene.generation = before->generation + 1;
        const Level level = common_level(scene, &*before, level_of(options));
        const Level counts = common_counts(scene, &*before, counts_of(options));
        analysis::RunFacts was = facts_of(*before, level, counts), now = facts_of(scene, level, counts);
        name_by_files(options.launch.target, was, versus.launch.target, now);
        const analysis::Comparison comparison = analysis::compare(std::move(was), std::move(now));
        baseline = {&*before, comparison.before_name, comparison.after_name, comparison.settings,
                    comparison.verdict};
        const std::uint32_t cycle = selection.chosen.cycle;
        selection.chosen =
            carried_over(*before, selection.chosen, scene, default_selection(scene, options.view));
        const trace::Schedule* schedule = timing_at(scene, level).timing->schedule.get();
        if (schedule && cycle < schedule->totals.cycles) selection.chosen.cycle = cycle;
    }
    WARPLENS_TRY(check_level(options, scene));
    WARPLENS_TRY(check_cycle(options, asked.cycles, scene));
    const Shot shot{options.view, options.output, size, theme, format, std::move(annotations)};
    const SweepState sweep = first_sweep_of(options, scene, baseline.scene);
    const BankFixState fixes = fixes_for(options, scene, selection);
    const AdviceState advice = advice_for(options, scene);
    const ValuesState values = values_for(options, scene, selection.chosen);
    const ValuesState was =
        before ? baseline_values_for(options, scene, selection.chosen, *before) : ValuesState{};
    const TaskStates tasks{&sweep, &fixes, &advice, &values, &was, level_of(options), counts_of(options)};
    WARPLENS_TRY(check_drawn_whole());
    WARPLENS_TRY(write_shot(shot, scene, selection, tasks, baseline));
    return exit_code_of(scene, options.output);
}

}  // namespace warplens::app
