#include "app/window/lesson/lesson_page.h"

#include <algorithm>
#include <cmath>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/window/lesson/lesson_list.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::app {
namespace {

float spacing(const Theme& theme) { return std::round(8 * theme.fonts.scale); }

}  // namespace

LessonPage::LessonPage(Session& session, LessonMeans means)
    : session_(session),
      means_(std::move(means)),
      reading_(means_.numbers, means_.wake, means_.progress_path),
      stage_(session) {}

void LessonPage::show_list() {
    reading_.close();
    fault_.clear();
    presenting_ = false;
    shown_ = Shown::list;
}

void LessonPage::open(const std::string& name) {
    show_list();
    own_path_.clear();
    if (name.ends_with(".md")) {
        auto lesson = load_lesson(name);
        if (!lesson) {
            fault_ = lesson.error().message;
            return;
        }
        own_path_ = name;
        return open(std::make_shared<const Lesson>(std::move(*lesson)));
    }
    std::vector<std::string> names;
    for (const LessonFile& file : means_.files) {
        if (!file.lesson) continue;
        if ((*file.lesson)->name == name) return open(*file.lesson);
        names.push_back((*file.lesson)->name);
    }
    fault_ = fmt::format("There is no lesson `{}`{}.", name, instrumentation::did_you_mean(name, names));
}

void LessonPage::open(std::shared_ptr<const Lesson> lesson) {
    if (lesson->path != own_path_) own_path_.clear();
    if (!means_.numbers || lesson->steps.empty()) {
        show_list();
        fault_ = fmt::format("{}: the lesson has no steps.", lesson->path);
        return;
    }
    stage_.forget();
    pane_.begin_step();
    reading_.open(std::move(lesson), !presenting_);
    shown_ = Shown::lesson;
}

std::shared_ptr<const Lesson> LessonPage::first() const {
    for (const LessonFile& file : means_.files)
        if (file.lesson) return *file.lesson;
    return nullptr;
}

void LessonPage::close() {
    reading_.close();
    presenting_ = false;
    shown_ = Shown::nothing;
}

void LessonPage::present(bool presenting) {
    if (presenting == presenting_) return;
    presenting_ = presenting;
    notes_shown_ = false;
    // The audience must not see one reader's answers, and a presentation does not count as the reader's
    // answers.
    if (reading_.lesson()) reading_.forget_answers();
    pane_.begin_step();
}

std::string LessonPage::explore() {
    const LessonPicture* picture = LessonStage::picture_of(reading_);
    shown_ = Shown::exploring;
    return picture ? picture->view : "";
}

void LessonPage::come_back() {
    stage_.forget();
    shown_ = Shown::lesson;
}

bool LessonPage::busy() const { return reading_.lesson() != nullptr && (reading_.busy() || stage_.busy()); }

bool LessonPage::may_explore() const {
    return shown_ == Shown::lesson && (!reading_.step().question || reading_.reading().verdict);
}

void LessonPage::go_to(std::size_t step) {
    if (!reading_.lesson() || step >= reading_.lesson()->steps.size() || step == reading_.at()) return;
    reading_.go_to(step);
    pane_.begin_step();
}

/// The next action: a reader submits an answer, an audience sees the truth; then the next step.
void LessonPage::advance() {
    const bool open_question =
        reading_.step().question && !reading_.reading().verdict && reading_.reading().prepared.fault.empty();
    if (!open_question) go_to(reading_.at() + 1);
    else if (presenting_) reading_.reveal();
    else pane_.hand_in(reading_);
}

void LessonPage::take_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    using compat::Key;
    using compat::key_pressed;
    const std::size_t at = reading_.at();
    if (key_pressed(Key::page_up) && at > 0) return go_to(at - 1);
    if (key_pressed(Key::page_down)) return presenting_ ? advance() : go_to(at + 1);
    if (io.WantTextInput) return;
    if (key_pressed(Key::left) && at > 0) return go_to(at - 1);
    if (key_pressed(Key::right)) return presenting_ ? advance() : go_to(at + 1);
    if (key_pressed(Key::enter) || (presenting_ && key_pressed(Key::space))) return advance();
    if (key_pressed(Key::home)) return go_to(0);
    if (key_pressed(Key::end)) return go_to(reading_.lesson()->steps.size() - 1);
    if (!presenting_ && key_pressed(Key::down)) pane_.choose_next(reading_, 1);
    if (!presenting_ && key_pressed(Key::up)) pane_.choose_next(reading_, -1);
    for (const ImWchar typed : io.InputQueueCharacters) {
        const bool choice =
            reading_.step().question && reading_.step().question->kind == QuestionKind::choice;
        if (typed == 'p' || typed == 'P') return present(!presenting_);
        if (presenting_ && (typed == 'n' || typed == 'N')) notes_shown_ = !notes_shown_;
        if (!presenting_ && choice && typed >= '1' && typed <= '9') pane_.choose(reading_, typed - '1');
        if (!presenting_ && choice && typed >= 'a' && typed <= 'h') pane_.choose(reading_, typed - 'a');
    }
    if (key_pressed(Key::escape)) {
        if (presenting_) present(false);
        else show_list();
    }
}

std::string LessonPage::draw(const Theme& theme, FrameState& state, const LessonStage::DrawView& draw_view) {
    if (shown_ == Shown::lesson) take_keys();
    else if (compat::key_pressed(compat::Key::escape)) close();
    if (!fills_window()) return {};
    std::string view = header(theme, state);
    if (shown_ == Shown::list) {
        compat::begin_child("lessons", ImGui::GetContentRegionAvail());
        const std::string kernel = session_.kernel() ? session_.kernel()->name : "";
        const auto clicked = lesson_list(theme, {means_.files, reading_.progress(), kernel, state.centre_view,
                                                 fault_.empty() ? means_.no_files : fault_});
        ImGui::EndChild();
        if (clicked) open(clicked);
    } else if (shown_ == Shown::lesson) {
        draw_lesson(theme, draw_view);
    }
    return view;
}

/// The open step, the progress, and the navigation.
std::string LessonPage::header(const Theme& theme, FrameState& state) {
    std::string view;
    const float scale = theme.fonts.scale, gap = spacing(theme), height = control_height(theme);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float right = origin.x + ImGui::GetContentRegionAvail().x, top = origin.y + gap;
    const bool lesson = shown_ == Shown::lesson;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, 0});
    ImGui::SetCursorScreenPos({origin.x + gap, top});
    if (lesson && !presenting_) {
        if (text_button(theme, "lesson list", "◂ Lessons", "All lessons (Esc).")) show_list();
        ImGui::SameLine();
    }
    const float left_end = ImGui::GetCursorScreenPos().x;

    const char* other_theme = theme.name == ThemeName::dark ? "light" : "dark";
    const char* present_words = presenting_ ? "End presentation" : "Present";
    float x = right - gap - text_button_width(theme, "×");
    const auto put = [&](const char* name, const char* words, const char* help) {
        ImGui::SetCursorScreenPos({x, top});
        const bool clicked = text_button(theme, name, words, help);
        return clicked;
    };
    const auto before = [&](const char* words) { x -= gap + text_button_width(theme, words); };
    if (put("lesson close", "×", "Back to the window.")) close();
    if (!presenting_) {
        before(other_theme);
        if (put("theme", other_theme, "Switch between the dark and the light theme."))
            state.toggle_theme = true;
    }
    if (lesson) {
        before(present_words);
        if (put("lesson present", present_words,
                "Large type and no answers before a key press: Space shows the answer, then the next step "
                "(P)."))
            present(!presenting_);
        if (presenting_ && shown_ == Shown::lesson && !reading_.step().notes.text.empty()) {
            const char* words = notes_shown_ ? "Hide notes" : "Notes";
            before(words);
            if (put("lesson notes", words, "Your notes on this step (N). The audience sees them, too."))
                notes_shown_ = !notes_shown_;
        }
        if (!own_path_.empty() && !presenting_) {
            before("Read again");
            if (put("lesson reload", "Read again", "Read the file again after a change.")) {
                const std::size_t at = reading_.at();
                open(std::string(own_path_));
                if (reading_.lesson()) go_to(at);
            }
        }
        if (may_explore() && !presenting_) {
            before("Explore");
            if (put("lesson explore", "Explore", "This run in the window, with all knobs and views."))
                view = explore();
        }
        if (shown_ == Shown::lesson) {
            ImGui::SetCursorScreenPos({left_end + gap, top});
            steps(theme, x - gap);
        }
    }
    ImGui::PopStyleVar();
    draw_horizontal_hairline(*ImGui::GetWindowDrawList(), theme, origin.x, right, top + height + gap);
    ImGui::SetCursorScreenPos({origin.x, top + height + gap + std::round(scale)});
    return view;
}

/// One mark for each step: filled when the answer was right, struck through when it was not. To be clicked.
void LessonPage::steps(const Theme& theme, float right) {
    const Lesson& lesson = *reading_.lesson();
    const float scale = theme.fonts.scale, height = control_height(theme), gap = std::round(4 * scale);
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto count = static_cast<float>(lesson.steps.size());
    const float marks = std::min(std::round(26 * scale) * count, (right - at.x) * 0.6f);
    const float side = std::max(1.0f, marks / count - gap);
    const auto answered = reading_.progress().answered.find(lesson.name);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        ImGui::SetCursorScreenPos(at);
        const std::string name = fmt::format("lesson step {}", i + 1);
        const bool clicked = invisible_button(name.c_str(), {side, height});
        hit_box_of_item(name);
        if (ImGui::IsItemHovered()) tooltip_card(theme, step.title.empty() ? lesson.title : step.title);
        const float bar = std::round(8 * scale);
        const ImVec2 min{at.x, at.y + std::round((height - bar) / 2)}, max{at.x + side, min.y + bar};
        std::optional<bool> was_right;
        if (!presenting_ && step.question && answered != reading_.progress().answered.end())
            if (const auto found = answered->second.find(step.title); found != answered->second.end())
                was_right = found->second;
        list.AddRectFilled(min, max, was_right == true ? theme.ideal : theme.raised, 3 * scale);
        if (was_right == false) {
            compat::add_rect(list, min, max, theme.cost, 3 * scale, scale);
            list.AddLine({min.x + 2 * scale, max.y}, {max.x - 2 * scale, min.y}, theme.cost, 1.5f * scale);
        }
        if (i == reading_.at())
            compat::add_rect(list, {min.x - 2 * scale, min.y - 3 * scale},
                             {max.x + 2 * scale, max.y + 3 * scale}, theme.selected, 4 * scale, 2 * scale);
        if (clicked) go_to(i);
        at.x += side + gap;
    }
    const float room = right - at.x - 2 * gap;
    if (room > 60 * scale)
        draw_text(list, theme.fonts.words,
                  {at.x + 2 * gap, at.y + std::round((height - text_height(theme.fonts.words)) / 2)},
                  theme.text_dim, fit_text(theme.fonts.words, lesson.title, room));
}

void LessonPage::footer(const Theme& theme) {
    const float gap = spacing(theme);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = control_height(theme);
    const std::size_t count = reading_.lesson()->steps.size();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool last = reading_.at() + 1 == count;
    const bool asks = reading_.step().question && !reading_.reading().verdict;
    const std::string where = fmt::format("Step {} of {}", reading_.at() + 1, count);
    const char* next_words = presenting_ && asks ? "Show the answer" : last ? "All lessons" : "Next ▸";
    if (reading_.at() > 0 && text_button(theme, "lesson back", "◂ Back", "The step before (←, Page up)."))
        go_to(reading_.at() - 1);
    draw_text_centred(list, theme.fonts.small, at, {at.x + width, at.y + height}, theme.text_dim, where);
    const float next = text_button_width(theme, next_words);
    ImGui::SetCursorScreenPos({at.x + width - next - gap, at.y});
    if (text_button(theme, "lesson next", next_words,
                    presenting_ ? "Space" : "→, Page down; Enter after an answer.")) {
        if (presenting_ && asks) advance();
        else if (last) show_list();
        else go_to(reading_.at() + 1);
    }
}

void LessonPage::draw_lesson(const Theme& theme, const LessonStage::DrawView& draw_view) {
    const float scale = theme.fonts.scale, margin = std::round(16 * scale), gap = spacing(theme);
    const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const LessonType type = lesson_type(theme, presenting_);
    const float share = presenting_ ? 0.42f : 0.36f;
    const float least = std::min(room.x / 2, 320 * scale), most = (presenting_ ? 900 : 560) * scale;
    const float words = std::floor(std::clamp(room.x * share, least, std::max(least, most)));
    const float foot = control_height(theme) + 2 * gap;
    stage_.follow(reading_);

    ImGui::SetCursorScreenPos({origin.x + margin, origin.y + margin});
    // By the step, so that each begins at its top.
    const std::string id = fmt::format("words {} {}", reading_.lesson()->name, reading_.at());
    compat::begin_child(id.c_str(),
                        {std::max(1.0f, words - margin - gap), std::max(1.0f, room.y - foot - margin - gap)});
    const bool was_known = reading_.reading().verdict.has_value();
    pane_.draw(theme, type, reading_, presenting_, presenting_ && notes_shown_);
    if (was_known && !verdict_seen_) ImGui::SetScrollHereY(1);
    verdict_seen_ = was_known;
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({origin.x + margin, origin.y + room.y - foot + gap});
    compat::begin_child("lesson footer", {std::max(1.0f, words - margin), foot - gap},
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    footer(theme);
    ImGui::EndChild();
    if (shown_ != Shown::lesson) return;
    draw_vertical_hairline(*ImGui::GetWindowDrawList(), theme, origin.x + words, origin.y, origin.y + room.y);

    ImGui::SetCursorScreenPos({origin.x + words + margin, origin.y + margin});
    compat::begin_child("stage",
                        {std::max(1.0f, room.x - words - 2 * margin), std::max(1.0f, room.y - margin - gap)},
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const bool may_choose = !presenting_ && !reading_.reading().answer;
    stage_.draw(theme, type, reading_, draw_view, pane_.line, may_choose);
    ImGui::EndChild();
}

float LessonPage::strip(const Theme& theme) {
    if (!exploring()) return 0;
    const float scale = theme.fonts.scale;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = std::round(44 * scale);
    const float margin = std::round(12 * scale),
                top = at.y + std::round((height - control_height(theme)) / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, with_alpha(theme.ideal, 0.10));
    const float close_width = text_button_width(theme, "×"),
                back = text_button_width(theme, "Back to the lesson");
    const std::string words =
        fmt::format("{} · step {} of {}: turn a knob, open a view.", reading_.lesson()->title,
                    reading_.at() + 1, reading_.lesson()->steps.size());
    draw_text(list, theme.fonts.words,
              {at.x + margin, at.y + std::round((height - text_height(theme.fonts.words)) / 2)}, theme.text,
              fit_text(theme.fonts.words, words, width - 4 * margin - close_width - back));
    ImGui::SetCursorScreenPos({at.x + width - 2 * margin - close_width - back, top});
    if (text_button(theme, "lesson come back", "Back to the lesson", "")) come_back();
    ImGui::SetCursorScreenPos({at.x + width - margin - close_width, top});
    if (text_button(theme, "lesson leave", "×", "Leave the lesson.")) close();
    draw_horizontal_hairline(list, theme, at.x, at.x + width, at.y + height - 1);
    return height;
}

}  // namespace warplens::app
