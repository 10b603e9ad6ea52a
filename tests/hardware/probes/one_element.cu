/*
[kernel]
title   = "One element a thread"
subject = "Timing probes"
lesson  = "What a launch costs beside its work."

[parameters]
n       = { default = 1024, min = 1, max = 16777216, help = "elements" }
threads = { default = 256, values = [64, 256, 1024], help = "threads a block" }
WORK    = { default = "copy", values = ["read", "write", "copy"], macro = true, help = "what is done with an element" }

[buffers]
x = { type = "f32", length = "n" }
y = { type = "f32", length = "n" }

[launch]
arguments = ["x", "y", "n"]
grid  = ["n // threads"]
block = ["threads"]
*/

// The launches read, write and copy of h200_launches.csv.
__device__ __forceinline__ void do_read(const float* x, float* y, int i) {
    if (x[i] == 12345.f) y[i] = 1;
}
__device__ __forceinline__ void do_write(const float*, float* y, int i) { y[i] = 1; }
__device__ __forceinline__ void do_copy(const float* x, float* y, int i) { y[i] = x[i]; }
#define PASTE(a, b) a##b
#define WORK_OF(name) PASTE(do_, name)

extern "C" __global__ void one_element(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) WORK_OF(WORK)(x, y, i);
}
