#include "instrumentation/device/shared_region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

namespace warplens::instrumentation {

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t most = std::uint64_t{1} << 40;

std::uint64_t rounded(std::uint64_t bytes) {
    constexpr std::uint64_t step = 64 * mebibyte;
    if (bytes <= mebibyte) return mebibyte;
    if (bytes <= step) return std::bit_ceil(bytes);
    return (bytes + step - 1) / step * step;
}

}  // namespace

SharedRegion::~SharedRegion() {
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
    close_descriptor();
}

SharedRegion::SharedRegion(SharedRegion&& other) noexcept { *this = std::move(other); }

SharedRegion& SharedRegion::operator=(SharedRegion&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

void SharedRegion::close_descriptor() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

Result<SharedRegion> SharedRegion::create(std::uint64_t bytes) {
    if (bytes > most) return fail("{} bytes to be shared with the recorder's process are too many", bytes);
    const std::uint64_t size = rounded(bytes);
    SharedRegion region;
    region.descriptor_ = memfd_create("warplens", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const auto refuse = [&](const char* what) {
        return fail("{} MiB of memory shared with the recorder's process cannot be had: {}: {}",
                    size / mebibyte, what, std::strerror(errno));
    };
    if (region.descriptor_ < 0) return refuse("memfd_create");
    if (ftruncate(region.descriptor_, static_cast<off_t>(size)) != 0) return refuse("ftruncate");
    // Without its pages a full machine would end the writer with a signal instead of an error here.
    if (fallocate(region.descriptor_, 0, 0, static_cast<off_t>(size)) != 0 && errno != EOPNOTSUPP) {
        return refuse("fallocate");
    }
    if (fcntl(region.descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return refuse("sealing");
    }
    void* const start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, region.descriptor_, 0);
    if (start == MAP_FAILED) return refuse("mmap");
    region.bytes_ = {static_cast<std::byte*>(start), size};
    return region;
}

Result<SharedRegion> SharedRegion::adopt(int descriptor) {
    SharedRegion region;
    region.descriptor_ = descriptor;
    struct stat facts {};
    if (descriptor < 0 || fstat(descriptor, &facts) != 0 || facts.st_size <= 0) {
        return fail("no memory came with the message");
    }
    const auto size = static_cast<std::size_t>(facts.st_size);
    void* const start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (start == MAP_FAILED) return fail("shared memory cannot be mapped: {}", std::strerror(errno));
    region.bytes_ = {static_cast<std::byte*>(start), size};
    region.close_descriptor();
    return region;
}

}  // namespace warplens::instrumentation
