#include "instrumentation/device/device_calls.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

namespace {

struct Fault {
    cuda::Code code;
    const char* words;
    ProblemKind problem = ProblemKind::trap;
};

/// Errors that a kernel causes; each takes the context with it.
constexpr Fault faults[] = {
    {cuda::illegal_address, "read or wrote an address that belongs to no buffer", ProblemKind::out_of_bounds},
    {cuda::misaligned_address, "used an address that is not a multiple of the access's size",
     ProblemKind::misaligned},
    {cuda::assertion, "failed an assertion"},
    {cuda::launch_timeout,
     "ran longer than the driver's own time limit, which a GPU that drives a screen has",
     ProblemKind::endless_loop},
    {cuda::hardware_stack_error, "overflowed its stack or damaged it", ProblemKind::stack_overflow},
    {cuda::illegal_instruction, "met an instruction that the GPU cannot execute, or a trap"},
    {cuda::invalid_address_space, "used an address of a memory that the instruction does not reach"},
    {cuda::invalid_pc, "jumped to an address that holds no code"},
    {cuda::launch_failed, "failed with a fault that the driver does not name, as a trap is"},
    {cuda::contained, "met a memory error of the GPU"},
    {cuda::ecc_uncorrectable, "met a memory error of the GPU"},
};

/// Errors of a machine that has no usable GPU.
constexpr Fault machines[] = {
    {cuda::no_device, "the NVIDIA driver sees no GPU"},
    {cuda::invalid_device, "the NVIDIA driver sees no GPU"},
    {cuda::device_unavailable, "the GPU is taken by another program, or switched off for programs"},
    {cuda::system_not_ready, "the GPU's system is not ready; on machines with NVSwitch its service must run"},
    {cuda::system_driver_mismatch, "the driver's library and its kernel module are of different versions"},
    {cuda::compat_not_supported,
     "the driver's library is a forward-compatible one that this GPU does not take"},
};

std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

/// The first number of two or three parts, of which the first has three digits or more: "580.159.04".
std::string release_in(std::string_view text) {
    constexpr std::string_view digits = "0123456789";
    for (std::size_t begin = text.find_first_of(digits); begin != std::string_view::npos;
         begin = text.find_first_of(digits, text.find_first_not_of(digits, begin))) {
        std::size_t end = std::min(text.find_first_not_of(digits, begin), text.size());
        if (end - begin < 3) continue;
        int parts = 1;
        while (parts < 3 && end + 1 < text.size() && text[end] == '.' && digits.find(text[end + 1]) < 10) {
            end = std::min(text.find_first_not_of(digits, end + 1), text.size());
            ++parts;
        }
        if (parts > 1) return std::string(text.substr(begin, end - begin));
    }
    return {};
}

/// "580.159.04" from the kernel module or, without that file, from the name of the library.
std::string release_of(const std::string& library) {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    std::getline(file, line);
    const std::string of_module = release_in(line);
    return of_module.empty() ? release_in(std::filesystem::path(library).filename().string()) : of_module;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
    const double value = static_cast<double>(bytes);
    if (bytes >= std::uint64_t{1} << 30) return fmt::format("{:.1f} GiB", value / (1 << 30));
    if (bytes >= std::uint64_t{1} << 20) return fmt::format("{:.0f} MiB", value / (1 << 20));
    return fmt::format("{} bytes", bytes);
}

bool DeviceCalls::open() {
    // Without this the driver loads a kernel at its first launch, inside the time that is measured.
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    auto driver = cuda::CudaDriver::open();
    if (!driver) return fail_with(Kind::no_driver, driver.error().message);
    driver_ = std::move(*driver);
    const cuda::Code begun = driver_.init(0);
    if (begun == cuda::stub_library) {
        return fail_with(Kind::no_driver,
                         fmt::format("no NVIDIA driver: {} is the toolkit's stand-in for one", driver_.path));
    }
    int count = 0;
    if (!ok(begun, "starting the driver") || !ok(driver_.device_count(&count), "counting the GPUs")) {
        if (failure->kind != Kind::out_of_memory) failure->kind = Kind::no_device;
        return false;
    }
    if (count == 0) return ok(cuda::no_device, "counting the GPUs");
    const bool opened =
        ok(driver_.device(&device_, 0), "opening the GPU") &&
        ok(driver_.retain_context(&context_, device_), "opening the GPU") &&
        ok(driver_.use_context(context_), "opening the GPU") &&
        ok(driver_.create_stream(&stream_, 1 /* does not wait for stream 0 */), "making a stream");
    if (!opened && failure->kind != Kind::out_of_memory) failure->kind = Kind::no_device;
    return opened;
}

int DeviceCalls::attribute(cuda::DeviceAttribute which) const {
    int value = 0;
    return driver_.device_attribute(&value, which, device_) == cuda::success ? value : 0;
}

std::string DeviceCalls::driver_text() const {
    int version = 0;
    driver_.driver_version(&version);
    const std::string release = release_of(driver_.path);
    return fmt::format("{}{}CUDA {}", release, release.empty() ? "" : ", ", cuda_version(version));
}

DeviceFacts DeviceCalls::facts() const {
    DeviceFacts facts;
    char name[256] = {};
    if (driver_.device_name(name, sizeof(name) - 1, device_) == cuda::success) facts.name = name;
    facts.driver = driver_text();
    facts.compute_major = attribute(cuda::compute_major);
    facts.compute_minor = attribute(cuda::compute_minor);
    facts.sm_count = attribute(cuda::multiprocessors);
    facts.boost_clock_hz = 1e3 * attribute(cuda::clock_rate_khz);
    std::size_t bytes = 0;
    if (driver_.device_memory(&bytes, device_) == cuda::success) facts.memory_bytes = bytes;
    facts.free_bytes = free_bytes();
    return facts;
}

bool DeviceCalls::fail_with(Kind kind, std::string message) {
    if (!failure) failure = GpuFailure{kind, std::move(message)};
    return false;
}

bool DeviceCalls::ok(cuda::Code code, std::string_view doing) {
    if (code == cuda::success) return true;
    const std::string name = driver_.name_of(code);
    for (const Fault& fault : faults) {
        if (fault.code != code) continue;
        context_lost = true;
        fail_with(
            ended_without_recording_ ? Kind::recording_fault : Kind::kernel_fault,
            fmt::format("{} {} ({}){}", subject_, fault.words, name,
                        ended_without_recording_
                            ? ", and without recording it came to its end: the fault is the recording's; "
                              "take another --mode, or `--engine simt`"
                            : ": the launch was given up; run it with `--engine simt`, which names the "
                              "line and the thread"));
        failure->problem = fault.problem;
        return false;
    }
    for (const Fault& machine : machines) {
        if (machine.code != code) continue;
        context_lost = true;
        return fail_with(Kind::no_device, fmt::format("{} ({})", machine.words, name));
    }
    if (code == cuda::out_of_memory) {
        return fail_with(
            Kind::out_of_memory,
            fmt::format("the GPU's memory is full while {}: {} are free; take a smaller problem, or "
                        "end other programs that use the GPU",
                        doing, bytes_text(free_bytes())));
    }
    if (code == cuda::launch_out_of_resources || code == cuda::invalid_value || code == cuda::not_found) {
        return fail_with(Kind::launch_refused,
                         fmt::format("the driver refused {} while {} ({})", subject_, doing, name));
    }
    context_lost = true;
    return fail_with(Kind::child_died,
                     fmt::format("the NVIDIA driver failed while {}{}{} ({}): the next run starts it again",
                                 doing, subject_.empty() ? "" : " for ", subject_, name));
}

bool DeviceCalls::wait(std::string_view doing) { return ok(driver_.wait_for_stream(stream_), doing); }

std::uint64_t DeviceCalls::free_bytes() const {
    std::size_t available = 0, total = 0;
    return driver_.memory_info && driver_.memory_info(&available, &total) == cuda::success ? available : 0;
}

cuda::DeviceAddress DeviceCalls::try_allocate(std::uint64_t bytes) {
    cuda::DeviceAddress address = 0;
    const cuda::Code code = driver_.allocate(&address, bytes);
    return code == cuda::out_of_memory || !ok(code, "allocating device memory") ? 0 : address;
}

cuda::DeviceAddress DeviceCalls::allocate(std::uint64_t bytes, std::string_view what) {
    cuda::DeviceAddress address = 0;
    cuda::Code code = driver_.allocate(&address, bytes);
    if (code == cuda::out_of_memory && give_up_memory) {
        give_up_memory();
        code = driver_.allocate(&address, bytes);
    }
    if (code == cuda::success) return address;
    if (code != cuda::out_of_memory) return ok(code, "allocating device memory") ? address : 0;
    fail_with(
        Kind::out_of_memory,
        fmt::format("{} needs {} of the GPU's memory for {}, and {} are free: take a smaller problem, or end "
                    "other programs that use the GPU",
                    subject_, bytes_text(bytes), what, bytes_text(free_bytes())));
    return 0;
}

void DeviceCalls::free(cuda::DeviceAddress address) {
    if (address != 0) driver_.free(address);
}

}  // namespace warplens::instrumentation
