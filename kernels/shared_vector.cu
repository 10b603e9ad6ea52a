/*
[kernel]
title   = "Wide accesses to shared memory"
subject = "Shared-memory banks"
lesson  = "16 bytes per lane take at least 4 wavefronts. 4 wavefronts for one float out of every 16 bytes are a bank conflict."
views   = ["banks", "source", "occupancy"]

[parameters]
type = { default = "float4", values = ["float", "float2", "float4"], macro = true, help = "type that each lane stores" }

[buffers]
output = { type = "f32", length = "64 * 256", fill = "zero" }

[launch]
arguments = ["output"]
grid  = ["64"]
block = ["256"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local sum = 0
    for round = 0, 63 do
        sum = sum + (i % 256 + round) % 512 % 256
    end
    return sum
end
'''
*/
#ifndef type
#define type float
#endif

// Neighboring lanes store complete neighboring elements. A wavefront moves 128 bytes, so a float2 takes two
// wavefronts and a float4 four, which is ideal. Then each lane sums the first float of 64 elements. The
// compiler loads only that float, 8 or 16 bytes from the neighboring lane's: a 2-way or 4-way conflict in
// each bank.
extern "C" __global__ void shared_vector(float* output) {
    constexpr int elements = 512;
    __shared__ type table[elements];

    const int thread = threadIdx.x;
    type element = {};
    reinterpret_cast<float&>(element) = thread;  // the element's first float: the float itself, or its x
    table[thread] = element;
    table[thread + 256] = element;
    __syncthreads();

    float sum = 0.0f;
    for (int round = 0; round < 64; ++round) {
        const type read = table[(thread + round) & (elements - 1)];
        sum += reinterpret_cast<const float&>(read);
    }
    output[blockIdx.x * blockDim.x + thread] = sum;
}
