#include "instrumentation/catalog/kernel_template.h"

#include <cctype>
#include <filesystem>

#include "core/whole_file.h"

namespace warplens::instrumentation {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view placeholder = "KERNEL_NAME";

constexpr std::string_view text = R"kernel(/*
# This comment is the header: it tells Warplens how to run the kernel below. nvcc sees a comment, so the file also
# compiles alone. docs/kernel_header.md lists every key.

[kernel]
title  = "Sums of neighbours, through shared memory"
lesson = "Each block copies its part of the input to shared memory once and reads it from there."
views  = ["sectors", "banks"]   # to open with it: sectors, banks, lanes, occupancy, roofline, timeline, …

# One knob in the window for each parameter. With `macro = true` it is a #define of the same name, set before
# the kernel is compiled; without, a kernel argument.
[parameters]
n      = { default = 65536, min = 256, max = 1048576, step = 256, help = "elements" }
BLOCK  = { default = 256, values = [64, 128, 256, 512], macro = true, help = "threads in a block" }
STRIDE = { default = 1, min = 1, max = 32, macro = true, help = "distance between the elements that neighbours read" }

# Memory on the device: how many elements of which type, and what stands in it before the launch.
[buffers]
in  = { type = "f32", length = "n * STRIDE", fill = "iota" }
out = { type = "f32", length = "n", fill = "zero" }

# Lengths, grid and block are expressions over the parameters.
[launch]
arguments = ["out", "in", "n"]
grid  = ["ceil_div(n, BLOCK)"]
block = ["BLOCK"]

# What `out` must hold afterwards, as Lua: a function of the index. Leave it out if you do not know.
[golden.out]
lua = '''
return function(i)
    local left = i % BLOCK == 0 and 0 or in_[(i - 1) * STRIDE]
    return left + in_[i * STRIDE]
end
'''
*/
#ifndef BLOCK
#define BLOCK 256
#define STRIDE 1
#endif

extern "C" __global__ void KERNEL_NAME(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];  // one copy a block; all its threads see it

    const int i = blockIdx.x * BLOCK + threadIdx.x;
    // Try STRIDE 2, 4, 8 …: neighbouring lanes then read further apart, and the Sectors view shows the waste.
    tile[threadIdx.x] = i < n ? in[i * STRIDE] : 0.0f;
    __syncthreads();  // nobody reads before everybody has written: leave it out and see what is reported

    const float left = threadIdx.x == 0 ? 0.0f : tile[threadIdx.x - 1];
    if (i < n) out[i] = left + tile[threadIdx.x];
}
)kernel";

}  // namespace

std::string template_text(const std::string& path) {
    std::string name = fs::path(path).stem().string();
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    // What is no name, or a word of the language, gets a letter in front.
    static constexpr std::string_view words[] = {"new",      "int",   "float",  "double", "if",
                                                 "for",      "do",    "main",   "kernel", "default",
                                                 "template", "class", "struct", "void"};
    bool taken = name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || name.find("__") == 0;
    for (const std::string_view word : words) taken = taken || name == word;
    if (taken) name.insert(0, "my_");
    std::string all(text);
    const std::string stem = fs::path(path).stem().string();
    all.replace(all.find(placeholder), placeholder.size(), name);
    if (name != stem) all.insert(all.find("views  ="), "entry  = \"" + name + "\"\n");
    return all;
}

Status check_new_path(const std::string& path) {
    const std::string extension = fs::path(path).extension().string();
    if (extension != ".cu" && extension != ".ptx")
        return fail("`{}`: a kernel file's name ends in .cu, for example my_kernel.cu", path);
    std::error_code error;
    if (fs::exists(fs::symlink_status(path, error)))
        return fail("`{}` exists already, and is not overwritten; choose another name", path);
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error))
        return fail("`{}`: there is no folder `{}`", path, folder.string());
    return {};
}

Status create_from_template(const std::string& path) {
    WARPLENS_TRY(check_new_path(path));
    if (fs::path(path).extension() != ".cu")
        return fail("`{}`: a new kernel is CUDA, so its name ends in .cu", path);
    return write_whole_file(path, template_text(path));
}

}  // namespace warplens::instrumentation
