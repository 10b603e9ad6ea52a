// A kernel written as PTX text in a test, run on the CPU engine: arguments in order, buffers of any type.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "ptx/parser.h"
#include "simt/functional/engine.h"

namespace warplens::simt {

class KernelUnderTest {
  public:
    RunOptions options;
    LaunchGeometry geometry{{1, 1, 1}, {32, 1, 1}, 0};
    GlobalMemory memory;

    /// `body` is in an entry `k` with the parameters given; registers of each kind are declared.
    explicit KernelUnderTest(const std::string& body, const std::string& parameters = ".param .u64 out",
                             const std::string& module_scope = "") {
        load(".version 8.0\n.target sm_90\n.address_size 64\n" + module_scope + "\n.visible .entry k(" +
             parameters +
             ")\n{\n.reg .pred %p<16>;\n.reg .b16 %h<16>;\n.reg .b32 %r<64>;\n.reg .f32 %f<16>;\n"
             ".reg .b64 %d<32>;\n.reg .f64 %g<16>;\n" +
             body + "\n}\n");
    }

    template <class T>
    std::uint64_t buffer(std::vector<T> values, const std::string& name = "buffer") {
        std::vector<std::byte> bytes(values.size() * sizeof(T));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        std::uint64_t address = memory.allocate(name, std::move(bytes));
        argument(address);
        return address;
    }

    template <class T>
    void argument(T value) {
        arguments_.resize((arguments_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
        const auto* from = reinterpret_cast<const std::byte*>(&value);
        arguments_.insert(arguments_.end(), from, from + sizeof(T));
    }

    RunResult run(trace::Observer* observer = nullptr) {
        return simt::run(*kernel_, geometry, arguments_, memory, options, observer);
    }

    template <class T = std::uint32_t>
    std::vector<T> contents(std::size_t allocation = 0) const {
        const Allocation& from = memory.allocations()[allocation];
        std::vector<T> values(from.bytes / sizeof(T));
        std::memcpy(values.data(), from.data.data(), from.bytes);
        return values;
    }

    const Kernel& kernel() const { return *kernel_; }
    const ptx::Module& module() const { return module_; }

  private:
    void load(const std::string& text) {
        auto module = ptx::parse(text, "test.ptx");
        if (!module) throw std::runtime_error(module.error().message);
        auto kernel = Kernel::load(*module, "k", text);
        if (!kernel) throw std::runtime_error(kernel.error().message);
        kernel_ = *kernel;
        module_ = std::move(*module);
        EXPECT_TRUE(kernel_->unsupported().empty()) << kernel_->unsupported()[0].spelling;
    }

    std::shared_ptr<const Kernel> kernel_;
    ptx::Module module_;
    std::vector<std::byte> arguments_;
};

/// Body that leaves %d2 = out + 4 * thread index (x), %r1 = that index.
inline const std::string to_own_word =
    "ld.param.u64 %d1, [out];\ncvta.to.global.u64 %d1, %d1;\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d2, %d1, %d2;\n";

/// The first problem of a kind; nullptr: there is none.
inline const Problem* find(const RunResult& result, ProblemKind kind) {
    auto at = std::ranges::find(result.problems, kind, &Problem::kind);
    return at == result.problems.end() ? nullptr : &*at;
}

inline std::vector<std::uint32_t> zeros(std::size_t count) { return std::vector<std::uint32_t>(count); }

}  // namespace warplens::simt
