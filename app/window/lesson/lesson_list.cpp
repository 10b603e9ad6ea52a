#include "app/window/lesson/lesson_list.h"

#include <algorithm>
#include <cmath>

#include "app/scene/view_list.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

class LessonRows {
  public:
    LessonRows(const Theme& theme, const LessonProgress& progress, float left, float width)
        : theme_(theme), progress_(progress), left_(left), width_(width) {}

    void heading(const std::string& words) const {
        gap(18);
        text_item(theme_.fonts.small, theme_.ideal, words);
        gap(4);
    }

    /// True when clicked.
    bool lesson(const Lesson& lesson) const {
        const float scale = theme_.fonts.scale, pad = std::round(10 * scale);
        const ImVec2 begin = at_left();
        const std::string state = progress_words(progress_, lesson);
        const float state_width =
            std::max(text_width(theme_.fonts.small, state), text_width(theme_.fonts.small, lesson.subject));
        const float room = width_ - 3 * pad - state_width;
        const float title = std::round(text_height(theme_.fonts.words) * 1.3f);
        const float about =
            theme_.fonts.small
                ->CalcTextSizeA(text_height(theme_.fonts.small), FLT_MAX, room, lesson.about.c_str())
                .y;
        const ImVec2 size{width_, 2 * pad + title + about};
        const bool clicked = invisible_button(lesson.name.c_str(), size);
        hit_box_of_item("lesson", lesson.name);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImVec2 end{begin.x + size.x, begin.y + size.y};
        list.AddRectFilled(begin, end, ImGui::IsItemHovered() ? theme_.raised : theme_.panel, 4 * scale);
        draw_text(list, theme_.fonts.words, {begin.x + pad, begin.y + pad}, theme_.text,
                  fit_text(theme_.fonts.words, lesson.title, room));
        draw_text_right(list, theme_.fonts.small, {end.x - pad, begin.y + pad},
                        progress_.finished(lesson) ? theme_.ideal : theme_.text_dim, state);
        draw_text_right(list, theme_.fonts.small, {end.x - pad, begin.y + pad + title}, theme_.text_dim,
                        lesson.subject);
        ImGui::SetCursorScreenPos({begin.x + pad, begin.y + pad + title});
        text_wrapped(theme_.fonts.small, theme_.text_dim, lesson.about, room);
        ImGui::SetCursorScreenPos({begin.x, end.y + std::round(6 * scale)});
        return clicked;
    }

    void fault(const std::string& words) const {
        at_left();
        text_wrapped(theme_.fonts.words, theme_.error, words, width_);
        gap(6);
    }

    void gap(float pixels) const {
        at_left();
        ImGui::Dummy({1, std::round(pixels * theme_.fonts.scale)});
        at_left();
    }

  private:
    ImVec2 at_left() const {
        ImGui::SetCursorScreenPos({left_, ImGui::GetCursorScreenPos().y});
        return ImGui::GetCursorScreenPos();
    }

    const Theme& theme_;
    const LessonProgress& progress_;
    float left_, width_;
};

}  // namespace

bool is_about(const Lesson& lesson, const std::string& kernel) {
    return std::ranges::find(lesson.runs, kernel, &LessonRun::kernel) != lesson.runs.end();
}

bool shows_view(const Lesson& lesson, const std::string& view) {
    return std::ranges::any_of(lesson.steps, [&](const LessonStep& step) {
        return (step.picture && step.picture->view == view) ||
               (step.question && step.question->reveal && step.question->reveal->view == view);
    });
}

std::string progress_words(const LessonProgress& progress, const Lesson& lesson) {
    const std::size_t answered = progress.answered_of(lesson);
    if (answered == 0) return fmt::format("{} questions", lesson.questions());
    std::size_t right = 0;
    for (const LessonStep& step : lesson.steps) {
        const auto& steps = progress.answered.at(lesson.name);
        const auto found = steps.find(step.title);
        right += step.question && found != steps.end() && found->second;
    }
    return fmt::format("{} of {} answered, {} right", answered, lesson.questions(), right);
}

std::shared_ptr<const Lesson> lesson_list(const Theme& theme, const ListedLessons& lessons) {
    const float scale = theme.fonts.scale, room = ImGui::GetContentRegionAvail().x;
    const float width = std::max(1.0f, std::min(room - std::round(32 * scale), std::round(860 * scale)));
    const float left = ImGui::GetCursorScreenPos().x + std::round((room - width) / 2);
    const LessonRows rows(theme, lessons.progress, left, width);
    std::shared_ptr<const Lesson> clicked;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    rows.gap(20);
    text_item(theme.fonts.title, theme.text, "Lessons");
    rows.gap(6);
    text_wrapped(theme.fonts.words, theme.text_dim,
                 "Each lesson asks you to predict, and then executes the kernel and shows what happens.",
                 width);
    if (!lessons.fault.empty()) {
        rows.gap(12);
        rows.fault(lessons.fault);
    }
    const auto section = [&](const std::string& words, auto&& belongs) {
        bool any = false;
        ImGui::PushID(words.c_str());
        for (const LessonFile& file : lessons.files) {
            if (!file.lesson || !belongs(**file.lesson)) continue;
            if (!any) rows.heading(words);
            any = true;
            if (rows.lesson(**file.lesson)) clicked = *file.lesson;
        }
        ImGui::PopID();
    };
    const auto of_kernel = [&](const Lesson& lesson) { return is_about(lesson, lessons.kernel); };
    section("With " + lessons.kernel + ", which is open", of_kernel);
    if (const ViewRow* view = find_view_row(lessons.view))
        section(fmt::format("With the view {}, which is open", view->title),
                [&](const Lesson& lesson) { return !of_kernel(lesson) && shows_view(lesson, lessons.view); });
    rows.heading("All, in their order");
    for (const LessonFile& file : lessons.files) {
        if (!file.lesson) rows.fault(file.lesson.error().message);
        else if (rows.lesson(**file.lesson)) clicked = *file.lesson;
    }
    rows.gap(24);
    ImGui::PopStyleVar();
    return clicked;
}

}  // namespace warplens::app
