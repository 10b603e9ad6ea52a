// Launches by a call: cudaLaunchKernel, cudaLaunchCooperativeKernel and cudaLaunchKernelEx.
#pragma once

#include <cstddef>
#include <utility>

#include "../program/launch.h"
#include "errors.h"
#include "handles.h"

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
    int priority;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim;
    dim3 blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned int numAttrs;
};

namespace warplens_program {

template <class... Parameters, std::size_t... Index>
void call_with(void (*kernel)(Parameters...), void** arguments, std::index_sequence<Index...>) {
    kernel(*static_cast<Parameters*>(arguments[Index])...);
}

/// What cudaLaunchKernel gives: the error of this launch.
template <class... Parameters>
cudaError_t launch_kernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                          std::size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                          bool cooperative = false, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
    if (sizeof...(Parameters) != 0 && arguments == nullptr) return ended(cudaErrorInvalidValue);
    configure(file, line, grid, block, shared_bytes, stream);
    pending_configurations.back().cooperative = cooperative;
    call_with(kernel, arguments, std::index_sequence_for<Parameters...>());
    return cudaPeekAtLastError();
}

/// By a pointer without the kernel's type.
inline cudaError_t launch_kernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                 std::size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                 bool cooperative = false, const char* file = __builtin_FILE(),
                                 int line = __builtin_LINE()) {
    if (kernel == nullptr) return ended(cudaErrorInvalidDeviceFunction);
    Configuration configuration{file, line, grid, block, shared_bytes, cooperative};
    configuration.stream = stream;
    launch_at(kernel, configuration, {arguments});
    return cudaPeekAtLastError();
}

template <class... Parameters>
cudaError_t launch_cooperative_kernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                      const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return launch_kernel(kernel, grid, block, arguments, shared_bytes, stream, true, file, line);
}
inline cudaError_t launch_cooperative_kernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                             const char* file = __builtin_FILE(),
                                             int line = __builtin_LINE()) {
    return launch_kernel(kernel, grid, block, arguments, shared_bytes, stream, true, file, line);
}

inline Configuration configuration_of(const char* file, int line, const cudaLaunchConfig_t* launch) {
    Configuration configuration{file, line, launch->gridDim, launch->blockDim, launch->dynamicSmemBytes};
    configuration.stream = launch->stream;
    for (unsigned int i = 0; i < launch->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = launch->attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative)
            configuration.cooperative = attribute.val.cooperative != 0;
        if (attribute.id == cudaLaunchAttributeClusterDimension) {
            const auto& size = attribute.val.clusterDim;
            configuration.has_cluster = true;
            configuration.cluster = dim3(size.x, size.y, size.z);
        }
    }
    return configuration;
}

template <class... Parameters, class... Arguments>
cudaError_t launch_kernel_ex(const char* file, int line, const cudaLaunchConfig_t* launch,
                             void (*kernel)(Parameters...), Arguments&&... arguments) {
    if (launch == nullptr) return ended(cudaErrorInvalidValue);
    pending_configurations.push_back(configuration_of(file, line, launch));
    kernel(std::forward<Arguments>(arguments)...);
    return cudaPeekAtLastError();
}

inline cudaError_t launch_kernel_exc(const char* file, int line, const cudaLaunchConfig_t* launch,
                                     const void* kernel, void** arguments) {
    if (launch == nullptr || kernel == nullptr) return ended(cudaErrorInvalidValue);
    launch_at(kernel, configuration_of(file, line, launch), {arguments});
    return cudaPeekAtLastError();
}

}  // namespace warplens_program

// Most programs write (void*)kernel, which loses the type of the kernel. The macros take such a cast away
// again: WARPLENS_UNCAST is followed by the arguments, and eats a bracket that they begin with.
#define WARPLENS_EAT(...)
#define WARPLENS_KEEP_ALL(...) __VA_ARGS__
#define WARPLENS_EAT_BRACKET(...) WARPLENS_EAT __VA_ARGS__
#define WARPLENS_SEEN(...) ~, WARPLENS_EAT_BRACKET,
#define WARPLENS_SECOND(first, second, ...) second
#define WARPLENS_CHOOSE_OF_EXPANDED(...) WARPLENS_SECOND(__VA_ARGS__)
#define WARPLENS_CHOOSE(...) WARPLENS_CHOOSE_OF_EXPANDED(__VA_ARGS__)
#define WARPLENS_FIRST(first, ...) first
#define WARPLENS_UNCAST(...) \
    WARPLENS_CHOOSE(WARPLENS_SEEN WARPLENS_FIRST(__VA_ARGS__, ~), WARPLENS_KEEP_ALL, ~)(__VA_ARGS__)

#define cudaLaunchKernel(...) warplens_program::launch_kernel(WARPLENS_UNCAST(__VA_ARGS__))
#define cudaLaunchCooperativeKernel(...) \
    warplens_program::launch_cooperative_kernel(WARPLENS_UNCAST(__VA_ARGS__))
#define cudaLaunchKernelExC(launch, kernel, arguments)                              \
    warplens_program::launch_kernel_exc(__builtin_FILE(), __builtin_LINE(), launch, \
                                        reinterpret_cast<const void*>(kernel), arguments)
#define cudaLaunchKernelEx(...) \
    warplens_program::launch_kernel_ex(__builtin_FILE(), __builtin_LINE(), __VA_ARGS__)
