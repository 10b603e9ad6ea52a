#include "app/session/machine_task.h"

#include <exception>
#include <utility>

namespace warplens::app {

void MachineTask::set_runner(RunMachine run, std::chrono::milliseconds delay) {
    run_ = std::move(run);
    delay_ = delay;
}

void MachineTask::start(std::shared_ptr<const Scene> scene) {
    if (!run_ || !scene || scene->machine) return;
    task_.start([run = run_, delay = delay_, scene = std::move(scene)](const auto& attempt) {
        if (!attempt.wait(delay)) return;
        Answer answer{scene->generation, nullptr};
        try {
            answer.code = run(*scene, [&] { return attempt.cancelled(); });
        } catch (const std::exception&) {
            auto none = std::make_shared<MachineCode>();
            none->absent = "There is not enough memory to execute the machine code of this launch.";
            answer.code = std::move(none);
        }
        attempt.deliver(std::move(answer));
    });
}

}  // namespace warplens::app
