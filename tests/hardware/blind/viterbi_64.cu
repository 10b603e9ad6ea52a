/*
[kernel]
title   = "Most likely path through 64 states: one sequence of 48 symbols per block, transitions in shared memory, a barrier per symbol"

[parameters]
sequences = { default = 1056 }

[buffers]
transitions = { type = "f32", length = "4096", fill = "random", seed = "428" }
emissions = { type = "f32", length = "64 * 64", fill = "random", seed = "429" }
symbols = { type = "u8", length = "sequences * 48", fill = "random", seed = "430", below = "64" }
back = { type = "u8", length = "sequences * 48 * 64", fill = "zero" }
best = { type = "f32", length = "sequences * 64", fill = "zero" }

[launch]
arguments = ["transitions", "emissions", "symbols", "back", "best"]
grid  = ["sequences"]
block = ["64"]
*/
extern "C" __global__ void viterbi_64(const float* __restrict__ transitions, const float* __restrict__ emissions,
                                      const unsigned char* __restrict__ symbols, unsigned char* __restrict__ back,
                                      float* __restrict__ best) {
    __shared__ float step[64][65], score[2][64];
    const int state = threadIdx.x;
    for (int i = 0; i < 64; ++i) step[i][state] = transitions[i * 64 + state];
    score[0][state] = 0;
    const unsigned char* own = symbols + blockIdx.x * 48;
    unsigned char* from_where = back + size_t(blockIdx.x) * 48 * 64;
    __syncthreads();
    for (int t = 0; t < 48; ++t) {
        float most = -1e30f;
        int where = 0;
        for (int from = 0; from < 64; ++from) {
            const float through = score[t % 2][from] + step[from][state];
            if (through > most) most = through, where = from;
        }
        score[1 - t % 2][state] = most + emissions[own[t] * 64 + state];
        from_where[t * 64 + state] = where;
        __syncthreads();
    }
    best[blockIdx.x * 64 + state] = score[0][state];
}
