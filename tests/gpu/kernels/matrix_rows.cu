/*
[kernel]
title   = "matrix_rows"
subject = "Agreement"
lesson  = "ldmatrix and stmatrix of one and two matrices ignore the addresses of the other lanes."

[buffers]
out = { type = "u32", length = "96", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
dynamic_shared_bytes = "0"
*/

extern "C" __global__ void matrix_rows(unsigned* out) {
    __shared__ __align__(16) unsigned rows[256];
    for (int i = threadIdx.x; i < 256; i += 32) rows[i] = i * 7;
    __syncthreads();
    // Lanes that name no row hold an address all the same.
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(rows));
    const unsigned address = base + threadIdx.x * 16;
    unsigned a, b, c;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(address));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(b), "=r"(c) : "r"(address));
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(address + 512), "r"(b), "r"(a));
    __syncwarp();
    out[threadIdx.x] = a;
    out[32 + threadIdx.x] = b ^ c;
    out[64 + threadIdx.x] = rows[128 + threadIdx.x];
}
