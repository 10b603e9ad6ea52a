// StoredCode: PTX and machine code of kernels as they were compiled for the measurements of machine_code/, so
// that what is executed is what was measured, whichever compiler a machine has.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "app/pipeline/pipeline.h"
#include "instrumentation/compile/cubin_reader.h"

namespace warplens::hardware {

inline Result<std::string> read_whole(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return fail("{} cannot be read", path.string());
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

/// A kernel file; the program's own are called as their line tables call them.
inline Result<std::shared_ptr<const instrumentation::KernelFile>> read_kernel(const std::string& path) {
    WARPLENS_TRY(auto source, read_whole(path));
    WARPLENS_TRY(auto kernel, instrumentation::read_kernel_file(path, std::move(source)));
    return std::make_shared<const instrumentation::KernelFile>(std::move(kernel));
}

class StoredCode : public instrumentation::Compiler {
  public:
    explicit StoredCode(std::filesystem::path folder) : folder_(std::move(folder)) {}

    Result<instrumentation::Compiled> compile(const instrumentation::CompileRequest& request) override {
        const std::string name = std::filesystem::path(request.name).stem().string();
        WARPLENS_TRY(auto ptx, read_whole(folder_ / (name + ".ptx")));
        WARPLENS_TRY(auto cubin, read_whole(folder_ / (name + ".cubin")));
        WARPLENS_TRY(auto entries, instrumentation::read_cubin(cubin));
        return instrumentation::Compiled{std::move(ptx), std::move(entries), "sm_90", description(),
                                         std::move(cubin)};
    }
    std::string description() const override { return "stored machine code"; }

  private:
    std::filesystem::path folder_;
};

/// FNV-1a, 64 bits: of a buffer's contents after a launch.
inline std::uint64_t hash_of(const std::byte* bytes, std::size_t count) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < count; ++i)
        hash = (hash ^ static_cast<std::uint64_t>(bytes[i])) * 0x100000001b3u;
    return hash;
}

}  // namespace warplens::hardware
