#include "app/command_line/commands.h"
#include "instrumentation/hidden_command.h"

int main(int argument_count, char** arguments) {
    using namespace warplens;
    if (const auto code = instrumentation::run_hidden_command(argument_count, arguments)) return *code;
    return app::run_command_line(argument_count, arguments);
}
