#include "app/window/toolbar.h"

#include <algorithm>
#include <cmath>

#include "analysis/time/measured_summary.h"
#include "app/scene/perturbation_words.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/window/knob.h"

namespace warplens::app {
namespace {

float gap(const Theme& theme) { return std::round(8 * theme.fonts.scale); }
float wide_gap(const Theme& theme) { return std::round(20 * theme.fonts.scale); }

void kernel_chooser(const Theme& theme, Session& session) {
    const std::string current = session.kernel() ? session.kernel()->name
                                : session.scene() && session.scene()->trace
                                    ? session.scene()->trace->launch.kernel
                                    : "none";
    if (!begin_chooser(theme, "choose kernel", "", current, "The kernel to run.")) return;
    std::string subject;
    for (const auto& kernel : session.catalogue()) {
        if (kernel->subject != subject) {
            subject = kernel->subject;
            ImGui::Dummy({1, gap(theme) / 2});
            text_item(theme.fonts.small, theme.text_dim, "  " + subject);
        }
        if (chooser_item(theme, "choose kernel " + kernel->name, kernel->name, kernel->title,
                         kernel->name == current))
            session.open_kernel(kernel);
    }
    end_chooser();
}

/// The description of an engine: for the GPU its name, or why there is none.
std::string engine_help(const Session& session, Engine engine) {
    if (engine == Engine::cuda && session.found_gpu())
        return *session.found_gpu() ? session.found_gpu()->value()
                                    : "not available: " + session.found_gpu()->error().message;
    return std::string(help_of(engine));
}

void engine_chooser(const Theme& theme, Session& session) {
    // An opened trace is a recording, whichever engine would run the next kernel.
    const bool opened = !session.kernel() && session.scene();
    const Engine current = opened ? Engine::recorded : session.engine();
    if (!begin_chooser(theme, "choose engine", "", title_of(current),
                       "The source of the numbers: the CPU engine (simulated), this machine's GPU (measured) "
                       "or a recording (measured earlier)."))
        return;
    for (const Engine engine : engines)
        if (chooser_item(theme, "choose engine " + std::string(word_of(engine)), title_of(engine),
                         engine_help(session, engine), engine == current))
            session.set_engine(engine);
    end_chooser();
}

/// A measured launch ran on one GPU, which the session cannot change.
const GpuSpec* gpu_that_ran(const Session& session) {
    const Scene* scene = session.scene();
    if (!scene || scene->engine == Engine::simt) return nullptr;
    return !session.kernel() || session.engine() != Engine::simt ? scene->gpu : nullptr;
}

void gpu_chooser(const Theme& theme, Session& session) {
    const GpuSpec* ran = gpu_that_ran(session);
    const std::string_view current = ran                     ? ran->name
                                     : session.gpu().empty() ? default_gpu().name
                                                             : std::string_view(session.gpu());
    if (!begin_chooser(theme, "choose gpu", "", current,
                       ran ? "The GPU that ran the kernel."
                           : "The GPU whose limits apply to the occupancy and the launch."))
        return;
    for (const GpuSpec& gpu : gpu_specs()) {
        const std::string name(gpu.name);
        if (ran && ran != &gpu) continue;
        if (chooser_item(theme, "choose gpu " + name, name,
                         fmt::format("compute capability {}.{}", gpu.major, gpu.minor),
                         gpu.name == current) &&
            !ran)
            session.set_gpu(name);
    }
    end_chooser();
}

/// "▶ 23 ms  simulated", "running …" or the outcome of the run.
std::string run_words(const Session& session) {
    if (session.running()) return "running …";
    if (!session.failure().empty()) return "failed";
    if (session.cancelled()) return "cancelled";
    const Scene* scene = session.scene();
    if (!scene || !session.kernel()) return {};
    const auto milliseconds = static_cast<std::uint64_t>(std::max(1.0, std::round(scene->run_milliseconds)));
    const Provenance provenance = scene->trace ? scene->trace->launch.provenance : Provenance::simulated;
    std::string run = fmt::format("{} ms {}", grouped(milliseconds), to_string(provenance));
    // The kernel's time if a GPU measured it; the engine's otherwise.
    const trace::Measured* measured = scene->trace ? scene->trace->measured.get() : nullptr;
    const auto* timed = measured ? analysis::timed_perturbation(*measured) : nullptr;
    if (timed && timed->clean_us > 0) run = microseconds_words(timed->clean_us) + " measured";
    if (session.modelling()) return run + " · modelling …";
    if (!scene->timing || !scene->timing->schedule) return run;
    return fmt::format("{} · {} modelled", run, cycles_words(scene->timing->schedule->launch.cycles));
}

float run_part_width(const Theme& theme, const Session& session) {
    // As wide as the widest of its words, so that the knobs don't jump when a run begins.
    float width = text_width(theme.fonts.words, run_words(session));
    width = std::max(width, text_width(theme.fonts.words, "123 ms simulated · 123,456 cycles modelled"));
    return text_button_width(theme, "▶") + gap(theme) + std::ceil(width);
}

void run_part(const Theme& theme, Session& session) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = control_height(theme);
    if (session.running()) {
        if (text_button(theme, "cancel", "■", "Cancel this run and keep the previous result."))
            session.cancel();
    } else if (text_button(theme, "run", "▶", "Run the kernel again (Space).")) {
        session.run_again();
    }
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.words,
              {at.x + text_button_width(theme, "▶") + gap(theme),
               at.y + std::round((height - text_height(theme.fonts.words)) / 2)},
              session.failure().empty() ? theme.text_dim : theme.error, run_words(session));
    hit_box("run time", at, {at.x + run_part_width(theme, session), at.y + height});
}

float knobs_width(const Theme& theme, const Session& session) {
    float width = 0;
    if (session.kernel())
        for (const auto& parameter : session.kernel()->parameters)
            width += knob_width(theme, parameter, session.value(parameter)) + wide_gap(theme);
    return width;
}

/// Draws the knobs from `at` on, in rows no further right than `right`; returns the end of the last row.
float knobs(const Theme& theme, Session& session, FrameState& state, ImVec2 at, float right) {
    const float left = at.x;
    const instrumentation::KernelFile* kernel = session.kernel();
    if (kernel)
        for (const auto& parameter : kernel->parameters) {
            const std::string value = session.value(parameter);
            const float width = knob_width(theme, parameter, value);
            if (at.x > left && at.x + width > right) at = {left, at.y + control_height(theme) + gap(theme)};
            ImGui::SetCursorScreenPos(at);
            if (const auto turned = knob(theme, state, parameter, value)) {
                session.set_parameter(parameter.name, *turned);
                state.invite = false;
            }
            at.x += width + wide_gap(theme);
        }
    return at.y + control_height(theme);
}

}  // namespace

float toolbar(const Theme& theme, Session& session, FrameState& state, OwnFile* own, FileDialogs& dialogs) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float right = origin.x + ImGui::GetContentRegionAvail().x;
    const float margin = std::round(10 * theme.fonts.scale), height = control_height(theme);
    const float top = origin.y + margin;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto divider = [&](float x) {
        draw_vertical_hairline(list, theme, x, top + gap(theme) / 2, top + height - gap(theme) / 2);
    };

    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap(theme), 0});
    ImGui::SetCursorScreenPos({origin.x + margin, top});
    kernel_chooser(theme, session);
    ImGui::SameLine();
    if (own) {
        dialogs.menu(theme, session, *own);
        ImGui::SameLine();
    }
    engine_chooser(theme, session);
    ImGui::SameLine();
    gpu_chooser(theme, session);
    ImGui::SameLine();
    const float left_end = ImGui::GetCursorScreenPos().x;

    const char* other_theme = theme.name == ThemeName::dark ? "light" : "dark";
    const float bare_width = run_part_width(theme, session) + 2 * wide_gap(theme) +
                             text_button_width(theme, "picture") + text_button_width(theme, other_theme) +
                             text_button_width(theme, "?") + 2 * gap(theme);
    const float room = right - margin - left_end - bare_width;
    const float lessons_width = text_button_width(theme, "lessons") + gap(theme);
    const bool lists_lessons = lessons_width < room;
    // In a narrow window key B does the same.
    const float baseline_width = text_button_width(theme, "baseline") + gap(theme);
    const bool keeps = session.scene() && lessons_width + baseline_width < room;
    const float right_width = bare_width + (lists_lessons ? lessons_width : 0) + (keeps ? baseline_width : 0);
    const float right_begin = right - margin - right_width;
    ImGui::SetCursorScreenPos({right_begin, top});
    run_part(theme, session);
    float x = right_begin + run_part_width(theme, session) + wide_gap(theme);
    divider(x);
    ImGui::SetCursorScreenPos({x + wide_gap(theme), top});
    if (keeps) {
        if (text_button(theme, "baseline", "baseline",
                        "Keep this run and compare the next ones with it (B).") &&
            !session.stale())
            session.keep_baseline();
        ImGui::SameLine();
    }
    if (lists_lessons) {
        if (text_button(theme, "lessons", "lessons", "Lessons that ask you to predict, and then show (L)."))
            state.show_lessons = true;
        ImGui::SameLine();
    }
    if (text_button(theme, "picture", "picture", "Save the open view as a PNG in the current folder."))
        state.save_picture = true;
    ImGui::SameLine();
    if (text_button(theme, "theme", other_theme, "Switch between the dark and the light theme."))
        state.toggle_theme = true;
    ImGui::SameLine();
    if (text_button(theme, "keys", "?", "Show all keyboard shortcuts.")) state.keys_shown = !state.keys_shown;

    float bottom = top + height;
    if (session.kernel() && !session.kernel()->parameters.empty()) {
        const float knobs_begin = left_end + wide_gap(theme);
        if (knobs_begin + knobs_width(theme, session) <= right_begin) {
            divider(left_end + gap(theme) / 2);
            knobs(theme, session, state, {knobs_begin, top}, right_begin);
        } else {
            bottom = knobs(theme, session, state, {origin.x + margin, bottom + gap(theme)}, right - margin);
        }
    }
    ImGui::PopStyleVar();
    bottom += margin;
    draw_horizontal_hairline(list, theme, origin.x, right, bottom);
    return bottom + 1 - origin.y;
}

}  // namespace warplens::app
