#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

struct Body {
    float px, py, pz;
    float vx, vy, vz;
    float ax, ay, az;
    float mass;
};

__global__ void integrate(Body* bodies, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bodies[i].vx += bodies[i].ax * dt;
        bodies[i].vy += bodies[i].ay * dt;
        bodies[i].vz += bodies[i].az * dt;
        bodies[i].px += bodies[i].vx * dt;
        bodies[i].py += bodies[i].vy * dt;
        bodies[i].pz += bodies[i].vz * dt;
    }
}

int main() {
    const int n = 1 << 18;
    std::vector<Body> h(n);
    for (int i = 0; i < n; i++) h[i] = Body{(float)i, 1, 2, 0.1f, 0.2f, 0.3f, 0, -9.8f, 0, 1};
    Body* d;
    cudaMalloc(&d, n * sizeof(Body));
    cudaMemcpy(d, h.data(), n * sizeof(Body), cudaMemcpyHostToDevice);
    integrate<<<(n + 255) / 256, 256>>>(d, n, 0.01f);
    cudaDeviceSynchronize();
    return 0;
}
