#include "instrumentation/catalog/kernel_template.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>

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

/// "ushort2", "double4_32a": NVRTC lets a function hide such a type, and nvcc does not.
bool is_vector_type(std::string_view name) {
    for (const std::string_view alignment : {"_16a", "_32a"})
        if (name.ends_with(alignment)) name.remove_suffix(alignment.size());
    if (name.empty() || name.back() < '1' || name.back() > '4') return false;
    name.remove_suffix(1);
    constexpr std::string_view elements[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                             "long", "ulong", "longlong", "ulonglong", "float", "double"};
    return std::find(std::begin(elements), std::end(elements), name) != std::end(elements);
}

/// "cudaError", "CUDA_R_32F": types and constants of the CUDA run-time.
bool is_run_time_name(std::string_view name) {
    const bool is_type =
        name.starts_with("cuda") && name.size() > 4 && std::isupper(static_cast<unsigned char>(name[4]));
    return is_type || name.starts_with("CUDA") || name.starts_with("CU_");
}

/// Keywords of C++20, macros of the template, names that CUDA or NVRTC declares as something else, and words
/// of the C library, which nvcc includes.
bool is_taken(std::string_view name) {
    static const std::set<std::string_view> words = [] {
        constexpr std::string_view all =
            "BLOCK STRIDE KERNEL_NAME kernel main alignas alignof and and_eq asm auto bitand "
            "bitor bool break case catch char char8_t char16_t char32_t class co_await co_return "
            "co_yield compl concept const const_cast consteval constexpr constinit continue "
            "decltype default delete do double dynamic_cast else enum explicit export extern "
            "false float for friend goto if inline int long mutable namespace new noexcept not "
            "not_eq nullptr operator or or_eq private protected public register reinterpret_cast "
            "requires return short signed sizeof static static_assert static_cast struct switch "
            "template this thread_local throw true try typedef typeid typename union unsigned "
            "using virtual void volatile wchar_t while xor xor_eq linux unix NULL nan std "
            "threadIdx blockIdx blockDim gridDim warpSize dim3 clock clock64 malloc free memcpy "
            "memset memcmp printf assert abs labs llabs min max floor ceil round trunc rint sqrt "
            "rsqrt cbrt rcbrt hypot exp exp2 exp10 expm1 log log2 log10 log1p logb pow sin cos "
            "tan sincos sinpi cospi asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf "
            "erfc erfinv erfcinv erfcx normcdf normcdfinv tgamma lgamma fabs fmin fmax fmod fma "
            "fdim frexp ldexp modf remainder remquo nextafter copysign signbit isnan isinf "
            "isfinite j0 j1 jn y0 y1 yn norm rnorm norm3d rnorm3d norm4d rnorm4d scalbn scalbln "
            "ilogb llrint lrint lround llround nearbyint saturate umin umax llmin llmax ullmin "
            "ullmax int2float float2int atomicAdd atomicMin atomicMax surfaceReference "
            "textureReference CUuuid size_t ptrdiff_t clock_t fdivide rhypot sincospi cyl_bessel_i0 "
            "cyl_bessel_i1 libraryPropertyType MAJOR_VERSION MINOR_VERSION PATCH_LEVEL "
            "abort div drem exit ffs finite gamma getline memmove puts qsort rand random realloc select "
            "srand "
            "strlen time uint ulong ushort va_list";
        std::set<std::string_view> found;
        for (std::size_t at = 0; at < all.size();) {
            const std::size_t end = std::min(all.find(' ', at), all.size());
            found.insert(all.substr(at, end - at));
            at = end + 1;
        }
        return found;
    }();
    if (is_run_time_name(name) || is_vector_type(name)) return true;
    // sinf is declared where sin is.
    return words.contains(name) || (name.ends_with('f') && words.contains(name.substr(0, name.size() - 1)));
}

}  // namespace

std::string template_text(const std::string& path) {
    std::string name = fs::path(path).stem().string();
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    // What is not a name, or means something in CUDA C++ already, gets a letter in front.
    bool taken = name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || name.starts_with('_') ||
                 is_taken(name);
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
