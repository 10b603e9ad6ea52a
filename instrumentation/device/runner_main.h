// The recorder's child process: a hidden way to call this program, which then talks with its parent over
// descriptor 3 and runs kernels on the GPU. Every executable that uses a GpuRecorder without naming a runner
// begins with: if (argc > 1 && std::string_view(argv[1]) == runner_word) return runner_main(argc, argv);
#pragma once

namespace warplens::instrumentation {

inline constexpr const char* runner_word = "gpu-runner";

/// The process's exit code. It ends when its parent does, whatever the GPU is doing then.
int runner_main(int argc, char** argv);

}  // namespace warplens::instrumentation
