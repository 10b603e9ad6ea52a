// Every arithmetic family: integer widths, carries, floats with roundings, halves, conversions, bits.
#include <cuda_fp16.h>
#include <cuda_bf16.h>

__global__ void integers(long long* w, int* v, short* s, unsigned char* b, unsigned u) {
    int i = threadIdx.x;
    w[i] = w[i] * w[i + 1] + __mul64hi(w[i], w[i + 2]) / (w[3] + 1) % 1000;
    v[i] = __mulhi(v[i], v[1]) + min(v[i], 7) - max(v[2], -7) + abs(v[3]) + v[4] / 7 + v[5] % 9;
    v[i] ^= __brev(u) | __clz(v[i]) & ~__ffs(v[6]) ^ __popc(u) + __clzll(w[i]) + __popcll(w[i]);
    v[i] += __funnelshift_l(v[i], v[7], u) + __byte_perm(v[8], u, 0x3210) + __dp4a(v[9], v[10], v[11]);
    v[i] += __sad(v[1], v[2], u) + __vabsdiffu4(v[1], v[2]) + __usad(u, v[4], 3u);
    s[i] = s[i] * s[1] + (s[2] >> 3) + (s[3] << 2) + b[i];
    b[i] = b[i] + (unsigned char)v[i];
    unsigned __int128 wide = (unsigned __int128)w[i] * w[1] + w[2] - w[3];
    w[i] = (long long)(wide >> 64) + (wide < 5);
    u = __umulhi(u, 77u) / u % 13u;
    w[i] += u > 3 ? w[4] : (long long)v[2] << u;
}
__global__ void floats(float* f, double* d, int n) {
    int i = threadIdx.x;
    f[i] = sqrtf(f[i]) + rsqrtf(f[1]) + __frcp_rn(f[2]) + f[3] / f[4] + __fdividef(f[5], f[6]);
    f[i] += __expf(f[i]) + exp2f(f[1]) + __logf(f[2]) + __sinf(f[3]) + __cosf(f[4]) + sinf(f[5]) + tanhf(f[6]);
    f[i] += __fadd_rz(f[1], f[2]) + __fmaf_rd(f[1], f[2], f[3]) + __fmul_rn(f[1], 3.f) + __saturatef(f[7]);
    f[i] += copysignf(f[1], f[2]) + fabsf(f[3]) - floorf(f[4]) + rintf(f[5]) + truncf(f[6]) + fminf(f[7], f[8]);
    d[i] = sqrt(d[i]) + 1.0 / d[1] + d[2] / d[3] + fma(d[4], d[5], d[6]) + __dadd_rn(d[1], d[2]) + floor(d[7]) + pow(d[8], 3.1);
    d[i] += __int2double_rn(n) + __double2int_rn(d[1]) + (float)d[2] + (long long)d[3] + (unsigned)f[4];
    f[i] += isnan(f[i]) || f[1] <= f[2] ? 1e-40f : __int_as_float(n);
    f[i] += (float)(unsigned long long)d[3] + (short)f[3];
}
__global__ void halves(__half* h, __half2* g, __nv_bfloat16* b, float* f) {
    int i = threadIdx.x;
    h[i] = __hadd(h[i], h[1]) * h[2] - __hfma(h[3], h[4], h[5]);
    g[i] = __hfma2(g[i], g[1], g[2]) + __hmul2(g[3], g[4]);
    b[i] = __float2bfloat16(f[i] * 3.f);
    f[i] = __half2float(h[i]) + __bfloat162float(b[i]) + (h[1] < h[2] ? 1.f : 2.f);
    h[i + 1] = __float2half(f[i]);
}
