// The window alone, without the words of the command line: see warplens_window in CMakeLists.txt.
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/run_watch.h"
#include "core/leftovers.h"
#include "instrumentation/hidden_command.h"

int main(int argument_count, char** arguments) {
    using namespace warplens;
    if (const auto code = instrumentation::run_hidden_command(argument_count, arguments)) return *code;
    watch_signals();
    return app::exit_code_of([] {
        const auto outcome = app::open_window({});
        if (outcome) return *outcome;
        app::print_message(outcome.error().message);
        return app::exit_bad_input;
    });
}
