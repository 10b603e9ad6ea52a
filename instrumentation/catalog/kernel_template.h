// The beginning of a kernel file of one's own: a small complete kernel with its header, whose comments say
// what each part is for. It runs unchanged.
#pragma once

#include <string>

#include "core/result.h"

namespace warplens::instrumentation {

/// The file's text. The kernel is called after the file, as far as that makes a C++ name.
std::string template_text(const std::string& path);

/// Whether a new kernel file may be written there: it ends in .cu or .ptx, nothing of that name exists, and
/// its folder does.
Status check_new_path(const std::string& path);

/// Writes the template. An existing file is never overwritten.
Status create_from_template(const std::string& path);

}  // namespace warplens::instrumentation
