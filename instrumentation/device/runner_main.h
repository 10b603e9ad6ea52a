// The recorder's child process: a hidden command (see hidden_command.h) that talks with its parent over
// descriptor 3 and runs kernels on the GPU.
#pragma once

namespace warplens::instrumentation {

inline constexpr const char* runner_word = "gpu-runner";

/// The process's exit code. It ends when its parent does, whatever the GPU is doing then.
int runner_main(int argc, char** argv);

}  // namespace warplens::instrumentation
