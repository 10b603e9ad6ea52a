// The child's device memory, kept between runs: LaunchBuffers, a launch's buffers in one allocation with an
// untouched copy beside them; RecordingMemory, the recording space, zero between launches; BlobMemory, small
// constant arrays such as block sets; CacheFlush, a buffer that takes the place of others in L2. All work is
// queued on the calls' stream.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "instrumentation/device/device_calls.h"
#include "instrumentation/device/protocol.h"

namespace warplens::instrumentation {

class LaunchBuffers {
  public:
    explicit LaunchBuffers(DeviceCalls& calls) : calls_(calls) {}

    /// Room for these buffers, `reference` also for the clean launch's results. All addresses begin with the
    /// same upper 32 bits when the buffers fit in 4 GiB and the memory is there.
    bool reserve(const std::vector<std::uint64_t>& sizes, bool reference);
    std::uint64_t address(std::uint32_t buffer) const { return working_ + offsets_[buffer]; }
    std::uint32_t address_high() const { return static_cast<std::uint32_t>(working_ >> 32); }
    std::uint64_t extent() const { return offsets_.back(); }

    /// Whether the untouched copy of a buffer has this content.
    bool holds(std::uint32_t buffer, const std::string& hash) const { return contents_[buffer] == hash; }
    /// Copies a part of the content from (pinned) host memory.
    bool upload(std::uint32_t buffer, std::uint64_t offset, const std::byte* from, std::uint64_t bytes);
    void set_content(std::uint32_t buffer, const std::string& hash) { contents_[buffer] = hash; }

    bool restore();         // all buffers as given
    bool keep_reference();  // the results as they are now are the ones to compare with
    bool read(std::byte* to);
    /// `text` gets "y: byte 12 is 0x3f, and after the clean launch 0x40" for the first byte that differs;
    /// empty when none does. `compare`: the helper kernel.
    bool compare(cuda::Function compare, const std::vector<std::string>& names, std::string& text);

  private:
    bool allocate_all(std::uint64_t bytes, bool reference);
    bool allocate_working(std::uint64_t bytes);
    void release();

    DeviceCalls& calls_;
    std::uint64_t capacity_ = 0;
    cuda::DeviceAddress block_ = 0;  // holds working_
    cuda::DeviceAddress working_ = 0, pristine_ = 0, reference_ = 0, lowest_ = 0;
    std::vector<std::uint64_t> sizes_, offsets_{0};
    std::vector<std::string> contents_;  // hash of each buffer's untouched copy; empty: not there
};

class RecordingMemory {
  public:
    explicit RecordingMemory(DeviceCalls& calls) : calls_(calls) {}

    /// At most `most_bytes`, less when the memory is short; at least `least_bytes`. All zero.
    bool reserve(std::uint64_t most_bytes, std::uint64_t least_bytes);
    std::uint64_t address() const { return address_; }
    std::uint64_t bytes() const { return bytes_; }  // of the last reserve
    /// So much from the start is not zero any more, and all after it is.
    void set_written(std::uint64_t bytes) { written_ = std::min(bytes, capacity_); }
    /// Queues the zeros over what was written.
    bool wipe();
    void release();

  private:
    DeviceCalls& calls_;
    cuda::DeviceAddress address_ = 0;
    std::uint64_t capacity_ = 0, bytes_ = 0, written_ = 0;
};

class BlobMemory {
  public:
    explicit BlobMemory(DeviceCalls& calls) : calls_(calls) {}

    bool holds(const std::string& hash) const { return blobs_.contains(hash); }
    /// 0 when it is not held.
    std::uint64_t address(const std::string& hash) const;
    bool put(const std::string& hash, const std::string& bytes);
    void trim();     // when there are many; between runs only
    void release();  // all

  private:
    DeviceCalls& calls_;
    std::map<std::string, cuda::DeviceAddress> blobs_;
};

class CacheFlush {
  public:
    explicit CacheFlush(DeviceCalls& calls) : calls_(calls) {}

    /// Queues writes to more memory than L2 holds. What the SMs keep of the code stays.
    bool flush();
    void release();

  private:
    DeviceCalls& calls_;
    cuda::DeviceAddress address_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace warplens::instrumentation
