/*
[kernel]
title   = "A barrier that is missing"
subject = "Barriers and races"
lesson  = "Between one thread's store and another thread's load of the same word there must be a barrier: without it the load may come first, on some runs and some GPUs."
views   = ["problems", "source", "timeline"]
wrong   = "1 - BARRIER"

[parameters]
BARRIER = { default = 0, values = [0, 1], macro = true, help = "1 puts the barrier in" }

[buffers]
input  = { type = "f32", length = "8 * 256", fill = "iota" }
output = { type = "f32", length = "8 * 256", fill = "zero" }

[launch]
arguments = ["output", "input"]
grid  = ["8"]
block = ["256"]

[golden.output]
lua = '''
return function(i)
    return input[i // 256 * 256 + 255 - i % 256]
end
'''
*/

// Each block turns its 256 elements round. Thread i stores element i and loads element 255 - i, which another
// warp stores: nothing makes it store first.
extern "C" __global__ void missing_barrier(float* output, const float* input) {
    __shared__ float row[256];
    const int thread = threadIdx.x;
    const int base = blockIdx.x * 256;
    row[thread] = input[base + thread];  // expect: shared_race
#if BARRIER
    __syncthreads();
#endif
    output[base + thread] = row[255 - thread];  // expect: shared_race uninitialised_read
}
