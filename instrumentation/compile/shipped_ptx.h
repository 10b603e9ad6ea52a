// PTX and machine code of the catalogue's kernels prepared beforehand, for machines without NVRTC. Layout
// below assets/ptx/: KERNEL.json (hash of the source, compiler, resources a combination), and
// KERNEL/COMBINATION.ptx and .cubin.zst, one each for a combination of compile-time parameters.
// warplens_prepare_assets writes them, see docs/kernel_header.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/compile/compiler.h"

namespace warplens::instrumentation {

using Macros = std::vector<std::pair<std::string, std::string>>;  // sorted by name

struct ShippedKernel {
    std::string source_hash;
    std::string compiler;  // "NVRTC 13.0"
    std::string target;    // "sm_90"
    struct Combination {
        Macros macros;
        std::map<std::string, EntryResources> entries;
    };
    std::vector<Combination> combinations;
};

/// "PAD=0,TILE=32"; "default" without macros.
std::string combination_name(const Macros& macros);
std::string source_hash(const std::string& source);

/// `folder` is assets/ptx.
Result<ShippedKernel> read_shipped_kernel(const std::string& folder, const std::string& kernel);
Status write_shipped_kernel(const std::string& folder, const std::string& kernel,
                            const ShippedKernel& shipped);

struct ShippedCode {
    std::string ptx;
    std::string cubin;  // for ShippedKernel::target; the file holds it packed
};

Result<ShippedCode> read_shipped_code(const std::string& folder, const std::string& kernel,
                                      const Macros& macros);
Status write_shipped_code(const std::string& folder, const std::string& kernel, const Macros& macros,
                          const ShippedCode& code);

/// The names of a combination's files, relative to `folder`.
std::vector<std::string> shipped_code_files(const std::string& kernel, const Macros& macros);

/// What is shipped for the request. The error says what is not: the kernel, this state of its source, this
/// target, or this combination, and then which shipped ones are nearest.
Result<Compiled> load_shipped(const std::string& folder, const CompileRequest& request);

}  // namespace warplens::instrumentation
