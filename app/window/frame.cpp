#include "app/window/frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "app/pipeline/kernel_code.h"
#include "app/scene/view_relevance.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/letter_keys.h"
#include "app/ui/view_keys.h"
#include "app/window/failure_banner.h"
#include "app/window/failure_marks.h"
#include "app/window/launch_note.h"
#include "app/window/overlays.h"
#include "app/window/pane_focus.h"
#include "app/window/picture_dialog.h"
#include "app/window/status_line.h"
#include "app/window/toolbar.h"
#include "app/window/verdict_line.h"

namespace warplens::app {
namespace {

constexpr ImGuiWindowFlags whole_display =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;

}  // namespace

Frame::Frame(Session& session, Layout& layout)
    : session_(session), layout_(layout), context_{session,
                                                   state,
                                                   dialogs,
                                                   history,
                                                   nullptr,
                                                   nullptr,
                                                   [this](std::string_view view) { open_view(view); }} {
    if (const auto centre = views_by_relevance(nullptr, ViewPlace::centre); !centre.empty())
        state.centre_view = centre.front().view->name;
}

Frame::~Frame() = default;

void Frame::open_view(std::string_view name) {
    const ViewEntry* entry = find_view(name);
    if (!entry) return;
    if (entry->place == ViewPlace::centre) state.centre_view = entry->name;
    if (!state.filled_view.empty() && state.filled_view != name) state.filled_view.clear();
}

bool Frame::open_first_lesson() {
    session_.open_kernel("transpose_tiled");
    if (!session_.kernel() || session_.kernel()->name != "transpose_tiled") return false;
    session_.set_parameter("PAD", "0");
    follow_kernel();
    state.focused_knob = "PAD";
    state.invite = true;
    return true;
}

/// A kernel names the views that suit it; the first of them in the centre opens with it.
void Frame::follow_kernel() {
    if (session_.opened() == followed_) return;
    followed_ = session_.opened();
    state.invite = false;
    state.reveal_kernel = 3;  // the list knows its length after the first
    state.focused_knob.clear();
    state.problems_shown = false;
    state.notice.clear();
    // The editor was for the user's own file, which keeps its changes.
    const bool is_own = own_ && own_->is_shown();
    if (std::exchange(follows_own_, is_own) && !is_own) state.editing = false;
    if (!session_.kernel()) return;
    if (std::exchange(keeps_view_, false) && own_ && own_->is_shown()) {
        best_for_ = followed_;
        return;
    }
    for (const std::string& name : session_.kernel()->views)
        if (const ViewEntry* entry = find_view(name); entry && entry->place == ViewPlace::centre) {
            state.centre_view = entry->name;
            break;
        }
    view_when_opened_ = state.centre_view;
}

/// A kernel that names no view opens the one that has most to show of its first run, unless a person has
/// chosen one since it was opened.
void Frame::open_best_view() {
    const Scene* scene = session_.scene();
    if (state.centre_view != view_when_opened_) best_for_ = session_.opened();
    if (!scene || best_for_ == session_.opened() || session_.running()) return;
    if (scene->kernel.get() != session_.kernel()) return;  // an older one's: the run failed
    best_for_ = session_.opened();
    const bool names_view =
        std::ranges::any_of(session_.kernel() ? session_.kernel()->views : std::vector<std::string>{},
                            [](const std::string& name) {
                                const ViewRow* row = find_view_row(name);
                                return row && row->place == ViewPlace::centre;
                            });
    if (names_view || !session_.kernel()) return;
    const auto views = views_by_relevance(scene, ViewPlace::centre);
    if (views.empty()) return;
    state.centre_view = views.front().view->name;
    session_.select_default(state.centre_view);
}

std::string Frame::title() const {
    std::string name, file;
    if (const instrumentation::KernelFile* kernel = session_.kernel()) {
        name = kernel->name;
        file =
            own_ && own_->is_shown() ? own_->name() : std::filesystem::path(kernel->path).filename().string();
    } else if (const Scene* scene = session_.scene(); scene && scene->trace) {
        name = scene->trace->launch.kernel;
    }
    if (name.empty()) return "Warplens";
    return (file.empty() || file == name ? name : name + " – " + file) + " – Warplens";
}

/// The lines that the failure names are marked as long as its banner is open.
void Frame::follow_failure() {
    const std::string failure = shows_failure(session_, state) ? session_.failure() : "";
    if (std::exchange(failed_with_, failure) == failure) return;
    failed_ = {};
    if (failure.empty() || !session_.kernel()) return;
    const instrumentation::KernelFile& kernel = *session_.kernel();
    const std::string name = source_name(kernel);
    const auto includes = instrumentation::include_lines(kernel.path, kernel.source, kernel.include_paths);
    failed_.file = name;
    failed_.text = kernel.source;
    const auto lines = std::ranges::count(kernel.source, '\n') + 1;
    for (const EditorMark& mark : failure_marks(failure, name, includes))
        if (mark.line <= lines) failed_.lines.push_back({mark.line, mark.words});
}

/// An old notice would hide what the line says otherwise.
void Frame::expire_notice() {
    constexpr double seconds_shown = 8;
    const double now = ImGui::GetTime();
    if (state.notice != timed_notice_) {
        timed_notice_ = state.notice;
        notice_ends_ = now + seconds_shown;
    }
    if (state.notice.empty()) return;
    const double left = notice_ends_ - now;
    if (left <= 0) state.notice.clear();
    else state.due_in = state.due_in > 0 ? std::min(state.due_in, left) : left;
}

/// The play head moves what all views follow; between its frames the window waits.
void Frame::play() {
    const bool toggled = std::exchange(state.toggle_play, false);
    play_.change_speed(std::exchange(state.play_faster, 0));
    const bool played = play_.playing();
    const bool in_lesson = lessons_ && lessons_->fills_window();
    if (in_lesson || session_.stale() || (toggled && play_.playing())) {
        play_.stop();
    } else if (toggled && !play_.start(session_.scene(), session_.selection)) {
        state.notice = "There is nothing to play.";
    } else if (!toggled) {  // the frame in which it starts may follow a long sleep
        play_.advance(session_.scene(), session_.selection, ImGui::GetIO().DeltaTime);
    }
    // It plays the PTX's cycles, which are none of the machine level's: there the step that it came to stays.
    if (played && !play_.playing() && state.level == Level::machine)
        session_.selection.chosen.cycle = no_index;
    constexpr double frame_seconds = 1.0 / 60;
    if (play_.playing())
        state.due_in = state.due_in > 0 ? std::min(state.due_in, frame_seconds) : frame_seconds;
}

/// A view that a person opens selects what it shows most of, until a person selects something else; a kernel
/// that is opened has its own first view for that.
void Frame::follow_view() {
    const Scene* scene = session_.scene();
    if (!scene) return;
    const bool fresh = scene->generation != view_scene_ || scene->timing_generation != view_timing_;
    const bool opened = state.centre_view != shown_view_;
    if (opened && view_kernel_ == session_.opened()) session_.select_default(state.centre_view);
    if (opened || (fresh && unselected_)) shown_with_view_ = session_.selection.chosen;
    unselected_ = session_.selection.chosen == shown_with_view_;
    shown_view_ = state.centre_view;
    view_kernel_ = session_.opened();
    view_scene_ = scene->generation;
    view_timing_ = scene->timing_generation;
}

void Frame::draw(const Theme& theme) {
    state.due_in = 0;
    under_mouse_.begin_frame();
    poll_own_file();
    if (own_) program_ = own_->program_list();
    session_.poll();
    if (lessons_) lessons_->poll();
    follow_kernel();
    if (const Scene* scene = session_.scene(); scene && scene->generation != noticed_) {
        noticed_ = scene->generation;
        if (!scene->notice.empty()) state.notice = scene->notice;
    }
    open_best_view();
    follow_view();
    follow_failure();
    expire_notice();
    // Cycles of one level mean nothing at the other.
    if (std::exchange(drawn_level_, state.level) != state.level) session_.selection.chosen.cycle = no_index;
    play();
    if (!lessons_ || !lessons_->fills_window()) history.follow(session_, ImGui::GetTime(), play_.playing());
    state.stale_seconds = session_.running() ? state.stale_seconds + ImGui::GetIO().DeltaTime : 0;

    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(display);
    ImGui::Begin("frame", nullptr, whole_display);
    const bool in_lesson = lessons_ && lessons_->fills_window();
    if (in_lesson) draw_lesson(theme);
    else draw_workplace(theme);

    session_.selection.hover = session_.selection.next_hover;
    session_.selection.next_hover = {};
    Commands commands = std::exchange(commands_, {});
    // A request for more than the lesson shows leads to the window, but not before the answer.
    const bool asks = !commands.set_parameters.empty() || !commands.edit_source.empty() ||
                      !commands.set_gpu.empty() || commands.set_timing || commands.start_sweep ||
                      !commands.open_view.empty();
    if (in_lesson && asks) {
        if (lessons_->presenting() || !lessons_->may_explore()) commands = {};
        else if (const std::string view = lessons_->explore(); commands.open_view.empty())
            commands.open_view = view;
    }
    carry_out(commands);
    under_mouse_.end_frame(theme, state);
}

/// Toolbar, panes and status line.
void Frame::draw_workplace(const Theme& theme) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    take_view_keys();
    take_finding_keys();
    take_pane_keys();
    take_keys();
    panes_.clear();
    float top = toolbar(theme, session_, state, layout_, own_, dialogs);
    ImGui::SetCursorScreenPos({0, top});
    const bool exploring = lessons_ && lessons_->exploring();
    top += exploring ? lessons_->strip(theme) : invitation(theme, session_, state, lessons_);
    ImGui::SetCursorScreenPos({0, top});
    top += verdict_line(theme, session_, state);
    ImGui::SetCursorScreenPos({0, top});
    if (own_) top += launch_note(theme, *own_, state, context_.open_view);
    if (!own_ || !own_->asks_for_launch()) {
        ImGui::SetCursorScreenPos({0, top});
        top += failure_banner(theme, session_, state, own_ != nullptr);
    }
    if (session_.kernel() && !session_.kernel()->parameters.empty())
        panes_[Pane::knobs] = {0, 0, display.x, top};
    const float bottom = display.y - status_line_height(theme);
    draw_panes(theme, {0, top, display.x, std::max(top, bottom)});
    ImGui::SetCursorScreenPos({0, bottom});
    status_line(theme, session_, state);
    mark_focus(theme);
    ImGui::End();
    problem_list(theme, session_, state, bottom);
    keys_card(theme, state);
    palette_.draw(theme, context_);
    picture_dialog(theme, session_, *this);
    if (own_) dialogs.draw(theme, session_, *own_);
    if (lessons_ && std::exchange(state.show_lessons, false)) lessons_->show_list();
}

void Frame::draw_lesson(const Theme& theme) {
    const std::string view = lessons_->draw(theme, state, [&](const char* name, bool interactive) {
        if (const ViewEntry* entry = find_view(name)) draw_view(theme, *entry, interactive);
    });
    ImGui::End();
    if (own_) dialogs.draw(theme, session_, *own_);
    if (!view.empty()) open_view(view);
}

void Frame::carry_out(const Commands& commands) {
    for (const auto& set : commands.set_parameters) session_.set_parameter(set.name, set.value);
    if (!commands.edit_source.empty() && own_) {
        editor_.apply(commands.edit_source, session_, *own_, dialogs);
        state.editing = own_->is_shown();
    }
    if (!commands.set_gpu.empty()) session_.set_gpu(commands.set_gpu);
    if (commands.set_timing) session_.set_timing(*commands.set_timing);
    if (commands.start_sweep) session_.start_sweep(*commands.start_sweep, state.level);
    if (commands.cancel_sweep) session_.cancel_sweep();
    if (commands.try_more_changes) session_.try_more_changes();
    if (commands.try_bank_fixes) session_.try_bank_fixes(*commands.try_bank_fixes);
    if (commands.ask_values) session_.ask_values(*commands.ask_values, play_.playing());
    if (commands.ask_baseline_values) session_.ask_baseline_values(*commands.ask_baseline_values);
    if (commands.list_program && own_) own_->list_program();
    if (commands.cancel_list && own_) own_->cancel_list();
    if (commands.open_launch && own_)
        own_->open_launch(commands.open_launch->first, commands.open_launch->second);
    if (!commands.open_view.empty()) open_view(commands.open_view);
    state.toggle_play = state.toggle_play || commands.toggle_play;
    state.play_faster += commands.play_faster;
    state.moving = commands.redraw;
    state.arrows_taken = commands.takes_arrow_keys;
}

void Frame::draw_view(const Theme& theme, const ViewEntry& entry, bool interactive) {
    auto& view = views_[entry.name];
    if (!view) view = entry.make();
    ViewFrame frame{session_.scene(), session_.selection, commands_,         theme,
                    interactive,      layout_.motion,     session_.timing(), session_.modelling()};
    const bool begins = session_.running() || (own_ && own_->looks_for_launch());
    if (!session_.scene() && begins && session_.kernel()) frame.running = session_.kernel()->name;
    frame.asks_for_launch = !session_.scene() && own_ && own_->asks_for_launch();
    frame.sweep = &session_.sweep();
    frame.bank_fixes = &session_.bank_fixes();
    frame.values = &session_.values();
    frame.baseline_values = &session_.baseline_values();
    // A lesson shows its own run and no other.
    const bool in_lesson = lessons_ && lessons_->fills_window();
    if (const analysis::Comparison* comparison =
            in_lesson ? nullptr : session_.comparison(state.level, state.counts)) {
        const Baseline& chosen = *session_.baselines.chosen();
        frame.baseline = chosen.scene.get();
        frame.baseline_name = chosen.renamed() ? chosen.name : comparison->before_name;
        frame.scene_name = comparison->after_name;
    }
    frame.advice = &session_.advice();
    if (unselected_) frame.open_view = state.centre_view;
    frame.focused = interactive && !in_lesson && state.focused_pane == pane_at(entry.place);
    if (interactive) frame.play = &play_;
    if (!in_lesson) frame.program = &program_;
    if (!in_lesson && entry.place == ViewPlace::source) frame.failed = failed_source();
    frame.level = state.level;
    frame.counts = in_lesson ? Level::ptx : state.counts;
    view->draw(frame);
}

void Frame::describe_view(std::string_view name, Selection& selection) const {
    if (const auto view = views_.find(name); view != views_.end()) view->second->add_wishes(selection);
}

void Frame::step_view(int by) {
    const auto views = views_by_relevance(session_.scene(), ViewPlace::centre);
    if (views.empty()) return;
    const auto at = std::ranges::find_if(
        views, [&](const RelevantView& one) { return one.view->name == state.centre_view; });
    const auto count = static_cast<std::ptrdiff_t>(views.size());
    const auto next = (at - views.begin() + count + by) % count;
    const bool filled = state.filled_view == state.centre_view && !state.filled_view.empty();
    state.centre_view = views[static_cast<std::size_t>(next)].view->name;
    state.filled_view = filled ? state.centre_view : "";
}

/// What changes how things are shown works while text is typed, too.
void Frame::take_view_keys() {
    using compat::ViewKey, compat::view_key_pressed;
    const ImGuiIO& io = ImGui::GetIO();
    if (view_key_pressed(ViewKey::present)) state.presenting = !state.presenting;
    if (!io.KeyCtrl || io.KeyAlt) return;
    constexpr float step = 0.1f;
    float& scale = layout_.text_scale;
    if (view_key_pressed(ViewKey::larger)) scale += step;
    if (view_key_pressed(ViewKey::smaller)) scale -= step;
    if (view_key_pressed(ViewKey::natural_size)) scale = 1;
    scale = std::clamp(std::round(scale / step) * step, least_text_scale, greatest_text_scale);
}

void Frame::take_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
    if (compat::key_pressed(compat::Key::space)) state.toggle_play = true;
    if (compat::letter_pressed('R') && !io.KeyCtrl && !io.KeyAlt) session_.run_again();
    if (compat::letter_pressed('B') && !io.KeyCtrl && !io.KeyAlt && !session_.stale())
        session_.keep_baseline();
    if (compat::key_pressed(compat::Key::tab) && !io.KeyCtrl && !io.KeyAlt) step_view(io.KeyShift ? -1 : 1);
    for (const ImWchar typed : io.InputQueueCharacters)
        if (typed == '?') state.keys_shown = !state.keys_shown;
        else if (typed == '[' || typed == ']') state.play_faster += typed == '[' ? -1 : 1;
    if (compat::letter_pressed('L') && !io.KeyCtrl && !io.KeyAlt) state.show_lessons = true;
    if (compat::key_pressed(compat::Key::escape)) {
        // The topmost panel first.
        if (state.keys_shown) state.keys_shown = false;
        else if (state.problems_shown) state.problems_shown = false;
        else if (session_.running() || session_.modelling()) session_.cancel();
        else if (shows_failure(session_, state)) state.dismissed_failure = session_.failure();
        else if (state.presenting) state.presenting = false;
        else if (!state.filled_view.empty()) state.filled_view.clear();
        else if (state.focused_pane != Pane::none) state.focused_pane = Pane::none;
        else if (state.invite) state.invite = false;
        else state.notice.clear();
    }
}

}  // namespace warplens::app
