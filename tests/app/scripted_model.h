// ScriptedModel: a Model that answers at once from a table of cycles, remembers its requests, and can be
// delayed. Two threads may ask it at once, as those of the PTX and of the machine level do. For tests of the
// Session and of the views of its answers; nothing here comes from the model.
#pragma once

#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <vector>

#include "app/scene/model.h"

namespace warplens::app {

/// A Schedule that contains only the duration of the launch.
inline std::shared_ptr<const trace::Schedule> schedule_of_cycles(double cycles,
                                                                 const TimingOptions& options = {}) {
    trace::Schedule schedule;
    schedule.gpu = "H200";
    schedule.options = options;
    schedule.launch.cycles = cycles;
    schedule.totals.cycles = static_cast<std::uint64_t>(cycles);
    return std::make_shared<const trace::Schedule>(schedule);
}

class ScriptedModel {
  public:
    Model model() {
        return {
            [this](const Scene& scene, const TimingOptions& options, const std::function<bool()>& cancelled) {
                remember(timed, options);
                if (before_timing) before_timing(cancelled);
                SceneTiming timing;
                timing.options = options;
                timing.baseline = scene.timing && scene.timing->baseline ? scene.timing->baseline
                                                                         : schedule_of_cycles(cycles({}));
                timing.schedule = options == TimingOptions{} ? timing.baseline
                                                             : schedule_of_cycles(cycles(options), options);
                return std::make_shared<const SceneTiming>(timing);
            },
            [this](const Scene&, const TimingOptions& options,
                   const std::function<bool()>&) -> Result<double> {
                remember(asked, options);
                return cycles(options);
            }};
    }

    std::function<double(const TimingOptions&)> cycles = [](const TimingOptions& options) {
        return options.no_bank_conflicts ? 11'603.0 : 19'401.0;
    };
    std::function<void(const std::function<bool()>& cancelled)> before_timing;
    std::vector<TimingOptions> timed, asked;  // read them only while nothing is under way

  private:
    void remember(std::vector<TimingOptions>& requests, const TimingOptions& request) {
        const std::scoped_lock lock(requests_);
        requests.push_back(request);
    }
    std::mutex requests_;
};

}  // namespace warplens::app
