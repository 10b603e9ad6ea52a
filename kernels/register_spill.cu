/*
[kernel]
title   = "More live values than registers"
subject = "Memory spaces"
lesson  = "Values that do not fit in registers go to local memory, which is global memory behind a cache: each use is a load, each change a store."
views   = ["occupancy", "source", "sectors"]

[parameters]
n     = { default = 4096, min = 1, max = 1048576, help = "elements" }
LIVE  = { default = 64, values = [8, 16, 32, 64, 128], macro = true, help = "values that are live at the same time" }
ARRAY = { default = 0, values = [0, 1], macro = true, help = "1: an array indexed at run time, which uses local memory even in the PTX" }

[buffers]
input  = { type = "u32", length = "n + LIVE", fill = "random", below = "1000", seed = "1" }
output = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["input", "output", "n", "LIVE - 1"]
grid  = ["ceil_div(n, 1024)"]
block = ["1024"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local sum = 0
    for k = 0, LIVE - 1 do
        sum = 3 * sum + (input[i + k] ~ input[i + LIVE - 1 - k]) & 0xffffffff
    end
    return sum
end
'''
*/
#ifndef LIVE
#define LIVE 64
#endif
#ifndef ARRAY
#define ARRAY 0
#endif

// Two blocks of 1024 threads must fit on an SM, so a thread can use 32 registers. The first value is used
// again last: all LIVE values are live at once. With compile-time indices each is a separate value, for which
// the assembler finds a register or spills to local memory, invisible in the PTX. An index known only at run
// time (`last` is LIVE - 1) places the array itself in local memory.
extern "C" __global__ void __launch_bounds__(1024, 2)
    register_spill(const unsigned* input, unsigned* output, int n, int last) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= n) {
        return;
    }
    unsigned value[LIVE], sum = 0;
#if ARRAY
#pragma unroll 1
    for (int k = 0; k < LIVE; ++k) {
        value[k] = input[index + k];
    }
#pragma unroll 1
    for (int k = 0; k < LIVE; ++k) {
        sum = 3 * sum + (value[k] ^ value[last - k]);
    }
#else
#pragma unroll
    for (int k = 0; k < LIVE; ++k) {
        value[k] = input[index + k];
    }
#pragma unroll
    for (int k = 0; k < LIVE; ++k) {
        sum = 3 * sum + (value[k] ^ value[LIVE - 1 - k]);
    }
#endif
    output[index] = sum;
}
