// What tests of the compiler and of its cache need: small requests, and a folder and variables of their own.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "instrumentation/compile/compiler.h"
#include "instrumentation/compile/macros.h"

namespace warplens::instrumentation {

/// A folder that lives as long as the test.
struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "warplens_test_XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

/// Sets an environment variable until the end of the scope.
struct ScopedVariable {
    std::string name;
    std::optional<std::string> before;
    ScopedVariable(const char* variable, const char* value) : name(variable) {
        if (const char* const old = std::getenv(variable)) before = old;
        ::setenv(variable, value, 1);
    }
    ~ScopedVariable() {
        if (before) {
            ::setenv(name.c_str(), before->c_str(), 1);
        } else {
            ::unsetenv(name.c_str());
        }
    }
};

inline CompileRequest request_for(const std::string& source, Macros macros = {}) {
    CompileRequest request;
    request.name = "kernels/k.cu";
    request.source = source;
    request.macros = std::move(macros);
    return request;
}

inline const std::string small_kernel = "extern \"C\" __global__ void k(int* a) { a[threadIdx.x] = N; }\n";

}  // namespace warplens::instrumentation
