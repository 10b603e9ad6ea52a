#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Particle { float px, py, pz, vx, vy, vz; };
__global__ void step(Particle* p, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].vy = p[i].vy - 9.81 * dt;
    p[i].px += p[i].vx * dt;
    p[i].py += p[i].vy * dt;
    p[i].pz += p[i].vz * dt;
    if (p[i].py < 0) { p[i].py = -p[i].py; p[i].vy = -0.8 * p[i].vy; }
}
int main() {
    const int n = 1 << 19;
    std::vector<Particle> h(n);
    for (int i = 0; i < n; ++i) h[i] = {float(i % 100), float(i % 37), 0.f, 1.f, 0.f, -1.f};
    Particle* d;
    cudaMalloc(&d, n * sizeof(Particle));
    cudaMemcpy(d, h.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
    step<<<(n + 127) / 128, 128>>>(d, n, 0.01f);
    cudaDeviceSynchronize();
}
