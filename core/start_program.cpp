#include "core/start_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace warplens {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    return pointers;
}

/// The child's descriptors as copies of ours that lie above all of them, so that setting one in the child
/// never overwrites the source of another.
class Sources {
  public:
    explicit Sources(const std::vector<int>& descriptors) {
        const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int descriptor : descriptors) {
            const int copy = ::fcntl(descriptor == null_device ? null : descriptor, F_DUPFD_CLOEXEC,
                                     static_cast<int>(descriptors.size()));
            if (copy < 0) error_ = errno;
            else copies_.push_back(copy);
        }
        if (null >= 0) ::close(null);
    }
    Sources(const Sources&) = delete;
    Sources& operator=(const Sources&) = delete;
    ~Sources() {
        for (const int copy : copies_) ::close(copy);
    }

    const std::vector<int>& copies() const { return copies_; }
    int error() const { return error_; }

  private:
    std::vector<int> copies_;
    int error_ = 0;
};

}  // namespace

Result<pid_t> start_program(const ProgramStart& start) {
    if (start.command.empty()) return fail("{}", std::strerror(ENOENT));
    const Sources sources(start.descriptors);
    if (sources.error() != 0) return fail("{}", std::strerror(sources.error()));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int target = 0;
    for (const int source : sources.copies()) posix_spawn_file_actions_adddup2(&actions, source, target++);
    posix_spawn_file_actions_addclosefrom_np(&actions, target);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    std::vector<char*> arguments = pointers_to(start.command), variables;
    for (char** variable = environ; *variable; ++variable) variables.push_back(*variable);
    for (char* variable : pointers_to(start.variables)) variables.push_back(variable);
    arguments.push_back(nullptr);
    variables.push_back(nullptr);
    pid_t process = -1;
    const int error = ::posix_spawnp(&process, arguments.front(), &actions, &attributes, arguments.data(),
                                     variables.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) return fail("{}", std::strerror(error));
    return process;
}

}  // namespace warplens
