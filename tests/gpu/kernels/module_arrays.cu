/*
[kernel]
title   = "module_arrays"
subject = "Agreement"
lesson  = "Arrays of the module are stored to by name and through pointers."

[buffers]
out = { type = "u32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["2"]
block = ["128"]
dynamic_shared_bytes = "0"
*/

__device__ unsigned first[256], second[256];
__device__ unsigned* const places[2] = {first, second};

extern "C" __global__ void module_arrays(unsigned* out) {
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    first[index] = index;
    unsigned* const place = (index & 4) != 0 ? first : second;
    place[255 - index] = index * 3;
    places[index & 1][index] = 5;
    out[index] = index;
}
