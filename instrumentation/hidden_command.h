// Hidden commands: this program started again as a child of itself, to compile or to run kernels where a
// crash or a hang ends the child alone. Every program that uses a Compiler or a GpuRecorder begins its main
// with
//     if (const auto code = instrumentation::run_hidden_command(argument_count, arguments)) return *code;
#pragma once

#include <optional>

namespace warplens::instrumentation {

/// The exit code of the hidden command that the first argument names; nothing when it names none.
std::optional<int> run_hidden_command(int argument_count, char** arguments);

}  // namespace warplens::instrumentation
