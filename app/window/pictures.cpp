#include "app/window/pictures.h"
#include "app/scene/scene_words.h"
#include "app/session/advice_task.h"

#include <cmath>

#include "app/capture/offscreen.h"
#include "app/capture/svg/vector_capture.h"
#include "app/capture/svg/write_svg.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/views/view.h"
#include "app/window/frame.h"

namespace warplens::app {
namespace {

constexpr float page_margin = 24, page_top = 16, head_height = 28;  // unscaled pixels

/// `below`: room left free under the view.
void draw_view_page(const Theme& theme, View& view, const Scene& scene, Selection& selection,
                    const TaskStates& tasks, const PictureBaseline& baseline, float below) {
    const float scale = theme.fonts.scale;
    const float margin = std::round(page_margin * scale);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, std::round(page_top * scale)});
    ImGui::Begin("page", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    std::string launch = launch_words(scene);
    if (baseline.scene && !baseline.settings.empty()) launch = baseline.settings + " · " + launch;
    const float width = ImGui::GetContentRegionAvail().x;
    if (!launch.empty()) {
        text_item(theme.fonts.small, theme.text_dim, fit_text(theme.fonts.small, launch, width));
        hairline(theme, 4);
    }
    if (baseline.scene) {
        text_wrapped(theme.fonts.words, theme.text, baseline.verdict, width);
        ImGui::Dummy({1, 4 * scale});
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    compat::begin_child("view", {room.x, room.y - below},
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    Commands ignored;
    ViewFrame frame{&scene, selection, ignored, theme, false};
    if (scene.timing) frame.timing = scene.timing->options;
    frame.sweep = tasks.sweep;
    frame.bank_fixes = tasks.bank_fixes;
    frame.baseline = baseline.scene;
    frame.baseline_name = baseline.name;
    frame.scene_name = baseline.scene_name;
    frame.advice = tasks.advice;
    frame.values = tasks.values;
    frame.baseline_values = tasks.baseline_values;
    frame.level = tasks.level;
    frame.counts = tasks.counts;
    frame.program = tasks.program;
    view.draw(frame);
    ImGui::EndChild();
    ImGui::End();
}

/// One view on a page of its own, over as many frames as the picture takes.
class ViewPage {
  public:
    ViewPage(const Scene& scene, const ViewEntry& entry, const Selection& selection, const TaskStates& tasks,
             const PictureBaseline& baseline, const std::vector<Annotation>& annotations)
        : scene_(scene),
          view_(entry.make()),
          name_(entry.name),
          selection_(selection),
          tasks_(tasks),
          baseline_(baseline),
          annotations_(annotations) {}
    void draw(const Theme& theme) {
        notes_ = {};
        if (!annotations_.empty()) record_notes(&notes_);
        const ImVec2 display = ImGui::GetIO().DisplaySize;
        const PictureMargins margins = picture_margins(theme.fonts.scale);
        const float margin = margins.across / 2, width = display.x - margins.across;
        words_ = callout_words_height(theme, annotations_, width);
        draw_view_page(theme, *view_, scene_, selection_, tasks_, baseline_, words_);
        if (!annotations_.empty()) draw_annotations(theme, {margin, 0, margin + width, display.y});
        selection_.hover = selection_.next_hover = {};
    }
    /// Of the last frame.
    const Status& annotated() const { return annotated_; }

  private:
    /// On top of the view, in a window of their own.
    void draw_annotations(const Theme& theme, Box page) {
        record_notes(nullptr);
        page.take_bottom(std::round(page_top * theme.fonts.scale));
        const Box words = page.take_bottom(words_);
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("callouts", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                         ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings);
        const Ink ink{ImGui::GetWindowDrawList(), theme};
        draw_callout_words(ink, annotations_, words);
        annotated_ = draw_callouts(ink, notes_, name_, annotations_, page);
        ImGui::End();
    }

    const Scene& scene_;
    std::unique_ptr<View> view_;
    std::string name_;
    Selection selection_;
    TaskStates tasks_;
    const PictureBaseline& baseline_;
    const std::vector<Annotation>& annotations_;
    FrameNotes notes_;
    float words_ = 0;  // height of the words under the view
    Status annotated_;
};

/// The entire window, over as many frames.
class WindowPage {
  public:
    WindowPage(const Scene& scene, const Catalogue& catalogue, std::string_view view,
               const std::optional<Selection>& selection, const TaskStates& tasks,
               const PictureBaseline& baseline)
        : session_(catalogue,
                   [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
                       return fail("A picture runs nothing.");
                   }),
          frame_(session_, layout_),
          view_(view) {
        frame_.set_own_file(&own_);
        if (baseline.scene) {
            session_.show(*baseline.scene);
            session_.keep_baseline();
            if (!baseline.name.empty()) session_.baselines.rename(0, baseline.name);
        }
        session_.show(scene);
        if (selection) session_.selection = *selection;
        if (tasks.advice) session_.show_advice(tasks.advice->advice);
        frame_.state.level = tasks.level;
        frame_.state.counts = tasks.counts;
    }
    void draw(const Theme& theme) {
        frame_.draw(theme);
        // The kernel's own first view opens with the first frame; the requested one follows it.
        if (!view_.empty()) frame_.open_view(view_);
    }

  private:
    Session session_;
    Layout layout_;
    OwnFile own_{session_, {}};  // so that file controls are where the window has them
    Frame frame_;
    std::string view_;
};

Result<const ViewEntry*> view_named(std::string_view name) {
    if (const ViewEntry* entry = find_view(name)) return entry;
    std::string names;
    for (const ViewEntry& known : view_entries())
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    return fail("There is no view named {}; the views are {}.", name, names);
}

Status check_view(std::string_view name) {
    if (name.empty()) return {};
    WARPLENS_TRY(view_named(name));
    return {};
}

Result<std::unique_ptr<Offscreen>> open_offscreen(const PictureSize& size, ThemeName theme) {
    return Offscreen::open({size.width, size.height, size.scale, theme, size.smooth});
}

std::string svg_of(const PictureSize& size, ThemeName theme, std::string title,
                   const std::function<void(const Theme&)>& draw) {
    svg::Drawing drawing = svg::capture(static_cast<float>(size.width), static_cast<float>(size.height),
                                        size.scale, theme, draw);
    drawing.title = std::move(title);
    return svg::write_svg(drawing);
}

}  // namespace

PictureMargins picture_margins(float scale) {
    return {2 * page_margin * scale, (2 * page_top + head_height) * scale};
}

Result<Picture> capture_view(const Scene& scene, std::string_view view_name, const PictureSize& size,
                             ThemeName theme, const Selection& selection, const TaskStates& tasks,
                             const PictureBaseline& baseline, const std::vector<Annotation>& annotations) {
    WARPLENS_TRY(const auto entry, view_named(view_name));
    WARPLENS_TRY(auto offscreen, open_offscreen(size, theme));
    ViewPage page(scene, *entry, selection, tasks, baseline, annotations);
    auto picture = offscreen->render([&](const Theme& drawn) { page.draw(drawn); });
    WARPLENS_TRY(page.annotated());
    return picture;
}

Result<std::string> capture_view_svg(const Scene& scene, std::string_view view_name, const PictureSize& size,
                                     ThemeName theme, const Selection& selection, const TaskStates& tasks,
                                     const PictureBaseline& baseline,
                                     const std::vector<Annotation>& annotations) {
    WARPLENS_TRY(const auto entry, view_named(view_name));
    ViewPage page(scene, *entry, selection, tasks, baseline, annotations);
    auto picture = svg_of(size, theme, launch_words(scene) + " · " + entry->title,
                          [&](const Theme& drawn) { page.draw(drawn); });
    WARPLENS_TRY(page.annotated());
    return picture;
}

Result<Picture> capture_window(const Scene& scene, const Catalogue& catalogue, std::string_view view,
                               const PictureSize& size, ThemeName theme,
                               const std::optional<Selection>& selection, const TaskStates& tasks,
                               const PictureBaseline& baseline) {
    WARPLENS_TRY(check_view(view));
    WARPLENS_TRY(auto offscreen, open_offscreen(size, theme));
    WindowPage page(scene, catalogue, view, selection, tasks, baseline);
    return offscreen->render([&](const Theme& drawn) { page.draw(drawn); });
}

Result<std::string> capture_window_svg(const Scene& scene, const Catalogue& catalogue, std::string_view view,
                                       const PictureSize& size, ThemeName theme,
                                       const std::optional<Selection>& selection, const TaskStates& tasks,
                                       const PictureBaseline& baseline) {
    WARPLENS_TRY(check_view(view));
    WindowPage page(scene, catalogue, view, selection, tasks, baseline);
    return svg_of(size, theme, launch_words(scene), [&](const Theme& drawn) { page.draw(drawn); });
}

}  // namespace warplens::app
