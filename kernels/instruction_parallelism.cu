/*
[kernel]
title   = "Independent instructions in one warp"
subject = "Warp scheduling and latency hiding"
lesson  = "A multiply-add that depends on the previous one waits 4 cycles. With ILP independent chains, the same warp issues in more of those cycles."
views   = ["timeline", "source", "whatif"]

[parameters]
warps = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps per block" }
ILP   = { default = 1, values = [1, 2, 4, 8], macro = true, help = "independent chains per thread" }
links = { default = 256, min = 8, max = 8192, step = 8, help = "multiply-adds per thread, over all chains" }
a     = { default = 0.5, min = -1.0, max = 1.0, help = "factor" }
b     = { default = 1.0, min = -8.0, max = 8.0, help = "addend" }

[buffers]
output = { type = "f32", length = "warps * 32", fill = "zero" }

[launch]
arguments = ["output", "links // ILP", "a", "b"]
grid  = ["1"]
block = ["warps * 32"]
dynamic_shared_bytes = "0"

[golden.output]
tolerance = 1e-5
lua = '''
local length = links // ILP
return function(i)
    local sum = 0.0
    for chain = 0, ILP - 1 do
        local x = i + chain
        for link = 1, length do
            x = f32(x * a + b)
        end
        sum = sum + x
    end
    return sum
end
'''
*/
#ifndef ILP
#define ILP 1
#endif

// The work does not depend on ILP: `length` times ILP multiply-adds per thread. ILP only sets how many of
// them are independent of each other.
extern "C" __global__ void instruction_parallelism(float* output, int length, float a, float b) {
    float x[ILP];
    for (int chain = 0; chain < ILP; ++chain) {
        x[chain] = static_cast<float>(threadIdx.x + chain);
    }
    for (int link = 0; link < length; ++link) {
        for (int chain = 0; chain < ILP; ++chain) {
            x[chain] = x[chain] * a + b;
        }
    }
    float sum = 0.0f;
    for (int chain = 0; chain < ILP; ++chain) {
        sum += x[chain];
    }
    output[threadIdx.x] = sum;
}
