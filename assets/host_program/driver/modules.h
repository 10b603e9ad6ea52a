// Modules and their kernels. Whatever image a program loads: its kernels are those of the program's own file.
#pragma once

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstdio>

#include "../program/variables.h"
#include "types.h"

namespace warplens_program {

inline CUresult module_of_program(CUmodule* module) {
    if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *module = reinterpret_cast<CUmodule>(1);
    return CUDA_SUCCESS;
}

/// A variable that the program itself defines and exports, which those of libraries are not.
struct ProgramVariable {
    const void* address = nullptr;
    std::size_t bytes = 0;
};
inline ProgramVariable variable_of_program(const char* name) {
    void* const address = dlsym(RTLD_DEFAULT, name);
    Dl_info found{}, own{};
    const ElfW(Sym)* symbol = nullptr;
    if (address == nullptr ||
        dladdr1(address, &found, const_cast<void**>(reinterpret_cast<const void**>(&symbol)),
                RTLD_DL_SYMENT) == 0 ||
        dladdr(reinterpret_cast<const void*>(&variable_of_program), &own) == 0 ||
        found.dli_fbase != own.dli_fbase || symbol == nullptr || symbol->st_size == 0)
        return {};
    return {address, static_cast<std::size_t>(symbol->st_size)};
}

}  // namespace warplens_program

inline CUresult cuModuleLoad(CUmodule* module, const char*) {
    return warplens_program::module_of_program(module);
}
inline CUresult cuModuleLoadData(CUmodule* module, const void*) {
    return warplens_program::module_of_program(module);
}
inline CUresult cuModuleLoadDataEx(CUmodule* module, const void*, unsigned int, CUjit_option*, void**) {
    return warplens_program::module_of_program(module);
}
inline CUresult cuModuleLoadFatBinary(CUmodule* module, const void*) {
    return warplens_program::module_of_program(module);
}
inline CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }

/// `name`: the kernel's symbol, as in CUDA.
inline CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
    void* const kernel = dlsym(RTLD_DEFAULT, name);
    *function = static_cast<CUfunction>(kernel);
    if (kernel != nullptr) return CUDA_SUCCESS;
    std::fprintf(stderr,
                 "cuModuleGetFunction: no kernel of this file has the symbol %s; kernels of other files are "
                 "not executed.\n",
                 name);
    return CUDA_ERROR_NOT_FOUND;
}
/// `name`: the variable's symbol, as in CUDA. Both results may be null.
inline CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule, const char* name) {
    const warplens_program::ProgramVariable variable = warplens_program::variable_of_program(name);
    if (variable.address == nullptr) {
        std::fprintf(stderr, "cuModuleGetGlobal: no variable of this file has the symbol %s.\n", name);
        return CUDA_ERROR_NOT_FOUND;
    }
    char* const memory =
        warplens_program::Variables::instance().memory_of(name, variable.address, variable.bytes);
    if (memory == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    if (address != nullptr) *address = reinterpret_cast<CUdeviceptr>(memory);
    if (bytes != nullptr) *bytes = variable.bytes;
    return CUDA_SUCCESS;
}
inline CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
inline CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }
/// Registers and static shared memory are 0, "not known".
inline CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
    *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
                 ? static_cast<int>(warplens_device_maxThreadsPerBlock)
                 : 0;
    return CUDA_SUCCESS;
}
inline CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_size,
                                                            std::size_t shared_bytes) {
    return warplens_program::driver_result(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes));
}

inline CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                               unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                               unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                               void** parameters, void** extra, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE()) {
    using namespace warplens_program;
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    GivenArguments given{parameters};
    for (void** word = extra; parameters == nullptr && word != nullptr && *word != CU_LAUNCH_PARAM_END;
         word += 2)
        if (*word == CU_LAUNCH_PARAM_BUFFER_POINTER) given.buffer = static_cast<const char*>(word[1]);
    Configuration configuration{file, line, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z),
                                shared_bytes};
    configuration.stream = stream;
    launch_at(function, configuration, given);
    return driver_result(cudaPeekAtLastError());
}
