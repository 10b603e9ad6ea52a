// NVRTC as far as a program can be built with it: kernels that it compiles while it runs are not executed
// here, so that compiling them fails, and says why.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;

struct _nvrtcProgram {};
typedef _nvrtcProgram* nvrtcProgram;

namespace warplens_program {
inline constexpr char no_compiler[] =
    "Warplens executes the kernels of the program's own files; those that it compiles while it runs it "
    "cannot.";
}

inline const char* nvrtcGetErrorString(nvrtcResult result) {
    return result == NVRTC_SUCCESS ? "NVRTC_SUCCESS" : "NVRTC_ERROR_COMPILATION";
}
inline nvrtcResult nvrtcVersion(int* major, int* minor) {
    *major = 12, *minor = 8;
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char*, const char*, int,
                                      const char* const*, const char* const*) {
    *program = new _nvrtcProgram;
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
    delete *program;
    *program = nullptr;
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcAddNameExpression(nvrtcProgram, const char*) { return NVRTC_SUCCESS; }
inline nvrtcResult nvrtcCompileProgram(nvrtcProgram, int, const char* const*) {
    std::fprintf(stderr, "nvrtcCompileProgram fails: %s\n", warplens_program::no_compiler);
    return NVRTC_ERROR_COMPILATION;
}
inline nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, std::size_t* size) {
    *size = sizeof warplens_program::no_compiler;
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char* log) {
    std::memcpy(log, warplens_program::no_compiler, sizeof warplens_program::no_compiler);
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcGetPTXSize(nvrtcProgram, std::size_t* size) {
    *size = 0;
    return NVRTC_ERROR_INVALID_PROGRAM;
}
inline nvrtcResult nvrtcGetPTX(nvrtcProgram, char*) { return NVRTC_ERROR_INVALID_PROGRAM; }
inline nvrtcResult nvrtcGetCUBINSize(nvrtcProgram, std::size_t* size) {
    *size = 0;
    return NVRTC_ERROR_INVALID_PROGRAM;
}
inline nvrtcResult nvrtcGetCUBIN(nvrtcProgram, char*) { return NVRTC_ERROR_INVALID_PROGRAM; }
inline nvrtcResult nvrtcGetLoweredName(nvrtcProgram, const char*, const char**) {
    return NVRTC_ERROR_INVALID_PROGRAM;
}
