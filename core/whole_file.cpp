#include "core/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "core/read_file.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_write(const std::string& path, int error) {
    return fail("{} cannot be written: {}{}", path, std::generic_category().message(error),
                error == ENOSPC || error == EDQUOT || error == EFBIG
                    ? "; free some space or choose another folder"
                    : "");
}

/// The target of the links, which need not exist.
Result<std::string> follow_links(const std::string& path) {
    constexpr int most_links = 40;  // as the kernel
    fs::path target = path;
    for (int i = 0; i < most_links; ++i) {
        std::error_code error;
        const fs::path next = fs::read_symlink(target, error);
        if (error) return target.string();
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return cannot_write(path, ELOOP);
}

std::optional<struct ::stat> state_of(const std::string& path) {
    struct ::stat state {};
    if (::stat(path.c_str(), &state) != 0) return std::nullopt;
    return state;
}

}  // namespace

bool is_standard_output(std::string_view path) {
    return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

bool is_written_directly(const std::string& path) {
    if (is_standard_output(path)) return true;
    const auto old = state_of(path);
    return old && !S_ISREG(old->st_mode) && !S_ISDIR(old->st_mode);
}

Result<WholeFile> WholeFile::create(std::string path) {
    if (is_standard_output(path)) {
        std::fflush(stdout);
        const int descriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        std::FILE* file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
        if (!file) return cannot_write("standard output", errno);
        return WholeFile("standard output", file);
    }
    const auto old = state_of(path);
    if (old && S_ISDIR(old->st_mode)) return cannot_write(path, EISDIR);
    if (old && !S_ISREG(old->st_mode)) {
        std::FILE* file = std::fopen(path.c_str(), "wbe");
        if (!file) return cannot_write(path, errno);
        return WholeFile(std::move(path), file);
    }
    WARPLENS_TRY(auto target, follow_links(path));
    if (old && ::access(target.c_str(), W_OK) != 0) return cannot_write(path, errno);
    static std::atomic<unsigned> number = 0;
    std::string partial = fmt::format("{}.partial-{}-{}", target, ::getpid(), number++);
    Leftover leftover = Leftover::file(partial);
    std::FILE* file = std::fopen(partial.c_str(), "wbxe");
    if (!file) return cannot_write(path, errno);
    if (old) {
        constexpr mode_t permissions = 07777;
        // Only root may keep another owner; other users write a file of their own, as an editor does.
        [[maybe_unused]] const int owner = ::fchown(::fileno(file), old->st_uid, old->st_gid);
        ::fchmod(::fileno(file), old->st_mode & permissions);
    }
    WholeFile made(std::move(path), file);
    made.target_ = std::move(target);
    made.partial_ = std::move(partial);
    made.leftover_ = std::move(leftover);
    return made;
}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      partial_(std::exchange(other.partial_, {})),
      file_(std::exchange(other.file_, nullptr)),
      leftover_(std::move(other.leftover_)) {}

WholeFile::~WholeFile() {
    if (file_) std::fclose(file_);
    if (!partial_.empty()) std::remove(partial_.c_str());
}

Status WholeFile::append(std::span<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return {};
    return cannot_write(path_, errno);
}

Status WholeFile::append(std::string_view text) { return append(std::as_bytes(std::span(text))); }

Status WholeFile::keep() {
    if (std::fflush(file_) != 0) return cannot_write(path_, errno);
    if (!partial_.empty() && ::fsync(::fileno(file_)) != 0) return cannot_write(path_, errno);
    if (std::fclose(std::exchange(file_, nullptr)) != 0) return cannot_write(path_, errno);
    if (partial_.empty()) return {};
    if (std::rename(partial_.c_str(), target_.c_str()) != 0) return cannot_write(path_, errno);
    partial_.clear();
    leftover_.release();
    return {};
}

Status can_be_written(const std::string& path) {
    if (is_standard_output(path)) return {};
    const auto old = state_of(path);
    if (old && S_ISDIR(old->st_mode)) return cannot_write(path, EISDIR);
    if (old && ::access(path.c_str(), W_OK) != 0) return cannot_write(path, errno);
    if (old && !S_ISREG(old->st_mode)) return {};
    WARPLENS_TRY(const auto target, follow_links(path));
    const std::string folder = fs::path(target).parent_path().string();
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) return cannot_write(path, errno);
    return {};
}

Status write_whole_file(const std::string& path, std::string_view bytes) {
    WARPLENS_TRY(auto file, WholeFile::create(path));
    WARPLENS_TRY(file.append(bytes));
    return file.keep();
}

Status write_regular_file(const std::string& path, std::string_view bytes) {
    if (const auto kind = kind_unless_regular(path); !kind.empty())
        return fail("{} cannot be written: it is {}, not a regular file", path, kind);
    return write_whole_file(path, bytes);
}

}  // namespace warplens
