/*
[kernel]
title   = "Every thread takes one lock in a loop"

[buffers]
lock = { type = "u32", length = "1", fill = "zero" }
count = { type = "u32", length = "2", fill = "zero" }

[launch]
arguments = ["lock", "count"]
grid  = ["1"]
block = ["32"]
*/
extern "C" __global__ void spin_lock_in_warp(unsigned* lock, volatile unsigned* count) {
    while (atomicCAS(lock, 0u, 1u) != 0) {}
    __threadfence();
    count[0] = count[0] + 1;
    __threadfence();
    atomicExch(lock, 0u);
}
