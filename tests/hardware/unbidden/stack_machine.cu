/*
[kernel]
title   = "Each thread runs a short program of a stack machine on numbers of its own"

[parameters]
n = { default = 67584 }

[buffers]
code = { type = "u8", length = "512 * 16", fill = "random", seed = "1871", below = "6" }
program = { type = "u32", length = "n", fill = "random", seed = "1872", below = "512" }
result = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["code", "program", "result", "n"]
grid  = ["ceil_div(n, 128)"]
block = ["128"]
*/
extern "C" __global__ void stack_machine(const unsigned char* __restrict__ code,
                                         const unsigned* __restrict__ program, int* __restrict__ result, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned char* at = code + program[i] * 16;
    int top = i, below = i >> 3, jumps = 0;
    for (int pc = 0; pc < 16; ++pc) {
        switch (at[pc]) {
            case 0: below = top; top = pc; break;
            case 1: top += below; break;
            case 2: top = below - top; break;
            case 3: top = top * below + 1; break;
            case 4:
                if ((top & 3) == 0 && jumps < 5) {
                    pc -= pc / 2;
                    ++jumps;
                }
                top >>= 1;
                break;
            default:
                const int held = top;
                top = below;
                below = held;
        }
    }
    result[i] = top;
}
