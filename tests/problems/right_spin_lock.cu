/*
[kernel]
title = "A lock with fences, taken by one thread a block"

[buffers]
lock = { type = "i32", length = "1", fill = "zero" }
data = { type = "i32", length = "1", fill = "zero" }

[launch]
arguments = ["lock", "data"]
grid  = ["4"]
block = ["32"]
*/

extern "C" __global__ void right_spin_lock(int* lock, int* data) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        *data += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
