#include "trace/file/byte_source.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/read_file.h"

namespace warplens::trace {

namespace {

class FileSource final : public ByteSource {
  public:
    FileSource(std::ifstream file, std::uint64_t size) : ByteSource(size), file_(std::move(file)) {}

  private:
    Status read_inside(std::uint64_t offset, std::span<std::byte> to) override {
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(offset));
        file_.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size()));
        if (!file_) return fail("{} bytes at byte {} cannot be read from the disk", to.size(), offset);
        return {};
    }
    std::ifstream file_;
};

class MemorySource final : public ByteSource {
  public:
    explicit MemorySource(std::vector<std::byte> bytes)
        : ByteSource(bytes.size()), bytes_(std::move(bytes)) {}

  private:
    Status read_inside(std::uint64_t offset, std::span<std::byte> to) override {
        std::memcpy(to.data(), bytes_.data() + offset, to.size());
        return {};
    }
    std::vector<std::byte> bytes_;
};

}  // namespace

Status ByteSource::read(std::uint64_t offset, std::span<std::byte> to) {
    if (offset > size_ || to.size() > size_ - offset)
        return fail("{} bytes at byte {} are beyond its end at byte {}", to.size(), offset, size_);
    if (to.empty()) return {};
    bytes_read_ += to.size();
    return read_inside(offset, to);
}

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return fail("the file {} does not exist", path);
    if (!std::filesystem::is_regular_file(status))
        return fail("{} is {}, not a regular file", path, kind_unless_regular(path));
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return fail("{} cannot be read: {}", path, error.message());
    std::ifstream file(path, std::ios::binary);
    if (!file) return fail("{} cannot be opened: {}", path, std::generic_category().message(errno));
    return std::make_unique<FileSource>(std::move(file), size);
}

std::unique_ptr<ByteSource> bytes_in_memory(std::vector<std::byte> bytes) {
    return std::make_unique<MemorySource>(std::move(bytes));
}

}  // namespace warplens::trace
