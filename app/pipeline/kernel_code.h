// KernelCode: one entry of a kernel file compiled, parsed and decoded for one set of compile-time parameters
// and one machine, and KernelEntry: one of the entries to choose from. The pipeline keeps what was built;
// argument values and buffers are not part of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/pipeline/launch_shape.h"
#include "core/program.h"
#include "instrumentation/catalog/entry_facts.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/compile/compiler.h"
#include "ptx/module.h"
#include "simt/functional/engine.h"

namespace warplens::app {

struct KernelCode {
    std::shared_ptr<const simt::Kernel> kernel;
    std::shared_ptr<const ptx::Module> module;  // null for a .cubin, which has none
    Program program;                            // with the texts of the user's files among its sources
    instrumentation::EntryResources resources;
    std::string target;
    std::string cubin;  // machine code for the target; empty where there is none
    CompiledShape shape;
    std::string note;  // a sentence: what is not known of it; empty mostly
};

/// The name of a kernel's file in messages, line tables and traces: "kernels/saxpy.cu" for the program's own
/// files; a user's file as it was given.
std::string source_name(const instrumentation::KernelFile& kernel);

/// What the compiler is asked for this file with these parameters.
Result<instrumentation::CompileRequest> compile_request(const instrumentation::KernelFile& kernel,
                                                        const instrumentation::Values& values,
                                                        std::string target);

/// The cache key of such code; it depends on the contents of the user's headers. Empty: not known, so the
/// code is built again.
std::string code_key(const instrumentation::CompileRequest& request,
                     const instrumentation::KernelFile& kernel);

Result<std::shared_ptr<const KernelCode>> build_code(instrumentation::Compiler& compiler,
                                                     const instrumentation::CompileRequest& request,
                                                     const instrumentation::KernelFile& kernel);

/// Every kernel of the file, in the order of its PTX.
Result<std::vector<instrumentation::EntryFacts>> find_entries(instrumentation::Compiler& compiler,
                                                              const instrumentation::CompileRequest& request,
                                                              const instrumentation::KernelFile& kernel);

}  // namespace warplens::app
