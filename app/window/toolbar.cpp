#include "app/window/toolbar.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "analysis/time/measured_summary.h"
#include "app/scene/level_of_time.h"
#include "app/scene/perturbation_words.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/number.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/window/arrangement.h"
#include "app/window/gpu_chooser.h"
#include "app/window/knob.h"
#include "core/timing_options.h"

namespace warplens::app {
namespace {

const char* level_word(Level level) { return level == Level::machine ? "machine" : "PTX"; }

float kernel_list_button_width(const Theme& theme) { return std::round(34 * theme.fonts.scale); }
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

/// Whose instructions are counted and timed.
struct LevelRow {
    const char *name, *words, *detail;
    Level times, counts;
};
constexpr LevelRow level_rows[] = {
    {"mixed", "PTX/machine", "counts of the PTX, times of the machine code", Level::machine, Level::ptx},
    {"machine", "machine", "counts and times of the machine code that the GPU executes", Level::machine,
     Level::machine},
    {"PTX", "PTX", "counts of the PTX, times of machine code that is estimated from it", Level::ptx,
     Level::ptx},
};

/// What is shown may be the PTX's although the machine's are wanted.
void level_chooser(const Theme& theme, const Session& session, FrameState& state) {
    const Scene* scene = session.scene();
    const std::string why = scene ? why_not_machine_level(*scene) : std::string();
    const Level times = scene ? timing_at(*scene, state.level).level : state.level;
    const Level counts = scene ? level_of_counts(*scene, state.counts) : state.counts;
    const auto shown = std::ranges::find_if(level_rows, [&](const LevelRow& row) {
        return row.times == std::max(times, counts) && row.counts == counts;
    });
    const bool replaced = (times != state.level || counts < state.counts) && !why.empty();
    if (!begin_chooser(theme, "choose level", "", shown->words,
                       "Whose instructions are counted and timed: the GPU's, or the PTX's." +
                           (replaced ? " " + why : std::string())))
        return;
    for (const LevelRow& row : level_rows) {
        const bool is_wanted = row.times == state.level && row.counts == state.counts;
        const std::string detail = row.times == Level::machine && !why.empty() ? why : row.detail;
        if (!chooser_item(theme, fmt::format("choose level {}", row.name), row.words, detail, is_wanted))
            continue;
        state.level = row.times;
        state.counts = row.counts;
    }
    end_chooser();
}

/// "▶ 23 ms  simulated", "running …" or the outcome of the run.
std::string run_words(const Session& session, Level wanted) {
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
    const auto [timing, level] = timing_at(*scene, wanted);
    if (!timing || !timing->schedule) return run;
    return fmt::format("{} · launch {} modelled, {}", run, cycles_words(timing->schedule->launch.cycles),
                       level_word(level));
}

/// How much the run part says: a narrow window has no room for all of it.
enum class RunWords { all, time, none };

std::string run_words(const Session& session, Level level, RunWords amount) {
    std::string words = amount == RunWords::none ? std::string() : run_words(session, level);
    if (amount == RunWords::time) words = words.substr(0, words.find(" · "));
    return words;
}

float run_part_width(const Theme& theme, const Session& session, Level level, RunWords amount) {
    const float button = text_button_width(theme, "▶");
    if (amount == RunWords::none) return button;
    // As wide as the widest of its words, so that the knobs don't jump when a run begins.
    const char* widest = amount == RunWords::all
                             ? "123 ms simulated · launch 123,456 cycles modelled, machine"
                             : "123 ms simulated";
    const float width = std::max(text_width(theme.fonts.words, run_words(session, level, amount)),
                                 text_width(theme.fonts.words, widest));
    return button + gap(theme) + std::ceil(width);
}

void run_part(const Theme& theme, Session& session, Level level, RunWords amount) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = control_height(theme);
    const std::string left_out =
        amount == RunWords::all ? std::string() : " " + run_words(session, level) + ".";
    if (session.running()) {
        if (text_button(theme, "cancel", "■", "Cancel this run and keep the previous result."))
            session.cancel();
    } else if (text_button(theme, "run", "▶", "Run the kernel again (R)." + left_out)) {
        session.run_again();
    }
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.words,
              {at.x + text_button_width(theme, "▶") + gap(theme),
               at.y + std::round((height - text_height(theme.fonts.words)) / 2)},
              session.failure().empty() ? theme.text_dim : theme.error, run_words(session, level, amount));
    hit_box("run time", at, {at.x + run_part_width(theme, session, level, amount), at.y + height});
}

/// Opens or closes the list of kernels: three lines, as menus have.
void kernel_list_button(const Theme& theme, Layout& layout, bool is_open) {
    const float scale = theme.fonts.scale, width = kernel_list_button_width(theme);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = control_height(theme);
    if (invisible_button("kernel list", {width, height}))
        layout.kernels = is_open ? KernelList::hidden : KernelList::shown;
    hit_box_of_item("kernel list");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) tooltip_card(theme, is_open ? "Hide the list of kernels." : "Show the list of kernels.");
    list.AddRectFilled(at, {at.x + width, at.y + height},
                       hovered ? mix(theme.raised, theme.text, 0.08) : theme.raised, 4 * scale);
    for (int line = -1; line <= 1; ++line) {
        const float y = std::round(at.y + height / 2 + static_cast<float>(line) * 5 * scale);
        list.AddLine({at.x + 8 * scale, y}, {at.x + width - 8 * scale, y}, is_open ? theme.ideal : theme.text,
                     1.5f * scale);
    }
}

/// What the what-if knobs of the model are set to, and one click to set them back: every time in the window
/// follows from them.
std::string what_if_words(const Theme& theme, const Session& session) {
    const std::string turned = describe(session.timing());
    return turned.empty()
               ? turned
               : fit_text(theme.fonts.words, "what if: " + turned, 300 * theme.fonts.scale) + "  ×";
}

float what_if_width(const Theme& theme, const Session& session) {
    const std::string words = what_if_words(theme, session);
    return words.empty() ? 0 : text_button_width(theme, words) + wide_gap(theme);
}

void what_if_chip(const Theme& theme, Session& session, ImVec2 at) {
    const std::string words = what_if_words(theme, session);
    if (words.empty()) return;
    ImGui::SetCursorScreenPos(at);
    const float width = text_button_width(theme, words);
    if (text_button(theme, "reset what if", words,
                    "The model's times are for changed hardware: " + describe(session.timing()) +
                        ". Click to reset.")) {
        session.set_timing({});
        return;
    }
    compat::add_rect(*ImGui::GetWindowDrawList(), at, {at.x + width, at.y + control_height(theme)},
                     theme.cost, 4 * theme.fonts.scale, theme.fonts.scale);
}

float knobs_width(const Theme& theme, const Session& session, OwnFile* own) {
    float width = 0;
    if (session.kernel())
        for (const auto& parameter : session.kernel()->parameters)
            width += knob_width(theme, parameter, session.value(parameter)) + wide_gap(theme);
    if (own)
        for (const auto& number : own->text_knobs())
            width += knob_width(theme, number, instrumentation::to_string(number.fallback)) + wide_gap(theme);
    return width + what_if_width(theme, session);
}

/// Draws the knobs from `at` on, in rows no further right than `right`; returns the end of the last row.
float knobs(const Theme& theme, Session& session, FrameState& state, OwnFile* own, ImVec2 at, float right) {
    const float left = at.x;
    const auto turned = [&](const instrumentation::ParameterDeclaration& parameter,
                            const std::string& value) {
        const float width = knob_width(theme, parameter, value);
        if (at.x > left && at.x + width > right) at = {left, at.y + control_height(theme) + gap(theme)};
        ImGui::SetCursorScreenPos(at);
        at.x += width + wide_gap(theme);
        return knob(theme, state, parameter, value);
    };
    if (const instrumentation::KernelFile* kernel = session.kernel())
        for (const auto& parameter : kernel->parameters)
            if (const auto value = turned(parameter, session.value(parameter))) {
                session.set_parameter(parameter.name, *value);
                state.invite = false;
            }
    std::optional<std::pair<std::string, std::string>> number;
    if (own)
        for (const auto& knob : own->text_knobs())
            if (auto value = turned(knob, instrumentation::to_string(knob.fallback)))
                number = {knob.name, std::move(*value)};
    if (number) own->turn_number(number->first, number->second);
    if (const float width = what_if_width(theme, session); width > 0) {
        if (at.x > left && at.x + width - wide_gap(theme) > right)
            at = {left, at.y + control_height(theme) + gap(theme)};
        what_if_chip(theme, session, at);
    }
    return at.y + control_height(theme);
}

/// Kernel, file, engine and GPU; of these a lecture needs only the first. Returns where they end.
float left_part(const Theme& theme, Session& session, FrameState& state, Layout& layout, OwnFile* own,
                FileDialogs& dialogs) {
    if (!state.presenting) {
        const ImVec2 display = ImGui::GetIO().DisplaySize;
        const float scale = theme.fonts.scale;
        kernel_list_button(theme, layout,
                           shows_kernels(layout, pane_order(display.x / scale, display.y / scale, false)));
        ImGui::SameLine();
    }
    kernel_chooser(theme, session);
    ImGui::SameLine();
    if (state.presenting) return ImGui::GetCursorScreenPos().x;
    if (own) {
        dialogs.menu(theme, session, *own);
        ImGui::SameLine();
    }
    engine_chooser(theme, session);
    ImGui::SameLine();
    gpu_chooser(theme, session, state);
    ImGui::SameLine();
    // A narrow window has no room for it; the palette switches the level there, and the timeline names it.
    if (ImGui::GetIO().DisplaySize.x >= 1000 * theme.fonts.scale) {
        level_chooser(theme, session, state);
        ImGui::SameLine();
    }
    return ImGui::GetCursorScreenPos().x;
}

/// A button at the right end; those of a lower row number are there in narrower windows.
struct RightButton {
    const char *name, *words, *help;
    bool is_needed;  // else the keyboard does it where there is no room
};

std::vector<RightButton> right_buttons(const Theme& theme, const Session& session, const FrameState& state) {
    if (state.presenting) return {{"present", "×", "Back to all panes (F5).", true}};
    std::vector<RightButton> buttons;
    if (session.scene())
        buttons.push_back(
            {"baseline", "baseline", "Keep this run and compare the next ones with it (B).", false});
    buttons.push_back({"lessons", "lessons", "Lessons that ask you to predict, and then show (L).", false});
    buttons.push_back(
        {"present", "present", "One view, the explanation and the knobs in large type (F5).", false});
    buttons.push_back(
        {"picture", "picture", "Save or copy the open view: size, scale, theme, PNG or SVG.", true});
    buttons.push_back({"theme", theme.name == ThemeName::dark ? "light" : "dark",
                       "Switch between the dark and the light theme.", true});
    buttons.push_back({"keys", "?", "Show all keyboard shortcuts.", true});
    return buttons;
}

void press(std::string_view name, Session& session, FrameState& state) {
    if (name == "baseline" && !session.stale()) session.keep_baseline();
    if (name == "lessons") state.show_lessons = true;
    if (name == "present") state.presenting = !state.presenting;
    if (name == "picture") state.picture_dialog = true;
    if (name == "theme") state.toggle_theme = true;
    if (name == "keys") state.keys_shown = !state.keys_shown;
}

}  // namespace

float toolbar(const Theme& theme, Session& session, FrameState& state, Layout& layout, OwnFile* own,
              FileDialogs& dialogs) {
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
    const float left_end = left_part(theme, session, state, layout, own, dialogs);

    // What does not fit gives way: first the words of the run, then buttons whose keys do the same.
    std::vector<RightButton> buttons = right_buttons(theme, session, state);
    RunWords amount = RunWords::all;
    const auto right_width_of = [&](RunWords words) {
        float width = run_part_width(theme, session, state.level, words) + 2 * wide_gap(theme);
        for (const RightButton& button : buttons)
            width += text_button_width(theme, button.words) + gap(theme);
        return width;
    };
    const auto right_width = [&] { return right_width_of(amount); };
    const float room = right - margin - left_end;
    const auto drop_button = [&] {
        const auto found = std::ranges::find(buttons, false, &RightButton::is_needed);
        if (found == buttons.end()) return false;
        buttons.erase(found);
        return true;
    };
    const float knobs_room = room - 2 * wide_gap(theme) - knobs_width(theme, session, own);
    if (right_width() > knobs_room) amount = RunWords::time;
    // What the knobs do not gain by, they need not cost.
    if (right_width() > knobs_room) amount = right_width_of(RunWords::all) > room ? amount : RunWords::all;
    while (right_width() > room && drop_button()) {
    }
    if (right_width() > room) amount = RunWords::none;
    const float right_begin = std::max(left_end, right - margin - right_width() + gap(theme));
    ImGui::SetCursorScreenPos({right_begin, top});
    run_part(theme, session, state.level, amount);
    const float x = right_begin + run_part_width(theme, session, state.level, amount) + wide_gap(theme);
    divider(x);
    ImGui::SetCursorScreenPos({x + wide_gap(theme), top});
    for (const RightButton& button : buttons) {
        if (text_button(theme, button.name, button.words, button.help)) press(button.name, session, state);
        ImGui::SameLine();
    }

    float bottom = top + height;
    if (knobs_width(theme, session, own) > 0) {
        const float knobs_begin = left_end + wide_gap(theme);
        if (knobs_begin + knobs_width(theme, session, own) <= right_begin) {
            divider(left_end + gap(theme) / 2);
            knobs(theme, session, state, own, {knobs_begin, top}, right_begin);
        } else {
            bottom =
                knobs(theme, session, state, own, {origin.x + margin, bottom + gap(theme)}, right - margin);
        }
    }
    ImGui::PopStyleVar();
    bottom += margin;
    draw_horizontal_hairline(list, theme, origin.x, right, bottom);
    return bottom + 1 - origin.y;
}

}  // namespace warplens::app
