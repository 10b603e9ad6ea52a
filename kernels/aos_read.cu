/*
[kernel]
title   = "Read one field from an array of structures"
subject = "Coalescing"
lesson  = "The x fields of neighboring particles are 16 bytes apart: 16 sectors per request, and a warp uses a quarter of each."
views   = ["sectors", "source", "occupancy"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "particles" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
particles = { type = "f32", length = "4 * n", fill = "iota" }
output    = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["particles", "output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    return particles[4 * i]
end
'''
*/

struct Particle {
    float x, y, z, mass;
};

// Each particle stores its four fields side by side. Reading only x also moves y, z and mass through the
// memory system. Compare with soa_read.
extern "C" __global__ void aos_read(const Particle* particles, float* output, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const float x = particles[index].x;
        output[index] = x;
    }
}
