// Helpers that programs have around a launch: parsers of options, functions that return a structure, owners
// of memory behind an alias, operator[], and conditions as numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {
namespace {

using host_code::HostArgument;
using host_code::HostLaunch;

HostLaunch first_launch_of(const std::string& source) {
    const auto launches = host_code::read_host_code({{"helpers.cu", source}}, {}).launches;
    EXPECT_FALSE(launches.empty());
    return launches.empty() ? HostLaunch() : launches.front();
}

std::string filled_with(const HostArgument& argument, host_code::NumberType stored) {
    return argument.storage ? host_code::text_of(argument.storage->contents.formula, stored) : "no memory";
}

TEST(host_helpers, options_keep_their_defaults_where_the_program_is_run_without_any) {
    const HostLaunch launch = first_launch_of(R"(
__global__ void k(float* p, int n) { }
struct Options { int n = 512; bool verify = false; };
Options parse(int argc, char** argv) {
    Options o; int c;
    while ((c = getopt(argc, argv, "n:v")) != -1) switch (c) {
        case 'n': o.n = atoi(optarg); break;
        case 'v': o.verify = true; break;
        default: exit(2);
    }
    return o;
}
int main(int argc, char** argv) {
    const Options o = parse(argc, argv);
    float* p;
    cudaMalloc(&p, sizeof(float) * o.n);
    k<<<o.n / 64, 64>>>(p, o.n);
}
)");
    ASSERT_EQ(launch.arguments.size(), 2u);
    EXPECT_EQ(launch.arguments[0].bytes, 2048);
    EXPECT_EQ(launch.arguments[1].integer, 512);
    EXPECT_FALSE(launch.arguments[1].assumed);
    EXPECT_EQ(launch.grid[0], 8);
}

TEST(host_helpers, a_part_of_memory_that_is_filled_again_is_copied_without_what_lies_behind_it) {
    const HostLaunch launch = first_launch_of(R"(
__global__ void k(const float* x, const float* gamma, const float* both) { }
int main() {
    float *x, *gamma, *both;
    float* h = (float*)malloc(4096 * 4);
    cudaMalloc(&x, 4096 * 4); cudaMalloc(&gamma, 768 * 4); cudaMalloc(&both, 1024 * 4);
    for (int i = 0; i < 4096; i++) h[i] = 2.0f * rand() / RAND_MAX - 1.0f;
    cudaMemcpy(x, h, 4096 * 4, cudaMemcpyHostToDevice);
    for (int i = 0; i < 768; i++) h[i] = 1.0f;
    cudaMemcpy(gamma, h, 768 * 4, cudaMemcpyHostToDevice);
    for (int i = 700; i < 800; i++) h[i] = i;
    cudaMemcpy(both, h + 640, 144 * 4, cudaMemcpyHostToDevice);
    cudaMemset(both + 144, 0, (1024 - 144) * 4);
    k<<<8, 64>>>(x, gamma, both);
}
)");
    ASSERT_EQ(launch.arguments.size(), 3u);
    EXPECT_TRUE(launch.arguments[0].storage->contents.formula->has_random);
    EXPECT_EQ(filled_with(launch.arguments[1], host_code::NumberType::f32), "1");
    EXPECT_FALSE(launch.arguments[1].storage->contents.formula->has_random);
    EXPECT_EQ(filled_with(launch.arguments[2], host_code::NumberType::f32),
              "i >= 144 and 0 or i + 640 >= 700 and i + 640 - 700 + 700 or 1");
}

TEST(host_helpers, a_real_number_that_is_no_integer_is_no_extent) {
    for (const char* grid : {"pow(10.0, 400.0)", "dim3(pow(10.0, 400.0))", "{pow(10.0, 30.0)}"}) {
        const HostLaunch launch = first_launch_of(std::string("__global__ void k() { }\nint main() { k<<<") +
                                                  grid + ", 64>>>(); }");
        EXPECT_FALSE(launch.grid[0]) << grid;
    }
    const HostLaunch launch =
        first_launch_of("__global__ void k() { }\nint main() { k<<<pow(2.0, 5.0), 64>>>(); }");
    EXPECT_EQ(launch.grid[0], 32);
}

TEST(host_helpers, a_row_that_64_bits_do_not_hold_has_no_pitch) {
    const HostLaunch launch = first_launch_of(
        "__global__ void k(char* p) { }\nint main() { char* p; size_t pitch; "
        "cudaMallocPitch(&p, &pitch, 9223372036854775807, 4); k<<<1, 64>>>(p); }");
    ASSERT_EQ(launch.arguments.size(), 1u);
    EXPECT_FALSE(launch.arguments[0].bytes);
}

TEST(host_helpers, a_function_returns_the_structure_of_its_list) {
    const HostLaunch launch = first_launch_of(R"(
__global__ void k(float* p) { }
struct LaunchConfig { dim3 grid, block; };
template <int BM, int BN> LaunchConfig config(int m, int n) {
    return {dim3((n + BN - 1) / BN, (m + BM - 1) / BM), dim3(BM * BN / 32)};
}
int main() {
    float* p;
    cudaMalloc(&p, 4096);
    auto cfg = config<64, 32>(500, 200);
    k<<<cfg.grid, cfg.block>>>(p);
}
)");
    EXPECT_EQ(launch.grid[0], 7);
    EXPECT_EQ(launch.grid[1], 8);
    EXPECT_EQ(launch.block[0], 64);
}

TEST(host_helpers, an_owner_behind_an_alias_template_has_the_memory_that_it_is_given) {
    const HostLaunch launch = first_launch_of(R"(
__global__ void k(unsigned* out, const unsigned* in) { }
struct Deleter { void operator()(void* p) const { cudaFree(p); } };
template <class T> using cuda_ptr = std::unique_ptr<T[], Deleter>;
template <class T> cuda_ptr<T> cuda_alloc(size_t n) {
    T* p = nullptr;
    cudaMalloc(&p, n * sizeof(T));
    return cuda_ptr<T>(p);
}
int main() {
    auto a = cuda_alloc<unsigned>(1000), b = cuda_alloc<unsigned>(500);
    cudaMemset(b.get(), 0, 2000);
    k<<<4, 256>>>(a.get(), b.get());
}
)");
    ASSERT_EQ(launch.arguments.size(), 2u);
    EXPECT_EQ(launch.arguments[0].bytes, 4000);
    EXPECT_EQ(launch.arguments[1].bytes, 2000);
    EXPECT_EQ(launch.arguments[1].storage->contents.kind, host_code::Contents::Kind::known);
}

TEST(host_helpers, members_set_through_an_operator_are_what_the_kernel_gets) {
    const HostLaunch launch = first_launch_of(R"(
struct Vec3 {
    float e[3];
    __host__ __device__ float& operator[](int i) { return e[i]; }
    __host__ __device__ float operator[](int i) const { return e[i]; }
};
struct Pair { float x, y; __host__ __device__ float& operator[](int i) { return i == 0 ? x : y; } };
__global__ void k(float* o, Vec3 v, Pair p) { }
int main() {
    float* o;
    cudaMalloc(&o, 4096);
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = 2.0f;
    v[1] = 5.0f;
    Pair p;
    p[0] = 1.0f;
    p[1] = 3.0f;
    k<<<1, 32>>>(o, v, p);
}
)");
    ASSERT_EQ(launch.arguments.size(), 3u);
    ASSERT_EQ(launch.arguments[1].members.size(), 1u);
    const HostArgument& elements = launch.arguments[1].members[0];
    ASSERT_TRUE(elements.storage);
    const auto element = [&](double i) {
        return host_code::value_at(*elements.storage->contents.formula, i).value_or(-1);
    };
    EXPECT_EQ(element(0), 2);
    EXPECT_EQ(element(1), 5);
    EXPECT_EQ(element(2), 2);
    ASSERT_EQ(launch.arguments[2].members.size(), 2u);
    EXPECT_EQ(launch.arguments[2].members[0].real, 1);
    EXPECT_EQ(launch.arguments[2].members[1].real, 3);
}

TEST(host_helpers, a_condition_is_stored_as_a_number) {
    const HostLaunch launch = first_launch_of(R"(
__global__ void k(unsigned char* image, float* even) { }
int main() {
    std::vector<unsigned char> image(4096);
    std::vector<float> even(4096);
    for (auto& p : image) p = rand() % 100 < 55;
    for (int i = 0; i < 4096; ++i) even[i] = i % 2 == 0;
    unsigned char* d;
    float* e;
    cudaMalloc(&d, 4096);
    cudaMalloc(&e, 4096 * sizeof(float));
    cudaMemcpy(d, image.data(), 4096, cudaMemcpyHostToDevice);
    cudaMemcpy(e, even.data(), 4096 * sizeof(float), cudaMemcpyHostToDevice);
    k<<<16, 256>>>(d, e);
}
)");
    ASSERT_EQ(launch.arguments.size(), 2u);
    EXPECT_EQ(filled_with(launch.arguments[0], host_code::NumberType::i32), "random(100) < 55 and 1 or 0");
    EXPECT_EQ(filled_with(launch.arguments[1], host_code::NumberType::f32), "i % 2 == 0 and 1 or 0");
}

TEST(host_helpers, an_object_without_members_is_no_number_to_set) {
    KernelFile kernel;
    kernel.name = "helpers";
    kernel.source = R"(
struct plus { __host__ __device__ float operator()(float a, float b) const { return a + b; } };
__global__ void k(float* out, plus op) { }
int main() {
    float* out;
    cudaMalloc(&out, 4096);
    k<<<4, 256>>>(out, plus());
}
)";
    const LaunchDraft draft = guess_launch({"_Z1kPf4plus", "k", {{"p0", "u64", 8, 0}, {"p1", "b8", 1, 8}}, 0},
                                           kernel, host_code_of(kernel));
    ASSERT_EQ(draft.arguments.size(), 2u);
    EXPECT_EQ(draft.arguments[1].value, "struct:{u8=0}");
    EXPECT_EQ(draft.arguments[1].from, "line 7");
}

TEST(host_helpers, complex_numbers_have_a_size) {
    const HostLaunch launch = first_launch_of(R"(
__global__ void k(float2* data) { }
int main() {
    std::vector<std::complex<float>> h(2048);
    float2* d;
    cudaMalloc(&d, h.size() * sizeof(float2));
    cudaMemcpy(d, h.data(), h.size() * sizeof(float2), cudaMemcpyHostToDevice);
    k<<<8, 256>>>(d);
}
)");
    ASSERT_EQ(launch.arguments.size(), 1u);
    EXPECT_EQ(launch.arguments[0].bytes, 16384);
}

}  // namespace
}  // namespace warplens::instrumentation
