#include "app/views/passes/made_passes.h"

#include <utility>

namespace warplens::app {

bool MadePasses::follow(const std::shared_ptr<const trace::Trace>& trace, bool interactive) {
    const std::shared_ptr<const KernelPasses> before = made_;
    if (trace_ != trace) {
        trace_ = trace;
        Input input{trace->program.ptx, trace->program.entry, trace->launch.geometry,
                    static_cast<std::uint32_t>(trace->launch.resources.shared_static_bytes +
                                               trace->launch.geometry.dynamic_shared_bytes)};
        if (!(input == input_)) {
            input_ = std::move(input);
            auto make = [of = input_] {
                return std::make_shared<const KernelPasses>(
                    make_passes(of.ptx, of.entry, of.geometry, of.shared));
            };
            if (interactive) task_.start([make](const auto& turn) { turn.deliver(make()); });
            else made_ = make();
        }
    }
    if (auto made = task_.take()) made_ = std::move(*made);
    return made_ != before;
}

}  // namespace warplens::app
