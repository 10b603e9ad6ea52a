// NvrtcLibrary: NVIDIA's run-time compiler, opened when the program runs, so that neither build nor start
// needs the CUDA Toolkit. Only the few functions used here are declared, by our own prototypes; they are the
// same since CUDA 11.1. It needs no GPU and no driver.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace warplens::instrumentation {

class WorkingChild;

struct NvrtcOutput {
    bool succeeded = false;
    std::string log;    // diagnostics; empty when there are none
    std::string ptx;    // of the architecture asked for
    std::string cubin;  // an ELF image; empty for a virtual architecture
};

struct NvrtcInput {
    std::string name, source;
    std::vector<std::string> options;
    std::vector<std::pair<std::string, std::string>> headers;  // name in an #include, text
    std::vector<std::string> kernels;  // to be made though nothing refers to them: "reduce<256>"
};

class NvrtcLibrary {
  public:
    /// Looks at the loader's own places, $CUDA_HOME, $CUDA_PATH and where the toolkit installs itself. The
    /// error says that it was not found.
    /// `keeps_ready`: a child that has loaded the library always waits for the next compilation, which spares
    /// that one the start.
    static Result<std::unique_ptr<NvrtcLibrary>> open(bool keeps_ready = false);
    ~NvrtcLibrary();
    NvrtcLibrary(const NvrtcLibrary&) = delete;
    NvrtcLibrary& operator=(const NvrtcLibrary&) = delete;

    std::string version() const;                                      // "13.0"
    const std::vector<int>& architectures() const;                    // 75 for sm_75, ascending
    const std::vector<std::string>& toolkit_include_folders() const;  // those that exist

    /// May be called from several threads. The error is one of the library; a source that does not compile
    /// is an output that did not succeed.
    Result<NvrtcOutput> compile(const NvrtcInput& input) const;

  private:
    friend int nvrtc_main(int argument_count, char** arguments);
    struct Functions;
    NvrtcLibrary();
    /// compile() does this in a child process: NVRTC cannot be interrupted, and takes any time and memory.
    Result<NvrtcOutput> compile_here(const NvrtcInput& input) const;
    std::unique_ptr<WorkingChild> start_child() const;
    std::unique_ptr<Functions> functions_;
    bool keeps_ready_ = false;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<WorkingChild> ready_;
};

/// The hidden command that NvrtcLibrary::compile starts: one compilation in a process of its own.
inline constexpr const char* nvrtc_word = "nvrtc";
int nvrtc_main(int argument_count, char** arguments);

}  // namespace warplens::instrumentation
