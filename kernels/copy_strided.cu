/*
[kernel]
title   = "Copy with a stride between lanes"
subject = "Coalescing"
lesson  = "Each 32-byte sector that a warp touches costs the same: 4 sectors per request at stride 1, 32 from stride 8 on."
views   = ["sectors", "source", "occupancy"]

[parameters]
n      = { default = 65536, min = 1, max = 4194304, help = "elements copied" }
stride = { default = 2, min = 1, max = 33, help = "distance between the elements that neighboring lanes read" }
block  = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "f32", length = "n * stride", fill = "iota" }
output = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["input", "output", "n", "stride"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    return input[i * stride]
end
'''
*/

// Thread i reads element i * stride and writes element i: the store is always coalesced, the load only at
// stride 1. From stride 32 on, every lane touches a different 128-byte cache line.
extern "C" __global__ void copy_strided(const float* input, float* output, int n, int stride) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        // 64-bit, because the product can exceed the range of an int for large arrays.
        const float value = input[static_cast<size_t>(index) * stride];
        output[index] = value;
    }
}
