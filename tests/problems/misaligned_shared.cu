/*
[kernel]
title = "Doubles behind an odd number of floats in one shared array"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f64", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
dynamic_shared_bytes = "512"
*/

extern "C" __global__ void misaligned_shared(double* out) {
    extern __shared__ char bytes[];
#if FIXED
    double* doubles = reinterpret_cast<double*>(bytes + 8);
#else
    double* doubles = reinterpret_cast<double*>(bytes + 4);
#endif
    doubles[threadIdx.x] = threadIdx.x;  // expect: misaligned
    out[threadIdx.x] = doubles[threadIdx.x];
}
