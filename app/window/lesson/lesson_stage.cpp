#include "app/window/lesson/lesson_stage.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/lesson/kernel_lines.h"
#include "app/lesson/lesson_scene.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/views/view.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::app {
namespace {

bool revealed(const LessonReading& reading) { return reading.reading().verdict.has_value(); }

bool asks_for_line(const LessonReading& reading) {
    const auto& question = reading.step().question;
    return question && question->kind == QuestionKind::line;
}

/// The run that the step is about: its picture's, else its question's, else the lesson's.
const LessonRun& run_of(const LessonReading& reading) {
    const LessonPicture* picture = LessonStage::picture_of(reading);
    const auto& question = reading.step().question;
    const std::string& name = picture ? picture->run : question ? question->run : "main";
    const LessonRun* run = reading.lesson()->run(name);
    return run ? *run : reading.lesson()->runs.front();
}

/// The run that is launched: also the answer's, so that it is ready when it is shown.
const LessonRun& launched_run(const LessonReading& reading) {
    const auto& question = reading.step().question;
    if (!LessonStage::picture_of(reading) && question && question->reveal)
        if (const LessonRun* run = reading.lesson()->run(question->reveal->run)) return *run;
    return run_of(reading);
}

/// A knob of a run, and the lesson's own value of it if it differs.
struct ShownKnob {
    std::string name, value, otherwise;
};

std::vector<ShownKnob> knobs_of(const Lesson& lesson, const LessonRun& run,
                                const instrumentation::KernelFile& kernel) {
    const LessonRun& main = lesson.runs.front();
    const auto value = [](const LessonRun& of, const instrumentation::ParameterDeclaration& parameter) {
        const auto set = of.set.find(parameter.name);
        return set == of.set.end() ? instrumentation::to_string(parameter.fallback) : set->second;
    };
    std::vector<ShownKnob> knobs;
    for (const auto& parameter : kernel.parameters) {
        ShownKnob knob{parameter.name, value(run, parameter), ""};
        if (main.kernel == run.kernel && value(main, parameter) != knob.value)
            knob.otherwise = value(main, parameter);
        knobs.push_back(std::move(knob));
    }
    return knobs;
}

std::uint32_t line_or_none(const instrumentation::KernelFile& kernel, const std::string& part) {
    return part.empty() ? 0 : line_with(kernel, part).value_or(0);
}

}  // namespace

const LessonPicture* LessonStage::picture_of(const LessonReading& reading) {
    const LessonStep& step = reading.step();
    if (revealed(reading) && step.question->reveal) return &*step.question->reveal;
    return step.picture ? &*step.picture : nullptr;
}

std::shared_ptr<const instrumentation::KernelFile> LessonStage::kernel_of(const LessonRun& run) const {
    if (is_own_kernel(run.kernel)) return own_.find(run.kernel).value_or(nullptr);
    const auto found = std::ranges::find_if(session_.catalogue(),
                                            [&](const auto& kernel) { return kernel->name == run.kernel; });
    return found == session_.catalogue().end() ? nullptr : *found;
}

void LessonStage::follow(const LessonReading& reading) {
    const Followed wanted{reading.lesson(), reading.at(), revealed(reading)};
    if (!(wanted == followed_)) {
        const bool other_step = wanted.lesson != followed_.lesson || wanted.step != followed_.step;
        followed_ = wanted;
        selected_ = false;
        fault_.clear();
        // The line is clicked in the code; the truth is shown in the picture.
        code_shown_ = asks_for_line(reading) && !wanted.revealed;
        if (other_step) listing_ = {};
        const LessonRun& run = launched_run(reading);
        const LessonPicture* picture = picture_of(reading);
        if (const auto kernel = kernel_of(run)) {
            session_.set_timing({});
            session_.open_setting(request_of(run, kernel));
        } else if (is_own_kernel(run.kernel)) {
            const auto own = own_.find(run.kernel);
            fault_ = own ? std::string() : own.error().message;
        } else {
            std::vector<std::string> names;
            for (const auto& known : session_.catalogue()) names.push_back(known->name);
            fault_ = fmt::format("There is no kernel `{}`{}.", run.kernel,
                                 instrumentation::did_you_mean(run.kernel, names));
        }
        if (picture && !find_view(picture->view))
            fault_ = fmt::format("There is no view `{}`.", picture->view);
    }
    select(reading);
}

/// As soon as the run is there; a cycle waits for its timing.
void LessonStage::select(const LessonReading& reading) {
    const LessonPicture* picture = picture_of(reading);
    const Scene* scene = session_.scene();
    if (!picture || !scene || session_.stale() || !fault_.empty()) return;
    if (selected_ && selected_in_ == scene->generation &&
        (!picture->select.cycle || selected_at_ == scene->timing_generation))
        return;
    if (picture->select.cycle && (!scene->timing || session_.modelling())) return;
    const auto kernel = kernel_of(run_of(reading));
    if (!kernel) return;
    selected_ = true;
    selected_in_ = scene->generation;
    selected_at_ = scene->timing_generation;
    const auto spot = spot_of(*scene, *kernel, *picture);
    if (spot) session_.selection.chosen = *spot;
    else fault_ = spot.error().message;
}

bool LessonStage::busy() const { return session_.running() || session_.modelling(); }

/// The kernel and its knobs; a knob that was changed for this step with its previous value.
void LessonStage::caption(const Theme& theme, const LessonType& type, const LessonReading& reading,
                          const LessonRun& run) const {
    const auto kernel = kernel_of(run);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float scale = theme.fonts.scale, gap = std::round(14 * scale);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float right = origin.x + ImGui::GetContentRegionAvail().x;
    ImFont* font = type.prose.words;
    const float height = std::round(text_height(font) * 1.4f);
    ImVec2 at = origin;
    const auto put = [&](ImFont* with, ImU32 colour, const std::string& words) {
        if (at.x > origin.x && at.x + text_width(with, words) > right) at = {origin.x, at.y + height};
        draw_text(list, with, {at.x, at.y + std::round((height - text_height(with)) / 2)}, colour, words);
        at.x += text_width(with, words) + gap;
    };
    put(type.prose.code, theme.text, kernel_title(run.kernel));
    if (kernel)
        for (const ShownKnob& knob : knobs_of(*reading.lesson(), run, *kernel)) {
            if (knob.otherwise.empty()) put(font, theme.text_dim, knob.name + " " + grouped_text(knob.value));
            else
                put(font, theme.selected,
                    fmt::format("{} {} → {}", knob.name, grouped_text(knob.otherwise),
                                grouped_text(knob.value)));
        }
    const bool recorded = run.engine == "recorded";
    put(font, theme.text_dim,
        recorded          ? std::string("recorded on an H200")
        : run.gpu.empty() ? std::string(default_gpu().name)
                          : run.gpu);
    ImGui::SetCursorScreenPos({origin.x, at.y + height + std::round(4 * scale)});
    hairline(theme, 2);
}

void LessonStage::code(const Theme& theme, const LessonType& type, const LessonReading& reading,
                       std::uint32_t& chosen_line, bool may_choose) {
    const LessonRun& run = run_of(reading);
    const auto kernel = kernel_of(run);
    if (!kernel) return empty_state(theme, "There is no code to show.", fault_);
    const bool for_line = asks_for_line(reading);
    CodeListing listing;
    for (const KernelLine& line : listed_lines(*kernel)) {
        CodeLine shown;
        shown.number = line.number;
        shown.text = line.code;
        shown.has_sites = !line.code.empty() && may_choose && for_line;
        listing.lines.push_back(std::move(shown));
    }
    std::vector<std::uint32_t> chosen;
    if (for_line && revealed(reading)) {
        chosen = {reading.reading().prepared.truth->line};
    } else if (for_line) {
        if (chosen_line > 0) chosen = {chosen_line};
    } else if (const std::uint32_t line = line_or_none(*kernel, run.at); line > 0) {
        chosen = {line};
    }
    Theme sized = theme;
    sized.fonts.code = type.code;
    const auto result = code_pane(sized, "lesson code", ImGui::GetContentRegionAvail(), listing, {}, chosen,
                                  {}, true, listing_);
    if (result.clicked > 0) chosen_line = result.clicked;
}

void LessonStage::picture(const Theme& theme, const LessonPicture& picture, const DrawView& draw_view,
                          bool interactive) const {
    if (!fault_.empty()) return empty_state(theme, "This picture cannot be shown.", fault_);
    if (!session_.running() && !session_.failure().empty())
        return empty_state(theme, "The run for this picture failed.", session_.failure());
    if (session_.stale() || !selected_) {
        const char* kernel = session_.kernel() ? session_.kernel()->name.c_str() : "the kernel";
        return empty_state(theme, fmt::format("Executing {} …", kernel), "");
    }
    compat::begin_child(picture.view.c_str(), ImGui::GetContentRegionAvail());
    draw_view(picture.view.c_str(), interactive);
    ImGui::EndChild();
}

void LessonStage::draw(const Theme& theme, const LessonType& type, const LessonReading& reading,
                       const DrawView& draw_view, std::uint32_t& chosen_line, bool may_choose) {
    caption(theme, type, reading, run_of(reading));
    const LessonPicture* shown = picture_of(reading);
    if (shown) {
        const std::array<Segment, 2> parts{Segment{"lesson picture", "Picture", ""},
                                           Segment{"lesson listing", "Code", ""}};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        code_shown_ = segments(theme, parts, code_shown_ ? 1 : 0) == 1;
        ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y + std::round(6 * theme.fonts.scale)});
    }
    // Before the answer a picture does not react to input: stepping through it would reveal the answer.
    const bool interactive = !reading.step().question || revealed(reading);
    if (shown && !code_shown_) picture(theme, *shown, draw_view, interactive);
    else code(theme, type, reading, chosen_line, may_choose);
}

}  // namespace warplens::app
