/*
[kernel]
title   = "Graph replay: many short kernels in one launch"
subject = "Streams and graphs"
lesson  = "A kernel that runs for a few microseconds takes the host about as long to launch. A graph launches the entire chain with one call."
views   = ["streams", "source", "lanes"]

[parameters]
n       = { default = 16384, min = 256, max = 1048576, help = "elements" }
steps   = { default = 10, min = 1, max = 64, help = "kernels in the chain" }
replays = { default = 8, min = 1, max = 32, help = "number of times that the chain runs" }
block   = { default = 256, values = [64, 128, 256, 512], help = "threads per block" }
r       = { default = 3.75, min = 0.0, max = 4.0, step = 0.125, help = "growth rate" }

[buffers]
x = { type = "f32", length = "n", fill = "random", seed = "14" }

[launch]
arguments = ["x", "n", "r"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[streams]
chunks = "steps"
operations = [{ launch = true, name = "logistic" }]
variants = [
    { name = "single launches", repeats = "replays", title = "{steps} kernels, {replays} times: one host call per kernel." },
    { name = "as a graph", graph = true, repeats = "replays", title = "{steps} kernels captured once, then {replays} graph launches: one host call per chain." },
]

[golden.x]
lua = '''
return function(i)
    return f32(f32(r * x[i]) * f32(1.0 - x[i]))
end
'''
*/

// One step of the logistic map per element: a kernel so short that its launch takes longer than its
// execution. The chain launches the same kernel repeatedly, each time on the results of the previous launch.
extern "C" __global__ void graph_replay(float* x, int n, float r) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const float value = x[index];
        x[index] = r * value * (1.0f - value);
    }
}
