// Arena: the memory of the device. It lies in the shared file of descriptor 3, so that whoever executes a
// kernel sees the same bytes, or in the program's own memory when there is no such file.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace warplens_program {

/// How an allocation came to be, which decides what may be copied and whether it counts as filled.
enum class MemoryKind { device, managed, pinned };

struct Allocation {
    std::string name;  // of the pointer in the host code; empty when it has none
    std::size_t bytes = 0;
    MemoryKind kind = MemoryKind::device;
    bool filled = false;  // something was copied into it or set, or a launch may have written it
};

class Arena {
  public:
    static constexpr int descriptor = 3;
    static constexpr std::size_t alignment = 256;
    static constexpr std::size_t pitch_alignment = 512;
    static constexpr std::size_t separation = std::size_t{1} << 16;
    /// Where the arena begins, if nothing else is there: the same in every run, and no number that data is
    /// likely to hold, since words with the value of an address are taken for one. It lies below the memory
    /// of a process on Linux, from which the CPU engine subtracts it.
    static constexpr std::uintptr_t preferred_base = 0x2a3c'0000'0000;

    static Arena& instance() {
        static Arena& arena = *new Arena;  // stays until the end, for destructors of the program
        return arena;
    }

    /// Null when no gap is large enough.
    void* allocate(std::size_t bytes, MemoryKind kind) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const std::size_t needed = rounded_up(bytes, alignment);
        if (base_ == nullptr || bytes == 0 || needed < bytes) return nullptr;
        // An access past an allocation's end shall not reach the next one, as long as there is much room.
        std::size_t offset = next_ + (next_ > separation && next_ < size_ / 2 ? separation : 0);
        if (needed > size_ || offset > size_ - needed) {
            offset = first_gap(needed);
            if (offset == 0) return nullptr;
        } else {
            next_ = offset + needed;
        }
        allocations_[offset] = {{}, bytes, kind, kind != MemoryKind::device};
        used_ += needed;
        return base_ + offset;
    }

    /// False when no allocation begins at the address. The memory goes back to the system and is 0 again.
    bool release(void* address) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!contains(address)) return false;
        const auto found = allocations_.find(offset_of(address));
        if (found == allocations_.end()) return false;
        const std::size_t bytes = rounded_up(found->second.bytes, alignment);
        clear(found->first, bytes);
        used_ -= bytes;
        allocations_.erase(found);
        return true;
    }

    void name(void* address, const std::string& name) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (Allocation* allocation = find(address)) allocation->name = name;
    }

    /// For memory that does not come from a call which names a pointer.
    void name_unnamed(const void* address, const std::string& name) {
        const std::lock_guard<std::mutex> lock(mutex_);
        Allocation* allocation = find(address);
        if (allocation != nullptr && allocation->name.empty()) allocation->name = name;
    }

    bool contains(const void* address) const {
        const char* byte = static_cast<const char*>(address);
        return base_ != nullptr && byte >= base_ && byte < base_ + size_;
    }

    /// Whether the bytes lie within one living allocation.
    bool holds(const void* address, std::size_t bytes) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const Allocation* allocation = find(address);
        return allocation != nullptr && bytes <= allocation->bytes - into_allocation(address);
    }

    /// The kind of the memory at an address of the arena; pinned for all other addresses, the host's own.
    MemoryKind kind_of(const void* address) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const Allocation* allocation = find(address);
        return allocation == nullptr ? MemoryKind::pinned : allocation->kind;
    }

    void mark_filled(const void* address) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (Allocation* allocation = find(address)) allocation->filled = true;
    }

    void mark_all_filled() {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (auto& entry : allocations_) entry.second.filled = true;
    }

    /// Calls visit(offset, allocation) for each living allocation, in the order of their addresses.
    template <class Visit>
    void for_each(Visit&& visit) {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& entry : allocations_) visit(entry.first, entry.second);
    }

    bool shared() const { return shared_; }
    std::uintptr_t base() const { return reinterpret_cast<std::uintptr_t>(base_); }
    std::size_t used() const { return used_; }
    std::size_t size() const { return size_; }

    static std::size_t rounded_up(std::size_t value, std::size_t unit) {
        return (value + unit - 1) / unit * unit;
    }

  private:
    Arena() {
        const char* text = std::getenv("WARPLENS_ARENA_BYTES");
        if (text != nullptr && fcntl(descriptor, F_GETFD) != -1) size_ = std::strtoull(text, nullptr, 10);
        shared_ = size_ != 0;
        if (!shared_) size_ = std::size_t{1} << 36;
        const int flags = shared_ ? MAP_SHARED | MAP_NORESERVE : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void* base = mmap(reinterpret_cast<void*>(preferred_base), size_, PROT_READ | PROT_WRITE, flags,
                          shared_ ? descriptor : -1, 0);
        if (base != MAP_FAILED) base_ = static_cast<char*>(base);
        if (base_ == nullptr) std::fprintf(stderr, "The memory of the device cannot be mapped.\n");
        if (!shared_)
            std::fprintf(stderr, "This program was not started by Warplens: its kernels are not executed.\n");
    }

    std::size_t offset_of(const void* address) const {
        return static_cast<std::size_t>(static_cast<const char*>(address) - base_);
    }

    Allocation* find(const void* address) {
        if (!contains(address)) return nullptr;
        const std::size_t offset = offset_of(address);
        auto after = allocations_.upper_bound(offset);
        if (after == allocations_.begin()) return nullptr;
        --after;
        return offset - after->first < after->second.bytes ? &after->second : nullptr;
    }

    std::size_t into_allocation(const void* address) {
        const std::size_t offset = offset_of(address);
        return offset - (--allocations_.upper_bound(offset))->first;
    }

    /// The first gap that freed memory left; 0 when there is none, since nothing lies at offset 0.
    std::size_t first_gap(std::size_t needed) const {
        std::size_t begin = alignment;
        for (const auto& entry : allocations_) {
            if (entry.first - begin >= needed) return begin;
            begin = entry.first + rounded_up(entry.second.bytes, alignment);
        }
        return size_ > begin && size_ - begin >= needed ? begin : 0;
    }

    void clear(std::size_t offset, std::size_t bytes) {
        if (shared_) {
            const int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
            if (fallocate(descriptor, mode, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0)
                return;
            std::memset(base_ + offset, 0, bytes);
            return;
        }
        const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t first = rounded_up(offset, page), last = (offset + bytes) / page * page;
        if (first >= last) {
            std::memset(base_ + offset, 0, bytes);
            return;
        }
        std::memset(base_ + offset, 0, first - offset);
        std::memset(base_ + last, 0, offset + bytes - last);
        madvise(base_ + first, last - first, MADV_DONTNEED);
    }

    std::mutex mutex_;
    char* base_ = nullptr;
    std::size_t size_ = 0, next_ = separation, used_ = 0;
    bool shared_ = false;
    std::map<std::size_t, Allocation> allocations_;  // by offset
};

}  // namespace warplens_program
