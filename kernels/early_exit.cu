/*
[kernel]
title   = "Early return from a divergent loop"
subject = "Divergence"
lesson  = "A lane that returns early frees no resources: the warp stays resident until its last lane returns, usually one that tests a prime."
views   = ["lanes", "source", "occupancy"]

[parameters]
n     = { default = 16384, min = 1, max = 262144, help = "numbers, starting from 2" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
smallest = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["smallest", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.smallest]
lua = '''
return function(i)
    local number, divisor = i + 2, 2
    while divisor * divisor <= number do
        if number % divisor == 0 then return divisor end
        divisor = divisor + 1
    end
    return number
end
'''
*/

// Thread i finds the smallest divisor of i + 2. Half of the lanes leave in the first round, with 2. A prime
// must be tested up to its square root.
extern "C" __global__ void early_exit(int* smallest, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= n) return;

    const unsigned number = index + 2;
    for (unsigned divisor = 2; divisor * divisor <= number; ++divisor) {
        if (number % divisor == 0) {
            smallest[index] = divisor;
            return;
        }
    }
    smallest[index] = number;
}
