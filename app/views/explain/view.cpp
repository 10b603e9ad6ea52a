// Explain: what the selection is, why it costs what it does, and what to try — three short paragraphs.
#include "analysis/report/explain.h"

#include <algorithm>
#include <cctype>

#include "app/ui/empty_state.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"
#include "app/views/shared/problem_words.h"
#include "app/views/view.h"

namespace warplens::app {
namespace {

/// What a parameter's name says it is, so that an explanation can suggest a value for it.
analysis::KnobHint::Meaning meaning_of(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    using Meaning = analysis::KnobHint::Meaning;
    if (name.find("pad") != std::string::npos) return Meaning::padding;
    if (name.find("tile") != std::string::npos) return Meaning::tile;
    if (name.find("stride") != std::string::npos) return Meaning::stride;
    if (name.find("offset") != std::string::npos) return Meaning::offset;
    if (name.starts_with("block")) return Meaning::block_size;
    return Meaning::other;
}

/// Values that the kernel's header lists for a parameter; empty: a range.
std::vector<std::string> choices_of(const Scene& scene, const std::string& name) {
    std::vector<std::string> choices;
    if (scene.kernel == nullptr) return choices;
    for (const auto& declared : scene.kernel->parameters) {
        if (declared.name != name) continue;
        for (const auto& value : declared.values) choices.push_back(instrumentation::to_string(value));
    }
    return choices;
}

std::vector<analysis::KnobHint> knobs_of(const Scene& scene) {
    std::vector<analysis::KnobHint> knobs;
    for (const auto& [name, value] : scene.parameters) {
        knobs.push_back({name, instrumentation::to_string(value), choices_of(scene, name), meaning_of(name)});
    }
    return knobs;
}

class ExplainView : public View {
  public:
    void draw(ViewFrame& frame) override {
        const Scene* scene = frame.scene;
        if (scene == nullptr || scene->trace == nullptr || scene->report == nullptr) {
            empty_state(frame.theme, "No kernel has run yet.", "Choose a kernel on the left.");
            return;
        }
        const Spot& spot = frame.selection.chosen;
        if (scene->generation != generation_ || scene->timing_generation != timing_generation_ ||
            !(spot == spot_))
            rebuild(*scene, spot);
        const Theme& theme = frame.theme;
        if (!scene->trace->launch.note.empty())
            paragraph(theme, "Not executed", scene->trace->launch.note, theme.text);
        const bool wrong = draw_problem(theme, *scene);
        if (!explained_) {
            paragraph(theme, "What you see", "Click a line of the source or an access in a view.",
                      theme.text);
            draw_lesson(theme, *scene);
            return;
        }
        paragraph(theme, "What you see", explanation_.what, theme.text);
        if (!explanation_.detail.empty()) {
            text_wrapped(theme.fonts.code, theme.text_dim, explanation_.detail);
            ImGui::Dummy({0, 2 * theme.fonts.scale});
        }
        // Why it costs what it does, and how it would cost less, can wait until it is right.
        if (!wrong) paragraph(theme, "Why it happens", explanation_.why, theme.text);
        if (!wrong && explanation_.suggestion) draw_suggestion(frame, *explanation_.suggestion);
        draw_lesson(theme, *scene);
    }

  private:
    void rebuild(const Scene& scene, const Spot& spot) {
        generation_ = scene.generation;
        timing_generation_ = scene.timing_generation;
        spot_ = spot;
        const auto knobs = knobs_of(scene);
        explained_ = true;
        if (spot.access != no_access && spot.access < scene.trace->accesses.size()) {
            explanation_ = analysis::explain_access(*scene.trace, spot.access, knobs);
        } else if (spot.site < scene.report->sites.size()) {
            explanation_ = analysis::explain_site(*scene.report, scene.trace->program, spot.site, knobs);
        } else {
            explained_ = false;
        }
        if (!explained_ || scene.timing == nullptr) return;
        const SiteId site =
            spot.access < scene.trace->accesses.size() ? scene.trace->accesses[spot.access].site : spot.site;
        if (site >= scene.timing->cost.sites.size()) return;
        const std::string cost = analysis::cost_in_words(scene.timing->cost.sites[site]);
        if (!cost.empty()) explanation_.what += " " + cost;
    }

    /// What is wrong comes before what it costs: the selection's own problem, else that there are some.
    /// True when it was the selection's own.
    bool draw_problem(const Theme& theme, const Scene& scene) const {
        const auto& problems = scene.report->problems;
        if (problems.empty()) return false;
        const SiteId site = spot_.access < scene.trace->accesses.size()
                                ? scene.trace->accesses[spot_.access].site
                                : spot_.site;
        const Problem* here = problem_of_site(scene, site);
        const Problem& shown = here ? *here : problems.front();
        std::string words = kind_and_place(shown) + ": " + problem_sentence(shown);
        words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
        if (!here) words += " It does not involve the selection.";
        text_item(theme.fonts.small, theme.error, "What is wrong");
        rich_text(theme, theme.fonts.words, theme.fonts.code, theme.text, words);
        ImGui::Dummy({0, 2 * theme.fonts.scale});
        return here != nullptr;
    }

    /// Last: the kernel's list says it too, and what is selected should be in sight without scrolling.
    static void draw_lesson(const Theme& theme, const Scene& scene) {
        if (scene.kernel != nullptr)
            paragraph(theme, "What this kernel teaches", scene.kernel->lesson, theme.text_dim);
    }

    static void paragraph(const Theme& theme, const char* heading, const std::string& text, ImU32 colour) {
        if (text.empty()) return;
        text_item(theme.fonts.small, theme.text_dim, heading);
        rich_text(theme, theme.fonts.words, theme.fonts.code, colour, text);
        ImGui::Dummy({0, 2 * theme.fonts.scale});
    }

    static void draw_suggestion(ViewFrame& frame, const analysis::Suggestion& suggestion) {
        const Theme& theme = frame.theme;
        const float scale = theme.fonts.scale;
        text_item(theme.fonts.small, theme.text_dim, "What to try");
        const std::string words = suggestion.parameter + " " + suggestion.value;
        const ImVec2 min = ImGui::GetCursorScreenPos();
        const ImVec2 max{min.x + text_width(theme.fonts.words, words) + 24 * scale,
                         min.y + text_height(theme.fonts.words) + 12 * scale};
        invisible_button("try", {max.x - min.x, max.y - min.y});
        const bool hovered = frame.interactive && ImGui::IsItemHovered();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImU32 fill = hovered ? mix(theme.ideal, theme.text, 0.15) : theme.ideal;
        list.AddRectFilled(min, max, fill, 4 * scale);
        draw_text_centred(list, theme.fonts.words, min, max, theme.text_on(fill), words);
        hit_box("try", min, max);
        if (frame.interactive && ImGui::IsItemClicked()) {
            frame.commands.set_parameters.push_back({suggestion.parameter, suggestion.value});
        }
        ImGui::Dummy({0, 4 * scale});
        rich_text(theme, theme.fonts.words, theme.fonts.code, theme.text, suggestion.text);
        ImGui::Dummy({0, 2 * scale});
    }

    std::uint64_t generation_ = 0;
    std::uint64_t timing_generation_ = 0;
    Spot spot_;
    bool explained_ = false;
    analysis::Explanation explanation_;
};

}  // namespace

std::unique_ptr<View> make_explain_view() { return std::make_unique<ExplainView>(); }

}  // namespace warplens::app
