// start_program: a child process that gets of this one what is named and nothing else: no descriptor, no
// blocked signal and no signal handler besides.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "core/result.h"

namespace warplens {

/// A descriptor of the child that is /dev/null.
inline constexpr int null_device = -1;

struct ProgramStart {
    std::vector<std::string>
        command{};  // program and arguments; a program without a slash is searched in PATH
    /// The child's descriptors from 0 on: copies of these descriptors of ours. All others are closed in it.
    std::vector<int> descriptors{null_device, null_device, null_device};
    std::vector<std::string> variables{};  // "NAME=value", in addition to this process's environment
};

/// The child's process; the error is the system's words: "No such file or directory".
Result<pid_t> start_program(const ProgramStart& start);

}  // namespace warplens
