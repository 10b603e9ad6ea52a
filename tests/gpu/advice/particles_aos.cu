#include <cuda_runtime.h>
#include <vector>
struct Particle { float px, py, pz, vx, vy, vz, mass, charge; };
__global__ void advance(Particle *p, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].px += p[i].vx * dt;
    p[i].py += p[i].vy * dt;
    p[i].pz += p[i].vz * dt;
}
int main() {
    const int n = 1 << 18;
    std::vector<Particle> h(n);
    for (int i = 0; i < n; i++) { h[i].px = i; h[i].vx = 1; h[i].py = 2; h[i].vy = -1; h[i].pz = 0; h[i].vz = 0.5f; h[i].mass = 1; h[i].charge = 0; }
    Particle *d;
    cudaMalloc(&d, n * sizeof(Particle));
    cudaMemcpy(d, h.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
    advance<<<(n + 255) / 256, 256>>>(d, n, 0.01f);
    cudaDeviceSynchronize();
}
