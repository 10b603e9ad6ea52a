// Text settings: `--set TM=2` for a number of the file's text, `#define TM 4`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/command_line/headerless.h"

namespace warplens::app {

/// apply_launch_flags(). Of `settings` it takes those that name no parameter of the kernel and a number of a
/// .cu file's text: then the text has those values, and the launch is what its host code makes of them.
/// `guesses` says so.
Status apply_flags_and_numbers(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                               const FindEntries& entries, std::map<std::string, std::string>& settings,
                               std::vector<std::string>* guesses);

}  // namespace warplens::app
