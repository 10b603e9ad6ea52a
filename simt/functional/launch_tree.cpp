#include "simt/functional/launch_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "analysis/wording.h"
#include "core/symbol_name.h"

namespace warplens::simt {

namespace {

/// As the grid's own kernel has no place in the program of the host's, its problems have lines and no sites.
void name_child(Problem& problem, const std::string& kernel) {
    if (!problem.child.empty()) return;
    problem.child = kernel;
    problem.site = no_index;
    if (problem.other) problem.other->site = no_index;
}

class ChildGrids {
  public:
    ChildGrids(ModuleKernels& kernels, GlobalMemory& memory, const ChildGridOptions& options,
               ChildGridListener* listener)
        : kernels_(kernels),
          memory_(memory),
          options_(options),
          listener_(listener),
          most_(options.most_grids != 0 ? options.most_grids : most_child_grids) {}

    Result<ChildGridsRun> run(std::vector<DeviceLaunch> launches) {
        const ChildGrid host;
        add(host, std::move(launches));
        while (!waiting_.empty() && !stopped_) {
            if (run_.grids >= most_) {
                report_too_many(waiting_.back(), most_);
                break;
            }
            if (options_.step_budget != 0 && run_.steps >= options_.step_budget) break;
            ChildGrid grid = std::move(waiting_.back());
            waiting_.pop_back();
            WARPLENS_TRY(execute(std::move(grid)));
        }
        run_.left_out = forgotten_ + waiting_.size();
        run_.completed &= run_.left_out == 0 && !run_.cancelled;
        return std::move(run_);
    }

  private:
    /// The last of `waiting_` is next.
    void add(const ChildGrid& parent, std::vector<DeviceLaunch> launches) {
        const std::string launcher(plain_name(parent.launch.entry));
        for (const bool tail : {true, false})
            for (auto launch = launches.rbegin(); launch != launches.rend(); ++launch)
                if (launch->is_tail() == tail)
                    waiting_.push_back(
                        {0, parent.index, parent.depth + (tail ? 0 : 1), launcher, std::move(*launch)});
        // Those before the limit ends the run, and the one that it is reported for: a recursion that launches
        // many grids on each level would fill the memory with others.
        for (const std::uint64_t room = most_ - run_.grids + 1; waiting_.size() > room; ++forgotten_)
            waiting_.pop_front();
    }

    Status execute(ChildGrid grid) {
        WARPLENS_TRY(const Kernel* const kernel, kernels_.find(grid.launch.entry));
        if (!fits(grid, *kernel)) return {};
        grid.index = static_cast<std::uint32_t>(++run_.grids);
        const LaunchGeometry geometry{grid.launch.grid, grid.launch.block, grid.launch.dynamic_shared_bytes};
        RunOptions options = options_.run;
        options.blocks.clear();
        options.races = nullptr;
        options.watch = nullptr;
        options.keep_work = false;
        options.nesting_depth = grid.depth;
        if (options_.step_budget != 0) options.step_budget = options_.step_budget - run_.steps;
        options.max_printed -= static_cast<std::uint32_t>(run_.printed.calls.size());
        trace::Observer* const observer = listener_ ? listener_->begin(grid, *kernel) : nullptr;
        RunResult run = simt::run(*kernel, geometry, grid.launch.arguments, memory_, options, observer);
        if (listener_) listener_->end(grid, run);
        run_.steps += run.steps;
        run_.left_out_blocks += grid.launch.grid.count() - run.blocks;
        run_.cancelled |= run.cancelled;
        run_.completed &= run.completed;
        run_.races_watched_in_part |= run.races_watched_in_part;
        keep_messages(grid, run);
        // A trap or an endless loop ends everything, as an error on a GPU does.
        stopped_ = run.cancelled || (!run.completed && !is_only_a_block(run));
        add(grid, std::move(run.launches));
        return {};
    }

    /// A grid that did not complete, though no problem ends a launch: some of its blocks did not end.
    static bool is_only_a_block(const RunResult& run) {
        return std::ranges::none_of(run.problems, [](const Problem& problem) {
            return problem.kind == ProblemKind::trap || problem.kind == ProblemKind::endless_loop ||
                   problem.kind == ProblemKind::unsupported_instruction;
        });
    }

    /// Static and dynamic shared memory together: the launch itself knows only the dynamic.
    bool fits(const ChildGrid& grid, const Kernel& kernel) {
        const std::uint64_t bytes =
            std::uint64_t{kernel.static_shared_bytes()} + grid.launch.dynamic_shared_bytes;
        const std::uint64_t most = options_.run.limits.shared_bytes;
        if (bytes <= most) return true;
        report(grid,
               fmt::format("launches `{}` with {} bytes of shared memory, static and dynamic: a block has at "
                           "most {}; no grid runs",
                           plain_name(grid.launch.entry), analysis::grouped(bytes), analysis::grouped(most)));
        return false;
    }

    void report_too_many(const ChildGrid& next, std::uint64_t most) {
        run_.completed = false;
        report(next,
               fmt::format("launches `{}`, but {} grids were executed below the launch of the host, which is "
                           "the engine's limit: does the recursion end? This grid, and those that wait, do "
                           "not run",
                           plain_name(next.launch.entry), analysis::grouped(most)));
    }

    /// At the launch, which is in the grid above.
    void report(const ChildGrid& grid, std::string message) {
        const DeviceLaunch& launch = grid.launch;
        Problem problem;
        problem.kind = ProblemKind::failed_launch;
        problem.message = std::move(message);
        problem.child = grid.launcher;
        if (grid.launcher.empty()) problem.site = launch.site;
        problem.file = launch.file;
        problem.line = launch.line;
        problem.block = launch.by_block;
        problem.thread = launch.by_thread;
        merge_problems(run_.problems, {problem});
    }

    void keep_messages(const ChildGrid& grid, RunResult& run) {
        const std::string name(plain_name(grid.launch.entry));
        for (auto* list : {&run.problems, &run.notes})
            for (Problem& problem : *list) name_child(problem, name);
        merge_problems(run_.problems, run.problems);
        merge_problems(run_.notes, run.notes);
        for (Printed& one : run.printed.calls) {
            one.child = name;
            one.site = no_index;
        }
        run_.printed.dropped += run.printed.dropped;
        std::ranges::move(run.printed.calls, std::back_inserter(run_.printed.calls));
    }

    ModuleKernels& kernels_;
    GlobalMemory& memory_;
    const ChildGridOptions& options_;
    ChildGridListener* listener_;
    const std::uint64_t most_;
    std::deque<ChildGrid> waiting_;
    std::uint64_t forgotten_ = 0;  // of those that waited
    ChildGridsRun run_;
    bool stopped_ = false;
};

}  // namespace

Result<const Kernel*> ModuleKernels::find(const std::string& entry) {
    std::shared_ptr<const Kernel>& kernel = kernels_[entry];
    if (!kernel) {
        WARPLENS_TRY(kernel, load_(entry));
    }
    return kernel.get();
}

Result<ChildGridsRun> run_child_grids(std::vector<DeviceLaunch> launches, ModuleKernels& kernels,
                                      GlobalMemory& memory, const ChildGridOptions& options,
                                      ChildGridListener* listener) {
    return ChildGrids(kernels, memory, options, listener).run(std::move(launches));
}

}  // namespace warplens::simt
