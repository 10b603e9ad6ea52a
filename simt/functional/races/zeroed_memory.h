// ZeroedMemory: zeros that occupy no memory until they are written to, if the system supports it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace warplens::simt {

class ZeroedMemory {
  public:
    static constexpr std::size_t large_page = std::size_t{2} << 20;

    /// Throws std::bad_alloc. `bytes` is not 0. Large pages are requested, since page faults of small ones
    /// cost more than their use.
    explicit ZeroedMemory(std::size_t bytes) : bytes_(bytes) {
#ifdef __linux__
        const bool large = bytes % large_page == 0;
        if (large) bytes_ += large_page;
        void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) throw std::bad_alloc();
        all_ = data_ = static_cast<std::byte*>(at);
        if (!large) return;
        data_ += (large_page - reinterpret_cast<std::uintptr_t>(at) % large_page) % large_page;
        madvise(data_, bytes, MADV_HUGEPAGE);  // if refused, only the speed changes
#else
        all_ = data_ = static_cast<std::byte*>(std::calloc(bytes, 1));
        if (!data_) throw std::bad_alloc();
#endif
    }
    ZeroedMemory(ZeroedMemory&& other) noexcept
        : all_(std::exchange(other.all_, nullptr)), data_(other.data_), bytes_(other.bytes_) {}
    ZeroedMemory& operator=(ZeroedMemory&&) = delete;
    ~ZeroedMemory() {
        if (!all_) return;
#ifdef __linux__
        munmap(all_, bytes_);
#else
        std::free(all_);
#endif
    }

    std::byte* data() const { return data_; }

  private:
    std::byte* all_ = nullptr;
    std::byte* data_ = nullptr;
    std::size_t bytes_;
};

}  // namespace warplens::simt
