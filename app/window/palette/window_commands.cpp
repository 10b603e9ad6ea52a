#include "app/window/palette/window_commands.h"

namespace warplens::app {
namespace {

using Context = CommandContext;

bool always(const Context&) { return true; }
bool has_kernel(const Context& context) { return context.session.kernel() != nullptr; }
bool has_files(const Context& context) { return context.own != nullptr; }
bool has_own(const Context& context) { return context.own && context.own->is_open(); }
bool has_result(const Context& context) { return context.session.scene() && !context.session.stale(); }

constexpr WindowCommand commands[] = {
    {"run", "Run the kernel again", "R", has_kernel,
     [](const Context& context) { context.session.run_again(); }},
    {"play", "Play the run in all views, or stop", "Space", has_result,
     [](const Context& context) { context.state.toggle_play = true; }},
    {"play slower", "Play slower", "[", has_result,
     [](const Context& context) { --context.state.play_faster; }},
    {"play faster", "Play faster", "]", has_result,
     [](const Context& context) { ++context.state.play_faster; }},
    {"cancel", "Cancel the run", "", [](const Context& context) { return context.session.busy(); },
     [](const Context& context) { context.session.cancel(); }},
    {"undo", "Undo the last change of a knob or of the selection", "Ctrl+Z",
     [](const Context& context) { return context.history.can_undo(); },
     [](const Context& context) { context.history.undo(context.session); }},
    {"redo", "Redo what was undone", "Ctrl+Shift+Z",
     [](const Context& context) { return context.history.can_redo(); },
     [](const Context& context) { context.history.redo(context.session); }},
    {"reset knobs", "Set all knobs to their defaults", "",
     [](const Context& context) { return !context.session.turned_knobs().empty(); },
     [](const Context& context) { context.session.set_knobs({}); }},
    {"level", "Count and time the machine code, or count the PTX again", "", has_kernel,
     [](const Context& context) {
         Level& counts = context.state.counts;
         counts = counts == Level::machine ? Level::ptx : Level::machine;
         context.state.level = Level::machine;
     }},
    {"level of times", "Switch the modelled times between machine code and PTX", "", has_kernel,
     [](const Context& context) {
         Level& level = context.state.level;
         level = level == Level::machine ? Level::ptx : Level::machine;
         if (level == Level::ptx) context.state.counts = Level::ptx;
     }},
    {"baseline", "Keep this run as the baseline to compare with", "B", has_result,
     [](const Context& context) { context.session.keep_baseline(); }},
    {"no baseline", "Compare with no baseline", "",
     [](const Context& context) { return context.session.baselines.chosen() != nullptr; },
     [](const Context& context) { context.session.baselines.choose_none(); }},
    {"maximize", "Maximize or restore the open view", "double-click a tab", always,
     [](const Context& context) {
         std::string& filled = context.state.filled_view;
         filled = filled.empty() ? context.state.centre_view : "";
     }},
    {"present", "Present: one view, the explanation and the knobs in large type", "F5", always,
     [](const Context& context) { context.state.presenting = !context.state.presenting; }},
    {"problems", "List the problems of this run", "", has_kernel,
     [](const Context& context) { context.state.problems_shown = true; }},
    {"edit", "Edit the source", "",
     [](const Context& context) { return has_files(context) && has_kernel(context); },
     [](const Context& context) { context.state.editing = true; }},
    {"new file", "Create a kernel file …", "", has_files,
     [](const Context& context) { context.dialogs.ask_new(); }},
    {"open file", "Open a .cu, .ptx or .cubin file …", "Ctrl+O", has_files,
     [](const Context& context) { context.dialogs.ask_open(); }},
    {"save file", "Save the file", "Ctrl+S", has_own,
     [](const Context& context) { context.dialogs.save(context.session, *context.own); }},
    {"save file as", "Save the kernel under a new name …", "",
     [](const Context& context) { return has_files(context) && has_kernel(context); },
     [](const Context& context) { context.dialogs.ask_save_as(context.session, *context.own); }},
    {"close file", "Close the file", "", has_own,
     [](const Context& context) {
         if (context.own->is_changed()) context.dialogs.ask_unsaved(FileDialogs::After::close_file);
         else context.own->close();
     }},
    {"program", "Run all of the program and list its kernels", "",
     [](const Context& context) { return context.own && context.own->may_list_program(); },
     [](const Context& context) {
         context.own->list_program();
         context.open_view("program");
     }},
    {"lessons", "Show the lessons", "L", [](const Context& context) { return context.lessons != nullptr; },
     [](const Context& context) { context.state.show_lessons = true; }},
    {"picture", "Save the open view as a picture", "", has_result,
     [](const Context& context) { context.state.picture_dialog = true; }},
    {"copy picture", "Copy the open view as a picture", "Ctrl+Shift+C", has_result,
     [](const Context& context) { context.state.take_picture = PictureTarget::clipboard; }},
    {"theme", "Switch between the dark and the light theme", "", always,
     [](const Context& context) { context.state.toggle_theme = true; }},
    {"keys", "Show all keyboard shortcuts", "?", always,
     [](const Context& context) { context.state.keys_shown = true; }},
};

}  // namespace

std::span<const WindowCommand> window_commands() { return commands; }

}  // namespace warplens::app
