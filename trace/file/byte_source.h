// ByteSource: the bytes of a .wltrace, in a file or memory, read piece by piece and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace warplens::trace {

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    std::uint64_t size() const { return size_; }
    /// Fills `to` from `offset` on; fails if that is not completely inside.
    Status read(std::uint64_t offset, std::span<std::byte> to);
    std::uint64_t bytes_read() const { return bytes_read_; }

  protected:
    explicit ByteSource(std::uint64_t size) : size_(size) {}

  private:
    virtual Status read_inside(std::uint64_t offset, std::span<std::byte> to) = 0;
    std::uint64_t size_;
    std::uint64_t bytes_read_ = 0;
};

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
std::unique_ptr<ByteSource> bytes_in_memory(std::vector<std::byte> bytes);

}  // namespace warplens::trace
