// Our prototypes of the driver's functions match <cuda.h>: the same number of parameters, each passed in the
// same way.
#include "instrumentation/device/stream_driver.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/instrumentation/recorder_fixture.h"

#ifdef WARPLENS_CUDA_H
#include WARPLENS_CUDA_H
#endif

namespace warplens::instrumentation {

namespace {

#ifdef WARPLENS_CUDA_H

/// Whether one can replace the other in a call: numbers of the same size and sign, opaque handles as void*.
template <class Ours, class Theirs>
constexpr bool same_in_a_call() {
    if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
        using A = std::remove_pointer_t<Ours>;
        using B = std::remove_pointer_t<Theirs>;
        if (std::is_const_v<A> != std::is_const_v<B>) return false;
        if constexpr (std::is_void_v<A>) return std::is_void_v<B> || std::is_class_v<B>;
        else return same_in_a_call<std::remove_const_t<A>, std::remove_const_t<B>>();
    } else if constexpr (std::is_enum_v<Theirs>) {
        return std::is_integral_v<Ours> && sizeof(Ours) == sizeof(Theirs);
    } else if constexpr (std::is_integral_v<Ours> && std::is_integral_v<Theirs>) {
        return sizeof(Ours) == sizeof(Theirs) && std::is_signed_v<Ours> == std::is_signed_v<Theirs>;
    } else {
        return std::is_same_v<Ours, Theirs>;
    }
}

template <class... Ours, class... Theirs>
constexpr bool same_prototype(cuda::Code (*)(Ours...), CUresult (*)(Theirs...)) {
    if constexpr (sizeof...(Ours) != sizeof...(Theirs)) return false;
    else return (same_in_a_call<Ours, Theirs>() && ...);
}

TEST(driver_api, every_prototype_is_the_toolkits) {
    std::vector<std::string> different;
    std::size_t compared = 0;
#define WARPLENS_DRIVER_FUNCTION(name, symbol, ...)                                          \
    ++compared;                                                                              \
    if (!same_prototype(decltype(cuda::CudaDriver::name){}, decltype(&::symbol){nullptr})) { \
        different.push_back(#symbol);                                                        \
    }
#include "instrumentation/device/driver_functions.def"
#undef WARPLENS_DRIVER_FUNCTION
#define WARPLENS_DRIVER_FUNCTION(name, symbol, ...)                                            \
    ++compared;                                                                                \
    if (!same_prototype(decltype(cuda::StreamDriver::name){}, decltype(&::symbol){nullptr})) { \
        different.push_back(#symbol);                                                          \
    }
#include "instrumentation/device/stream_functions.def"
#undef WARPLENS_DRIVER_FUNCTION
    EXPECT_GT(compared, 42u);
    EXPECT_EQ(different, std::vector<std::string>{});
}

TEST(driver_api, a_launchs_configuration_lies_in_memory_as_the_toolkits) {
    EXPECT_EQ(sizeof(cuda::LaunchAttribute), sizeof(CUlaunchAttribute));
    EXPECT_EQ(offsetof(cuda::LaunchAttribute, which), offsetof(CUlaunchAttribute, id));
    EXPECT_EQ(offsetof(cuda::LaunchAttribute, value), offsetof(CUlaunchAttribute, value));
    EXPECT_EQ(sizeof(cuda::LaunchConfig), sizeof(CUlaunchConfig));
    EXPECT_EQ(offsetof(cuda::LaunchConfig, grid), offsetof(CUlaunchConfig, gridDimX));
    EXPECT_EQ(offsetof(cuda::LaunchConfig, block), offsetof(CUlaunchConfig, blockDimX));
    EXPECT_EQ(offsetof(cuda::LaunchConfig, shared_bytes), offsetof(CUlaunchConfig, sharedMemBytes));
    EXPECT_EQ(offsetof(cuda::LaunchConfig, stream), offsetof(CUlaunchConfig, hStream));
    EXPECT_EQ(offsetof(cuda::LaunchConfig, attributes), offsetof(CUlaunchConfig, attrs));
    EXPECT_EQ(offsetof(cuda::LaunchConfig, attribute_count), offsetof(CUlaunchConfig, numAttrs));
    EXPECT_EQ(offsetof(CUlaunchAttributeValue, clusterDim), 0u);
    EXPECT_EQ(offsetof(CUlaunchAttributeValue, cooperative), 0u);
    EXPECT_EQ(int{cuda::LaunchAttribute::cooperative}, int{CU_LAUNCH_ATTRIBUTE_COOPERATIVE});
    EXPECT_EQ(int{cuda::LaunchAttribute::cluster_dimension}, int{CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION});
    using Theirs = CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**);
    EXPECT_TRUE((std::is_same_v<decltype(&cuLaunchKernelEx), Theirs>));
}

TEST(driver_api, every_number_is_the_toolkits) {
    EXPECT_EQ(int{cuda::out_of_memory}, int{CUDA_ERROR_OUT_OF_MEMORY});
    EXPECT_EQ(int{cuda::stub_library}, int{CUDA_ERROR_STUB_LIBRARY});
    EXPECT_EQ(int{cuda::device_unavailable}, int{CUDA_ERROR_DEVICE_UNAVAILABLE});
    EXPECT_EQ(int{cuda::no_device}, int{CUDA_ERROR_NO_DEVICE});
    EXPECT_EQ(int{cuda::invalid_device}, int{CUDA_ERROR_INVALID_DEVICE});
    EXPECT_EQ(int{cuda::invalid_image}, int{CUDA_ERROR_INVALID_IMAGE});
    EXPECT_EQ(int{cuda::no_binary_for_gpu}, int{CUDA_ERROR_NO_BINARY_FOR_GPU});
    EXPECT_EQ(int{cuda::ecc_uncorrectable}, int{CUDA_ERROR_ECC_UNCORRECTABLE});
    EXPECT_EQ(int{cuda::invalid_ptx}, int{CUDA_ERROR_INVALID_PTX});
    EXPECT_EQ(int{cuda::jit_compiler_not_found}, int{CUDA_ERROR_JIT_COMPILER_NOT_FOUND});
    EXPECT_EQ(int{cuda::unsupported_ptx_version}, int{CUDA_ERROR_UNSUPPORTED_PTX_VERSION});
    EXPECT_EQ(int{cuda::jit_compilation_disabled}, int{CUDA_ERROR_JIT_COMPILATION_DISABLED});
    EXPECT_EQ(int{cuda::not_found}, int{CUDA_ERROR_NOT_FOUND});
    EXPECT_EQ(int{cuda::illegal_address}, int{CUDA_ERROR_ILLEGAL_ADDRESS});
    EXPECT_EQ(int{cuda::launch_out_of_resources}, int{CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES});
    EXPECT_EQ(int{cuda::launch_timeout}, int{CUDA_ERROR_LAUNCH_TIMEOUT});
    EXPECT_EQ(int{cuda::context_is_destroyed}, int{CUDA_ERROR_CONTEXT_IS_DESTROYED});
    EXPECT_EQ(int{cuda::assertion}, int{CUDA_ERROR_ASSERT});
    EXPECT_EQ(int{cuda::hardware_stack_error}, int{CUDA_ERROR_HARDWARE_STACK_ERROR});
    EXPECT_EQ(int{cuda::illegal_instruction}, int{CUDA_ERROR_ILLEGAL_INSTRUCTION});
    EXPECT_EQ(int{cuda::misaligned_address}, int{CUDA_ERROR_MISALIGNED_ADDRESS});
    EXPECT_EQ(int{cuda::invalid_address_space}, int{CUDA_ERROR_INVALID_ADDRESS_SPACE});
    EXPECT_EQ(int{cuda::invalid_pc}, int{CUDA_ERROR_INVALID_PC});
    EXPECT_EQ(int{cuda::launch_failed}, int{CUDA_ERROR_LAUNCH_FAILED});
    EXPECT_EQ(int{cuda::cooperative_launch_too_large}, int{CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE});
    EXPECT_EQ(int{cuda::invalid_cluster_size}, int{CUDA_ERROR_INVALID_CLUSTER_SIZE});
    EXPECT_EQ(int{cuda::system_not_ready}, int{CUDA_ERROR_SYSTEM_NOT_READY});
    EXPECT_EQ(int{cuda::system_driver_mismatch}, int{CUDA_ERROR_SYSTEM_DRIVER_MISMATCH});
    EXPECT_EQ(int{cuda::compat_not_supported}, int{CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE});

    EXPECT_EQ(int{cuda::clock_rate_khz}, int{CU_DEVICE_ATTRIBUTE_CLOCK_RATE});
    EXPECT_EQ(int{cuda::multiprocessors}, int{CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT});
    EXPECT_EQ(int{cuda::compute_major}, int{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR});
    EXPECT_EQ(int{cuda::compute_minor}, int{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR});
    EXPECT_EQ(int{cuda::shared_bytes_opt_in}, int{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN});
    EXPECT_EQ(int{cuda::cooperative_launches}, int{CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH});
    EXPECT_EQ(int{cuda::cluster_launches}, int{CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH});
    EXPECT_EQ(int{cuda::any_cluster_size}, int{CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED});
    EXPECT_EQ(int{cuda::max_threads}, int{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK});
    EXPECT_EQ(int{cuda::shared_static_bytes}, int{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES});
    EXPECT_EQ(int{cuda::local_bytes}, int{CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES});
    EXPECT_EQ(int{cuda::registers}, int{CU_FUNC_ATTRIBUTE_NUM_REGS});
    EXPECT_EQ(int{cuda::max_dynamic_shared_bytes}, int{CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES});
    EXPECT_EQ(int{cuda::error_log}, int{CU_JIT_ERROR_LOG_BUFFER});
    EXPECT_EQ(int{cuda::error_log_bytes}, int{CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES});
    EXPECT_EQ(unsigned{cuda::stream_non_blocking}, unsigned{CU_STREAM_NON_BLOCKING});
    EXPECT_EQ(unsigned{cuda::event_record_external}, unsigned{CU_EVENT_RECORD_EXTERNAL});
    EXPECT_EQ(int{cuda::capture_thread_local}, int{CU_STREAM_CAPTURE_MODE_THREAD_LOCAL});
}

#endif

/// The stand-in has all of them, so that the tests use the functions that the program calls.
TEST(driver_api, the_library_is_opened_where_the_environment_says) {
#ifndef WARPLENS_CUDA_H
    std::cout << "no cuda.h on this machine: the prototypes are not compared with the toolkit's\n";
#endif
    setenv("WARPLENS_CUDA_DRIVER", fake_driver().c_str(), 1);
    const auto driver = cuda::CudaDriver::open();
    unsetenv("WARPLENS_CUDA_DRIVER");
    ASSERT_TRUE(driver.has_value()) << driver.error().message;
    int version = 0;
    EXPECT_EQ(driver->driver_version(&version), cuda::success);
    EXPECT_EQ(version, 13000);
    EXPECT_EQ(driver->name_of(cuda::illegal_address), "CUDA_ERROR_ILLEGAL_ADDRESS");
    EXPECT_EQ(driver->name_of(12345), "error 12345");
}

}  // namespace

}  // namespace warplens::instrumentation
