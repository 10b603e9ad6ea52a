/*
[kernel]
title   = "Collatz: a loop whose length depends on the data"
subject = "Divergence"
lesson  = "A warp repeats its loop until its slowest lane is done. Lanes that finish early stay inactive until then."
views   = ["lanes", "source", "occupancy"]

[parameters]
n     = { default = 16384, min = 1, max = 131072, help = "numbers, starting from 1" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
steps = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["steps", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.steps]
lua = '''
return function(i)
    local value, count = i + 1, 0
    while value ~= 1 do
        if value % 2 == 1 then value = 3 * value + 1 else value = value // 2 end
        count = count + 1
    end
    return count
end
'''
*/

// Thread i counts the steps that i + 1 takes to reach 1: halve an even number, triple an odd one and add 1.
// The choice between the two becomes a select; only the loop diverges. Up to n = 131072 no step overflows 32
// bits.
extern "C" __global__ void collatz(int* steps, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        unsigned value = index + 1;
        int count = 0;
        while (value != 1) {
            if (value & 1) {
                value = 3 * value + 1;
            } else {
                value >>= 1;
            }
            ++count;
        }
        steps[index] = count;
    }
}
