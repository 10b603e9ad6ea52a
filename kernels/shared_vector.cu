/*
[kernel]
title   = "Wide accesses to shared memory"
subject = "Shared-memory banks"
lesson  = "Four passes for 16 bytes a lane are the floor; four for one float out of every 16 bytes are a conflict."
views   = ["banks", "source", "occupancy"]

[parameters]
type = { default = "float4", values = ["float", "float2", "float4"], macro = true, help = "stored by each lane" }

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

// Neighbouring lanes store neighbouring elements, all bytes of them: a pass moves 128 bytes, so that a
// float2 takes two passes and a float4 four, as few as can be. Then each lane adds up the first float of 64
// elements. The compiler loads only that float, 8 or 16 bytes from its neighbour's: two or four lanes meet
// in each bank.
extern "C" __global__ void shared_vector(float* output) {
    constexpr int elements = 512;
    __shared__ type table[elements];

    const int thread = threadIdx.x;
    type element = {};
    reinterpret_cast<float&>(element) = thread;  // the first float of the element, its only one or its x
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
