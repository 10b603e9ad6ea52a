#include "instrumentation/device/device_memory.h"

#include <algorithm>
#include <cstring>

namespace warplens::instrumentation {

namespace {

constexpr std::uint64_t four_gib = std::uint64_t{1} << 32;
constexpr std::uint64_t granularity = std::uint64_t{2} << 20;
constexpr std::size_t most_blobs = 16;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t step) { return (value + step - 1) / step * step; }

bool crosses(std::uint64_t address, std::uint64_t bytes) {
    return address >> 32 != (address + bytes - 1) >> 32;
}

}  // namespace

void LaunchBuffers::release() {
    for (cuda::DeviceAddress* address : {&block_, &pristine_, &reference_}) {
        calls_.free(std::exchange(*address, 0));
    }
    working_ = 0;
    capacity_ = 0;
    contents_.assign(contents_.size(), "");
}

bool LaunchBuffers::allocate_working(std::uint64_t bytes) {
    block_ = working_ = calls_.try_allocate(bytes);
    if (block_ == 0 || bytes > four_gib || !crosses(block_, bytes)) return block_ != 0;
    // A boundary of 4 GiB lies within: twice the room has enough on one side of it.
    calls_.free(std::exchange(block_, 0));
    const std::uint64_t padded = bytes <= four_gib / 2 ? 2 * bytes : bytes + four_gib;
    block_ = working_ = calls_.try_allocate(padded);
    if (block_ == 0) return (block_ = working_ = calls_.try_allocate(bytes)) != 0;
    if (crosses(block_, bytes)) working_ = rounded_up(block_, four_gib);
    return true;
}

bool LaunchBuffers::allocate_all(std::uint64_t bytes, bool reference) {
    for (const bool last_try : {false, true}) {
        if (allocate_working(bytes) && (pristine_ = calls_.try_allocate(bytes)) != 0 &&
            (!reference || (reference_ = calls_.try_allocate(bytes)) != 0)) {
            capacity_ = bytes;
            return calls_.ok(calls_.driver().set_bytes(pristine_, 0, bytes, calls_.stream()),
                             "clearing memory");
        }
        release();
        if (calls_.failure) return false;
        if (!last_try && calls_.give_up_memory) calls_.give_up_memory();
    }
    const int copies = reference ? 3 : 2;
    return calls_.fail_with(
        GpuFailure::Kind::out_of_memory,
        fmt::format(
            "{} needs {} of the GPU's memory for its buffers, which it holds {}, and {} are free: take a "
            "smaller problem, or end other programs that use the GPU",
            calls_.subject(), bytes_text(copies * bytes),
            reference ? "three times (to work on, as given, to compare with)"
                      : "twice (to work on and as given)",
            bytes_text(calls_.free_bytes())));
}

bool LaunchBuffers::reserve(const std::vector<std::uint64_t>& sizes, bool reference) {
    const std::vector<std::uint64_t> offsets = lay_out(sizes);
    if (sizes != sizes_) {
        std::vector<std::string> contents(sizes.size());
        for (std::size_t i = 0; i < std::min(sizes.size(), sizes_.size()); ++i) {
            if (sizes[i] == sizes_[i] && offsets[i] == offsets_[i]) contents[i] = contents_[i];
        }
        contents_ = std::move(contents);
        sizes_ = sizes;
        offsets_ = offsets;
    }
    const std::uint64_t needed = rounded_up(std::max(extent(), std::uint64_t{256}), granularity);
    const bool far_too_much = capacity_ / 8 > needed + (std::uint64_t{1} << 28);
    if (reference && reference_ == 0 && capacity_ >= needed) reference_ = calls_.try_allocate(capacity_);
    if (capacity_ < needed || far_too_much || (reference && reference_ == 0)) {
        release();
        if (!allocate_all(needed, reference)) return false;
    }
    if (lowest_ == 0) lowest_ = calls_.allocate(256, "the comparison's answer");
    return lowest_ != 0;
}

bool LaunchBuffers::upload(std::uint32_t buffer, std::uint64_t offset, const std::byte* from,
                           std::uint64_t bytes) {
    contents_[buffer].clear();
    return bytes == 0 || calls_.ok(calls_.driver().copy_to_device(pristine_ + offsets_[buffer] + offset, from,
                                                                  bytes, calls_.stream()),
                                   "copying the buffers to the device");
}

bool LaunchBuffers::restore() {
    return extent() == 0 ||
           calls_.ok(calls_.driver().copy_on_device(working_, pristine_, extent(), calls_.stream()),
                     "filling the buffers");
}

bool LaunchBuffers::keep_reference() {
    return extent() == 0 ||
           calls_.ok(calls_.driver().copy_on_device(reference_, working_, extent(), calls_.stream()),
                     "keeping the results");
}

bool LaunchBuffers::read(std::byte* to) {
    return extent() == 0 || (calls_.ok(calls_.driver().copy_to_host(to, working_, extent(), calls_.stream()),
                                       "reading the buffers") &&
                             calls_.wait("reading the buffers"));
}

bool LaunchBuffers::compare(cuda::Function compare, const std::vector<std::string>& names,
                            std::string& text) {
    const cuda::CudaDriver& driver = calls_.driver();
    constexpr std::uint64_t none = ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < sizes_.size(); ++i) {
        if (sizes_[i] == 0) continue;
        const std::uint64_t units = (sizes_[i] + unit_bytes - 1) / unit_bytes;
        std::uint64_t values[] = {working_ + offsets_[i], reference_ + offsets_[i], units, lowest_};
        void* arguments[] = {&values[0], &values[1], &values[2], &values[3]};
        const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>((units + 255) / 256, 4096));
        std::uint64_t lowest = none;
        if (!calls_.ok(driver.set_bytes(lowest_, 0xff, 8, calls_.stream()), "comparing the results") ||
            !calls_.ok(
                driver.launch(compare, blocks, 1, 1, 256, 1, 1, 0, calls_.stream(), arguments, nullptr),
                "comparing the results") ||
            !calls_.ok(driver.copy_to_host(&lowest, lowest_, 8, calls_.stream()), "comparing the results") ||
            !calls_.wait("comparing the results")) {
            return false;
        }
        if (lowest == none) continue;
        unsigned char now[unit_bytes] = {}, before[unit_bytes] = {};
        const std::uint64_t at = lowest * unit_bytes;
        if (at >= sizes_[i]) continue;
        if (!calls_.ok(driver.copy_to_host(now, values[0] + at, unit_bytes, calls_.stream()), "comparing") ||
            !calls_.ok(driver.copy_to_host(before, values[1] + at, unit_bytes, calls_.stream()),
                       "comparing") ||
            !calls_.wait("comparing the results")) {
            return false;
        }
        const std::uint64_t count = std::min<std::uint64_t>(unit_bytes, sizes_[i] - at);
        for (std::uint64_t byte = 0; byte < count; ++byte) {
            if (now[byte] == before[byte]) continue;
            text = fmt::format("{}: byte {} is {:#04x}, and after the clean launch {:#04x}", names[i],
                               at + byte, now[byte], before[byte]);
            return true;
        }
        // The unit differs after the buffer's end only, where a kernel has no business.
    }
    return true;
}

bool RecordingMemory::reserve(std::uint64_t most_bytes, std::uint64_t least_bytes) {
    if (capacity_ < most_bytes) {
        release();
        address_ = calls_.try_allocate(most_bytes);
        capacity_ = most_bytes;
        if (address_ == 0) {
            capacity_ = std::min(most_bytes, calls_.free_bytes() / 16 * 15 / granularity * granularity);
            if (capacity_ >= least_bytes) address_ = calls_.try_allocate(capacity_);
        }
        if (address_ == 0) {
            capacity_ = least_bytes;
            address_ = calls_.allocate(least_bytes, "the recording");
        }
        if (address_ == 0) {
            capacity_ = 0;
            return false;
        }
        written_ = capacity_;
    }
    bytes_ = std::min(most_bytes, capacity_);
    return wipe();
}

bool RecordingMemory::wipe() {
    if (written_ == 0) return true;
    const bool queued = calls_.ok(calls_.driver().set_bytes(address_, 0, written_, calls_.stream()),
                                  "clearing the recording space");
    if (queued) written_ = 0;
    return queued;
}

void RecordingMemory::release() {
    calls_.free(std::exchange(address_, 0));
    capacity_ = bytes_ = written_ = 0;
}

std::uint64_t BlobMemory::address(const std::string& hash) const {
    const auto found = blobs_.find(hash);
    return found == blobs_.end() ? 0 : found->second;
}

bool BlobMemory::put(const std::string& hash, const std::string& bytes) {
    const cuda::DeviceAddress address =
        calls_.allocate(std::max<std::size_t>(bytes.size(), 256), "its block set");
    if (address == 0) return false;
    blobs_[hash] = address;
    return calls_.ok(calls_.driver().copy_to_device(address, bytes.data(), bytes.size(), calls_.stream()),
                     "copying the block set") &&
           calls_.wait("copying the block set");
}

void BlobMemory::trim() {
    if (blobs_.size() > most_blobs) release();
}

void BlobMemory::release() {
    for (const auto& [hash, address] : blobs_) calls_.free(address);
    blobs_.clear();
}

bool CacheFlush::flush() {
    if (address_ == 0) {
        constexpr std::uint64_t unknown = std::uint64_t{64} << 20;
        const int l2 = calls_.attribute(cuda::l2_cache_bytes);
        bytes_ = 2 * (l2 > 0 ? static_cast<std::uint64_t>(l2) : unknown);
        address_ = calls_.allocate(bytes_, "the data that fill L2");
    }
    return address_ != 0 &&
           calls_.ok(calls_.driver().set_bytes(address_, 1, bytes_, calls_.stream()), "filling L2");
}

void CacheFlush::release() { calls_.free(std::exchange(address_, 0)); }

}  // namespace warplens::instrumentation
