// What if: the standard questions to the timing model — "how much would it help?" — with their answers in
// cycles of the whole launch. Each question changes one thing of the launch as it is. This file decides, from
// the report alone, which questions are asked and what the answers say; app/scene/model.h runs the model.
// Modelled.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/launch_report.h"
#include "core/gpu_spec.h"
#include "core/result.h"
#include "core/timing_options.h"

namespace warplens::app {

struct WhatIfAnswer {
    std::string name;       // "no_bank_conflicts": names its button
    std::string title;      // "No bank conflicts"
    std::string deed;       // "Removing bank conflicts": begins a sentence
    std::string meaning;    // what the model does differently, one sentence
    TimingOptions options;  // that the question is asked with
    bool of_kernel = true;  // a change of the kernel could do it; false: only other hardware
    std::string moot;       // why it can change nothing ("no request to shared memory"); empty: it is asked
    double cycles = 0;      // of the launch, modelled; 0: not answered (yet)
    std::string failure;    // the model's own sentence when it could not answer

    bool open() const { return moot.empty() && failure.empty() && cycles == 0; }
};

struct WhatIf {
    double baseline_cycles = 0;         // of the launch with all knobs at their defaults
    std::vector<WhatIfAnswer> answers;  // in the order they are asked
    bool complete() const;
};

/// The questions, none answered yet. Those that cannot matter for this launch on this GPU are marked.
WhatIf standard_questions(const analysis::LaunchReport& report, const GpuSpec& gpu, double baseline_cycles);

/// Cycles of the launch with these options.
using AskCycles = std::function<Result<double>(const TimingOptions&)>;
/// Answers the first open question. False when there was none.
bool answer_next(WhatIf& what_if, const AskCycles& ask);

/// The knobs with a question's settings applied, or reset to their defaults.
TimingOptions with_question(TimingOptions knobs, const TimingOptions& question, bool turned);
/// Whether `knobs` already has all settings of the question.
bool is_turned(const TimingOptions& knobs, const TimingOptions& question);

/// Indices into `answers`: those that help most first, then the unanswered, then the moot.
std::vector<std::size_t> by_effect(const WhatIf& what_if);

/// What the whole table says, as the end of a title: "Removing bank conflicts would help most: 19,401 →
/// 11,603 cycles (−40 %)".
std::string what_helps_most(const WhatIf& what_if);

/// Why better hardware would take longer, and what small differences mean: sentences; empty where there are
/// none.
std::string notes_on_answers(const WhatIf& what_if);

/// "−40 %", "+0.4 %", "+< 0.1 %"; "no change" only for the same number of cycles.
std::string effect_words(double baseline_cycles, double cycles);

}  // namespace warplens::app
