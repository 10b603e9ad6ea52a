/*
[kernel]
title   = "Read one field from a structure of arrays"
subject = "Coalescing"
lesson  = "With one array per field, a warp reads the x fields in 4 sectors, and every byte is used."
views   = ["sectors", "source", "occupancy"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "particles" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
fields = { type = "f32", length = "4 * n", fill = "iota" }
output = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["fields", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    return fields[i]
end
'''
*/

// The same particles as in aos_read, stored field by field: first all x, then all y, all z and all
// masses.
extern "C" __global__ void soa_read(const float* fields, float* output, int n) {
    const float* all_x = fields;
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const float x = all_x[index];
        output[index] = x;
    }
}
