// Particles as an array of structures in managed memory, two kernels per step.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

struct Particle {
    float3 pos;
    float3 vel;
    float mass;
    int cell;
};

struct World {
    float dt;
    float3 gravity;
    float half_size;
    int cells_per_side;
};

template <typename T>
class ManagedArray {
public:
    explicit ManagedArray(size_t count) : count_(count) { cudaMallocManaged(&data_, count * sizeof(T)); }
    ~ManagedArray() { cudaFree(data_); }
    ManagedArray(const ManagedArray&) = delete;
    ManagedArray& operator=(const ManagedArray&) = delete;
    T* data() { return data_; }
    T& operator[](size_t i) { return data_[i]; }
    size_t size() const { return count_; }

private:
    T* data_ = nullptr;
    size_t count_;
};

__global__ void integrate(Particle* particles, int n, World world) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle p = particles[i];
    p.vel.x += world.gravity.x * world.dt;
    p.vel.y += world.gravity.y * world.dt;
    p.vel.z += world.gravity.z * world.dt;
    p.pos.x += p.vel.x * world.dt;
    p.pos.y += p.vel.y * world.dt;
    p.pos.z += p.vel.z * world.dt;
    if (p.pos.y < -world.half_size) {
        p.pos.y = -world.half_size;
        p.vel.y = -0.8f * p.vel.y;
    }
    particles[i] = p;
}

__global__ void assign_cells(Particle* particles, int* counts, int n, World world) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float scale = world.cells_per_side / (2.0f * world.half_size);
    int cx = (int)((particles[i].pos.x + world.half_size) * scale);
    int cz = (int)((particles[i].pos.z + world.half_size) * scale);
    cx = min(max(cx, 0), world.cells_per_side - 1);
    cz = min(max(cz, 0), world.cells_per_side - 1);
    particles[i].cell = cz * world.cells_per_side + cx;
    atomicAdd(&counts[particles[i].cell], 1);
}

int main() {
    const int side = 128;
    const int n = side * side;
    const World world{0.01f, make_float3(0.0f, -9.81f, 0.0f), 10.0f, 32};
    ManagedArray<Particle> particles(n);
    ManagedArray<int> counts(world.cells_per_side * world.cells_per_side);
    for (int z = 0; z < side; ++z) {
        for (int x = 0; x < side; ++x) {
            Particle& p = particles[z * side + x];
            p.pos = make_float3(-10.0f + 20.0f * x / side, 2.0f, -10.0f + 20.0f * z / side);
            p.vel = make_float3(sinf(x * 0.1f), 0.0f, cosf(z * 0.1f));
            p.mass = 1.0f;
            p.cell = -1;
        }
    }
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    for (int step = 0; step < 100; ++step) {
        cudaMemset(counts.data(), 0, counts.size() * sizeof(int));
        integrate<<<blocks, threads>>>(particles.data(), n, world);
        assign_cells<<<blocks, threads>>>(particles.data(), counts.data(), n, world);
    }
    cudaDeviceSynchronize();
    printf("particle 0: %f %f %f in %d\n", particles[0].pos.x, particles[0].pos.y, particles[0].pos.z,
           particles[0].cell);
    return 0;
}
