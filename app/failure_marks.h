// Failure marks: the lines of a kernel's own file that a failure names, for the editor. A failure is a
// sentence for a person; its "file:line:" and "at lines 14, 20" are read back from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/widgets/code_editor.h"

namespace warplens::app {

/// `file` as the compiler was told it. Empty when the failure is about no line of that file.
std::vector<EditorMark> failure_marks(const std::string& failure, std::string_view file);

}  // namespace warplens::app
