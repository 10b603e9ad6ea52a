// Samples of a GPU's texture units, to compare the CPU engine with: nvcc -arch=sm_90 texture_probes.cu,
// run, and keep the output as tests/hardware/h200_textures.csv (one of eight of the first 704 rows of each 1d case).
// Texels are those of texel_bits(), coordinates are written as the bits of their floats.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                  \
    do {                                                                             \
        const cudaError_t error = (call);                                            \
        if (error != cudaSuccess) {                                                  \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));      \
            std::exit(1);                                                            \
        }                                                                            \
    } while (0)

enum Kind { k1d, k2d, k3d, ka2d, kcube, kfetch, kgather };
const char* const kind_names[] = {"1d", "2d", "3d", "a2d", "cube", "fetch", "gather"};

struct Point {
    float x, y, z;
    int layer;
};

struct Case {
    Kind kind;
    const char* format;  // f32 f16 u8 s8 u16 s16 u32
    int channels, width, height, depth;
    bool linear;
    int address;  // 0 wrap, 1 clamp, 2 mirror, 3 border: as cudaTextureAddressMode
    bool normalised, reads_normalised;
};

__device__ float4 as_float4(uint4 v) { return make_float4(__uint_as_float(v.x), __uint_as_float(v.y), __uint_as_float(v.z), __uint_as_float(v.w)); }

template <class T>
__device__ T sample(Kind kind, cudaTextureObject_t t, Point p) {
    switch (kind) {
        case k1d: return tex1D<T>(t, p.x);
        case k2d: return tex2D<T>(t, p.x, p.y);
        case k3d: return tex3D<T>(t, p.x, p.y, p.z);
        case ka2d: return tex2DLayered<T>(t, p.x, p.y, p.layer);
        case kcube: return texCubemap<T>(t, p.x, p.y, p.z);
        case kfetch: return tex1Dfetch<T>(t, static_cast<int>(p.x));
        default: break;
    }
    switch (p.layer) {
        case 0: return tex2Dgather<T>(t, p.x, p.y, 0);
        case 1: return tex2Dgather<T>(t, p.x, p.y, 1);
        case 2: return tex2Dgather<T>(t, p.x, p.y, 2);
        default: return tex2Dgather<T>(t, p.x, p.y, 3);
    }
}

__global__ void probe(Kind kind, bool integers, cudaTextureObject_t t, const Point* points, float4* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = integers ? as_float4(sample<uint4>(kind, t, points[i])) : sample<float4>(kind, t, points[i]);
}

uint32_t mixed(uint32_t i) {
    i = (i + 1) * 0x9E3779B9u;
    i ^= i >> 15;
    i *= 0x85EBCA6Bu;
    return i ^ i >> 13;
}

int bytes_of(const char* format) { return std::strstr(format, "32") ? 4 : std::strstr(format, "16") ? 2 : 1; }

uint32_t texel_bits(const char* format, uint32_t i) {
    const uint32_t m = mixed(i);
    if (!std::strcmp(format, "f32")) {
        const float value = static_cast<float>(m >> 8) / 65536.0f - 64.0f;
        uint32_t bits;
        std::memcpy(&bits, &value, 4);
        return bits;
    }
    if (!std::strcmp(format, "f16")) return 0x3000u + (m & 0x9fffu & ~0x4000u);
    return m;
}

std::vector<Point> points_of(const Case& c) {
    std::vector<Point> points;
    const float w = static_cast<float>(c.width), h = static_cast<float>(c.height), d = static_cast<float>(c.depth);
    uint32_t state = 12345;
    auto next = [&](float low, float high) {
        state = state * 1664525u + 1013904223u;
        return low + (high - low) * static_cast<float>(state >> 8) / 16777216.0f;
    };
    if (c.kind == kfetch) {
        for (int i = -2; i < c.width + 3; ++i) points.push_back({static_cast<float>(i), 0, 0, 0});
        return points;
    }
    if (c.kind == kcube) {
        for (int i = 0; i < 96; ++i) points.push_back({next(-1, 1), next(-1, 1), next(-1, 1), 0});
        return points;
    }
    const float sx = c.normalised ? w : 1, sy = c.normalised ? h : 1, sz = c.normalised ? d : 1;
    if (c.kind == k1d) {  // every 1/64, then around the steps of the weights and the edges of texels
        for (float x = -1.5f; x < w + 1.5f; x += 1.0f / 64) points.push_back({x / sx, 0, 0, 0});
        for (int i = 0; i < 64; ++i) points.push_back({(3.5f + static_cast<float>(i) / 2048) / sx, 0, 0, 0});
        for (int i = -8; i <= 8; ++i) points.push_back({(5.0f + static_cast<float>(i) / 2097152) / sx, 0, 0, 0});
        return points;
    }
    for (int i = 0; i < 80; ++i) {
        Point p{next(-0.75f * w, 1.75f * w) / sx, next(-0.75f * h, 1.75f * h) / sy, next(-0.75f * d, 1.75f * d) / sz, i % 4};
        if (c.kind == ka2d) p.layer = i % 5 - 1;
        if (c.kind == kgather) p.layer = i % c.channels;
        points.push_back(p);
    }
    return points;
}

void run(const Case& c) {
    const bool is_float = c.format[0] == 'f';
    const int bytes = bytes_of(c.format);
    const int height = c.kind == k1d || c.kind == kfetch ? 0 : c.height;
    const int depth = c.kind == k3d || c.kind == ka2d ? c.depth : c.kind == kcube ? 6 : 0;
    const int rows = (height ? height : 1) * (depth ? depth : 1);
    std::vector<unsigned char> texels(static_cast<size_t>(c.width) * rows * c.channels * bytes);
    for (uint32_t i = 0; i < texels.size() / bytes; ++i) {
        const uint32_t bits = texel_bits(c.format, i);
        std::memcpy(&texels[i * bytes], &bits, bytes);
    }
    const int bits = 8 * bytes;
    const cudaChannelFormatDesc format{bits, c.channels > 1 ? bits : 0, c.channels > 2 ? bits : 0, c.channels > 2 ? bits : 0,
                                       is_float ? cudaChannelFormatKindFloat
                                       : c.format[0] == 'u' ? cudaChannelFormatKindUnsigned : cudaChannelFormatKindSigned};
    cudaResourceDesc resource{};
    if (c.kind == kfetch) {
        void* linear = nullptr;
        CHECK(cudaMalloc(&linear, texels.size()));
        CHECK(cudaMemcpy(linear, texels.data(), texels.size(), cudaMemcpyHostToDevice));
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = linear;
        resource.res.linear.desc = format;
        resource.res.linear.sizeInBytes = texels.size();
    } else {
        cudaArray_t array;
        const unsigned flags = c.kind == ka2d ? cudaArrayLayered : c.kind == kcube ? cudaArrayCubemap
                               : c.kind == kgather ? cudaArrayTextureGather : 0;
        CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(c.width, height, depth), flags));
        cudaMemcpy3DParms copy{};
        const size_t row = static_cast<size_t>(c.width) * c.channels * bytes;
        copy.srcPtr = make_cudaPitchedPtr(texels.data(), row, c.width, height ? height : 1);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(c.width, height ? height : 1, depth ? depth : 1);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
    }
    cudaTextureDesc texture{};
    for (auto& mode : texture.addressMode) mode = static_cast<cudaTextureAddressMode>(c.address);
    texture.filterMode = c.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    texture.readMode = c.reads_normalised ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    texture.normalizedCoords = c.normalised;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    const std::vector<Point> points = points_of(c);
    const int n = static_cast<int>(points.size());
    Point* at = nullptr;
    float4* out = nullptr;
    CHECK(cudaMalloc(&at, n * sizeof(Point)));
    CHECK(cudaMalloc(&out, n * sizeof(float4)));
    CHECK(cudaMemcpy(at, points.data(), n * sizeof(Point), cudaMemcpyHostToDevice));
    probe<<<(n + 63) / 64, 64>>>(c.kind, !is_float && !c.reads_normalised, object, at, out, n);
    CHECK(cudaGetLastError());
    std::vector<uint4> results(n);
    CHECK(cudaMemcpy(results.data(), out, n * sizeof(float4), cudaMemcpyDeviceToHost));
    const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
    for (int i = 0; i < n; ++i) {
        uint32_t x, y, z;
        std::memcpy(&x, &points[i].x, 4);
        std::memcpy(&y, &points[i].y, 4);
        std::memcpy(&z, &points[i].z, 4);
        std::printf("%s,%s,%d,%d,%d,%d,%s,%s,%d,%d,%08x,%08x,%08x,%d,%08x,%08x,%08x,%08x\n", kind_names[c.kind], c.format,
                    c.channels, c.width, height, depth, c.linear ? "linear" : "point", modes[c.address], c.normalised,
                    c.reads_normalised, x, y, z, points[i].layer, results[i].x, results[i].y, results[i].z, results[i].w);
    }
}

int main() {
    std::printf("kind,format,channels,width,height,depth,filter,address,normalised,reads_normalised,x,y,z,layer,r0,r1,r2,r3\n");
    for (const bool linear : {false, true})
        for (const int address : {1, 3}) run({k1d, "f32", 1, 8, 1, 1, linear, address, false, false});
    for (const bool linear : {false, true})
        for (const int address : {0, 1, 2, 3}) {
            run({k1d, "f32", 1, 8, 1, 1, linear, address, true, false});
            run({k2d, "f32", 2, 7, 5, 1, linear, address, true, false});
            run({k3d, "f32", 1, 4, 5, 3, linear, address, true, false});
        }
    for (const int address : {1, 3}) run({k2d, "f32", 4, 8, 4, 1, true, address, false, false});
    for (const char* format : {"u8", "s8", "u16", "s16"}) {
        run({k2d, format, 1, 8, 4, 1, true, 1, false, true});
        run({k2d, format, 4, 8, 4, 1, false, 1, false, true});
        run({k2d, format, 2, 8, 4, 1, false, 1, false, false});
    }
    run({k2d, "u32", 1, 8, 4, 1, false, 3, false, false});
    run({k2d, "f16", 1, 8, 4, 1, true, 1, false, false});
    run({k2d, "f16", 4, 8, 4, 1, false, 3, false, false});
    for (const bool linear : {false, true}) {
        run({ka2d, "f32", 1, 8, 4, 3, linear, 1, false, false});
        run({kcube, "f32", 1, 8, 8, 6, linear, 1, true, false});
    }
    run({kfetch, "f32", 1, 9, 1, 1, false, 1, false, false});
    run({kfetch, "u32", 2, 9, 1, 1, false, 1, false, false});
    run({kgather, "f32", 4, 8, 4, 1, true, 1, false, false});
    run({kgather, "f32", 2, 8, 4, 1, true, 0, true, false});
    return 0;
}
