// Failure marks: the lines of a kernel's own file that a failure names, for the editor. A failure is a
// sentence for a person; its "file:line:" and "at lines 14, 20" are read back from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/code_editor.h"
#include "instrumentation/compile/included_files.h"

namespace warplens::app {

/// `file` as passed to the compiler. A failure in a header is marked at the line of `includes` that includes
/// it, with the header's own line among the words. Empty when the failure is about no line of that file.
std::vector<EditorMark> failure_marks(const std::string& failure, std::string_view file,
                                      std::span<const instrumentation::IncludeLine> includes = {});

}  // namespace warplens::app
