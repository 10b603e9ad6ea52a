// Turns the words of a command line into a launch: looks the kernel up or reads the file, and applies the
// flags on top of its header.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_line/options.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/engine.h"
#include "trace/trace.h"

namespace warplens::app {

/// This machine's compiler, with shipped PTX and caches. `keeps_ready`: CompilerOptions::keeps_ready.
std::shared_ptr<instrumentation::Compiler> compiler_of_this_machine(bool keeps_ready = false);

/// A pipeline on it.
std::shared_ptr<Pipeline> make_pipeline(bool keeps_ready = false);

/// The kernels that come with the program.
Result<std::vector<instrumentation::KernelFile>> catalogue();

enum class TargetKind { kernel_name, cuda_file, ptx_file, cubin_file, trace_file };
bool is_cubin(const std::string& target);
/// By the ending: .cu, .ptx, .cubin, .wltrace; anything without a dot or slash is a kernel's name.
Result<TargetKind> target_kind(const std::string& target);

/// The values of --set, by name.
Result<std::map<std::string, std::string>> settings_of(const LaunchFlags& flags);

/// The launch the flags describe, for any target but a trace.
Result<LaunchRequest> launch_request(const LaunchFlags& flags, std::vector<std::string>* guesses = nullptr);

/// A launch loaded by the pipeline that will execute it.
struct LoadedTarget {
    std::shared_ptr<Pipeline> pipeline;
    LoadedLaunch launch;
};
/// `pipeline`: null, or one that keeps what it compiled for the next. `says_guesses`: what is guessed of the
/// launch is printed, which is for the first time that it is loaded.
Result<LoadedTarget> load_target(const LaunchFlags& flags, std::shared_ptr<Pipeline> pipeline = nullptr,
                                 bool says_guesses = true);
/// The launch once more, within the time limit that runs already.
Result<LoadedTarget> load_again(const LaunchFlags& flags, std::shared_ptr<Pipeline> pipeline,
                                bool says_guesses = false);

/// The recorded trace that is the target, read whole. Flags that describe a launch are refused.
Result<std::shared_ptr<const trace::Trace>> load_trace(const LaunchFlags& flags);

/// Refuses flags that a .cubin cannot follow: it is compiled, and has no PTX.
Status check_cubin_flags(const LaunchFlags& flags);

/// Of a .cubin whose launch is not given, so that it is only listed: flags that could only be ignored are
/// refused; --kernel chooses one of its kernels.
Status check_listed_cubin(const LaunchFlags& flags);

/// From here the time limit counts. With --engine cuda the flag limits the kernel on the GPU, which the
/// recorder sees to.
void start_watch(const LaunchFlags& flags);

/// Stops the run at the time limit and on Ctrl+C, with what is known, and shows its progress.
void watch_run(ExecuteOptions& execute, const LaunchGeometry& geometry);

/// What a picture of the target shows: the sampled run of a kernel, or the recorded trace.
Result<Scene> load_scene(const LaunchFlags& flags);

/// The exit code once `output` shows this scene; reports problems of its run on standard error.
int exit_code_of(const Scene& scene, const std::string& output);

/// The linear block indices of "0-7,64", ascending; the empty text is the whole grid.
Result<std::vector<std::uint64_t>> parse_blocks(std::string_view text, std::uint64_t blocks_in_grid);

/// The SMs of "0-3,7", ascending; the empty text is all.
Result<std::vector<int>> parse_sms(std::string_view text, int sm_count);

/// "1000..2500": from the first cycle up to, not including, the last.
Result<std::pair<std::uint32_t, std::uint32_t>> parse_cycles(std::string_view text);

/// --engine, or `otherwise` when it is not given.
Result<Engine> engine_of(const LaunchFlags& flags, Engine otherwise);

/// Flags that the engine cannot follow are refused.
Status check_engine_flags(const LaunchFlags& flags, Engine engine);

/// assets/recordings; empty when the program's folders are not found.
std::string recordings_folder();

}  // namespace warplens::app
