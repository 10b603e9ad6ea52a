/*
[kernel]
title   = "tickets"
subject = "Agreement"
lesson  = "The order of atomic additions decides where each thread stores."

[buffers]
in = { type = "u32", length = "1024", fill = "iota" }
count = { type = "u32", length = "1", fill = "zero" }
queue = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["in", "count", "queue"]
grid  = ["8"]
block = ["128"]
dynamic_shared_bytes = "0"
*/

extern "C" __global__ void tickets(const unsigned* in, unsigned* count, unsigned* queue) {
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned value = in[index];
    if (value % 3 == 0) {
        const unsigned slot = atomicAdd(count, 1);
        queue[slot] = value;
    }
}
