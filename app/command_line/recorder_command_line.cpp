// The words of `warplens-record`: those of `warplens` that need no window.
#include "app/command_line/grammar.h"

namespace warplens::app {

int run_recorder_command_line(int argument_count, char** arguments) {
    CLI::App app(
        "Warplens without its window: executes CUDA kernels, on a GPU or on the CPU, and records them.",
        "warplens-record");
    app.footer(
        "It needs nothing but libc. It looks for the folders kernels and assets next to itself and above; "
        "WARPLENS_HOME names another place. Open what it records with warplens.");
    app.require_subcommand(1, 1);
    Result<int> outcome = exit_success;
    add_windowless_commands(app, outcome);
    return run_words(
        app, outcome, [] { return fail("give a command"); }, argument_count, arguments);
}

}  // namespace warplens::app
