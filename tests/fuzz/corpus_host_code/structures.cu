#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <cstdio>
struct Particle { float3 pos; float3 vel; float mass; int id; };
__global__ void integrate(Particle* ps, size_t count, float dt, float3 g)
{
    size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x;
    if (i >= count) return;
    Particle p = ps[i];
    p.vel.x += g.x * dt; p.vel.y += g.y * dt; p.vel.z += g.z * dt;
    p.pos.x += p.vel.x * dt; p.pos.y += p.vel.y * dt; p.pos.z += p.vel.z * dt;
    if (p.pos.y < 0.0f) { p.pos.y = -p.pos.y; p.vel.y *= -0.5f; }
    ps[i] = p;
}
int main(int argc, char** argv)
{
    size_t count = (argc > 1) ? strtoul(argv[1], nullptr, 10) : 50000;
    thrust::host_vector<Particle> h(count);
    for (size_t i = 0; i < count; ++i) {
        Particle& p = h[i];
        p.pos = make_float3(i * 0.1f, 10.0f + (i % 7), 0.0f);
        p.vel = make_float3(0, -1.0f, 0);
        p.mass = 1.0f;
        p.id = (int)i;
    }
    thrust::device_vector<Particle> d = h;
    const unsigned block = 192;
    const unsigned grid = (unsigned)((count + block - 1) / block);
    for (float t = 0; t < 1.0f; t += 0.01f)
        integrate<<<grid, block>>>(thrust::raw_pointer_cast(d.data()), d.size(), 0.01f, make_float3(0, -9.81f, 0));
    cudaDeviceSynchronize();
}
