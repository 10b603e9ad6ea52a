#include "app/window/gpu_chooser.h"

#include <algorithm>
#include <cmath>

#include "app/ui/button.h"
#include "app/ui/text.h"
#include "app/window/knob.h"
#include "core/number_text.h"
#include "core/own_gpu.h"

namespace warplens::app {
namespace {

/// A measured launch ran on one GPU, which the session cannot change.
const GpuSpec* gpu_that_ran(const Session& session) {
    const Scene* scene = session.scene();
    if (!scene || scene->engine == Engine::simt) return nullptr;
    return !session.kernel() || session.engine() != Engine::simt ? scene->gpu : nullptr;
}

/// The GPU asked for; while none is, the one of what is shown.
const GpuSpec& modelled_gpu(const Session& session) {
    if (const auto named = find_gpu(session.gpu())) return **named;
    const Scene* scene = session.scene();
    return scene && scene->gpu ? *scene->gpu : default_gpu();
}

instrumentation::ParameterDeclaration knob_of(const GpuLimit& limit) {
    instrumentation::ParameterDeclaration declared;
    declared.name = limit.title;
    declared.fallback = std::int64_t{limit.least};
    declared.minimum = limit.least;
    declared.maximum = limit.most;
    declared.step = limit.step;
    return declared;
}

/// Two columns of knobs.
void limit_knobs(const Theme& theme, Session& session, FrameState& state, const GpuSpec& gpu) {
    const float gap = std::round(8 * theme.fonts.scale);
    text_item(theme.fonts.small, theme.text_dim,
              gpu.based_on.empty() ? "  Change a limit for a GPU of your own" : "  " + std::string(gpu.name));
    ImGui::Dummy({1, gap / 2});
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    float column = 0;
    for (const GpuLimit& limit : gpu_limits())
        column = std::max(column,
                          knob_width(theme, knob_of(limit), std::to_string(limit.amount_of(gpu))) + 2 * gap);
    int at = 0;
    for (const GpuLimit& limit : gpu_limits()) {
        ImGui::SetCursorScreenPos(
            {origin.x + gap + static_cast<float>(at % 2) * column,
             origin.y + static_cast<float>(at / 2) * (control_height(theme) + gap / 2)});
        ++at;
        const auto turned = knob(theme, state, knob_of(limit), std::to_string(limit.amount_of(gpu)));
        if (!turned) continue;
        const auto amount = number_from<int>(*turned);
        const auto name = amount ? with_limit(gpu, limit, *amount)
                                 : Result<std::string>(fail("`{}` is not a whole number", *turned));
        state.gpu_fault = name ? std::string() : name.error().message;
        if (name) session.set_gpu(*name);
    }
    ImGui::Dummy({1, gap / 2});
    if (!state.gpu_fault.empty()) text_item(theme.fonts.small, theme.error, "  " + state.gpu_fault);
    ImGui::Dummy({1, gap / 2});
}

}  // namespace

void gpu_chooser(const Theme& theme, Session& session, FrameState& state) {
    const GpuSpec* ran = gpu_that_ran(session);
    const GpuSpec& gpu = ran ? *ran : modelled_gpu(session);
    // A GPU of one's own has a long name, which the list and the views' footers give in full.
    const std::string shown =
        gpu.based_on.empty() ? std::string(gpu.name) : fmt::format("{}, own limits", gpu.based_on);
    const std::string help =
        ran ? "The GPU that ran the kernel."
        : gpu.based_on.empty()
            ? "The GPU whose limits apply to the occupancy and the launch."
            : fmt::format("{}: limits that apply to the occupancy and the launch.", gpu.name);
    if (!begin_chooser(theme, "choose gpu", "", shown, help)) return;
    if (!ran) limit_knobs(theme, session, state, gpu);
    for (const GpuSpec& each : gpu_specs()) {
        if (ran && ran != &each) continue;
        const std::string name(each.name);
        if (chooser_item(theme, "choose gpu " + name, name,
                         fmt::format("compute capability {}.{}", each.major, each.minor), &each == &gpu) &&
            !ran)
            session.set_gpu(name);
    }
    end_chooser();
}

}  // namespace warplens::app
