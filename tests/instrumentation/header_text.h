// A small kernel file as text, whose lines tests replace to check the reader's messages.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

inline const std::string sample_source = R"cu(// A line before the header.
/*
[kernel]
title   = "Scale"
subject = "Tests"
lesson  = "Multiplies."
views   = ["sectors", "lanes"]

[parameters]
n     = { default = 100, min = 1, max = 1000000, help = "elements" }
block = { default = 64, values = [32, 64, 4096] }
TILE  = { default = 8, min = 8, max = 32, step = 8, macro = true }
a     = { default = 2.0, min = -10, max = 10 }
seed  = { default = "lcg12345" }

[buffers]
in  = { type = "f32", length = "n", fill = "iota" }
out = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["out", "in", "n", "a"]
grid  = ["ceil_div(n, block)"]
block = ["block"]

[golden.out]
lua = '''
return function(i)
    return a * in_[i]
end
'''
*/
extern "C" __global__ void scale(float* out, const float* in, int n, float a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * in[i];
}
)cu";

/// The sample with one piece of text replaced by another.
inline std::string sample_with(const std::string& from, const std::string& to) {
    std::string text = sample_source;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline KernelFile sample_kernel(const std::string& source = sample_source) {
    const Result<KernelFile> kernel = read_kernel_file("kernels/scale.cu", source);
    EXPECT_TRUE(kernel.has_value()) << kernel.error().message;
    return kernel.value_or(KernelFile{});
}

inline PreparedLaunch prepared_launch(const KernelFile& kernel,
                                      const std::map<std::string, std::string>& overrides = {}) {
    const Result<Values> values = resolve_parameters(kernel, overrides);
    EXPECT_TRUE(values.has_value()) << values.error().message;
    if (!values) return {};
    const Result<PreparedLaunch> launch = prepare_launch(kernel, *values, 1 << 24);
    EXPECT_TRUE(launch.has_value()) << launch.error().message;
    return launch.value_or(PreparedLaunch{});
}

/// The elements of a prepared buffer.
template <class Element>
std::vector<Element> elements(const PreparedBuffer& buffer) {
    std::vector<Element> result(buffer.data.size() / sizeof(Element));
    for (std::size_t i = 0; i < buffer.data.size(); ++i) {
        reinterpret_cast<std::byte*>(result.data())[i] = buffer.data[i];
    }
    return result;
}

/// "" when the result holds a value.
template <class T>
std::string message_of(const Result<T>& result) {
    return result ? "" : result.error().message;
}

}  // namespace warplens::instrumentation
