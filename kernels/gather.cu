/*
[kernel]
title   = "Gather through an index array"
subject = "Coalescing"
lesson  = "Random places put almost every lane in a sector of its own: 32 sectors fetched where 4 would do."
views   = ["sectors", "source", "occupancy"]

[parameters]
n     = { default = 65536, values = [1024, 4096, 16384, 65536, 262144, 1048576], help = "elements" }
seed  = { default = "lcg12345", help = "start of the random places" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads a block" }

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

// The places themselves are read coalesced; the elements they point at are not.
extern "C" __global__ void gather(const float* input, const int* places, float* output, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const int place = places[index];
        const float value = input[place];
        output[index] = value;
    }
}
