/*
[kernel]
title   = "Graph replay: many short kernels with one call"
subject = "Streams and graphs"
lesson  = "A kernel of a few microseconds costs the host about as much to launch; a graph launches the whole chain with one call."
views   = ["streams", "source", "lanes"]

[parameters]
n       = { default = 16384, min = 256, max = 1048576, help = "elements" }
steps   = { default = 10, min = 1, max = 64, help = "kernels in the chain" }
replays = { default = 8, min = 1, max = 32, help = "times that the chain is run" }
block   = { default = 256, values = [64, 128, 256, 512], help = "threads a block" }
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
    { name = "single launches", repeats = "replays", title = "{steps} kernels, {replays} times: each kernel is a call of the host." },
    { name = "as a graph", graph = true, repeats = "replays", title = "{steps} kernels captured once, then {replays} graph launches: one call for each chain." },
]

[golden.x]
lua = '''
return function(i)
    return f32(f32(r * x[i]) * f32(1.0 - x[i]))
end
'''
*/

// One step of the logistic map for each element: a kernel so short that launching it takes longer than running it.
// A chain of steps is the same kernel again and again, each on the results of the one before.
extern "C" __global__ void graph_replay(float* x, int n, float r) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const float value = x[index];
        x[index] = r * value * (1.0f - value);
    }
}
