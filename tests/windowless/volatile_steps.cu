// Lanes of a warp that only lockstep orders, as old code writes the last steps of a reduction. Launched with two
// warps, the second reads what the first writes, and nothing orders the two.
// nvcc -arch=sm_90 -cubin -o volatile_steps_sm_90.cubin volatile_steps.cu
extern "C" __global__ void last_steps(const int* in, int* out) {
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = in[t];
    s[t] += s[t ^ 16];
    s[t] += s[t ^ 8];
    if (t >= 32) s[t] += s[t - 32];
    if (t == 0) out[0] = s[0];
}
