/*
[kernel]
title   = "A missing barrier"
subject = "Barriers and races"
lesson  = "A barrier must separate one thread's store from another thread's load of the same word. Without it the load may run first, on some runs and on some GPUs."
views   = ["problems", "source", "timeline"]
wrong   = "1 - BARRIER"

[parameters]
BARRIER = { default = 0, values = [0, 1], macro = true, help = "1 adds the barrier" }

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

// Each block reverses its 256 elements. Thread i stores element i and loads element 255 - i, which another
// warp stores. Without a barrier, nothing guarantees that the store comes first.
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
