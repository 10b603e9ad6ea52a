// DeviceCalls: the driver's functions as the child uses them: the first call that fails leaves a GpuFailure
// whose sentence says which kernel, what happened and what to do, and all that follows can stop at a `false`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/device/driver_api.h"
#include "instrumentation/device/gpu_recorder.h"

namespace warplens::instrumentation {

class DeviceCalls {
  public:
    /// Opens the driver, the first GPU and its primary context. False: `failure` says why not.
    bool open();

    const cuda::CudaDriver& driver() const { return driver_; }
    /// For a thread other than the one that opened it.
    cuda::Stream stream() const { return stream_; }
    DeviceFacts facts() const;
    int attribute(cuda::DeviceAttribute which) const;
    /// "580.159.04, CUDA 13.0".
    std::string driver_text() const;

    /// What runs, for the sentences: "saxpy", "saxpy with light recording".
    void set_subject(std::string subject) { subject_ = std::move(subject); }
    const std::string& subject() const { return subject_; }
    /// Whether the same launch came to its end without recording: then a fault is the recording's.
    void set_ended_without_recording(bool ended) { ended_without_recording_ = ended; }

    /// True on success; else leaves a failure. `doing`: "copying the buffers to the device".
    bool ok(cuda::Code code, std::string_view doing);
    bool fail_with(GpuFailure::Kind kind, std::string message);
    /// Waits for all that was queued.
    bool wait(std::string_view doing);

    /// Device memory; 0 and a failure when there is none. On shortage it asks `give_up_memory` first.
    cuda::DeviceAddress allocate(std::uint64_t bytes, std::string_view what);
    /// The same with no failure left behind when there is too little, and nothing given up.
    cuda::DeviceAddress try_allocate(std::uint64_t bytes);
    void free(cuda::DeviceAddress address);
    std::uint64_t free_bytes() const;

    std::function<void()> give_up_memory;
    std::optional<GpuFailure> failure;
    /// The context is of no more use: the child must end.
    bool context_lost = false;

  private:
    cuda::CudaDriver driver_;
    cuda::Device device_ = 0;
    cuda::Context context_ = nullptr;
    cuda::Stream stream_ = nullptr;
    std::string subject_;
    bool ended_without_recording_ = false;
};

/// "3.2 GiB", "512 MiB", "17 bytes".
std::string bytes_text(std::uint64_t bytes);

}  // namespace warplens::instrumentation
