#include "instrumentation/hidden_command.h"

#include <string_view>

#include "instrumentation/compile/nvrtc_library.h"
#include "instrumentation/device/runner_main.h"

namespace warplens::instrumentation {

std::optional<int> run_hidden_command(int argument_count, char** arguments) {
    const std::string_view word = argument_count > 1 ? arguments[1] : "";
    if (word == runner_word) return runner_main(argument_count, arguments);
    if (word == nvrtc_word) return nvrtc_main(argument_count, arguments);
    return std::nullopt;
}

}  // namespace warplens::instrumentation
