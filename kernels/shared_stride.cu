/*
[kernel]
title   = "Shared memory read with a stride"
subject = "Shared-memory banks"
lesson  = "Bank = word index modulo 32: an even stride concentrates lanes on few banks, an odd stride spreads them over all 32."
views   = ["banks", "source", "lanes"]

[parameters]
stride = { default = 2, min = 0, max = 33, help = "distance in words between the elements that neighboring lanes read" }

[buffers]
output = { type = "f32", length = "64 * 256", fill = "zero" }

[launch]
arguments = ["output", "stride"]
grid  = ["64"]
block = ["256"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local sum = 0
    for round = 0, 63 do
        sum = sum + (i % 32 * stride + round) % 2048
    end
    return sum
end
'''
*/

// Each lane sums 64 consecutive words, starting stride words after the previous lane. The conflict depends
// only on the stride: 1, 3, 17 and 33 cause none; 2, 4, 8, 16 and 32 cause a conflict of as many ways as
// their value. At stride 0 all lanes read the same word: a broadcast, which takes one wavefront.
extern "C" __global__ void shared_stride(float* output, int stride) {
    constexpr int words = 2048;
    __shared__ float table[words];

    const int thread = threadIdx.x;
    for (int word = thread; word < words; word += blockDim.x) {
        table[word] = word;
    }
    __syncthreads();

    const int lane = thread & 31;
    float sum = 0.0f;
    for (int round = 0; round < 64; ++round) {
        sum += table[(lane * stride + round) & (words - 1)];
    }
    output[blockIdx.x * blockDim.x + thread] = sum;
}
