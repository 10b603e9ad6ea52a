#include "app/pipeline/launch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "analysis/memory/element_name.h"
#include "analysis/wording.h"
#include "app/pipeline/bind_images.h"
#include "app/pipeline/child_grids.h"
#include "app/pipeline/earlier_runs.h"
#include "app/pipeline/launch_shape.h"
#include "app/pipeline/place_buffer.h"
#include "core/cluster.h"
#include "instrumentation/catalog/arguments.h"
#include "trace/module_variables.h"

namespace warplens::app {
namespace {

/// The first location of a form that no thread reached, as a problem that lists and marks show.
Problem problem_at_load(const analysis::UnsupportedForm& missing, const Program& program) {
    Problem problem;
    problem.kind = ProblemKind::unsupported_instruction;
    problem.element = missing.form;
    problem.site = missing.sites.front();
    problem.count = missing.sites.size();
    const Site& site = program.sites[problem.site];
    problem.line = site.line;
    if (site.line != 0 && site.file < program.sources.size()) problem.file = program.sources[site.file].name;
    problem.message = fmt::format(
        "the CPU engine does not execute '{}' (PTX line {}, {} time{} in the kernel): {}", missing.form,
        site.ptx_line, problem.count, problem.count == 1 ? "" : "s", missing.reason);
    return problem;
}

/// Whether some thread reached the form.
bool is_met(const analysis::UnsupportedForm& missing, const std::vector<Problem>& problems) {
    return std::ranges::any_of(problems, [&](const Problem& problem) {
        return problem.kind == ProblemKind::unsupported_instruction &&
               std::ranges::find(missing.sites, problem.site) != missing.sites.end();
    });
}

}  // namespace

analysis::Occupancy launch_occupancy(const trace::Launch& launch, const GpuSpec& gpu) {
    analysis::OccupancyInput input;
    input.threads_per_block = launch.geometry.threads_per_block();
    input.registers_per_thread = static_cast<int>(launch.resources.registers_per_thread);
    input.shared_bytes_per_block =
        static_cast<int>(launch.resources.shared_static_bytes + launch.geometry.dynamic_shared_bytes);
    return analysis::occupancy(gpu, input);
}

void describe_launch(const LoadedLaunch& launch, simt::RunOptions& options) {
    options.shared_element = [&launch](std::string_view array, std::uint64_t bytes, std::uint64_t offset) {
        return analysis::declared_element_name(launch.program, launch.launch.parameters, array, bytes,
                                               offset);
    };
    options.doubt = launch.doubt;
    options.variables = launch.kernel->variables;
    if (launch.kernel->guessed_shared)
        options.shared_doubt = fmt::format(
            "{} bytes of dynamic shared memory are a guess",
            analysis::grouped(static_cast<std::uint64_t>(launch.launch.geometry.dynamic_shared_bytes)));
}

simt::RunOptions options_again(const ExecuteOptions& asked, std::vector<std::uint64_t> blocks) {
    simt::RunOptions options;
    options.blocks = std::move(blocks);
    options.threads = asked.threads;
    options.cancelled = asked.cancelled;
    options.max_steps_per_warp = asked.max_steps_per_warp;
    options.max_printed = 0;
    return options;
}

LaunchRun::LaunchRun(LoadedLaunch launch, Keep keep)
    : launch_(std::move(launch)), keep_(std::move(keep)), fold_(launch_.program, keep_.count_requests) {}

Result<std::unique_ptr<LaunchRun>> LaunchRun::start(LoadedLaunch launch, Keep keep) {
    std::unique_ptr<LaunchRun> run(new LaunchRun(std::move(launch), std::move(keep)));
    WARPLENS_TRY(run->place_buffers());
    std::vector<trace::Observer*> observers;
    if (run->keep_.keep_report) observers.push_back(&run->fold_);
    if (run->keep_.keep_trace)
        observers.push_back(
            &run->recorder_.emplace(run->launch_.launch, run->launch_.program, run->keep_.recorded));
    if (run->keep_.listener) observers.push_back(run->keep_.listener);
    if (observers.size() == 1) run->observer_ = observers.front();
    else if (!observers.empty()) run->observer_ = &run->fanout_.emplace(std::move(observers));
    return run;
}

Result<std::unique_ptr<LaunchRun>> LaunchRun::start_again(LoadedLaunch launch, Keep keep) {
    WARPLENS_TRY(launch.prepared, prepare_again(launch));
    return start(std::move(launch), std::move(keep));
}

Status LaunchRun::place_buffers() {
    for (instrumentation::PreparedBuffer& buffer : launch_.prepared.buffers) {
        const std::uint64_t bytes = buffer.data.size();
        std::vector<std::byte> contents;
        if (keep_.keep_initial) {
            contents = buffer.data;
        } else {
            contents = std::move(buffer.data);
        }
        const std::size_t index = addresses_.size();
        const bool given = index < keep_.addresses.size();
        const std::uint64_t at = given ? keep_.addresses[index] : buffer.address;
        WARPLENS_TRY(const std::uint64_t base,
                     place_buffer(buffer, std::move(contents), at, given || launch_.kernel->linked, memory_));
        addresses_.push_back(base);
        launch_.launch.buffers.push_back(
            {buffer.name, buffer.element_type, buffer.element_bytes, addresses_.back(), bytes});
    }
    const std::vector<std::uint64_t> images = bind_images(launch_.prepared, addresses_, memory_);
    WARPLENS_TRY(arguments_, instrumentation::lay_out_arguments(launch_.prepared, launch_.program.parameters,
                                                                addresses_, images));
    return {};
}

bool LaunchRun::choose_blocks(std::vector<std::uint64_t>& blocks) {
    const LaunchGeometry& geometry = launch_.launch.geometry;
    const bool whole = geometry.cooperative || blocks.empty();
    if (whole) blocks.clear();
    if (geometry.cluster.count() == 1 && !geometry.cooperative) return true;
    const auto cluster_of = [&](std::uint64_t block) { return linear_cluster(block, geometry); };
    if (executed_whole_) return false;
    executed_whole_ = whole;
    std::erase_if(blocks,
                  [&](std::uint64_t block) { return executed_clusters_.contains(cluster_of(block)); });
    for (const std::uint64_t block : blocks) executed_clusters_.insert(cluster_of(block));
    return whole || !blocks.empty();
}

Status LaunchRun::execute(const simt::RunOptions& asked) {
    simt::RunOptions options = asked;
    options.max_printed -= static_cast<std::uint32_t>(printed_.calls.size());
    options.limits = launch_.limits;
    describe_launch(launch_, options);
    options.resident_blocks = resident_blocks(launch_occupancy(launch_.launch, *launch_.gpu), *launch_.gpu);
    if (keep_.whole_trace)
        options.cancelled = [this, asked_to_stop = asked.cancelled] {
            return recorder_->full() || (asked_to_stop && asked_to_stop());
        };
    if (!choose_blocks(options.blocks)) return {};
    simt::RunResult run;
    try {
        run = simt::run(*launch_.code, launch_.launch.geometry, arguments_, memory_, options, observer_);
    } catch (const std::bad_alloc&) {
        return fail(
            "{}: executing the launch takes more memory than there is; choose smaller parameters or "
            "fewer blocks",
            launch_.launch.kernel);
    }
    if (run.cancelled && !keep_.interrupted) return fail("the run was cancelled");
    interrupted_ |= run.cancelled;
    steps_ += run.steps;
    work_.insert(work_.end(), run.work.begin(), run.work.end());
    completed_ = completed_ && run.completed;
    merge_problems(problems_, run.problems);
    merge_problems(notes_, run.notes);
    keep_printed(std::move(run.printed));
    std::ranges::move(run.launches, std::back_inserter(launches_));
    return {};
}

Status LaunchRun::execute_children(const simt::RunOptions& asked, std::uint64_t step_budget) {
    if (!launch_.code->launches_grids()) return {};
    simt::RunOptions options = asked;
    options.max_printed -= static_cast<std::uint32_t>(printed_.calls.size());
    options.limits = launch_.limits;
    describe_launch(launch_, options);
    const std::uint64_t launched = completed_ ? 0 : std::exchange(launches_, {}).size();
    try {
        WARPLENS_TRY(auto done, execute_child_grids(launch_, std::exchange(launches_, {}), memory_, options,
                                                    step_budget));
        if (done.run.cancelled && !keep_.interrupted) return fail("the run was cancelled");
        interrupted_ |= done.run.cancelled;
        completed_ = completed_ && done.run.completed;
        merge_problems(problems_, done.run.problems);
        merge_problems(notes_, done.run.notes);
        keep_printed_of_children(std::move(done.run.printed));
        tree_ = std::move(done.tree);
    } catch (const std::bad_alloc&) {
        return fail("{}: executing the grids that it launches takes more memory than there is",
                    launch_.launch.kernel);
    }
    if (launched > 0) {
        tree_->left_out = launched;
        tree_->why_left_out = "the grid that launches them did not run to its end";
    }
    return {};
}

/// After those of the launch: their blocks are of other grids.
void LaunchRun::keep_printed_of_children(PrintedCalls printed) {
    printed_.dropped += printed.dropped;
    std::ranges::move(printed.calls, std::back_inserter(printed_.calls));
}

/// A cluster of an earlier call may hold blocks that come after some of this one's.
void LaunchRun::keep_printed(PrintedCalls printed) {
    printed_.dropped += printed.dropped;
    printed_.calls.insert(printed_.calls.end(), std::make_move_iterator(printed.calls.begin()),
                          std::make_move_iterator(printed.calls.end()));
    const Dim3 grid = launch_.launch.geometry.grid;
    std::ranges::stable_sort(printed_.calls, {},
                             [&](const Printed& one) { return linear_index(one.block, grid); });
}

std::shared_ptr<analysis::LaunchReport> LaunchRun::report() const {
    auto report = std::make_shared<analysis::LaunchReport>(fold_.report(launch_.launch));
    report->problems = problems_;
    report->notes = notes_;
    report->unsupported = launch_.unsupported;
    for (const analysis::UnsupportedForm& missing : launch_.unsupported)
        if (!is_met(missing, problems_))
            report->problems.push_back(problem_at_load(missing, launch_.program));
    report->printed = printed_;
    if (tree_) {
        auto tree = std::make_shared<analysis::LaunchTree>(*tree_);
        tree->grids.front().work = analysis::work_of(*report);
        report->launches = std::move(tree);
    }
    report->occupancy = launch_occupancy(launch_.launch, *launch_.gpu);
    return report;
}

/// A clause: which part of the kernel was not executed, so that its result means nothing; empty: none.
std::string_view LaunchRun::left_out() const {
    for (const Problem& problem : problems_) {
        if (problem.kind == ProblemKind::unsupported_instruction)
            return "an instruction that the CPU engine does not know was not executed";
        if (problem.kind == ProblemKind::failed_launch) return "a grid was not launched";
    }
    return {};
}

std::string LaunchRun::golden(GoldenMemory& memory) const {
    if (!completed_) return "none";
    if (const std::string_view why = left_out(); !why.empty()) return fmt::format("not checked: {}", why);
    std::vector<const std::byte*> results;
    for (std::uint64_t address : addresses_) results.push_back(memory_.at(address, 0));
    const auto golden = memory.check(*launch_.kernel, launch_.prepared, results);
    if (!golden && golden.error().message.starts_with("not checked")) return golden.error().message;
    if (!golden) return "failed: " + golden.error().message;
    if (!golden->declared) return "none";
    return golden->passed ? "passed" : "failed: " + golden->failure;
}

std::vector<trace::Buffer> LaunchRun::variables() const {
    return trace::module_variables(launch_.program, [&](const std::string& name) {
        const simt::Allocation* held = memory_.find(name);
        return held ? std::optional(held->base) : std::nullopt;
    });
}

trace::Launch LaunchRun::launch() const {
    trace::Launch launch = launch_.launch;
    launch.variables = variables();
    return launch;
}

std::shared_ptr<trace::Trace> LaunchRun::take_trace(const analysis::LaunchReport& report) {
    auto trace = std::make_shared<trace::Trace>(recorder_->take());
    trace->launch.variables = variables();
    // The trace is of the host's grid: blocks and threads of other grids would be taken for its own.
    std::ranges::copy_if(report.problems, std::back_inserter(trace->problems),
                         [](const Problem& problem) { return problem.child.empty(); });
    return trace;
}

}  // namespace warplens::app
