// Session: what the window works on — the catalogue, the current kernel with its knobs, engine and GPU, the
// resulting Scene, and the Selection. Runs happen on a worker thread; a newer change cancels the older
// run, and the last Scene stays until a new one arrives. After a run the worker asks the timing model, then
// the standard what-if questions one by one; a Scene whose timing takes long is shown before it. All calls
// come from the UI thread and none waits, but for the destructor, which waits for the worker to notice that
// it is cancelled. RunScene (app/pipeline/run_request.h) and Model (app/scene/model.h) do the work;
// app/window/frame.h draws.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/run_request.h"
#include "app/scene/model.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "app/session/advice_task.h"
#include "app/session/bank_fix_task.h"
#include "app/session/baseline_task.h"
#include "app/session/baselines.h"
#include "app/session/latest_task.h"
#include "app/session/machine_task.h"
#include "app/session/neighbour_task.h"
#include "app/session/sweep_task.h"
#include "app/session/values_task.h"

namespace warplens::app {

using Catalogue = std::vector<std::shared_ptr<const instrumentation::KernelFile>>;

class Session {
  public:
    /// `wake` is called from the worker thread when something has finished: the window posts itself an event.
    /// Without a model, Scenes have no timing.
    Session(Catalogue catalogue, RunScene run, const std::function<void()>& wake = {}, Model model = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Each of these posts a run when it changes something. Knobs are remembered kernel by kernel.
    void open_kernel(std::string_view name);
    void open_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel);
    /// The same file, changed: knobs keep their values where the parameters still take them, the selection
    /// stays where it still makes sense, and it does not count as newly opened.
    void replace_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel);
    /// Makes it the current kernel, although it cannot be run yet.
    void hold_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel);
    /// The kernel's text is invalid: a failure without a run. Empty: it is valid again.
    void refuse(std::string reason);
    /// Kernel, GPU, engine and all knobs at once, those not named at their defaults. Posts nothing when the
    /// Scene is that run's, or will be.
    void open_setting(const RunRequest& request);
    void set_parameter(const std::string& name, const std::string& value);
    /// All knobs at once: those not named go to their defaults. Values that the header does not allow fail
    /// the run.
    void set_knobs(std::map<std::string, std::string> turned);
    void set_gpu(const std::string& name);
    void set_engine(Engine engine);
    void run_again();
    /// Sets the what-if knobs for every kernel from now on. Only the model runs again; nothing is executed.
    void set_timing(const TimingOptions& options);
    /// Cancels what is under way; the last Scene stays, with the timing it had.
    void cancel();
    /// Shows a Scene that needs no run, such as an opened trace; the knobs follow its parameters, and the
    /// engine follows it. `file`: the .wltrace it was read from.
    void show(Scene scene, std::string file = {});

    /// Takes what the worker finished; call it once a frame. True when there is something new to draw, or a
    /// failure.
    bool poll();

    /// Asks for this machine's GPU, once, on a thread of its own. When there is one, launches run on it from
    /// then on, unless an engine was chosen before.
    void look_for_gpu(std::function<Result<std::string>()> find);
    const Catalogue& catalogue() const { return catalogue_; }
    const instrumentation::KernelFile* kernel() const { return kernel_.get(); }
    /// Grows with every kernel that is opened; not when it is replaced.
    std::uint64_t opened() const { return opened_; }
    /// The knob's text: what was set, or the header's default.
    std::string value(const instrumentation::ParameterDeclaration& parameter) const;
    /// The knobs that were set, by the parameter's name; the others are at their defaults.
    std::map<std::string, std::string> turned_knobs() const { return knobs_ ? *knobs_ : Knobs{}; }
    const std::string& gpu() const { return gpu_; }
    Engine engine() const { return engine_; }
    /// The result of the search for a GPU: its name, or why there is none. Null until it is known.
    const Result<std::string>* found_gpu() const { return found_gpu_ ? &*found_gpu_ : nullptr; }
    const TimingOptions& timing() const { return timing_; }

    const Scene* scene() const { return scene_.get(); }
    bool running() const { return running_; }
    /// The Scene matches the knobs, but its timing does not (yet).
    bool modelling() const { return modelling_; }
    /// Something is under way: a run, the model, or the what-if questions.
    bool busy() const { return running_ || modelling_ || asking_; }
    /// The last run was cancelled, so the Scene does not match the knobs.
    bool cancelled() const { return cancelled_; }
    /// The Scene shown does not (yet) match the knobs.
    bool stale() const { return running_ || cancelled_ || !failure_.empty(); }
    /// Why the last run produced no Scene; empty if it did.
    const std::string& failure() const { return failure_; }

    /// Runs sweeps; without it there are none. A sweep uses the kernel, knobs and GPU as they are set.
    void set_sweep_runner(RunSweep run) { sweeps_.set_runner(std::move(run)); }
    /// `times`: the level of modelled times, where machine code is available.
    void start_sweep(SweepPlan plan, Level times = Level::machine);
    void cancel_sweep() { sweeps_.cancel(); }
    const SweepState& sweep() const { return sweeps_.state(); }

    /// Tries other layouts of a shared array on the Scene's requests. Empty: the array that wastes most.
    void try_bank_fixes(std::string array) { bank_fixes_.start(scene_, std::move(array)); }
    const BankFixState& bank_fixes() const { return bank_fixes_.state(); }

    /// Reads values; without it there are none.
    void set_values_reader(const ReadValues& read) {
        values_.set_reader(read);
        baseline_values_.set_reader(read);
    }
    /// `patient`: what is being read is finished first.
    void ask_values(const ValuesQuestion& question, bool patient = false) {
        values_.ask(scene_, question, patient);
    }
    const ValuesState& values() const { return values_.state(); }
    /// The same of the baseline that is compared with.
    void ask_baseline_values(const ValuesQuestion& question) {
        if (const Baseline* compared = baselines.chosen()) baseline_values_.ask(compared->scene, question);
    }
    const ValuesState& baseline_values() const { return baseline_values_.state(); }

    /// Keeps the run that is shown as a baseline.
    void keep_baseline() { baselines.keep(scene_, trace_file_); }
    /// Reads recorded traces that were kept as baselines; without it they are left out.
    void set_trace_reader(ReadTrace read) { read_trace_ = std::move(read); }
    /// Executes the runs again on a thread of their own and keeps them as baselines, once all are there;
    /// compares with the one of this index.
    void restore_baselines(std::vector<KeptRun> runs, std::optional<std::size_t> compared);
    /// Of the chosen baseline and the run shown, with the times of one level; null when nothing is compared.
    const analysis::Comparison* comparison(Level wanted, Level counts = Level::ptx) {
        return baselines.comparison_with(scene_, wanted, counts);
    }
    /// Tries changes of the kernel once a Scene is complete and unchanged for `delay`; without it none are
    /// tried.
    void set_adviser(Advise advise, std::chrono::milliseconds delay = std::chrono::milliseconds{300}) {
        advice_.set_adviser(std::move(advise), delay);
    }
    const AdviceState& advice() const { return advice_.state(); }
    void try_more_changes() { advice_.go_on({kernel_, *knobs_, gpu_}); }
    /// Of the Scene that is shown, found elsewhere.
    void show_advice(std::shared_ptr<const Advice> advice) {
        if (scene_) advice_.show(std::move(advice), scene_->generation);
    }

    /// Executes a Scene's machine code once the Scene is unchanged for `delay`; without it none is.
    void set_machine_runner(RunMachine run,
                            std::chrono::milliseconds delay = std::chrono::milliseconds{100}) {
        machine_.set_runner(run, delay);
        baseline_machine_.set_runner(std::move(run), delay);
    }

    /// Compiles what the next turn of a knob may need once a Scene is unchanged for `delay`; without it
    /// nothing is.
    void set_preparer(PrepareRun prepare, std::chrono::milliseconds delay = std::chrono::milliseconds{150}) {
        neighbours_.set_preparer(std::move(prepare), delay);
    }

    /// Makes the view's default selection, unless a person has selected something.
    void select_default(std::string_view view);
    /// Nobody has selected anything else than what a run or a view selects by itself.
    bool selects_default() const { return selection.chosen == default_; }

    Selection selection;
    Baselines baselines;

  private:
    using Clock = std::chrono::steady_clock;
    using Knobs = std::map<std::string, std::string>;  // by parameter name
    struct Job {
        std::optional<RunRequest> run;       // executed first; else only `scene` is timed
        std::shared_ptr<const Scene> scene;  // to be timed again
        TimingOptions timing;
        Clock::time_point posted;
    };
    enum class Stage { executed, timed, complete };  // the Scene; with its timing; with all questions asked
    struct Outcome {
        Stage stage = Stage::complete;
        bool executed = false;
        Result<Scene> scene;
        Spot selected;                // by default
        Clock::time_point show_from;  // before it, the Scene waits for the next stage
    };

    using Task = LatestTask<Outcome>;

    void set_kernel(std::shared_ptr<const instrumentation::KernelFile> kernel);
    void post_run();
    void post_timing();
    void post(Job job);
    void carry_out(const Job& job, const Task::Attempt& attempt) const;
    void run(const Job& job, const Task::Attempt& attempt, Outcome& outcome) const;
    void ask_model(const Job& job, const Task::Attempt& attempt, Outcome& outcome) const;
    void accept(Scene scene, const Spot& selected);
    void bring_up_to_date(Scene scene, const Spot& selected);
    bool take_gpu_answer();
    bool take_baselines();
    bool take_baseline_answers();
    bool take_machine_code();
    bool take_baseline_machine_code();

    Catalogue catalogue_;
    RunScene run_;
    Model model_;

    std::shared_ptr<const instrumentation::KernelFile> kernel_;
    std::uint64_t opened_ = 0;
    // By path or, for a kernel of the catalogue, by name: a user's file may have the same name as one.
    std::map<std::string, Knobs> knobs_of_kernels_;
    Knobs* knobs_ = nullptr;  // the changed ones of the current kernel; null without a kernel
    std::string turned_;      // the knob that was set last
    std::string gpu_;
    Engine engine_ = Engine::simt;
    bool engine_chosen_ = false;
    std::optional<Result<std::string>> found_gpu_;
    TimingOptions timing_;
    std::shared_ptr<const Scene> scene_;
    std::string trace_file_;  // that the Scene was read from
    ReadTrace read_trace_;
    std::string failure_;
    bool running_ = false, modelling_ = false, asking_ = false;
    bool cancelled_ = false;
    std::uint64_t generation_ = 0, timing_generation_ = 0;
    Spot default_;                             // the selection that nobody made
    std::string default_view_;                 // that it was made for; empty: for none
    bool awaits_timing_ = false;               // it was made without the times that it follows from
    bool awaits_machine_ = false;              // likewise, without those of the machine code
    bool from_run_ = false;                    // the Scene is the newest run's
    std::uint64_t asked_machine_code_of_ = 0;  // the generation of a baseline; generations begin at 1

    // Last: their threads must end before what they use.
    SweepTask sweeps_;
    BankFixTask bank_fixes_;
    AdviceTask advice_;
    NeighbourTask neighbours_;
    MachineTask machine_, baseline_machine_;
    ValuesTask values_, baseline_values_;
    BaselineTask baseline_runs_;
    BaselineQuestions baseline_questions_;
    LatestTask<Result<std::string>> gpu_search_;
    Task task_;
};

}  // namespace warplens::app
