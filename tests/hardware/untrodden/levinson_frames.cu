/*
[kernel]
title   = "Linear prediction of speech: a windowed frame of 256 samples, its correlations with itself, and the recursion of Levinson and Durbin in one warp"

[parameters]
frames = { default = 792 }

[buffers]
samples = { type = "f32", length = "frames * 128 + 128", fill = "random", seed = "2681" }
out = { type = "f32", length = "frames * 16", fill = "zero" }

[launch]
arguments = ["samples", "out"]
grid  = ["frames"]
block = ["128"]
*/
extern "C" __global__ void levinson_frames(const float* __restrict__ samples, float* __restrict__ out) {
    __shared__ float frame[288];
    __shared__ float correlation[17];
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    for (int i = thread; i < 256; i += 128) frame[i] = samples[blockIdx.x * 128 + i] * (0.54f - 0.46f * __cosf(0.02464f * float(i)));
    if (thread < 32) frame[256 + thread] = 0;
    __syncthreads();
    for (int lag = warp; lag <= 16; lag += 4) {
        float sum = 0;
        for (int i = lane; i < 256; i += 32) sum = fmaf(frame[i], frame[i + lag], sum);
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (lane == 0) correlation[lag] = sum;
    }
    __syncthreads();
    if (warp != 0) return;
    float own = lane == 0 ? 1.0f : 0.0f, error = correlation[0] + 1e-6f;
    for (int order = 1; order <= 16; ++order) {
        float part = lane < order ? own * correlation[order - lane] : 0;
        for (int step = 16; step > 0; step /= 2) part += __shfl_xor_sync(0xffffffffu, part, step);
        const float reflection = -part / error;
        const float across = __shfl_sync(0xffffffffu, own, (order - lane) & 31);
        if (lane <= order) own = fmaf(reflection, across, own);
        error *= 1 - reflection * reflection;
    }
    if (lane >= 1 && lane <= 16) out[blockIdx.x * 16 + lane - 1] = own;
}
