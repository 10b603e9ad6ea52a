// The inputs of a kernel as its program makes them: the program's host code is built and run on this machine,
// and it is stopped at the launch that is wanted. The CPU engine executes the launches before it, so that
// memory holds what they write.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "instrumentation/catalog/entry_facts.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/catalog/launch_draft.h"

namespace warplens::app {

/// A number of the text that was another one when the program ran: `#define N 512`, `const int n = 512;`.
struct TextNumber {
    std::string name;
    std::uint32_t line = 0;
    std::uint64_t before = 0, after = 0;
};

/// A value that an argument of the wanted launch shall have: see program_number.h.
struct WantedArgument {
    std::string name;
    std::uint64_t before = 0, value = 0;  // with the text as it is; wanted
};

struct ProgramInputsRequest {
    instrumentation::KernelFile kernel;                // a .cu file; its launch is not looked at
    std::vector<instrumentation::EntryFacts> entries;  // its kernels
    std::string symbol;                                // of the kernel that is wanted: EntryFacts::symbol
    bool or_another =
        false;  // where the program does not launch it: of its kernels the one that works longest
    std::uint32_t number = 1;  // which of its launches, from 1
    std::string headers;       // assets/host_program
    std::string folder;        // for the program and its buffers: each file of the user's has its own
    double program_seconds = 60, engine_seconds = 60;  // at most: of the program, of launches before
    std::optional<WantedArgument> argument;            // by another number of the text
    std::function<bool()> cancelled;
};

struct ProgramInputs {
    instrumentation::LaunchDraft draft;                             // its buffers are filled from files
    std::vector<std::pair<std::string, std::string>> initializers;  // KernelFile::initializers
    std::vector<VariableContents> variables;                        // KernelFile::variables
    std::string note;                                               // KernelFile::note
    std::optional<TextNumber> number;  // that another one stood for; the kernel is of that text as well
    std::vector<std::string> said;     // sentences: what was run, what of the inputs is not a program's
};

/// The file with the launch and its inputs.
instrumentation::KernelFile with_inputs(instrumentation::KernelFile kernel, const ProgramInputs& inputs);

/// Where a file's program is kept: below the cache, or in a temporary folder where there is none.
std::string program_folder(const instrumentation::KernelFile& kernel);

/// Errors are sentences: the host code does not compile, the program fails, it launches no such kernel.
Result<ProgramInputs> program_inputs(Pipeline& pipeline, const ProgramInputsRequest& request);

}  // namespace warplens::app
