// Kernels of the catalogue, or written in a test, and the advice for them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line/headerless.h"
#include "app/command_line/target.h"
#include "app/pipeline/advice/advise.h"
#include "app/scene/time_scene.h"

namespace warplens::app {

using Kernel = std::shared_ptr<const instrumentation::KernelFile>;

inline Pipeline& pipeline() {
    static const auto made = make_pipeline();
    return *made;
}

/// Settings other than the shipped ones, and the kernels below, need a compiler.
inline bool can_compile() { return pipeline().compiler().description().starts_with("NVRTC "); }
#define WARPLENS_NEEDS_A_COMPILER() \
    if (!can_compile()) GTEST_SKIP() << "changed kernels take NVRTC to compile"

inline Kernel catalogued(const std::string& name) {
    static const auto all = catalogue();
    EXPECT_TRUE(all);
    for (const auto& kernel : *all)
        if (kernel.name == name) return std::make_shared<instrumentation::KernelFile>(kernel);
    ADD_FAILURE() << "no kernel is named " << name;
    return nullptr;
}

inline Kernel written(const std::string& source) {
    auto kernel = instrumentation::read_kernel_file("fresh.cu", source);
    EXPECT_TRUE(kernel) << kernel.error().message;
    return kernel ? std::make_shared<instrumentation::KernelFile>(std::move(*kernel)) : nullptr;
}

/// As the host code launches it, with the flags.
inline Kernel launched_by_host(const std::string& source, const LaunchFlags& flags = {}) {
    auto kernel = instrumentation::read_kernel_file("constants.cu", source);
    EXPECT_TRUE(kernel);
    const auto applied = apply_launch_flags(flags, *kernel, [](const instrumentation::KernelFile& file) {
        return pipeline().entries({std::make_shared<instrumentation::KernelFile>(file), {}, "", {}});
    });
    EXPECT_TRUE(applied) << applied.error().message;
    return std::make_shared<instrumentation::KernelFile>(std::move(*kernel));
}

inline constexpr AdviceLimits patient{std::chrono::minutes{2}, 8e6, 0};

inline Advice advice_for(const Kernel& kernel, std::map<std::string, std::string> overrides = {}) {
    return advise(pipeline(), timing_model(), {kernel, std::move(overrides), ""}, patient, {});
}

/// "PAD 8" of each change, in order.
inline std::vector<std::string> offered(const Advice& advice) {
    std::vector<std::string> titles;
    for (const TriedChange& tried : advice.helpful) titles.push_back(title_of(tried.change));
    return titles;
}

inline const TriedChange* find_change(const Advice& advice, std::string_view parameter) {
    const auto found = std::ranges::find_if(
        advice.helpful, [&](const TriedChange& tried) { return tried.change.parameter == parameter; });
    return found == advice.helpful.end() ? nullptr : &*found;
}

/// Of a kernel with one knob; the body reads `in`, writes `out` and may use the knob's macro.
inline Kernel with_knob(const std::string& knob, const std::string& body) {
    return written(R"(/*
[kernel]
title = "A knob"
subject = "Tests"
lesson = "."
views = ["source"]
[parameters]
)" + knob + R"(
[buffers]
in  = { type = "f32", length = "16384", fill = "iota" }
out = { type = "f32", length = "16384", fill = "zero" }
[launch]
arguments = ["in", "out"]
grid  = ["16"]
block = ["32", "32"]
*/
extern "C" __global__ void fresh(const float* in, float* out) {
    const int x = threadIdx.x, y = threadIdx.y, base = blockIdx.x * 1024;
)" + body + "}\n");
}

/// A header for a block of 256 threads over in and out, before `code`.
inline Kernel of_one_block(const std::string& code) {
    return written(
        "/*\n[kernel]\nentry = \"k\"\n[buffers]\nin = { type = \"f32\", length = \"256\", fill = \"iota\" }\n"
        "out = { type = \"f32\", length = \"256\" }\n[launch]\narguments = [\"out\", \"in\"]\ngrid = "
        "[\"1\"]\n"
        "block = [\"256\"]\n*/\n" +
        code);
}

}  // namespace warplens::app
