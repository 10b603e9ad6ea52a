#include "core/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace warplens {
namespace {

std::string_view kind_of(mode_t mode) {
    if (S_ISREG(mode)) return {};
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

tl::unexpected<Error> not_regular(const std::string& path, std::string_view kind) {
    return fail("{} cannot be read: it is {}, not a regular file", path, kind);
}

}  // namespace

std::string_view kind_unless_regular(const std::string& path) {
    struct ::stat state {};
    return ::stat(path.c_str(), &state) == 0 ? kind_of(state.st_mode) : std::string_view();
}

Result<std::string> read_file(const std::string& path, std::uint64_t most_bytes) {
    const auto refused = [&] {
        return fail("{} cannot be read: {}", path, std::generic_category().message(errno));
    };
    // Before it is opened, since to open a socket gives a message about something else.
    if (const auto kind = kind_unless_regular(path); !kind.empty()) return not_regular(path, kind);
    // Without O_NONBLOCK the opening of a FIFO waits for a writer.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return refused();
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(::fdopen(descriptor, "rb"), &std::fclose);
    struct ::stat state {};
    if (!file || ::fstat(descriptor, &state) != 0) return refused();
    if (!S_ISREG(state.st_mode)) return not_regular(path, kind_of(state.st_mode));
    const auto size = static_cast<std::uint64_t>(state.st_size);
    if (size > most_bytes)
        return fail("{} cannot be read: it has {} bytes; at most {} are read", path, size, most_bytes);
    std::string text(size, '\0');
    // Files of /proc have a size of 0 and others may change while they are read.
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get())) return refused();
    return text;
}

}  // namespace warplens
