#include "app/window/lesson/lesson_pane.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/metrics.h"
#include "app/lesson/own_kernels.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

/// Draws the following items over a surface whose height is known only afterwards.
class Boxed {
  public:
    Boxed(const Theme& theme, ImU32 fill, ImU32 edge)
        : fill_(fill),
          edge_(edge),
          list_(*ImGui::GetWindowDrawList()),
          begin_(ImGui::GetCursorScreenPos()),
          width_(ImGui::GetContentRegionAvail().x),
          pad_(std::round(12 * theme.fonts.scale)),
          edge_width_(std::round(4 * theme.fonts.scale)) {
        list_.ChannelsSplit(2);
        list_.ChannelsSetCurrent(1);
        ImGui::SetCursorScreenPos({begin_.x + pad_ + edge_width_, begin_.y + pad_});
        ImGui::BeginGroup();
    }
    Boxed(const Boxed&) = delete;
    Boxed& operator=(const Boxed&) = delete;
    ~Boxed() {
        ImGui::EndGroup();
        const ImVec2 end{begin_.x + width_, ImGui::GetItemRectMax().y + pad_};
        list_.ChannelsSetCurrent(0);
        list_.AddRectFilled(begin_, end, fill_, edge_width_);
        list_.AddRectFilled(begin_, {begin_.x + edge_width_, end.y}, edge_);
        list_.ChannelsMerge();
        ImGui::SetCursorScreenPos(begin_);
        ImGui::Dummy({width_, end.y - begin_.y});
    }
    float room() const { return width_ - 2 * pad_ - edge_width_; }

  private:
    ImU32 fill_, edge_;
    ImDrawList& list_;
    ImVec2 begin_;
    float width_, pad_, edge_width_;
};

void space(const Theme& theme, float pixels) { ImGui::Dummy({1, std::round(pixels * theme.fonts.scale)}); }

/// A tick or a cross, so that right and wrong differ in more than colour.
void draw_mark(ImDrawList& list, ImVec2 at, float side, bool right, ImU32 colour) {
    const float thick = std::max(2.0f, side / 7);
    if (right) {
        const ImVec2 points[] = {{at.x + side * 0.12f, at.y + side * 0.55f},
                                 {at.x + side * 0.4f, at.y + side * 0.82f},
                                 {at.x + side * 0.9f, at.y + side * 0.2f}};
        compat::add_polyline(list, points, 3, colour, false, thick);
    } else {
        list.AddLine({at.x + side * 0.18f, at.y + side * 0.18f}, {at.x + side * 0.82f, at.y + side * 0.82f},
                     colour, thick);
        list.AddLine({at.x + side * 0.82f, at.y + side * 0.18f}, {at.x + side * 0.18f, at.y + side * 0.82f},
                     colour, thick);
    }
}

/// The origin of a truth, for readers who doubt it.
std::string source_words(const Lesson& lesson, const LessonQuestion& question) {
    const LessonRun& run = *lesson.run(question.run);
    if (run.engine == "recorded")
        return fmt::format("Computed just now from the recording that an H200 made of {}.",
                           kernel_title(run.kernel));
    return fmt::format("Computed just now by executing {}; nobody typed it in.", kernel_title(run.kernel));
}

/// The answer that was given, next to the truth: "You answered 8; it is 32 wavefronts".
std::string result_words(const LessonQuestion& asked, const Truth& truth, const Answer& given, bool right) {
    if (asked.kind == QuestionKind::choice) return right ? "Right" : "Not right";
    if (right) return "Right: " + truth.words;
    if (asked.kind == QuestionKind::line)
        return fmt::format("You chose line {}; it is {}", given.line, truth.words);
    return fmt::format("You answered {}; it is {}", analysis::metric_value(given.number), truth.words);
}

std::string letter_of(std::size_t option) { return std::string(1, static_cast<char>('A' + option % 26)); }

}  // namespace

void LessonPane::begin_step() {
    line = 0;
    typed_.clear();
    option_.reset();
    complaint_.clear();
    focus_ = true;
}

void LessonPane::choose(const LessonReading& reading, std::size_t index) {
    const auto& truth = reading.reading().prepared.truth;
    if (!truth || reading.reading().answer || index >= truth->options.size()) return;
    option_ = index;
    complaint_.clear();
}

void LessonPane::choose_next(const LessonReading& reading, int direction) {
    const auto& truth = reading.reading().prepared.truth;
    if (!truth || truth->options.empty()) return;
    const auto count = static_cast<int>(truth->options.size());
    const int at = option_ ? static_cast<int>(*option_) + direction : direction > 0 ? 0 : count - 1;
    choose(reading, static_cast<std::size_t>((at + count) % count));
}

void LessonPane::hand_in(LessonReading& reading) {
    const auto& asked = reading.step().question;
    if (!asked || reading.reading().answer || !reading.reading().prepared.truth) return;
    complaint_.clear();
    Answer answer;
    if (asked->kind == QuestionKind::choice) {
        if (!option_) complaint_ = "Choose one of the answers first.";
        else answer.option = *option_;
    } else if (asked->kind == QuestionKind::line) {
        if (line == 0) complaint_ = "Click a line of the code first.";
        answer.line = line;
    } else if (const auto number = parse_answer(typed_)) {
        answer.number = *number;
    } else {
        complaint_ =
            typed_.empty() ? "Type a number first: a guess is enough." : number.error().message + ".";
        focus_ = true;
    }
    if (complaint_.empty()) reading.answer(answer);
}

void LessonPane::draw(const Theme& theme, const LessonType& type, LessonReading& reading, bool presenting,
                      bool notes) {
    const LessonStep& step = reading.step();
    const PreparedStep& words = reading.reading().prepared;
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    if (step.title.empty()) {
        text_wrapped(type.heading, theme.text, reading.lesson()->title, width);
        if (!reading.lesson()->about.empty()) {
            space(theme, 6);
            markdown(theme, {type.prose.words, type.prose.code, theme.text_dim}, reading.lesson()->about,
                     width);
        }
    } else {
        text_wrapped(type.heading, theme.text, step.title, width);
    }
    space(theme, 10);
    if (!words.prose.empty()) {
        markdown(theme, type.prose, words.prose, width);
        space(theme, 14);
    }
    if (step.question) question(theme, type, reading, presenting);
    if (notes && !words.notes.empty()) {
        space(theme, 12);
        const Boxed box(theme, with_alpha(theme.cost, 0.08), theme.cost);
        text_item(type.label, theme.text_dim, "Notes for the teacher");
        space(theme, 4);
        markdown(theme, type.prose, words.notes, box.room());
    }
    if (!words.fault.empty()) {
        space(theme, 10);
        const Boxed box(theme, with_alpha(theme.error, 0.10), theme.error);
        text_wrapped(type.prose.words, theme.error, "Not all of this step can be computed.", box.room());
        space(theme, 4);
        text_wrapped(theme.fonts.small, theme.text, words.fault, box.room());
    }
    ImGui::PopStyleVar();
}

void LessonPane::question(const Theme& theme, const LessonType& type, LessonReading& reading,
                          bool presenting) {
    const Lesson& lesson = *reading.lesson();
    const LessonQuestion& asked = *reading.step().question;
    {
        const Boxed box(theme, with_alpha(theme.ideal, 0.08), theme.ideal);
        std::size_t number = 0;
        for (std::size_t i = 0; i <= reading.at(); ++i) number += lesson.steps[i].question.has_value();
        text_item(type.label, theme.text_dim, fmt::format("Question {} of {}", number, lesson.questions()));
        space(theme, 4);
        markdown(theme, type.prose, reading.reading().prepared.ask, box.room());
        space(theme, 8);
        if (asked.kind == QuestionKind::choice) options(theme, type, reading, presenting);
        else if (!presenting && !reading.reading().answer) entry(theme, type, reading);
    }
    if (reading.reading().verdict) {
        space(theme, 12);
        verdict(theme, type, reading, presenting);
    } else if (reading.reading().judging()) {
        space(theme, 12);
        text_item(theme.fonts.words, theme.text_dim, "Computing the answer …");
    }
}

void LessonPane::options(const Theme& theme, const LessonType& type, LessonReading& reading,
                         bool presenting) {
    const auto& truth = reading.reading().prepared.truth;
    if (!truth) {
        if (!reading.reading().computed)
            text_item(theme.fonts.words, theme.text_dim, "Computing the answers to choose from …");
        return;
    }
    for (std::size_t i = 0; i < truth->options.size(); ++i) option(theme, type, reading, i, presenting);
    if (!presenting && !reading.reading().answer) entry(theme, type, reading);
}

void LessonPane::option(const Theme& theme, const LessonType& type, LessonReading& reading, std::size_t index,
                        bool presenting) {
    const Truth& truth = *reading.reading().prepared.truth;
    const bool known = reading.reading().verdict.has_value(), right = known && index == truth.right_option;
    const auto& given = reading.reading().answer;
    const bool chosen = given ? !presenting && given->option == index : option_ == index;
    const float pad = std::round(8 * theme.fonts.scale);
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - std::round(12 * theme.fonts.scale);
    const float badge = std::round(text_height(type.prose.words) * 1.5f);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos({begin.x + badge + 2 * pad, begin.y + pad});
    const ImU32 colour = known && !right && !chosen ? theme.text_dim : theme.text;
    markdown(theme, {type.prose.words, type.prose.code, colour}, truth.options[index],
             width - badge - 3 * pad);
    const ImVec2 end{begin.x + width, std::max(ImGui::GetItemRectMax().y, begin.y + badge) + pad};
    ImGui::SetCursorScreenPos(begin);
    const std::string name = "lesson option " + letter_of(index);
    const bool clicked = invisible_button(name.c_str(), {width, end.y - begin.y});
    hit_box_of_item(name);
    if (clicked && !presenting) choose(reading, index);
    const bool may = !presenting && !given;
    const ImU32 edge = right ? theme.ideal : chosen ? (known ? theme.cost : theme.selected) : theme.hairline;
    const float thick = (right || chosen ? 2.0f : 1.0f) * theme.fonts.scale;
    if (may && ImGui::IsItemHovered()) list.AddRectFilled(begin, end, theme.hovered, 4 * theme.fonts.scale);
    compat::add_rect(list, begin, end, edge, 4 * theme.fonts.scale, thick);
    const ImVec2 at{begin.x + pad, begin.y + pad + std::round(text_height(type.prose.words) * 0.14f)};
    const float mark = std::round(badge * 0.8f);
    if (known && (right || chosen)) draw_mark(list, at, mark, right, right ? theme.ideal : theme.cost);
    else draw_text(list, type.prose.words, at, chosen ? theme.selected : theme.text_dim, letter_of(index));
    ImGui::SetCursorScreenPos({begin.x, end.y + std::round(6 * theme.fonts.scale)});
}

/// The student's input: a field or the chosen line, and the button.
void LessonPane::entry(const Theme& theme, const LessonType& type, LessonReading& reading) {
    const LessonQuestion& asked = *reading.step().question;
    const float gap = std::round(8 * theme.fonts.scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float x = at.x;
    const float middle = at.y + std::round((control_height(theme) - text_height(theme.fonts.words)) / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    bool entered = false;
    if (asked.kind == QuestionKind::number) {
        const float width = std::round(120 * theme.fonts.scale);
        ImGui::SetNextItemWidth(width);
        if (focus_ && reading.reading().prepared.truth) {
            ImGui::SetKeyboardFocusHere();
            focus_ = false;
        }
        compat::push_font(theme.fonts.code);
        const float frame = (control_height(theme) - text_height(theme.fonts.code)) / 2;
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {gap, frame});
        entered = ImGui::InputText("##answer", &typed_, ImGuiInputTextFlags_EnterReturnsTrue);
        ImGui::PopStyleVar();
        ImGui::PopFont();
        hit_box_of_item("lesson answer");
        x += width + gap;
        if (!asked.unit.empty()) {
            draw_text(list, theme.fonts.words, {x, middle}, theme.text, asked.unit);
            x += text_width(theme.fonts.words, asked.unit) + gap;
        }
    } else if (asked.kind == QuestionKind::line) {
        const std::string words = line == 0 ? "Click a line of the code." : fmt::format("Line {}", line);
        draw_text(list, theme.fonts.words, {x, middle}, line == 0 ? theme.text_dim : theme.text, words);
        x += text_width(theme.fonts.words, words) + gap;
    }
    ImGui::SetCursorScreenPos({x, at.y});
    if (text_button(theme, "lesson check", "Check", "Hand in your prediction (Enter).") || entered)
        hand_in(reading);
    ImGui::SetCursorScreenPos({at.x, at.y + control_height(theme)});
    ImGui::Dummy({1, 1});
    if (!complaint_.empty()) {
        space(theme, 4);
        text_item(type.label, theme.cost, complaint_);
    } else if (!reading.reading().computed) {
        space(theme, 4);
        text_item(type.label, theme.text_dim, "The answer is being computed …");
    }
}

void LessonPane::verdict(const Theme& theme, const LessonType& type, const LessonReading& reading,
                         bool presenting) {
    const Verdict& verdict = *reading.reading().verdict;
    const Truth& truth = *reading.reading().prepared.truth;
    const LessonQuestion& asked = *reading.step().question;
    const ImU32 colour = presenting || verdict.right ? theme.ideal : theme.cost;
    const Boxed box(theme, with_alpha(colour, 0.10), colour);
    ImFont* font = type.heading;
    const bool choice = asked.kind == QuestionKind::choice;
    if (presenting) {
        // A choice is marked in its place.
        if (!choice) text_wrapped(font, theme.ideal, truth.words, box.room());
    } else {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float side = text_height(font);
        draw_mark(*ImGui::GetWindowDrawList(), at, side, verdict.right, colour);
        ImGui::SetCursorScreenPos({at.x + side * 1.3f, at.y});
        text_wrapped(font, colour, result_words(asked, truth, *reading.reading().answer, verdict.right),
                     box.room() - side * 1.3f);
        ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
    }
    space(theme, 6);
    markdown(theme, type.prose, verdict.explanation, box.room());
    space(theme, 8);
    text_wrapped(theme.fonts.small, theme.text_dim, source_words(*reading.lesson(), asked), box.room());
}

}  // namespace warplens::app
