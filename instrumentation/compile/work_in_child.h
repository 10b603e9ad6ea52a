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

#include "core/leftovers.h"
#include "core/result.h"

namespace warplens::instrumentation {

struct ChildLimits {
    double seconds = 120;
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // beyond what the child has when it starts to work
};

/// A child that answers one question. It starts at once and does what it can before it is asked, so that one
/// that was started early answers sooner. It ends when this goes.
class WorkingChild {
  public:
    /// `word`: the hidden command, which gets `about` before the question. What went wrong is said by ask().
    WorkingChild(const char* word, std::string_view about, const ChildLimits& limits = {});
    ~WorkingChild();
    WorkingChild(const WorkingChild&) = delete;
    WorkingChild& operator=(const WorkingChild&) = delete;

    /// Whether it waits for a question, or soon will.
    bool running();
    /// The answer; once. Errors are the end of a sentence that begins with who works: "did not finish within
    /// 120 s", counted from here.
    Result<std::string> ask(std::string_view question);

  private:
    ChildLimits limits_;
    std::string failure_;  // why there is no child
    int socket_ = -1;
    int process_ = -1;  // -1: none, or waited for
    int status_ = 0;    // as waitpid returned it
    Leftover leftover_;
};

/// What a child that is started now answers. May be called from several threads.
Result<std::string> work_in_child(const char* word, std::string_view question,
                                  const ChildLimits& limits = {});

/// What can be done before the question is there. `asked`: it is there now.
using PrepareWork = std::function<void(std::string about, const std::function<bool()>& asked)>;

/// The child's side, and the exit code of its process: within the limits it prepares for what WorkingChild
/// said it is about, reads the question, works and answers.
int answer_parent(int argument_count, char** arguments, const PrepareWork& prepare,
                  const std::function<std::string(std::string question)>& work);

}  // namespace warplens::instrumentation
