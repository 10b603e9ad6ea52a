// What if: the knobs of the timing model, its results for them, and which change would help most, in cycles
// of the entire launch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/launch_tree.h"
#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/shared/title_line.h"
#include "app/views/view.h"
#include "app/views/whatif/parts.h"

namespace warplens::app {
namespace {

/// "19,401 → 11,603 cycles (−40 %)" stays on one line.
std::string unbroken(std::string sentence) {
    const std::size_t figures = sentence.find_first_of("0123456789", sentence.find(": "));
    for (std::size_t at = sentence.find(' ', std::min(figures, sentence.size())); at != std::string::npos;
         at = sentence.find(' ', at))
        sentence.replace(at, 1, "\u00a0");
    return sentence;
}

class WhatIfView : public View {
  private:
    ViewNeeds needs() const override {
        return {.report = true, .gpu = true, .timed = "The result appears here.", .launch = true};
    }

    std::string cannot_compare(const ViewFrame& frame) override {
        const Scene& baseline = *frame.baseline;
        if (!baseline.timing || !baseline.timing->baseline)
            return fmt::format("{} has no modelled schedule to compare with.", frame.baseline_name);
        if (!baseline.what_if)
            return fmt::format(
                "The model was not asked these questions for {}: run it again and keep it as the baseline.",
                frame.baseline_name);
        return {};
    }

    void draw_scene(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        const Theme& theme = frame.theme;
        const SceneTiming& timing = *scene->timing;
        if (timing.baseline == nullptr) {
            empty_state(theme, timing.absent.empty() ? "There is no schedule." : timing.absent,
                        "What if needs the modelled schedule of the unchanged kernel.");
            return;
        }
        draw_title(frame, *scene);
        // A picture has no buttons; what was turned is beside the answer.
        if (frame.interactive)
            if (const auto turned = what_if_knobs(theme, *scene, frame.timing))
                frame.commands.set_timing = turned;
        ImGui::Dummy({1, std::round(4 * theme.fonts.scale)});
        draw_answer(frame, timing);
        what_if_waves(theme, *scene, frame.timing);
        ImGui::Dummy({1, std::round(8 * theme.fonts.scale)});
        draw_table(frame, *scene);
        draw_note(frame, *scene);
        if (!frame.interactive) {
            const float rest = ImGui::GetContentRegionAvail().y - provenance_line_height(theme) -
                               2 * ImGui::GetStyle().ItemSpacing.y;
            if (rest > 0) ImGui::Dummy({1, rest});
        }
        provenance_line(
            theme, *scene,
            fmt::format("cycles of the whole launch, one SM in detail: modelled, {}{}",
                        to_string(scene->report->level),
                        timing.baseline->measured_latencies ? "" : " · with another GPU's latencies"));
    }

    static void draw_title(const ViewFrame& frame, const Scene& scene) {
        const Theme& theme = frame.theme;
        const std::string kernel = "`" + scene.report->launch.kernel + "`";
        const std::string sentence = scene.what_if ? what_helps_most(*scene.what_if) : "Running the model …";
        std::string words = fmt::format("What would make {} faster? {}", kernel, unbroken(sentence));
        if (frame.baseline && scene.what_if)
            words += fmt::format("; {}: {}", frame.baseline_name,
                                 unbroken(what_helps_most(*frame.baseline->what_if)));
        title_line(theme, words);
        const std::string untimed = analysis::untimed_grids(*scene.report);
        if (!untimed.empty()) text_wrapped(theme.fonts.words, theme.text_dim, untimed);
    }

    /// "19,401 → 11,603 cycles  −40 %" and, dim, the changed settings.
    static void draw_answer(ViewFrame& frame, const SceneTiming& timing) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale, gap = std::round(12 * scale);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImVec2 end{at.x + ImGui::GetContentRegionAvail().x, at.y + std::round(48 * scale)};
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRectFilled(at, end, theme.panel, 6 * scale);
        const float left = at.x + gap, middle = (at.y + end.y) / 2;
        float right = end.x - gap;
        const bool turned = frame.timing != TimingOptions{};
        if (turned && frame.interactive) {
            const char* words = "reset all";
            right -= text_button_width(theme, words);
            ImGui::SetCursorScreenPos({right, middle - control_height(theme) / 2});
            if (text_button(theme, "whatif reset", words, "Restore the unchanged GPU and kernel."))
                frame.commands.set_timing = TimingOptions{};
            right -= gap;
        }
        const double before = timing.baseline->launch.cycles;
        const double after = timing.schedule ? timing.schedule->launch.cycles : 0;
        const bool other = timing.options != TimingOptions{} && timing.schedule != nullptr;
        std::string figures = cycle_count(before) + (other ? " → " + cycle_count(after) : "") + " cycles";
        float x = left;
        const auto say = [&](ImFont* font, ImU32 colour, const std::string& words) {
            const std::string shown = fit_text(font, words, std::max(right - x, 0.0f));
            draw_text(list, font, {x, middle - text_height(font) / 2}, colour, shown);
            x += text_width(font, shown) + gap;
        };
        say(theme.fonts.headline, frame.modelling ? theme.text_dim : theme.text, figures);
        if (frame.modelling) {
            say(theme.fonts.words, theme.text_dim, "running the model …");
        } else if (other) {
            say(theme.fonts.title, effect_colour(theme, before, after), effect_words(before, after));
            say(theme.fonts.words, theme.text_dim, describe(timing.options));
        } else if (turned) {
            say(theme.fonts.words, theme.error, timing.absent);
        } else {
            say(theme.fonts.words, theme.text_dim, unchanged_words(frame, before));
        }
        hit_box("whatif answer", at, end);
        ImGui::SetCursorScreenPos(at);
        ImGui::Dummy({end.x - at.x, end.y - at.y});
    }

    /// Of the launch with all knobs at their defaults, in both runs if there are two.
    static std::string unchanged_words(const ViewFrame& frame, double cycles) {
        if (!frame.baseline)
            return frame.interactive ? "unchanged; change a knob to see the modelled result"
                                     : "for the unchanged kernel on the unchanged GPU";
        const double was = frame.baseline->what_if->baseline_cycles;
        return fmt::format("{}; {} takes {} cycles ({})", frame.scene_name, frame.baseline_name,
                           cycle_count(was), effect_words(was, cycles));
    }

    static std::string note_of(const Scene& scene) {
        return scene.what_if ? notes_on_answers(*scene.what_if) : std::string();
    }
    /// Its height with the space above it; 0: there is none.
    static float note_height(const Theme& theme, const Scene& scene) {
        const std::string note = note_of(scene);
        if (note.empty()) return 0;
        ImFont* font = theme.fonts.small;
        return text_size(font, in_lines(font, note, ImGui::GetContentRegionAvail().x)).y +
               ImGui::GetStyle().ItemSpacing.y;
    }
    /// Below the table.
    static void draw_note(const ViewFrame& frame, const Scene& scene) {
        const std::string note = note_of(scene);
        if (!note.empty()) text_wrapped(frame.theme.fonts.small, frame.theme.text_dim, note);
    }

    static void draw_table(ViewFrame& frame, const Scene& scene) {
        if (!scene.what_if) return;
        const Theme& theme = frame.theme;
        const float below =
            provenance_line_height(theme) + ImGui::GetStyle().ItemSpacing.y + note_height(theme, scene);
        const float whole = what_if_table_height(theme, *scene.what_if);
        // On screen the view scrolls; a picture shows what fits.
        const float room = frame.interactive ? whole : ImGui::GetContentRegionAvail().y - below;
        const WhatIfGhost ghost{frame.baseline ? frame.baseline->what_if.get() : nullptr,
                                frame.baseline_name};
        if (const auto turned = what_if_table(theme, *scene.what_if, ghost, frame.timing,
                                              std::min(room, whole), frame.interactive))
            frame.commands.set_timing = turned;
    }
};

}  // namespace

std::unique_ptr<View> make_whatif_view() { return std::make_unique<WhatIfView>(); }

}  // namespace warplens::app
