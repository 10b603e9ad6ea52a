// work_in_child: work on foreign input that cannot be interrupted and may take any time and memory, such as a
// compiler, done in a child process with limits on both. What goes wrong there ends the child alone.
//
// The child is this program, started again with a word as its first argument (see hidden_command.h). A mere
// fork would not do: the copy of a program with several threads may wait forever for a lock that another
// thread held.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace warplens::instrumentation {

struct ChildLimits {
    double seconds = 120;
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // beyond what the child has when it starts to work
};

/// What the hidden command `word` answers to `question`. May be called from several threads. Errors are the
/// end of a sentence that begins with who works: "did not finish within 120 s".
Result<std::string> work_in_child(const char* word, std::string_view question,
                                  const ChildLimits& limits = {});

/// The child's side, and the exit code of its process: reads the question, works within the limits, answers.
int answer_parent(int argument_count, char** arguments,
                  const std::function<std::string(std::string question)>& work);

}  // namespace warplens::instrumentation
