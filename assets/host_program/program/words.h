// CUDA's words as plain C++: a kernel is a function that stays visible under its own symbol, a variable of
// the device is a variable of the host.
#pragma once

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI

#define __global__ __attribute__((noinline, used, visibility("default")))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __nv_pure__
#define __forceinline__ inline
// Empty, because the C++ library writes __attribute__((__noinline__)).
#define __noinline__
#define __inline_hint__
#ifndef __clang__
#define __builtin_assume(condition)
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
