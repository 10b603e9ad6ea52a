#include "core/whole_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace warplens {
namespace {

tl::unexpected<Error> cannot_write(const std::string& path, int error) {
    return fail("{} cannot be written: {}{}", path, std::generic_category().message(error),
                error == ENOSPC || error == EDQUOT || error == EFBIG
                    ? "; free some space or choose another folder"
                    : "");
}

}  // namespace

Result<WholeFile> WholeFile::create(std::string path) {
    static std::atomic<unsigned> number = 0;
    std::string partial = fmt::format("{}.partial-{}-{}", path, ::getpid(), number++);
    std::FILE* file = std::fopen(partial.c_str(), "wbx");
    if (!file) return cannot_write(path, errno);
    return WholeFile(std::move(path), std::move(partial), file);
}

WholeFile::WholeFile(std::string path, std::string partial, std::FILE* file)
    : path_(std::move(path)), partial_(std::move(partial)), file_(file) {}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      partial_(std::move(other.partial_)),
      file_(std::exchange(other.file_, nullptr)),
      exists_(std::exchange(other.exists_, false)) {}

WholeFile::~WholeFile() {
    if (file_) std::fclose(file_);
    if (exists_) std::remove(partial_.c_str());
}

Status WholeFile::append(std::span<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return {};
    return cannot_write(path_, errno);
}

Status WholeFile::append(std::string_view text) { return append(std::as_bytes(std::span(text))); }

Status WholeFile::keep() {
    if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) return cannot_write(path_, errno);
    if (std::fclose(std::exchange(file_, nullptr)) != 0) return cannot_write(path_, errno);
    if (std::rename(partial_.c_str(), path_.c_str()) != 0) return cannot_write(path_, errno);
    exists_ = false;
    return {};
}

Status write_whole_file(const std::string& path, std::string_view bytes) {
    auto file = WholeFile::create(path);
    if (!file) return tl::unexpected(file.error());
    if (auto ok = file->append(bytes); !ok) return ok;
    return file->keep();
}

}  // namespace warplens
