// A stand-in for libcuda.so over host memory, so that the whole path from the recorder through its child to
// the driver is tested without a GPU. Modules are loaded from any text with ".entry NAME"; lines "// fake:
// KEY VALUE" in it define what its kernels do:
//   add N         every element of the buffer grows by N (1 when not said)
//   fault CODE    the launch ends with that CUresult, and so does every call after it
//   endless 1     it never ends          kill 1   it kills this process       ms X   it takes so long
//   refuse TEXT   the assembler refuses  registers N, threads N   as the driver reports them
//   together N    blocks that a cluster or a cooperative grid may have
//   records N     visits that each warp records      symbols N   as its plan has
//       corrupt 1   it clears the head of the recording space
// A kernel's arguments are a u64 (address of u32 elements) and a u32 (how many); one whose text contains
// "warplens_space" has a SpaceParameter after them.
// $FAKE_CUDA_MEMORY: bytes of device memory. $FAKE_CUDA_START: address it begins at. $FAKE_CUDA_LOG: a file
// that gets one line per counted call. $FAKE_CUDA_GPUS: how many there are.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "instrumentation/device/driver_api.h"
#include "instrumentation/device/helper_kernels.h"
#include "instrumentation/rewrite/recording_space.h"

using namespace warplens::instrumentation;
using namespace warplens::instrumentation::cuda;

namespace {

struct FakeModule {
    std::string text;

    std::string value(const std::string& key) const {
        const std::string start = "// fake: " + key + " ";
        const std::size_t at = text.find(start);
        if (at == std::string::npos) return "";
        return text.substr(at + start.size(), text.find('\n', at) - at - start.size());
    }
    long number(const std::string& key, long otherwise) const {
        const std::string text_value = value(key);
        return text_value.empty() ? otherwise : std::stol(text_value);
    }
};

struct FakeFunction {
    FakeModule* module;
    std::string name;
    int dynamic_shared_bytes = 48 * 1024;
};

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text && *text ? std::strtoull(text, nullptr, 0) : otherwise;
}

struct FakeGpu {
    std::uint64_t capacity = from_environment("FAKE_CUDA_MEMORY", std::uint64_t{256} << 20);
    // Where neither programs nor sanitizers keep anything.
    std::uint64_t start = from_environment("FAKE_CUDA_START", 0x7e9000000000);
    std::uint64_t reserved = std::uint64_t{16} << 30;
    std::map<std::uint64_t, std::uint64_t> allocations;
    std::map<void*, std::size_t> registered;
    std::vector<std::unique_ptr<FakeModule>> modules;
    std::vector<std::unique_ptr<FakeFunction>> functions;
    std::vector<std::unique_ptr<double>> events;
    double now_ms = 0;
    Code sticky = success;
    bool endless = false;

    FakeGpu() {
        void* const got = mmap(reinterpret_cast<void*>(start), reserved, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == MAP_FAILED) std::abort();
    }
    std::uint64_t used() const {
        std::uint64_t bytes = 0;
        for (const auto& [address, size] : allocations) bytes += size;
        return bytes;
    }
    bool owns(std::uint64_t address, std::uint64_t bytes) const {
        auto after = allocations.upper_bound(address);
        if (after == allocations.begin()) return false;
        --after;
        return address + bytes <= after->first + after->second;
    }
};

FakeGpu& gpu() {
    static FakeGpu the_gpu;
    return the_gpu;
}

void log(const char* what, std::uint64_t number) {
    const char* const path = std::getenv("FAKE_CUDA_LOG");
    if (!path) return;
    std::FILE* const file = std::fopen(path, "a");
    std::fprintf(file, "%s %llu\n", what, static_cast<unsigned long long>(number));
    std::fclose(file);
}

template <class T>
T& at(std::uint64_t address) {
    if (!gpu().owns(address, sizeof(T))) std::abort();  // an error of the runner, not of a kernel
    return *reinterpret_cast<T*>(address);
}

/// Writes what an instrumented kernel would write: for each recorded warp a WarpHead and its visits.
void record(const FakeModule& module, const SpaceParameter& space, std::uint64_t blocks, unsigned threads) {
    SpaceHead& head = at<SpaceHead>(space.base);
    const auto symbols = static_cast<std::size_t>(module.number("symbols", 0));
    const auto place_of = [&](std::uint64_t chunk) {
        return space.base + chunk_offset(chunk, space.chunk_units, symbols);
    };
    for (std::uint64_t i = 0; i < (place_of(space.chunks) - space.base) / 4; ++i) {
        const std::uint64_t word = space.base + 4 * i;
        if (word >= space.base + sizeof(std::uint32_t) && at<std::uint32_t>(word) != 0) std::abort();
    }
    const unsigned warps = (threads + 31) / 32;
    for (std::uint64_t block = 0; block < blocks; ++block) {
        std::uint64_t rank = block;
        if (space.block_set != 0) {
            const BlockSetWord word = at<BlockSetWord>(space.block_set + block / 32 * sizeof(BlockSetWord));
            if ((word.bits >> (block % 32) & 1) == 0) continue;
            rank =
                word.rank + static_cast<unsigned>(__builtin_popcount(word.bits & ((1u << (block % 32)) - 1)));
        }
        if (space.sm_set != 0 && (at<std::uint32_t>(space.sm_set) & 1) == 0) continue;  // all run on SM 0
        for (unsigned warp = 0; warp < warps; ++warp) {
            std::uint64_t chunk = space.slabs > 0 ? 1 + rank * warps + warp : head.next_chunk++;
            std::uint32_t unit = 2;
            long left = module.number("records", 1);
            if (chunk < space.chunks) {
                WarpHead& first = at<WarpHead>(place_of(chunk));
                first.place = 0x80000000u;
                first.block = static_cast<std::uint32_t>(block);
                first.identity = 0x80000000u | warp;
            }
            for (; left > 0; --left) {
                if (unit == space.chunk_units) {
                    const std::uint64_t previous = chunk;
                    chunk = head.next_chunk++;
                    if (chunk < space.chunks) {
                        at<ChunkHead>(place_of(chunk)) = {0x80000000u | warp,
                                                          static_cast<std::uint32_t>(block),
                                                          static_cast<std::uint32_t>(previous), 0};
                        unit = 1;
                    }
                }
                if (chunk >= space.chunks) {
                    ++head.dropped_records;
                    continue;
                }
                at<VisitUnit>(place_of(chunk) + unit++ * unit_bytes) = {1, 0xffffffffu, 1, 0};
            }
        }
    }
    if (module.number("corrupt", 0)) head.next_chunk = 0;
}

Code run_kernel(const FakeFunction& function, std::uint64_t blocks, unsigned threads, void** arguments,
                void** extra) {
    const FakeModule& module = *function.module;
    if (function.name == delay_kernel) return success;
    if (function.name == compare_kernel) {
        std::uint64_t values[4];
        for (int i = 0; i < 4; ++i) std::memcpy(&values[i], arguments[i], 8);
        if (!gpu().owns(values[0], values[2] * 16) || !gpu().owns(values[1], values[2] * 16)) std::abort();
        for (std::uint64_t i = values[2]; i-- > 0;) {
            if (std::memcmp(reinterpret_cast<void*>(values[0] + 16 * i),
                            reinterpret_cast<void*>(values[1] + 16 * i), 16) != 0) {
                at<std::uint64_t>(values[3]) = std::min(at<std::uint64_t>(values[3]), i);
            }
        }
        return success;
    }
    log("launch", blocks);
    if (module.number("kill", 0)) raise(SIGKILL);
    if (module.number("endless", 0)) gpu().endless = true;
    gpu().now_ms += module.value("ms").empty() ? 0.125 : std::stod(module.value("ms"));
    gpu().sticky = static_cast<Code>(module.number("fault", 0));
    if (gpu().sticky != success || !extra) return success;
    const auto* const bytes = static_cast<const std::byte*>(extra[1]);
    const std::size_t size = *static_cast<const std::size_t*>(extra[3]);
    std::uint64_t address = 0;
    std::uint32_t elements = 0;
    std::memcpy(&address, bytes, 8);
    std::memcpy(&elements, bytes + 8, 4);
    for (std::uint32_t i = 0; i < elements; ++i) {
        at<std::uint32_t>(address + 4 * i) += static_cast<std::uint32_t>(module.number("add", 1));
    }
    if (module.text.find("warplens_space") == std::string::npos) return size == 12 ? success : invalid_value;
    if (size != 16 + sizeof(SpaceParameter)) return invalid_value;
    SpaceParameter space;
    std::memcpy(&space, bytes + 16, sizeof(space));
    record(module, space, blocks, threads);
    return success;
}

Code copied(const void* from, void* to, std::size_t bytes) {
    if (gpu().sticky == success) std::memmove(to, from, bytes);
    return gpu().sticky;
}

void* pointer(DeviceAddress address) { return reinterpret_cast<void*>(address); }

}  // namespace

extern "C" {

Code cuInit(unsigned) { return success; }
Code cuDriverGetVersion(int* version) { return *version = 13000, success; }
Code cuGetErrorString(Code, const char** text) { return *text = "a fault made up for a test", success; }
Code cuGetErrorName(Code code, const char** text) {
    static const std::map<Code, const char*> names{{invalid_value, "CUDA_ERROR_INVALID_VALUE"},
                                                   {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                   {no_device, "CUDA_ERROR_NO_DEVICE"},
                                                   {invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
                                                   {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                   {misaligned_address, "CUDA_ERROR_MISALIGNED_ADDRESS"}};
    const auto found = names.find(code);
    *text = found == names.end() ? nullptr : found->second;
    return *text ? success : invalid_value;
}
Code cuDeviceGetCount(int* count) {
    return *count = static_cast<int>(from_environment("FAKE_CUDA_GPUS", 1)), success;
}
Code cuDeviceGet(Device* device, int) { return *device = 0, success; }
Code cuDeviceGetName(char* name, int size, Device) { return std::snprintf(name, size, "Fake GPU"), success; }
Code cuDeviceTotalMem_v2(std::size_t* bytes, Device) { return *bytes = gpu().capacity, success; }
Code cuDeviceGetAttribute(int* value, int which, Device) {
    static const std::map<int, int> values{
        {warp_size_attribute, 32}, {clock_rate_khz, 1980000}, {multiprocessors, 132},
        {compute_major, 9},        {compute_minor, 0},        {shared_bytes_opt_in, 232448},
        {cooperative_launches, 1}, {cluster_launches, 1},     {l2_cache_bytes, 1 << 20}};
    if (which == cluster_launches && from_environment("FAKE_CUDA_CLUSTERS", 1) == 0)
        return *value = 0, success;
    const auto found = values.find(which);
    return found == values.end() ? invalid_value : (*value = found->second, success);
}
Code cuDevicePrimaryCtxRetain(Context* context, Device) { return *context = &gpu(), success; }
Code cuCtxSetCurrent(Context) { return success; }

Code cuModuleLoadDataEx(Module* module, const void* image, unsigned options, int* names, void** values) {
    static std::mutex several;  // threads load modules at once
    const std::lock_guard lock(several);
    const FakeModule loaded{static_cast<const char*>(image)};
    log("load", loaded.text.size());
    if (const std::string refused = loaded.value("refuse"); !refused.empty()) {
        for (unsigned i = 0; i < options; ++i) {
            if (names[i] != error_log) continue;
            std::strcpy(static_cast<char*>(values[i]),
                        ("\nptxas application ptx input, line 7; error   : " + refused + "\n").c_str());
        }
        return static_cast<Code>(loaded.number("code", invalid_ptx));
    }
    gpu().modules.push_back(std::make_unique<FakeModule>(loaded));
    return *module = gpu().modules.back().get(), success;
}
Code cuModuleUnload(Module) { return log("unload", 1), success; }
Code cuModuleGetFunction(Function* function, Module module, const char* name) {
    auto* const from = static_cast<FakeModule*>(module);
    if (from->text.find(".entry " + std::string(name)) == std::string::npos) return not_found;
    gpu().functions.push_back(std::make_unique<FakeFunction>(FakeFunction{from, name}));
    return *function = gpu().functions.back().get(), success;
}
Code cuFuncGetAttribute(int* value, int which, Function function) {
    const FakeModule& module = *static_cast<FakeFunction*>(function)->module;
    switch (which) {
        case max_threads:
            return *value = static_cast<int>(module.number("threads", 1024)), success;
        case shared_static_bytes:
            return *value = 128, success;
        case local_bytes:
            return *value = 16, success;
        case registers:
            return *value = static_cast<int>(module.number("registers", 10)), success;
    }
    return invalid_value;
}
Code cuFuncSetAttribute(Function function, int which, int value) {
    if (which == any_cluster_size) return log("any_cluster_size", 1), success;
    if (which != max_dynamic_shared_bytes) return invalid_value;
    return static_cast<FakeFunction*>(function)->dynamic_shared_bytes = value, success;
}
Code cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function, int threads, std::size_t) {
    return *blocks = 2048 / threads, success;
}

Code cuMemGetInfo_v2(std::size_t* available, std::size_t* total) {
    return *total = gpu().capacity, *available = gpu().capacity - gpu().used(), success;
}
Code cuMemAlloc_v2(DeviceAddress* address, std::size_t bytes) {
    if (gpu().sticky != success) return gpu().sticky;
    if (bytes == 0) return invalid_value;
    const std::size_t rounded = (bytes + 511) / 512 * 512;
    if (rounded > gpu().capacity - gpu().used()) return out_of_memory;
    log("allocate", bytes);
    std::uint64_t place = gpu().start;
    for (const auto& [begin, size] : gpu().allocations) {
        if (begin - place >= rounded) break;
        place = begin + size;
    }
    if (place + rounded > gpu().start + gpu().reserved) return out_of_memory;
    std::memset(pointer(place), 0xcd, std::min<std::size_t>(rounded, std::size_t{64} << 20));
    gpu().allocations[place] = rounded;
    return *address = place, success;
}
Code cuMemFree_v2(DeviceAddress address) {
    return gpu().allocations.erase(address) == 1 ? success : invalid_value;
}
Code cuMemHostRegister_v2(void* memory, std::size_t bytes, unsigned) {
    return gpu().registered[memory] = bytes, success;
}
Code cuMemHostUnregister(void* memory) {
    return gpu().registered.erase(memory) == 1 ? success : invalid_value;
}
Code cuMemcpyHtoDAsync_v2(DeviceAddress to, const void* from, std::size_t bytes, Stream) {
    log("upload", bytes);
    return gpu().owns(to, bytes) ? copied(from, pointer(to), bytes) : invalid_value;
}
Code cuMemcpyDtoHAsync_v2(void* to, DeviceAddress from, std::size_t bytes, Stream) {
    log("download", bytes);
    return gpu().owns(from, bytes) ? copied(pointer(from), to, bytes) : invalid_value;
}
Code cuMemcpyDtoDAsync_v2(DeviceAddress to, DeviceAddress from, std::size_t bytes, Stream) {
    const bool inside = gpu().owns(from, bytes) && gpu().owns(to, bytes);
    return inside ? copied(pointer(from), pointer(to), bytes) : invalid_value;
}
Code cuMemsetD8Async(DeviceAddress to, unsigned char value, std::size_t bytes, Stream) {
    if (!gpu().owns(to, bytes)) return invalid_value;
    log("clear", bytes);
    return std::memset(pointer(to), value, bytes), gpu().sticky;
}
Code cuMemsetD32Async(DeviceAddress to, unsigned value, std::size_t words, Stream) {
    if (!gpu().owns(to, 4 * words)) return invalid_value;
    for (std::size_t i = 0; i < words; ++i) at<std::uint32_t>(to + 4 * i) = value;
    return gpu().sticky;
}
Code cuStreamCreate(Stream* stream, unsigned) { return *stream = &gpu(), success; }
Code cuStreamSynchronize(Stream) {
    while (gpu().endless) usleep(1000);
    return gpu().sticky;
}
Code cuEventCreate(Event* event, unsigned) {
    gpu().events.push_back(std::make_unique<double>(0));
    return *event = gpu().events.back().get(), success;
}
Code cuEventRecord(Event event, Stream) { return *static_cast<double*>(event) = gpu().now_ms, gpu().sticky; }
Code cuEventElapsedTime(float* ms, Event from, Event to) {
    return *ms = static_cast<float>(*static_cast<double*>(to) - *static_cast<double*>(from)), gpu().sticky;
}
Code cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                    unsigned block_y, unsigned block_z, unsigned shared, Stream, void** arguments,
                    void** extra) {
    if (gpu().sticky != success) return gpu().sticky;
    const FakeFunction& kernel = *static_cast<FakeFunction*>(function);
    if (static_cast<int>(shared) > kernel.dynamic_shared_bytes) return invalid_value;
    return run_kernel(kernel, std::uint64_t{grid_x} * grid_y * grid_z, block_x * block_y * block_z, arguments,
                      extra);
}
Code cuLaunchKernelEx(const LaunchConfig* config, Function function, void** arguments, void** extra) {
    const unsigned *grid = config->grid, *block = config->block;
    for (unsigned i = 0; i < config->attribute_count; ++i) {
        const LaunchAttribute& attribute = config->attributes[i];
        const bool clusters = attribute.which == LaunchAttribute::cluster_dimension;
        const unsigned* size = attribute.value;
        log(clusters ? "cluster" : "cooperative", clusters ? size[0] * size[1] * size[2] : size[0]);
        const FakeModule& module = *static_cast<FakeFunction*>(function)->module;
        const auto fits = static_cast<unsigned>(module.number("together", 1 << 20));
        if (!clusters && grid[0] * grid[1] * grid[2] > fits) return cooperative_launch_too_large;
        if (clusters && size[0] * size[1] * size[2] > fits) return invalid_cluster_size;
    }
    return cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                          config->shared_bytes, config->stream, arguments, extra);
}

}  // extern "C"
