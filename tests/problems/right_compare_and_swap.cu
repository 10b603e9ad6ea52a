/*
[kernel]
title = "A compare-and-swap loop begins with a plain read"

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["4"]
block = ["64"]
*/

extern "C" __global__ void right_compare_and_swap(float* out) {
    int* at = reinterpret_cast<int*>(out);
    int old = *at, assumed;
    do {
        assumed = old;
        old = atomicCAS(at, assumed, __float_as_int(__int_as_float(assumed) + 1.0f));
    } while (old != assumed);
}
