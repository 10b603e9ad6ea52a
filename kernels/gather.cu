/*
[kernel]
title   = "Gather through an index array"
subject = "Coalescing"
lesson  = "Random indices put almost every lane in a different sector: 32 sectors per request (ideal 4)."
views   = ["sectors", "source", "occupancy"]

[parameters]
n     = { default = 65536, values = [1024, 4096, 16384, 65536, 262144, 1048576], help = "elements" }
seed  = { default = "lcg12345", help = "seed of the random indices" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "f32", length = "n", fill = "iota" }
places = { type = "i32", length = "n", fill = "lcg", below = "n", seed = "seed" }
output = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["input", "places", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    return input[places[i]]
end
'''
*/

// The loads of the indices are coalesced; the loads of the elements that they select are not.
extern "C" __global__ void gather(const float* input, const int* places, float* output, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const int place = places[index];
        const float value = input[place];
        output[index] = value;
    }
}
