// SharedRegion: memory that the recorder and its child both map, for what is too large for a message. The
// recorder makes it (memfd), seals its size, so that no child can take pages away from under a reader, and
// sends the descriptor; the child maps it and registers it with the driver, and the GPU copies straight into
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/result.h"

namespace warplens::instrumentation {

class SharedRegion {
  public:
    SharedRegion() = default;
    ~SharedRegion();
    SharedRegion(SharedRegion&& other) noexcept;
    SharedRegion& operator=(SharedRegion&& other) noexcept;

    /// At least `bytes`, rounded up so that a little growth needs no new region. Its pages exist already.
    static Result<SharedRegion> create(std::uint64_t bytes);
    /// Maps the whole of one that came; closes the descriptor.
    static Result<SharedRegion> adopt(int descriptor);

    std::span<std::byte> bytes() const { return bytes_; }
    /// To send; -1 in an adopted one and after close_descriptor.
    int descriptor() const { return descriptor_; }
    void close_descriptor();

  private:
    std::span<std::byte> bytes_;
    int descriptor_ = -1;
};

}  // namespace warplens::instrumentation
