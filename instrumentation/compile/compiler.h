// Compiler: CUDA source -> PTX and resources. NVRTC when the machine has it, else the PTX shipped in assets/.
// Needs no GPU and no driver. Results are cached in memory and on disk, keyed by the content of the
// source and of the user's headers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace warplens::instrumentation {

struct CompileRequest {
    std::string name;  // as it shall appear in messages and line tables: "kernels/saxpy.cu"
    std::string source;
    std::vector<std::pair<std::string, std::string>> macros;  // sorted by name
    std::vector<std::string> include_paths;
    std::vector<std::string> defines;  // "NAME" or "NAME=VALUE", for every header as well
    std::string target = "sm_90";
    /// Of variables of the device: "mask", "{1, 2.5f}". None: those that the host code is followed to copy.
    std::vector<std::pair<std::string, std::string>> initializers = {};
};

/// What the assembler gave one entry on CompileRequest::target, read from the cubin.
struct EntryResources {
    std::uint32_t registers_per_thread = 0;
    std::uint32_t shared_static_bytes = 0;
    std::uint32_t stack_bytes = 0;
};

struct Compiled {
    std::string ptx;
    std::map<std::string, EntryResources> entries;  // by name in the PTX
    std::string target;
    std::string origin;      // "NVRTC 13.0" or "shipped PTX"
    std::string cubin = {};  // the machine code for the target; empty where there is none
};

/// May be used from several threads at once.
class Compiler {
  public:
    virtual ~Compiler() = default;
    /// Errors are the compiler's own messages with the user's file and line, or say why nothing could be
    /// compiled (no NVRTC and no shipped PTX for these parameters) and what would be right.
    virtual Result<Compiled> compile(const CompileRequest& request) = 0;
    /// "NVRTC 13.0" or "shipped PTX only: libnvrtc was not found".
    virtual std::string description() const = 0;
};

/// $XDG_CACHE_HOME/warplens or ~/.cache/warplens; empty when neither is known.
std::string default_cache_folder();

struct CompilerOptions {
    std::string assets_folder;  // holds ptx/; shipped PTX is not used when empty
    std::string cache_folder;   // disk cache is off when empty; see default_cache_folder()
    bool keeps_ready = false;   // a process waits for the next compilation, which then begins at once
    bool use_nvrtc = true;      // WARPLENS_NVRTC=off turns it off as well
};

std::unique_ptr<Compiler> make_compiler(CompilerOptions options);

/// The PTX name of the kernel that the source calls `entry`: "scale", "sums::scale<float>", the whole
/// signature or the mangled name. An empty name stands for the only kernel there is. The error lists the
/// kernels.
Result<std::string> find_entry(const Compiled& compiled, const std::string& entry);

}  // namespace warplens::instrumentation
