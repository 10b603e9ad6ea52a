#include "app/pipeline/advice/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/wording.h"
#include "app/pipeline/advice/barrier_fix.h"
#include "app/pipeline/advice/proposed_changes.h"
#include "app/pipeline/advice/structure_lines.h"
#include "app/pipeline/block_sample.h"
#include "app/pipeline/compared_runs.h"
#include "app/pipeline/find_races.h"
#include "app/pipeline/machine_scene.h"
#include "app/scene/own_source.h"
#include "app/scene/untried_causes.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using Clock = std::chrono::steady_clock;
using Overrides = std::map<std::string, std::string>;
using Kernel = std::shared_ptr<const instrumentation::KernelFile>;

constexpr double least_removed_by_text = 0.5;  // of the requests beyond the ideal, where no time is saved

/// One run, as the window shows it.
struct Sample {
    Scene scene;
    RunFigures figures;
    std::optional<Scene> machine;  // at the machine level, where the model times that
};

/// Fewer SMs share fewer lines in the model, which saves some of their loads; of two such launches on an H200
/// both were slower (tests/gpu/h200/advice.csv).
bool leaves_more_sms_idle(const Scene& now, const Scene& then) {
    return then.blocks_in_grid < now.blocks_in_grid &&
           then.blocks_in_grid < static_cast<std::uint64_t>(std::max(now.gpu->sm_count, 0));
}

/// Of several lines of a compiler the first that is not a warning, as a clause.
std::string shortest_reason(std::string message) {
    constexpr std::string_view compiles = "does not compile: ";
    constexpr std::size_t longest = 160;
    // Warnings go up to the line of the first error.
    if (const auto error = message.find(": error"); error != std::string::npos)
        if (const auto line = message.rfind('\n', error); line != std::string::npos)
            message.erase(0, line + 1);
    std::string reason = message.substr(0, message.find('\n'));
    if (const auto at = reason.find(compiles); at != std::string::npos) reason.erase(0, at + compiles.size());
    return reason.size() > longest ? reason.substr(0, longest) + "…" : reason;
}

class Trials {
  public:
    Trials(Pipeline& pipeline, const Model& model, const AdviceRequest& request, const AdviceLimits& limits,
           const Cancelled& cancelled)
        : pipeline_(pipeline),
          model_(model),
          request_(request),
          limits_(patient(limits, request.patience)),
          begin_(Clock::now()),
          deadline_(begin_ + std::max(limits.time, limits.most_time)),
          stop_([this, cancelled] { return Clock::now() >= deadline_ || (cancelled && cancelled()); }) {}

    Advice advise() {
        Advice advice;
        auto now = sample(request_.kernel, request_.overrides);
        if (!now) {
            advice.complete = !stop_();
            if (!advice.complete) return advice;
            advice.absent = "The kernel could not be run by the CPU engine, so no change was tried.";
            return advice;
        }
        give_time(Clock::now() - begin_);
        advice.now = now->figures;
        advice.blocks_run = now->scene.blocks_executed;
        advice.blocks = now->scene.blocks_in_grid;
        advice.untimed = analysis::untimed_grids(*now->scene.report);
        if (never_ends(now->scene.report->problems)) {
            advice.absent = "The kernel does not end, so no change was tried.";
            return advice;
        }
        // A problem is removed first by what removes such problems: a setting, then barriers.
        const bool faulty = !now->figures.problems.empty();
        if (faulty) deadline_ = last_trial_ = end_;  // the model is not asked
        try_all(faulty ? proposed_settings(request_.kernel, request_.overrides) : proposals(now->scene), *now,
                advice);
        if (advice.complete && (advice.helpful.empty() || !faulty)) try_barriers(*now, advice);
        if (advice.complete && faulty && advice.helpful.empty()) try_all(proposals(now->scene), *now, advice);
        sort_by_help(advice.helpful);
        keep_one_of_each(advice.helpful);
        drop_needless_code(advice.helpful);
        // The time of a kernel with problems means nothing.
        deadline_ = end_;
        if (!faulty) ask_model(*now, advice);
        advice.level = level_.value_or(Level::ptx);
        return advice;
    }

  private:
    static AdviceLimits patient(AdviceLimits limits, int patience) {
        limits.time *= patience;
        limits.most_time *= patience;
        return limits;
    }

    void try_all(const std::vector<Proposal>& all, const Sample& now, Advice& advice) {
        for (const Proposal& proposal : all) {
            advice.complete = Clock::now() < last_trial_;
            if (!advice.complete) break;
            attempt(proposal, now, advice);
            advice.complete = !stop_();
            if (!advice.complete) break;
        }
    }

    /// Some trials take as long as the first run each, and then the model's questions.
    void give_time(Clock::duration first_run) {
        constexpr int runs = 12;
        const Clock::duration most = std::max(limits_.time, limits_.most_time);
        const Clock::duration time = std::clamp<Clock::duration>(runs * first_run, limits_.time, most);
        end_ = begin_ + time;
        last_trial_ = begin_ + std::chrono::duration_cast<Clock::duration>(time * limits_.time_for_trials);
        deadline_ = last_trial_;  // a trial that takes longer leaves the model its time
    }

    std::optional<Sample> sample(const Kernel& kernel, const Overrides& overrides) {
        RunRequest request;
        request.kernel = kernel;
        request.overrides = overrides;
        request.gpu = request_.gpu;
        request.trees = false;
        auto scene = pipeline_.run_scene(request, stop_);
        if (!scene) {
            failure_ = "does not compile or run: " + shortest_reason(scene.error().message);
            return std::nullopt;
        }
        Sample sample{std::move(*scene), {}, {}};
        sample.figures = figures_of(*sample.scene.report, sample.scene.trace->program);
        if (model_ && sees_a_full_sm(sample.scene)) sample.figures.cycles = cycles_of(sample);
        return sample;
    }

    /// Of the launch, at the level that the first run decides: the machine's where it can be had. 0: not
    /// known at that level.
    double cycles_of(Sample& sample) {
        if (level_ != Level::ptx && sample.figures.problems.empty())
            if (auto machine = run_machine_code(pipeline_, sample.scene, stop_))
                sample.machine = std::move(*machine);
        if (!level_) level_ = sample.machine ? Level::machine : Level::ptx;
        if (level_ == Level::machine && !sample.machine) return 0;
        if (sample.machine)
            sample.figures.machine_lines =
                requests_by_line(*sample.machine->report, sample.machine->trace->program);
        return model_.ask(timed(sample), {}, stop_).value_or(0);
    }

    static const Scene& timed(const Sample& sample) {
        return sample.machine ? *sample.machine : sample.scene;
    }

    /// Cycles are compared only where the model has seen as many blocks as an SM holds at once.
    static bool sees_a_full_sm(const Scene& scene) {
        return scene.blocks_executed >=
               std::min(scene.blocks_in_grid, blocks_of_a_full_sm(scene.trace->launch, *scene.gpu) - 1);
    }

    std::vector<Proposal> proposals(const Scene& now) {
        return proposed_changes(pipeline_, request_of(request_.kernel, request_.overrides), now, stop_);
    }

    static Findings findings_of(const Sample& sample) {
        return {sample.scene.report->problems, sample.scene.report->notes.size()};
    }

    /// Barriers that remove all problems, or, where there are none, that can go.
    void try_barriers(const Sample& now, Advice& advice) {
        const TryEdits run = [&](const std::vector<Edit>& edits) -> std::optional<Findings> {
            if (stop_()) return std::nullopt;
            const Proposal changed = with_changed_lines(request_.kernel, request_.overrides, edits, {});
            const auto then = sample(changed.kernel, request_.overrides);
            if (stop_()) return std::nullopt;
            ++advice.tried;
            return then ? std::optional(findings_of(*then)) : std::nullopt;
        };
        const std::string& source = request_.kernel->source;
        const Program& program = now.scene.trace->program;
        const std::uint32_t own = own_source(program);
        const auto is_in_kernel = [&](std::uint32_t line) {
            return std::ranges::any_of(program.sites, [&](const Site& site) {
                return site.file == own && site.line == line && site.kind == SiteKind::barrier;
            });
        };
        std::vector<Edit> edits =
            now.figures.problems.empty()
                ? needless_barriers(source, run, is_in_kernel)
                : missing_barriers(request_.kernel->path, source, findings_of(now), run);
        const bool faulty = !now.figures.problems.empty();
        // Where all can go, each can: fewer may be better, since warps that stay together share what L1
        // holds.
        if (!faulty && edits.size() > 1)
            for (const Edit& one : edits) {
                if (stop_()) break;
                attempt(with_changed_lines(request_.kernel, request_.overrides, {one},
                                           fmt::format("without the barrier in line {}", one.line)),
                        now, advice);
            }
        if (!edits.empty()) {
            std::string summary = faulty ? "with the missing barriers" : "without needless barriers";
            attempt(
                with_changed_lines(request_.kernel, request_.overrides, std::move(edits), std::move(summary)),
                now, advice);
        }
        advice.complete = !stop_();
    }

    /// A trial that was stopped counts for nothing.
    void attempt(const Proposal& proposal, const Sample& now, Advice& advice) {
        if (!proposal.untried.empty()) {
            advice.vain.push_back({proposal.change, proposal.untried, RunFigures()});
            return;
        }
        auto then = sample(proposal.kernel, proposal.overrides);
        rounded_ = false;
        std::string against = then ? reason_against(proposal, now, *then) : failure_;
        if (stop_()) return;
        ++advice.tried;
        if (!against.empty()) {
            const bool only_slow =
                then && then->figures.problems.empty() && !improves(now.figures, then->figures);
            advice.vain.push_back(
                {proposal.change, std::move(against), only_slow ? then->figures : RunFigures()});
            return;
        }
        std::vector<std::string> effect = effect_of(proposal.change, now.figures, then->figures);
        if (rounded_) effect.insert(effect.begin(), "results differ by rounding");
        // Other blocks of another launch may do something else.
        if (!proposal.change.launch.empty() && compared_ && compared_->sampled_blocks() > 0)
            effect.push_back(fmt::format("results compared in a sample of {} blocks",
                                         analysis::grouped(compared_->sampled_blocks())));
        advice.helpful.push_back({proposal.change, then->figures, std::move(effect)});
    }

    /// Empty: it is offered. Else as VainChange says it.
    std::string reason_against(const Proposal& proposal, const Sample& now, Sample& then) {
        // Another launch distributes the same requests over other blocks: only its time counts.
        const bool is_launch = !proposal.change.launch.empty();
        if (!improves(now.figures, then.figures) || (is_launch && !is_faster(now.figures, then.figures)))
            return app::reason_against(now.figures, then.figures);
        // Other text that saves no time has to be worth its reading.
        const bool is_text = !proposal.change.edits.empty() && now.figures.problems.empty();
        if (is_text && !is_faster(now.figures, then.figures) &&
            then.figures.excess() > (1 - least_removed_by_text) * now.figures.excess())
            return app::reason_against(now.figures, then.figures);
        if (is_launch && leaves_more_sms_idle(now.scene, then.scene))
            return "leaves more SMs without a block";
        if (is_launch)
            if (std::string against = slower_as_a_whole(proposal, now, then); !against.empty())
                return against;
        return other_results(proposal, now);
    }

    /// Samples of two grids have blocks of different threads, and what is true of one need not be of the
    /// other: the blocks of a larger grid may have nothing to do. So where one was not executed whole, both
    /// whole launches are timed, and `then` gets the cycles that have this ratio. Where there is no time for
    /// that, a sample stands only for blocks that are all alike. Empty: it is faster.
    std::string slower_as_a_whole(const Proposal& proposal, const Sample& now, Sample& then) {
        if (now.figures.blocks_per_executed == 1 && then.figures.blocks_per_executed == 1) return "";
        if (now.figures.of_launch(now.scene.report->steps) > limits_.compared_steps)
            return now.scene.report->blocks_alike && then.scene.report->blocks_alike
                       ? ""
                       : "faster in the blocks that were run, but they differ, and there was no time for all";
        if (!whole_cycles_) whole_cycles_ = cycles_of_whole(request_of(request_.kernel, request_.overrides));
        const double changed = cycles_of_whole(request_of(proposal.kernel, proposal.overrides));
        if (*whole_cycles_ <= 0 || changed <= 0) return "the whole launch could not be timed";
        then.figures.cycles = now.figures.cycles * changed / *whole_cycles_;
        return is_faster(now.figures, then.figures) ? "" : app::reason_against(now.figures, then.figures);
    }

    /// As a report models it, at the level of all cycles here. 0: not known.
    double cycles_of_whole(const LaunchRequest& request) {
        auto loaded = pipeline_.load(request);
        if (!loaded) return 0;
        ExecuteOptions options;
        options.model_time = true;
        options.time_machine_code = level_ == Level::machine;
        options.check_golden = false;
        options.threads = limits_.threads;
        options.cancelled = stop_;
        const auto executed = pipeline_.execute(std::move(*loaded), options);
        if (!executed || !executed->report->schedule || executed->report->schedule->level != level_) return 0;
        return executed->report->schedule->launch.cycles;
    }

    /// Empty: it computes and prints the same. Of a kernel with problems, whose results mean nothing: is
    /// right.
    std::string other_results(const Proposal& proposal, const Sample& now) {
        if (!compared_)
            compared_.emplace(pipeline_, request_of(request_.kernel, request_.overrides), *now.scene.report,
                              now.scene.trace->program, limits_.compared_steps, stop_);
        const LaunchRequest changed = request_of(proposal.kernel, proposal.overrides);
        constexpr const char* others = "other results";
        if (!now.figures.problems.empty()) return is_right(changed) ? "" : others;
        const ResultDifference difference = compared_->difference(changed, limits_.threads, proposal.ratio);
        const bool tell = proposal.change.launch.empty() || compared_->contents_tell();
        if (!difference.known || !tell) return "its results could not be compared";
        rounded_ = difference.rounded;
        return difference.none() ? "" : others;
    }

    LaunchRequest request_of(const Kernel& kernel, const Overrides& overrides) const {
        return {kernel, overrides, request_.gpu, {}};
    }

    /// The changed kernel does nothing wrong, and passes its golden check where the whole grid is run.
    bool is_right(const LaunchRequest& changed) {
        const auto executed = compared_->run(changed, limits_.threads, true);
        return executed && executed->report->problems.empty() &&
               !executed->report->golden.starts_with("failed");
    }

    /// A change of the source is for what no setting reaches.
    static void drop_needless_code(std::vector<TriedChange>& helpful) {
        std::erase_if(helpful, [&](const TriedChange& code) {
            return !code.change.edits.empty() && std::ranges::any_of(helpful, [&](const TriedChange& tried) {
                return !tried.change.parameter.empty() && !is_better(code.after, tried.after);
            });
        });
    }

    void ask_model(Sample& now, Advice& advice) {
        if (!model_ || now.figures.cycles <= 0) return;
        const Scene& scene = timed(now);
        WhatIf what_if = standard_questions(*scene.report, *scene.gpu, now.figures.cycles);
        std::erase_if(what_if.answers, [](const WhatIfAnswer& answer) { return !answer.of_kernel; });
        while (!stop_() && answer_next(what_if, [&](const TimingOptions& options) {
            return model_.ask(scene, options, stop_);
        })) {
            ++advice.questions;
        }
        advice.complete = advice.complete && what_if.complete();
        std::vector<RunChange> run;
        const auto add = [&](const Change& change, const RunFigures& after) {
            const bool same_lines = std::ranges::all_of(
                change.edits, [](const Edit& edit) { return edit.kind == Edit::Kind::replace; });
            run.push_back({name_of(change), !change.launch.empty(), same_lines, after});
        };
        for (const TriedChange& tried : advice.helpful) add(tried.change, tried.after);
        for (const VainChange& vain : advice.vain) add(vain.change, vain.after);
        std::set<std::uint32_t> rewritten;
        for (const TriedChange& tried : advice.helpful)
            for (const Edit& edit : tried.change.edits)
                if (edit.kind != Edit::Kind::insert) rewritten.insert(edit.line);
        advice.modelled = modelled_changes(
            what_if, now.figures, run,
            structure_lines(request_.kernel->source, plain_name(scene.trace->program.entry)), rewritten);
        if (!may_have_untried_causes(scene) || stop_()) return;
        if (const auto timing = model_.time(scene, {}, stop_); timing && timing->schedule)
            std::ranges::move(untried_causes(scene, timing->cost, rewritten),
                              std::back_inserter(advice.modelled));
    }

    Pipeline& pipeline_;
    const Model& model_;
    const AdviceRequest& request_;
    AdviceLimits limits_;
    Clock::time_point begin_, deadline_, last_trial_, end_;
    Cancelled stop_;
    std::optional<Level> level_ = request_.times;  // of all cycles; nothing: no run was timed yet
    std::optional<ComparedRuns> compared_;         // when they were needed
    std::string failure_;                          // why the last sample could not be run
    bool rounded_ = false;                // the last results that are the same are so but for rounding
    std::optional<double> whole_cycles_;  // of the whole launch as it is; when they were needed
};

}  // namespace

Advice advise(Pipeline& pipeline, const Model& model, const AdviceRequest& request,
              const AdviceLimits& limits, const Cancelled& cancelled) {
    return Trials(pipeline, model, request, limits, cancelled).advise();
}

}  // namespace warplens::app
