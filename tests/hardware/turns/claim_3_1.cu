/*
[kernel]
title   = "Lanes claim slots in rounds"

[buffers]
mem = { type = "u32", length = "4096", fill = "zero" }
log = { type = "u32", length = "262144", fill = "zero" }

[launch]
arguments = ["mem", "log"]
grid  = ["1"]
block = ["32"]
*/
extern "C" __global__ void claim_3_1(unsigned* mem, unsigned* log) {
    const unsigned lane = threadIdx.x; unsigned x = lane;
    const unsigned team = lane / 3;
#pragma unroll 1
    for (unsigned round = 0; round < 1; ++round) { 
        unsigned at = team * 64 + round * 8;
        while (atomicCAS(&mem[at], 0u, lane + 1) != 0) {  ++at; }
         x = x * 5 + at % 1009; 
    }
    
    log[lane] = x;
}
