// Assembler: PTX to machine code by the CUDA Toolkit's ptxas. Each text is assembled in a process of its own,
// and all at the same time: the driver's assembler takes one after another, from any number of threads. A
// process has limits on time and memory and is ended when nobody waits for it any more. Results are cached by
// content, as compiled kernels are.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "instrumentation/compile/compile_cache.h"
#include "instrumentation/compile/toolkit_folders.h"

namespace warplens::instrumentation {

struct AssemblerText {
    std::string ptx;
    std::string target;          // "sm_90"
    bool line_table = false;     // the machine code names the source's lines
    bool few_registers = false;  // it has fewer registers and more instructions, where ptxas knows how
};

class Assembler {
  public:
    /// Processor time of one text, which grows with the square of its labels.
    static constexpr int most_seconds = 20;

    /// Only memory caches when `cache_folder` is empty.
    explicit Assembler(std::string cache_folder = "",
                       const ToolkitPlaces& places = ToolkitPlaces::of_this_machine());

    /// Whether there is a ptxas.
    bool found() const { return !program_.empty(); }

    /// A cubin for each text, in their order; nothing where ptxas was not found, refused the text or took
    /// more than the limits, and where `cancelled` became true. May be called from several threads at once.
    std::vector<std::optional<std::string>> assemble(const std::vector<AssemblerText>& texts,
                                                     const std::function<bool()>& cancelled = {});

  private:
    std::string program_, identity_;
    CompileCache cache_;
    std::mutex mutex_;
    std::set<std::string> refused_;  // keys
};

}  // namespace warplens::instrumentation
