// The grammar of the commands that draw. In the library without a window, so that CLI11 is compiled in one
// batch.
#include "app/command_line/grammar.h"

namespace warplens::app {
namespace {

void add_shot(CLI::App& app, const DrawingCommands& commands, Result<int>& outcome) {
    auto* command = app.add_subcommand("shot", "Draw one view as PNG or SVG; needs no display");
    const auto options = std::make_shared<ShotOptions>();
    command->add_option("target", options->launch.target, target_help)->type_name("KERNEL|FILE")->required();
    add_launch_flags(*command, options->launch);
    command->add_option("--view", options->view, "Which view, or window for the whole window")->required();
    command
        ->add_option("-o,--output", options->output,
                     "The .png or .svg file to write, or - for standard output")
        ->required();
    command->add_option("--format", options->format,
                        "png or svg; by default as the file's name says, else png");
    command->add_option("--size", options->size, "Width and height in pixels: 1600x1000");
    command->add_option(
        "--scale", options->scale,
        "Enlarges type and strokes without enlarging the picture: 1 to 4, for a slide about 1.5");
    command->add_option("--theme", options->theme, "dark or light");
    command->add_option(
        "--select", options->select,
        "What to show: line=54,site=7,block=0,warp=3,lane=5,step=40,cycle=900, or some of it; the SM view's "
        "cycle is of the schedule at --level");
    command->add_flag("--fix", options->fix,
                      "In the banks view: try other layouts of its array, and show what each would take");
    command->add_option(
        "--map", options->map,
        "In the map view: array=NAME,scope=launch|block|warp,color=block|warp|lane|order|count,"
        "accesses=all|loads|stores,columns=N, or some of it");
    command->add_option("--cells", options->cells,
                        "In the grid view: "
                        "color=steps|lanes|conflicts|cycles|sm,fold=mean|worst,of=warps|threads, or some of "
                        "it");
    command
        ->add_option(
            "--annotate", options->annotate,
            "MARK=WORDS: a numbered circle on a mark, and your words below; may be repeated. Marks: line:24, "
            "lane:3, cycle:812, text:WORDS and others; an unknown one lists those of the view")
        ->take_all()
        ->allow_extra_args(false);
    add_versus(*command, options->versus);
    command->add_option("--cycles", options->cycles, "The timeline's range: FIRST..END, the end left out");
    command->add_option("--code", options->code,
                        "What the source view shows: cuda, ptx, machine, joined by commas (cuda,ptx)");
    command
        ->add_option("--level", options->level,
                     "Whose instructions are counted and timed: machine or ptx. Without it the view counts "
                     "the PTX's, and times the machine code where it can be had")
        ->check(CLI::IsMember({"ptx", "machine"}));
    command->add_option(
        "--times", options->times,
        "Whose times the timeline shows: measured, modelled or both; the SM: one of the first two");
    command->callback([&, options] { outcome = commands.shot(*options); });
}

void add_window_flags(CLI::App& app, WindowFlags& window) {
    app.add_option("--exit-after-frames", window.exit_after_frames,
                   "Close the window after this many frames");
    app.add_option("--picture", window.picture, "Write a PNG of the window when it closes");
}

void add_lesson(CLI::App& app, const DrawingCommands& commands, Result<int>& outcome) {
    auto* command = app.add_subcommand(
        "lesson", "Read lessons in the window; list, check or print them (docs/lesson_format.md)");
    command->require_subcommand(0, 1);
    const auto window = std::make_shared<WindowFlags>();
    window->lesson = "";
    command
        ->add_option("lesson", *window->lesson, "A lesson's name or .md file; none: the list in the window")
        ->type_name("LESSON|FILE");
    command->add_option("--step", window->lesson_step, "Begin at this step, from 1");
    command->add_flag("--present", window->present, "For a lecture: large type, answers on a key press");
    add_window_flags(*command, *window);
    command->callback([&, command, window] {
        if (command->get_subcommands().empty()) outcome = commands.open_window(*window);
    });
    command->add_subcommand("list", "List the lessons")->callback([&] { outcome = commands.list_lessons(); });

    auto* check = command->add_subcommand(
        "check", "Compute every answer and number of lessons; exit code 1 when a lesson has a fault");
    const auto names = std::make_shared<std::vector<std::string>>();
    check->add_option("lessons", *names, "Names of lessons or .md files; none: all lessons")
        ->type_name("LESSON|FILE");
    check->callback([&, names] { outcome = commands.check_lessons(*names); });

    auto* handout = command->add_subcommand("handout", "Write a lesson as one HTML file with its pictures");
    const auto name = std::make_shared<std::string>();
    const auto output = std::make_shared<std::string>();
    handout->add_option("lesson", *name, "A lesson's name or .md file")->type_name("LESSON|FILE")->required();
    handout->add_option("-o,--output", *output, "The .html file to write")->required();
    const auto notes = std::make_shared<bool>(false);
    handout->add_flag("--notes", *notes, "The teacher's edition: with the lesson's notes");
    handout->callback(
        [&, name, output, notes] { outcome = commands.lesson_handout(*name, *output, *notes); });
}

}  // namespace

int run_words_that_draw(const DrawingCommands& commands, int argument_count, char** arguments) {
    CLI::App app("Warplens shows what a CUDA kernel's warps really do.", "warplens");
    app.footer("With no command the window opens, on KERNEL or FILE when one is given.");
    app.require_subcommand(0, 1);
    Result<int> outcome = exit_success;

    WindowFlags window;
    app.add_option("target", window.launch.target, target_help)->type_name("FILE|KERNEL");
    add_launch_flags(app, window.launch);
    add_window_flags(app, window);
    app.add_flag("--edit", window.edit, "Begin with the editor open next to the views");
    add_windowless_commands(app, outcome, commands.draw_sweep, commands.draw_program);
    add_shot(app, commands, outcome);
    add_lesson(app, commands, outcome);
    return run_words(
        app, outcome, [&] { return commands.open_window(window); }, argument_count, arguments);
}

}  // namespace warplens::app
