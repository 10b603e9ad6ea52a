// NVRTC's diagnostics as data, and the sentence the user reads when a source does not compile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/compile/compiler.h"

namespace warplens::instrumentation {

struct Diagnostic {
    std::string file;
    int line = 0;
    bool is_error = false;  // else a warning or a remark
    std::string text;
    std::string quoted;  // the source line under it
};

/// Lines such as `kernels/saxpy.cu(12): error: identifier "foo" is undefined`.
std::vector<Diagnostic> read_compile_log(const std::string& log);

/// Whether a file includes itself, without end.
bool is_endless_include(const Diagnostic& error);

/// Whether a CUDA Toolkit brings the header.
bool is_of_toolkit(std::string_view header);

/// "kernels/saxpy.cu:12: error: …; 2 more errors at lines 14, 20", with the remedy where it is known.
/// `has_toolkit`: the headers of a CUDA Toolkit were at hand.
std::string describe_compile_failure(const CompileRequest& request, const std::string& log,
                                     bool has_toolkit = true);

}  // namespace warplens::instrumentation
