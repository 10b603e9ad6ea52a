// Lesson numbers: launches the runs of lessons through the pipeline, once each, and reads metrics and facts
// from them. Every truth of a lesson comes from here. Slow the first time: do not call it on the UI thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/lesson/expression.h"
#include "app/lesson/lesson.h"
#include "app/lesson/lesson_facts.h"
#include "app/lesson/own_kernels.h"
#include "app/pipeline/pipeline.h"

namespace warplens::app {

class LessonNumbers {
  public:
    /// `recordings`: assets/recordings, for runs with engine = "recorded".
    LessonNumbers(std::shared_ptr<Pipeline> pipeline, std::vector<instrumentation::KernelFile> kernels,
                  std::string recordings);

    /// The kernel of a run, valid until the next call; the error suggests the nearest name.
    Result<const instrumentation::KernelFile*> kernel(const std::string& name) const;
    /// Whether the kernel exists and has the knobs that the run sets, with values in their ranges.
    Status can_launch(const LessonRun& run) const;
    /// The only line of the kernel's source with this text. The error says how many there are.
    Result<std::uint32_t> line_with(const std::string& kernel, const std::string& part) const;

    /// Once it returns true, launches are cancelled; their errors no longer matter.
    void set_cancelled(std::function<bool()> cancelled) { cancelled_ = std::move(cancelled); }
    bool cancelled() const { return cancelled_ && cancelled_(); }

    /// A metric, a fact or "knob.NAME" of a run.
    Result<double> number(const LessonRun& run, const std::string& number);
    /// Reads the names of an expression: those of `run` where no run is named, and the lesson's values.
    ReadNumber reader(const Lesson& lesson, const LessonRun& run);

    /// What to compute for a launch in addition to the usual report. `trace`: of the run's block alone.
    struct Depth {
        bool times = false, races = false, trace = false;
        bool covers(const Depth& other) const {
            return times >= other.times && races >= other.races && trace >= other.trace;
        }
    };
    Result<LessonLaunch> launch(const LessonRun& run, const Depth& depth);

  private:
    struct Kept {
        LessonLaunch launch;
        Depth depth;
    };
    Result<Kept> execute(const LessonRun& run, const Depth& depth);
    Result<Kept> open_recording(const LessonRun& run);
    Status choose_sites(const LessonRun& run, LessonLaunch& launch) const;

    std::shared_ptr<Pipeline> pipeline_;
    std::vector<instrumentation::KernelFile> kernels_;
    mutable OwnKernels own_;
    std::string recordings_;
    std::function<bool()> cancelled_;
    std::map<std::string, Kept> kept_;  // by kernel, settings, GPU and engine; "traced" apart
};

}  // namespace warplens::app
