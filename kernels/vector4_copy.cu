/*
[kernel]
title   = "Copy four floats per thread"
subject = "Coalescing"
lesson  = "A float4 per lane moves 512 bytes in one request: 16 sectors, all bytes used, in a quarter of the requests."
views   = ["sectors", "source", "occupancy"]

[parameters]
n     = { default = 65536, min = 1, max = 1048576, help = "groups of four floats" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "f32", length = "4 * n", fill = "iota" }
output = { type = "f32", length = "4 * n", fill = "zero" }

[launch]
arguments = ["input", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    return input[i] + (i % 4 == 0 and 1 or 0)
end
'''
*/

// 16 sectors per request may look worse than the 4 of a plain copy, but every byte is used: what matters is
// the share of bytes used. One is added to the first float of each group, so that the kernel is not a plain
// copy.
extern "C" __global__ void vector4_copy(const float4* input, float4* output, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        float4 group = input[index];
        group.x += 1.0f;
        output[index] = group;
    }
}
