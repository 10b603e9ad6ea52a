// A launch: configure keeps its grid and block, and the kernel's replaced body calls launched, which writes
// the launch to Warplens and waits until the kernel was executed.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../runtime/errors.h"
#include "../runtime/handles.h"
#include "../vector_types.h"
#include "arena.h"
#include "capture.h"
#include "images.h"
#include "json_text.h"
#include "parent.h"
#include "variables.h"
#include "warplens_device.h"

namespace warplens_program {

struct Configuration {
    const char* file;
    int line;
    dim3 grid, block;
    std::size_t shared_bytes;
    bool cooperative = false;
    bool has_cluster = false;
    dim3 cluster = {1, 1, 1};
    cudaStream_t stream = nullptr;
};

/// The launches of this thread that have not reached their kernel: an argument of a launch may hold another
/// one.
inline thread_local std::vector<Configuration> pending_configurations;

inline void configure(const char* file, int line, dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                      cudaStream_t stream = nullptr) {
    pending_configurations.push_back({file, line, grid, block, shared_bytes});
    pending_configurations.back().stream = stream;
}

/// Whether the device accepts a launch; cudaSuccess or the error that the launch ends with.
inline cudaError_t configuration_error(const Configuration& launch) {
    const auto outside = [](const dim3& size, long long x, long long y, long long z) {
        return size.x == 0 || size.y == 0 || size.z == 0 || size.x > x || size.y > y || size.z > z;
    };
    const dim3& block = launch.block;
    if (outside(launch.grid, warplens_device_maxGridDimX, warplens_device_maxGridDimY,
                warplens_device_maxGridDimZ) ||
        outside(block, warplens_device_maxBlockDimX, warplens_device_maxBlockDimY,
                warplens_device_maxBlockDimZ) ||
        1LL * block.x * block.y * block.z > warplens_device_maxThreadsPerBlock)
        return cudaErrorInvalidConfiguration;
    if (launch.shared_bytes > static_cast<std::size_t>(warplens_device_sharedMemPerBlockOptin))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

inline void append_size(std::string& line, const char* name, const dim3& size) {
    line += std::string(",\"") + name + "\":[" + std::to_string(size.x) + "," + std::to_string(size.y) + "," +
            std::to_string(size.z) + "]";
}

inline void append_memory(std::string& line) {
    Arena& arena = Arena::instance();
    const char* separator = "";
    line += ",\"allocations\":[";
    arena.for_each([&](std::size_t offset, const Allocation& allocation) {
        line += separator;
        line += "{\"name\":";
        append_json_text(line, allocation.name);
        line += ",\"offset\":" + std::to_string(offset) + ",\"bytes\":" + std::to_string(allocation.bytes);
        line += allocation.filled ? ",\"filled\":true}" : ",\"filled\":false}";
        separator = ",";
    });
    line += "],\"base\":" + std::to_string(arena.base()) + ",\"variables\":[";
    separator = "";
    Variables::instance().for_each(
        [&](const std::string& name, std::size_t offset, std::size_t bytes, const std::string& text) {
            line += separator;
            line += "{\"name\":";
            append_json_text(line, name);
            line += ",\"offset\":" + std::to_string(offset) + ",\"bytes\":" + std::to_string(bytes);
            line += ",\"text\":";
            append_json_text(line, text);
            line += "}";
            separator = ",";
        });
    line += "]";
}

/// The symbol of the kernel whose body holds an address; empty when the program does not export it.
inline std::string symbol_at(const void* address) {
    Dl_info info{};
    if (dladdr(address, &info) == 0 || info.dli_sname == nullptr) return {};
    return info.dli_sname;
}

/// An address within the function that calls.
__attribute__((noinline)) inline const void* address_of_caller() {
    asm volatile("");
    return __builtin_extract_return_addr(__builtin_return_address(0));
}

/// The arguments of a kernel as the line of its launch holds them.
struct ArgumentTexts {
    std::string bytes, pointers;

    template <class Argument>
    void add(const Argument& argument) {
        if (!bytes.empty()) {
            bytes += ',';
            pointers += ',';
        }
        // Not is_pointer, which a pointer with __restrict__ is not.
        constexpr bool pointer =
            !std::is_class_v<Argument> && std::is_convertible_v<Argument, const volatile void*>;
        bytes += '"';
        if constexpr (pointer) {
            const volatile void* value = argument;
            bytes += hexadecimal(&value, sizeof value);
        } else {
            const volatile void* address = std::addressof(argument);
            bytes += hexadecimal(const_cast<const void*>(address), sizeof(Argument));
        }
        bytes += '"';
        pointers += pointer ? "true" : "false";
    }
};

/// A launch that has reached its kernel.
struct Launch {
    const void* address = nullptr;  // within the kernel's body
    const char* function = nullptr;
    ArgumentTexts arguments;
    Configuration configuration;
};

/// Writes the launch to Warplens and does what the answer says.
inline void carry_out(const Launch& launch) {
    const Configuration& configuration = launch.configuration;
    const char* const function = launch.function;
    if (sticky_error != cudaSuccess) return;
    if (const cudaError_t error = configuration_error(configuration); error != cudaSuccess) {
        std::fprintf(stderr, "%s:%d: %s is not launched: %s.\n", configuration.file, configuration.line,
                     function, cudaGetErrorString(error));
        last_error = error;
        return;
    }
    if (!Arena::instance().shared()) return;
    Variables::instance().copy_managed(true);
    std::string line = "{\"symbol\":";
    append_json_text(line, symbol_at(launch.address));
    line += ",\"function\":";
    append_json_text(line, function);
    line += ",\"file\":";
    append_json_text(line, configuration.file);
    line += ",\"line\":" + std::to_string(configuration.line);
    append_size(line, "grid", configuration.grid);
    append_size(line, "block", configuration.block);
    if (configuration.has_cluster) append_size(line, "cluster", configuration.cluster);
    line += ",\"shared\":" + std::to_string(configuration.shared_bytes);
    line += configuration.cooperative ? ",\"cooperative\":true" : ",\"cooperative\":false";
    line +=
        ",\"arguments\":[" + launch.arguments.bytes + "],\"pointers\":[" + launch.arguments.pointers + "]";
    append_memory(line);
    Images::instance().append_to(line);
    line += "}";
    std::fflush(stdout);
    const std::string answer = Parent::instance().ask(line);
    if (answer == "go") {
        Arena::instance().mark_all_filled();
        Variables::instance().copy_managed(false);
        return;
    }
    if (answer == "stop") _exit(0);
    std::fprintf(stderr, "%s:%d: %s: %s\n", configuration.file, configuration.line, function, answer.c_str());
    sticky_error = cudaErrorLaunchFailure;
}

/// Where not null, a launch that reaches its kernel is kept there and not carried out: a node of a graph.
inline thread_local Launch* kept_launch = nullptr;

/// Takes the configuration.
__attribute__((noinline)) inline void launch(const void* address, const char* function,
                                             ArgumentTexts arguments) {
    if (pending_configurations.empty()) {
        std::fprintf(stderr, "%s was called without a launch configuration.\n", function);
        std::exit(3);
    }
    const Launch launch{address, function, std::move(arguments), pending_configurations.back()};
    pending_configurations.pop_back();
    if (kept_launch != nullptr) *kept_launch = launch;
    else if (!captured(launch.configuration.stream, cudaGraphNodeTypeKernel, [launch] { carry_out(launch); }))
        carry_out(launch);
}

/// Without __restrict__, which a type of pointers to such a type cannot have.
template <class Argument>
struct Unrestricted {
    using type = Argument;
};
template <class Target>
struct Unrestricted<Target* __restrict__> {
    using type = Target*;
};

/// The arguments of a launch by a pointer without the kernel's type: an address for each, or all of them one
/// after another as a kernel's parameters lie.
struct GivenArguments {
    void** addresses = nullptr;
    const char* buffer = nullptr;
    std::size_t next = 0;

    template <class Argument>
    const Argument& take() {
        if (addresses != nullptr) return *static_cast<const Argument*>(addresses[next++]);
        next = (next + alignof(Argument) - 1) / alignof(Argument) * alignof(Argument);
        const char* const at = buffer + next;
        next += sizeof(Argument);
        return *reinterpret_cast<const Argument*>(at);
    }
};
/// Those of the kernel that is called next by this thread; null: it has its own.
inline thread_local GivenArguments* given_arguments = nullptr;

/// What stands in place of a kernel's body. It is always inlined, so that the address lies within the kernel.
template <class... Arguments>
__attribute__((always_inline)) inline void launched(const char* function, const Arguments&... arguments) {
    ArgumentTexts texts;
    if (GivenArguments* const given = given_arguments) {
        given_arguments = nullptr;
        (texts.add(given->take<typename Unrestricted<Arguments>::type>()), ...);
    } else {
        (texts.add(arguments), ...);
    }
    launch(address_of_caller(), function, std::move(texts));
}

/// Calls a kernel whose type is not known. Its body takes the arguments from `given`, where it knows their
/// types, and reads none of its parameters.
inline void launch_at(const void* kernel, const Configuration& configuration, GivenArguments given) {
    pending_configurations.push_back(configuration);
    given_arguments = &given;
    reinterpret_cast<void (*)()>(const_cast<void*>(kernel))();
    given_arguments = nullptr;
}

}  // namespace warplens_program
