/*
[kernel]
title   = "LSTM cell, element by element: four gates with biases, cell and hidden state"

[parameters]
batch = { default = 512 }
width = { default = 1024 }

[buffers]
gates = { type = "f32", length = "batch * width * 4", fill = "random", seed = "315" }
bias = { type = "f32", length = "width * 4", fill = "random", seed = "316" }
cell = { type = "f32", length = "batch * width", fill = "random", seed = "317" }
next = { type = "f32", length = "batch * width", fill = "zero" }
hidden = { type = "f32", length = "batch * width", fill = "zero" }

[launch]
arguments = ["gates", "bias", "cell", "next", "hidden", "width"]
grid  = ["width // 128", "batch"]
block = ["128"]
*/
__device__ float sigmoid(float x) { return 1 / (1 + __expf(-x)); }
extern "C" __global__ void lstm_cell(const float* __restrict__ gates, const float* __restrict__ bias,
                                     const float* __restrict__ cell, float* __restrict__ next,
                                     float* __restrict__ hidden, int width) {
    const int unit = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    const float* own = gates + row * width * 4 + unit;
    const float in = sigmoid(own[0] + bias[unit]), forget = sigmoid(own[width] + bias[width + unit]);
    const float candidate = tanhf(own[2 * width] + bias[2 * width + unit]);
    const float out = sigmoid(own[3 * width] + bias[3 * width + unit]);
    const float state = forget * cell[row * width + unit] + in * candidate;
    next[row * width + unit] = state;
    hidden[row * width + unit] = out * tanhf(state);
}
