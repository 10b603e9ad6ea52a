#include "app/window/editor_pane.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/kernel_code.h"
#include "app/scene/line_costs.h"
#include "app/scene/line_map.h"
#include "app/ui/button.h"
#include "app/ui/empty_state.h"
#include "app/ui/letter_keys.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/window/failure_marks.h"

namespace warplens::app {

void EditorPane::follow(const Session& session, const OwnFile& own) {
    const bool shows_own = own.is_shown();
    if (shows_own && (!shows_own_ || version_ != own.text_version())) {
        // Reloading the same file can be undone; another file starts a new history.
        set_text(state_, own.text(), shows_own_);
        version_ = own.text_version();
    } else if (!shows_own && (shows_own_ || shown_ != session.kernel())) {
        shown_ = session.kernel();
        set_text(state_, shown_ ? shown_->source : std::string(), false);
    }
    shows_own_ = shows_own;
}

void EditorPane::head(const Theme& theme, Session& session, OwnFile& own, FileDialogs& dialogs) {
    const float scale = theme.fonts.scale, gap = std::round(8 * scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = control_height(theme);
    const bool copy = !own.is_shown() || own.is_copy();
    const float buttons = text_button_width(theme, "run") + gap + text_button_width(theme, "save") + gap +
                          text_button_width(theme, "save as …");
    std::string name = own.is_shown() ? own.name() : session.kernel()->name + ": typing makes a copy";
    if (own.is_shown() && own.is_changed()) name += "  • not saved";
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.words,
              {at.x, at.y + std::round((height - text_height(theme.fonts.words)) / 2)}, theme.text,
              fit_text(theme.fonts.words, name, width - buttons - gap));
    ImGui::SetCursorScreenPos({at.x + width - buttons, at.y});
    if (text_button(theme, "editor run", "run", "Run this text without saving it (Ctrl+Enter).")) {
        if (own.is_shown()) own.run_now();
        else session.run_again();
    }
    ImGui::SameLine(0, gap);
    if (text_button(theme, "editor save", "save", copy ? "A copy needs a new name." : "Ctrl+S"))
        dialogs.save(session, own);
    ImGui::SameLine(0, gap);
    if (text_button(theme, "editor save as", "save as …", "Save under another name."))
        dialogs.ask_save_as(session, own);
    ImGui::SetCursorScreenPos({at.x, at.y + height + gap});
    if (!own.is_shown() || !own.is_changed_outside()) return;
    text_wrapped(theme.fonts.words, theme.error,
                 "Another program changed the file while you have unsaved changes.");
    if (text_button(theme, "editor keep mine", "keep mine", "Saving overwrites the changes on disk."))
        own.keep_mine();
    ImGui::SameLine(0, gap);
    if (text_button(theme, "editor take theirs", "take theirs", "Undo restores your changes."))
        if (auto status = own.reload(); !status) dialogs.say(status.error().message);
    ImGui::Dummy({1, gap});
}

/// The last run's costs at the lines where its text now is.
void EditorPane::read_heat(const Session& session) {
    const Scene* scene = session.scene();
    const bool known = scene && scene->trace && scene->report && scene->kernel &&
                       scene->kernel->name == session.kernel()->name;
    const std::uint64_t generation = known ? scene->generation : 0;
    const std::uint64_t timing = known ? scene->timing_generation : 0;
    const auto machine = known ? scene->machine : nullptr;
    if (generation == heat_scene_ && timing == heat_timing_ && machine == heat_machine_ &&
        heat_text_ == state_.text)
        return;
    heat_machine_ = machine;
    heat_scene_ = generation;
    heat_timing_ = timing;
    heat_text_ = state_.text;
    heat_.clear();
    if (!known) return;
    const Program& program = scene->trace->program;
    const auto own = std::ranges::find(program.sources, scene->kernel->source, &SourceFile::text);
    if (own == program.sources.end()) return;
    const std::vector<std::uint32_t> line_now = map_lines(own->text, heat_text_);
    const auto costs = line_costs(*scene, Level::machine);
    double most = 0;
    for (const LineCost& cost : costs) most = std::max(most, cost.cost);
    for (const LineCost& cost : costs) {
        if (cost.line.file != static_cast<std::uint32_t>(own - program.sources.begin())) continue;
        const std::uint32_t line = cost.line.line < line_now.size() ? line_now[cost.line.line] : 0;
        if (line != 0 && cost.cost > 0) heat_.push_back({line, cost.cost / most, compact(cost.cost)});
    }
    std::ranges::sort(heat_, {}, &EditorHeat::line);
}

void EditorPane::read_marks(const Session& session, const OwnFile& own) {
    const std::string& text = own.is_shown() ? own.text() : session.kernel()->source;
    // While the text runs again, it is not known that it is right.
    if (session.running() && session.failure().empty() && text_ == text) return;
    if (failure_ == session.failure() && text_ == text) return;
    failure_ = session.failure();
    text_ = text;
    const instrumentation::KernelFile& kernel = *session.kernel();
    std::vector<instrumentation::IncludeLine> includes;
    if (!failure_.empty())
        includes = instrumentation::include_lines(kernel.path, text_, kernel.include_paths);
    marks_ = failure_marks(failure_, source_name(kernel), includes);
}

/// The file gets what was typed; a kernel of the catalogue becomes a copy first. False: it could not be
/// taken.
bool EditorPane::take_typed(Session& session, OwnFile& own, FileDialogs& dialogs) {
    if (!own.is_shown()) {
        if (own.is_changed()) {
            // Only one text is edited at a time, so that changes of the other one are not lost.
            set_text(state_, session.kernel()->source, false);
            dialogs.ask_unsaved(FileDialogs::After::nothing);
            return false;
        }
        own.copy(*session.kernel());
        shows_own_ = true;
        version_ = own.text_version();
    }
    own.edit(state_.text, ImGui::GetTime());
    return true;
}

void EditorPane::apply(const std::vector<Edit>& edits, Session& session, OwnFile& own, FileDialogs& dialogs) {
    if (!session.kernel() || edits.empty()) return;
    follow(session, own);
    const Scene* scene = session.scene();
    if (!scene || !scene->kernel || scene->kernel->source != state_.text) {
        dialogs.say("The text was changed after this advice was found: wait for the next.");
        return;
    }
    set_text(state_, with_edits(state_.text, edits), true);
    state_.reveal_line = edits.front().line;
    if (take_typed(session, own, dialogs)) own.run_now();
}

void EditorPane::draw(const Theme& theme, Session& session, OwnFile& own, FileDialogs& dialogs) {
    if (!session.kernel()) {
        empty_state(theme, "No file is open.", "Choose a kernel, or create a new file.");
        return;
    }
    if (session.kernel()->language == instrumentation::Language::cubin) {
        empty_state(theme, session.kernel()->name + " is machine code: there is no text to edit.",
                    "The Source view shows its instructions.");
        return;
    }
    follow(session, own);
    head(theme, session, own, dialogs);
    read_marks(session, own);
    read_heat(session);
    if (compat::ctrl_with('F') && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) state_.find.open();
    const auto& marks = marks_;
    if (!marks.empty() && std::exchange(marked_, session.failure()) != session.failure() && !state_.active)
        state_.reveal_line = marks.front().line;
    if (marks.empty()) marked_.clear();
    const std::uint32_t chosen = session.stale() ? 0 : session.selection.chosen.source_line;
    const CodeEditorResult result =
        code_editor(theme, "source text", ImGui::GetContentRegionAvail(), state_, {marks, heat_, chosen});
    if (result.changed && !take_typed(session, own, dialogs)) return;
    if (result.run && own.is_shown()) own.run_now();
    if (result.save) dialogs.save(session, own);
}

}  // namespace warplens::app
