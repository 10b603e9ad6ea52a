/*
[kernel]
title   = "A barrier in a branch"
subject = "Barriers and races"
lesson  = "Every thread of a block must reach the same `__syncthreads()`. A barrier in a branch that only some threads take is undefined behavior: wrong results, or a kernel that never ends."
views   = ["problems", "lanes", "source"]
wrong   = "INSIDE"

[parameters]
INSIDE = { default = 1, values = [0, 1], macro = true, help = "0 moves the barrier out of the branch" }

[buffers]
output = { type = "f32", length = "4 * 64", fill = "zero" }

[launch]
arguments = ["output"]
grid  = ["4"]
block = ["64"]

[golden.output]
lua = '''
return function(i)
    if i % 64 < 48 then return i % 64 + 1 end
    return 2 * (i % 64)
end
'''
*/

// Threads 0 to 47 wait in the branch, threads 48 to 63 at the barrier after it: lanes of the second warp wait
// at two barriers at once. INSIDE = 0 is the correct form: the work in the branch, the barrier outside.
extern "C" __global__ void barrier_in_branch(float* output) {
    __shared__ float values[64];
    const int thread = threadIdx.x;
    values[thread] = thread;
    if (thread < 48) {
#if INSIDE
        __syncthreads();  // expect: diverged_barrier
#endif
        values[thread] += 1.0f;
    } else {
        values[thread] *= 2.0f;
    }
    __syncthreads();  // expect: diverged_barrier
    output[blockIdx.x * 64 + thread] = values[thread];
}
