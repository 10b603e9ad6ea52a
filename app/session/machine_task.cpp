#include "app/session/machine_task.h"

#include <exception>
#include <utility>

#include "app/scene/level_of_time.h"

namespace warplens::app {
namespace {

using Code = std::shared_ptr<const MachineCode>;
using Cancelled = std::function<bool()>;

bool is_timed(const MachineCode& code) {
    return code.absent.empty() && code.stopped.empty() && code.timing && code.timing->baseline;
}

bool is_complete(const MachineCode& code, const TimingOptions& options) {
    return !is_timed(code) || (code.timing->options == options && code.what_if && code.what_if->complete());
}

std::shared_ptr<const Scene> scene_of(const Scene& scene, const Code& code) {
    Scene with_code = scene;
    with_code.machine = code;
    return at_machine_level(with_code);
}

Code timed(const Scene& scene, const Code& code, const Model& model, const TimingOptions& options,
           const Cancelled& cancelled) {
    if (code->timing->options == options) return code;
    auto fresh = std::make_shared<MachineCode>(*code);
    fresh->timing = with_counts_of(scene, model.time(*scene_of(scene, code), options, cancelled));
    return fresh;
}

/// All standard questions; a run that is cancelled leaves some open.
Code answered(const Scene& scene, const Code& code, const Model& model, const Cancelled& cancelled) {
    const auto of = scene_of(scene, code);
    if (!of->report || !of->gpu) return code;
    auto fresh = std::make_shared<MachineCode>(*code);
    WhatIf what_if = code->what_if
                         ? *code->what_if
                         : standard_questions(*of->report, *of->gpu, code->timing->baseline->launch.cycles);
    while (!cancelled() && answer_next(what_if, [&](const TimingOptions& options) {
        return model.ask(*of, options, cancelled);
    })) {
    }
    fresh->what_if = std::make_shared<const WhatIf>(std::move(what_if));
    return fresh;
}

}  // namespace

void MachineTask::set_runner(RunMachine run, std::chrono::milliseconds delay) {
    run_ = std::move(run);
    delay_ = delay;
}

void MachineTask::start(std::shared_ptr<const Scene> scene, const Model& model,
                        const TimingOptions& options) {
    if (!run_ || !scene || (scene->machine && is_complete(*scene->machine, options))) return;
    task_.start([run = run_, delay = delay_, scene = std::move(scene), model, options](const auto& attempt) {
        const auto cancelled = [&] { return attempt.cancelled(); };
        const auto deliver = [&](Code code) { attempt.deliver({scene->generation, scene, std::move(code)}); };
        Code code = scene->machine;
        try {
            if (!code) {
                if (!attempt.wait(delay)) return;
                code = run(*scene, cancelled);
            }
            if (is_timed(*code) && model) code = timed(*scene, code, model, options, cancelled);
            deliver(code);
            if (is_timed(*code) && model) deliver(answered(*scene, code, model, cancelled));
        } catch (const std::exception&) {
            auto none = std::make_shared<MachineCode>();
            none->absent = "There is not enough memory to execute the machine code of this launch.";
            deliver(std::move(none));
        }
    });
}

}  // namespace warplens::app
