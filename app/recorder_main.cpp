#include <string_view>

#include "app/command_line/commands.h"
#include "instrumentation/device/runner_main.h"

int main(int argument_count, char** arguments) {
    using namespace warplens;
    if (argument_count > 1 && arguments[1] == std::string_view(instrumentation::runner_word)) {
        return instrumentation::runner_main(argument_count, arguments);
    }
    return app::run_recorder_command_line(argument_count, arguments);
}
