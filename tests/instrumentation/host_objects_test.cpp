// Objects of the CUDA runtime in host code: arrays of device pointers, attributes of a launch, textures and
// tensors of another language.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {
namespace {

using host_code::HostArgument;
using host_code::HostLaunch;

HostLaunch launch_in(const std::string& source) {
    const auto launches = host_code::read_host_code({{"objects.cu", source}}, {}).launches;
    EXPECT_FALSE(launches.empty());
    return launches.empty() ? HostLaunch() : launches.front();
}

TEST(host_objects, elements_of_an_array_of_pointers_are_buffers_of_their_own) {
    const HostLaunch launch = launch_in(R"(
__global__ void step(float* to, float* from) { }
struct System { float* places[2]; int read = 0, write = 1; };
int main() {
    System s;
    cudaMalloc(&s.places[0], 4096);
    cudaMalloc(&s.places[1], 8192);
    step<<<4, 256>>>(s.places[s.write], s.places[s.read]);
}
)");
    ASSERT_EQ(launch.arguments.size(), 2u);
    EXPECT_EQ(launch.arguments[0].bytes, 8192);
    EXPECT_EQ(launch.arguments[1].bytes, 4096);
    EXPECT_NE(launch.arguments[0].storage, launch.arguments[1].storage);
}

TEST(host_objects, pointers_that_a_loop_allocates_are_apart_where_their_numbers_are_known) {
    const HostLaunch launch = launch_in(R"(
__global__ void step(float* to, float* from) { }
int main() {
    float* buffers[2];
    for (int i = 0; i < 2; ++i) cudaMalloc(&buffers[i], 4096);
    step<<<4, 256>>>(buffers[1], buffers[0]);
}
)");
    ASSERT_EQ(launch.arguments.size(), 2u);
    EXPECT_EQ(launch.arguments[0].bytes, 4096);
    EXPECT_EQ(launch.arguments[1].bytes, 4096);
    EXPECT_NE(launch.arguments[0].storage, launch.arguments[1].storage);
}

TEST(host_objects, attributes_of_a_launch_say_its_clusters) {
    const std::string begin = R"(
__global__ void k(int* out) { }
int main() {
    int* out;
    cudaMalloc(&out, 4096);
    cudaLaunchConfig_t config = {0};
    config.gridDim = 8;
    config.blockDim = 128;
    cudaLaunchAttribute attribute[1];
)";
    const std::string fields =
        "attribute[0].id = cudaLaunchAttributeClusterDimension;\n"
        "attribute[0].val.clusterDim.x = 4; attribute[0].val.clusterDim.y = 1;\n"
        "attribute[0].val.clusterDim.z = 1;\n";
    const std::string given = "config.attrs = attribute; config.numAttrs = 1;\n";
    const std::string end = "cudaLaunchKernelEx(&config, k, out);\n}\n";
    const std::array<std::int64_t, 3> four{4, 1, 1};
    EXPECT_EQ(launch_in(begin + fields + given + end).cluster, four);
    EXPECT_EQ(launch_in(begin + given + fields + end).cluster, four) << "it is a pointer";
    EXPECT_EQ(launch_in(begin + end).cluster, (std::array<std::int64_t, 3>{1, 1, 1}));
}

LaunchDraft draft_in(const std::string& source, const EntryFacts& entry) {
    KernelFile kernel;
    kernel.name = "objects";
    kernel.source = source;
    return guess_launch(entry, kernel, host_code_of(kernel));
}

TEST(host_objects, a_texture_is_as_the_program_makes_it_and_not_as_the_kernel_reads_it) {
    const LaunchDraft draft =
        draft_in(R"(
__global__ void zoom(float* out, cudaTextureObject_t tex, int w, int h) {
    float4 c = tex2D<float4>(tex, 0.5f, 0.5f);
}
int main() {
    const int w = 320, h = 200;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    cudaMallocArray(&array, &channels, w, h);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc reading = {};
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeMirror;
    reading.filterMode = cudaFilterModeLinear;
    reading.readMode = cudaReadModeNormalizedFloat;
    reading.normalizedCoords = 1;
    cudaTextureObject_t tex = 0;
    cudaCreateTextureObject(&tex, &resource, &reading, nullptr);
    float* out;
    cudaMalloc(&out, w * h * sizeof(float));
    zoom<<<dim3(20, 13), dim3(16, 16)>>>(out, tex, w, h);
}
)",
                 {"_Z4zoomPfyii",
                  "zoom",
                  {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "u32", 4, 16}, {"p3", "u32", 4, 20}},
                  0});
    ASSERT_EQ(draft.arguments.size(), 4u);
    EXPECT_EQ(draft.arguments[1].value,
              "texture:u8x4[w,h]=iota,filter=linear,address=mirror,normalised,reads_normalised");
    EXPECT_EQ(draft.arguments[1].from, "line 20");
}

TEST(host_objects, a_texture_holds_what_is_copied_into_its_array) {
    const auto texture_with = [](const std::string& copy) {
        const LaunchDraft draft =
            draft_in(R"(
__global__ void zoom(float* out, cudaTextureObject_t tex) { out[threadIdx.x] = tex2D<float>(tex, 0.5f, 0.5f); }
int main() {
    const int w = 320, h = 200;
    float* pixels = (float*)malloc(2 * w * h * sizeof(float));
    for (int i = 0; i < 2 * w * h; i++) pixels[i] = i % 256;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &channels, w, h);
    )" + copy + R"(
    cudaResourceDesc resource = {};
    resource.res.array.array = array;
    cudaTextureDesc reading = {};
    cudaTextureObject_t tex = 0;
    cudaCreateTextureObject(&tex, &resource, &reading, nullptr);
    float* out;
    cudaMalloc(&out, 128);
    zoom<<<1, 32>>>(out, tex);
}
)",
                     {"_Z4zoomPfy", "zoom", {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}}, 0});
        EXPECT_EQ(draft.arguments.size(), 2u);
        return draft.arguments.size() < 2 ? DraftArgument() : draft.arguments[1];
    };
    const DraftArgument rows = texture_with(
        "cudaMemcpy2DToArray(array, 0, 0, pixels, 2 * w * sizeof(float), w * sizeof(float), h, "
        "cudaMemcpyHostToDevice);");
    EXPECT_THAT(rows.value,
                testing::StartsWith("texture:f32[320,200]=formula:(i // 320 * 640 + i % 320) % 256"));
    EXPECT_EQ(rows.contents, "");
    const DraftArgument all =
        texture_with("cudaMemcpyToArray(array, 0, 0, pixels, w * h * sizeof(float), a);");
    EXPECT_THAT(all.value, testing::StartsWith("texture:f32[320,200]=formula:i % 256"));
    const DraftArgument volume = texture_with(
        "cudaMemcpy3DParms p = {}; p.srcPtr = make_cudaPitchedPtr(pixels, w * sizeof(float), w, h); "
        "p.dstArray = "
        "array; cudaMemcpy3D(&p);");
    EXPECT_THAT(volume.contents, testing::StartsWith("texels guessed")) << "the array has no third extent";
    for (const char* other : {"cudaMemcpy2DToArray(array, 8, 0, pixels, w * 4, w * 4, h, a);",
                              "cudaMemcpy2DToArray(array, 0, 0, pixels, w * 4, w * 4, h / 2, a);", ""})
        EXPECT_THAT(texture_with(other).contents, testing::StartsWith("texels guessed")) << other;
}

TEST(host_objects, a_texture_that_a_function_reads_has_the_type_of_its_read) {
    const LaunchDraft draft = draft_in(R"(
__device__ uchar4 fetch(cudaTextureObject_t t, int x) { return tex1Dfetch<uchar4>(t, x); }
__global__ void gray(float* out, cudaTextureObject_t pixels) { out[0] = fetch(pixels, 3).x; }
int main() {
    float* out;
    cudaMalloc(&out, 256);
    gray<<<1, 64>>>(out, texture_of("a.png"));
}
)",
                                       {"_Z4grayPfy", "gray", {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}}, 0});
    ASSERT_EQ(draft.arguments.size(), 2u);
    EXPECT_THAT(draft.arguments[1].value, testing::StartsWith("texture:u8x4["));
    EXPECT_THAT(draft.arguments[1].value, testing::Not(testing::HasSubstr(","))) << "of one dimension";
}

TEST(host_objects, a_loop_that_does_not_run_changes_nothing) {
    const HostLaunch launch = launch_in(R"(
__global__ void k(float* out, int n) { }
int main(int argc, char** argv) {
    int n = 1000;
    for (int i = 1; i < argc; i++) if (!strcmp(argv[i], "-n")) n = atoi(argv[++i]);
    float* h = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) h[i] = 2.0f;
    float* out;
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(out, h, n * sizeof(float), cudaMemcpyHostToDevice);
    k<<<4, 256>>>(out, n);
}
)");
    ASSERT_EQ(launch.arguments.size(), 2u);
    ASSERT_TRUE(launch.arguments[0].storage);
    EXPECT_EQ(launch.arguments[0].storage->contents.kind, host_code::Contents::Kind::known);
}

TEST(host_objects, sides_of_a_tensor_are_assumed_by_name_or_place) {
    const HostLaunch launch = launch_in(R"(
template <typename T> __global__ void k(const T* in, int hidden, int extra) { }
void forward(torch::Tensor in) {
    const auto batch = in.size(0);
    const auto hidden_size = in.size(1);
    const auto extra = in.size(2);
    AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "k", ([&] {
        k<scalar_t><<<dim3(batch, 2), 64>>>(in.data_ptr<scalar_t>(), hidden_size, extra);
    }));
}
)");
    EXPECT_EQ(launch.grid[0], 8);
    EXPECT_TRUE(launch.grid_assumed);
    ASSERT_EQ(launch.arguments.size(), 3u);
    EXPECT_EQ(launch.arguments[1].integer, 256);
    EXPECT_EQ(launch.arguments[2].integer, 64);
}

TEST(host_objects, a_warp_for_each_row_is_related_to_the_rows) {
    const LaunchDraft draft =
        draft_in(R"(
__global__ void rows_of(float* out, int rows) { }
int main() {
    const int rows = 1000, threads = 128, blocks = (rows * 32 + threads - 1) / threads;
    float* out;
    cudaMalloc(&out, rows * sizeof(float));
    rows_of<<<blocks, threads>>>(out, rows);
}
)",
                 {"_Z7rows_ofPfi", "rows_of", {{"p0", "u64", 8, 0}, {"p1", "u32", 4, 8}}, 0});
    EXPECT_EQ(draft.grid[0], "ceil_div(rows, 4)");
}

}  // namespace
}  // namespace warplens::instrumentation
