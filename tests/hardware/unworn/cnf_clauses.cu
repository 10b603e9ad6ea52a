/*
[kernel]
title   = "Clauses of three literals: each warp flips variables until no clause is broken"

[parameters]
warps = { default = 4224 }
clauses = { default = 128 }
rounds = { default = 16 }

[buffers]
literals = { type = "u32", length = "clauses * 3", fill = "random", seed = "2671", below = "64" }
found = { type = "u32", length = "warps", fill = "zero" }

[launch]
arguments = ["literals", "found", "clauses", "rounds"]
grid  = ["ceil_div(warps, 8)"]
block = ["256"]
*/
extern "C" __global__ void cnf_clauses(const unsigned* __restrict__ literals, unsigned* __restrict__ found,
                                       int clauses, int rounds) {
    const int warp = blockIdx.x * 8 + threadIdx.x / 32;
    const int lane = threadIdx.x & 31;
    unsigned assigned = warp * 2654435769u;
    int round = 0;
    for (; round < rounds; ++round) {
        bool broken = false;
        int at = lane;
        for (; at < clauses && !broken; at += 32) {
            bool any = false;
            for (int k = 0; k < 3; ++k) {
                const unsigned literal = literals[at * 3 + k];
                any |= (assigned >> (literal >> 1) & 1u) == (literal & 1u);
            }
            broken = !any;
        }
        const unsigned wrong = __ballot_sync(0xffffffffu, broken);
        if (wrong == 0) break;
        const int first = __ffs(wrong) - 1;
        const int clause = __shfl_sync(0xffffffffu, at - 32, first);
        assigned ^= 1u << (literals[clause * 3 + round % 3] >> 1);
    }
    if (lane == 0) found[warp] = round < rounds ? assigned : 0u;
}
