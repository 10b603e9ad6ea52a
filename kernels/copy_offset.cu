/*
[kernel]
title   = "Copy with a misaligned start"
subject = "Coalescing"
lesson  = "A warp reads 128 bytes in 4 sectors. If they do not start on a 32-byte boundary, they touch a fifth sector."
views   = ["sectors", "source", "occupancy"]

[parameters]
n      = { default = 65536, min = 1, max = 4194304, help = "elements copied" }
offset = { default = 1, min = 0, max = 64, help = "elements skipped at the start of the input" }
block  = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "f32", length = "n + offset", fill = "iota" }
output = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["input", "output", "n", "offset"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    return input[i + offset]
end
'''
*/

// Thread i reads element i + offset. A sector holds eight floats, so an offset of 8 is aligned again and
// costs nothing, while an offset of 1 costs as much as 4.
extern "C" __global__ void copy_offset(const float* input, float* output, int n, int offset) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const float value = input[index + offset];
        output[index] = value;
    }
}
