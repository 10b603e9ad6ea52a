// Structures in memory, casts of pointers, references and overloads in host code, and what an occupancy query
// assumes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {
namespace {

using host_code::Contents;
using host_code::HostArgument;
using host_code::HostLaunch;

HostLaunch launch_with(const std::string& source) {
    const auto launches = host_code::read_host_code({{"structures.cu", source}}, {}).launches;
    EXPECT_FALSE(launches.empty());
    return launches.empty() ? HostLaunch() : launches.front();
}

std::string words_of_contents(const HostArgument& argument) {
    if (!argument.storage || argument.storage->contents.kind != Contents::Kind::known) return "";
    const Contents& contents = argument.storage->contents;
    return contents.unit + ": " + text_of(contents.formula, host_code::number_type_of(contents.unit));
}

TEST(host_structures, a_pointer_counts_the_elements_of_its_type_after_a_cast) {
    const HostLaunch launch = launch_with(R"(
__global__ void move(float4* places, float4* speeds, char* bytes) { }
struct Bodies { float4 *places, *speeds; };
int main() {
    int n = 4096;
    float* all;
    cudaMalloc(&all, 2 * n * sizeof(float4));
    Bodies b = { (float4*)all, ((float4*)all) + n };
    move<<<16, 256>>>(b.places, b.speeds, (char*)(b.speeds + 1) + 8);
}
)");
    ASSERT_EQ(launch.arguments.size(), 3u);
    EXPECT_EQ(launch.arguments[0].offset, 0);
    EXPECT_EQ(launch.arguments[1].offset, 4096 * 16);
    EXPECT_EQ(launch.arguments[2].offset, 4097 * 16 + 8);
    EXPECT_EQ(launch.arguments[0].storage, launch.arguments[1].storage);
}

TEST(host_structures, a_structure_of_a_typedef_has_its_name) {
    for (const char* tag : {"", "tag"}) {
        const auto code =
            host_code::read_host_code({{"structures.cu", std::string("typedef struct ") + tag + R"(
{ float alpha, dt; int periodic; } params_t, *params_pointer;
__constant__ params_t P;
__global__ void step(float* v, params_t p) { }
int main(void) {
    float* v;
    params_t p = { 0.5f, 0.25f, 7 };
    cudaMalloc((void**)&v, 10 * sizeof(params_t));
    cudaMemcpyToSymbol(P, &p, sizeof p);
    step<<<1, 32>>>(v, p);
}
)"}},
                                      {});
        ASSERT_EQ(code.launches.size(), 1u) << tag;
        EXPECT_EQ(code.launches[0].arguments[0].storage->bytes, 120) << tag;
        ASSERT_EQ(code.copied_symbols.size(), 1u) << tag;
        EXPECT_EQ(host_code::initializer_of(code.copied_symbols[0].second), "{0.5f, 0.25f, 7}") << tag;
    }
}

TEST(host_structures, an_offset_into_an_array_of_structures_is_in_bytes) {
    const HostLaunch launch = launch_with(R"(
struct View { int first, count; float scale; };
__global__ void draw(const View* view) { }
int main() {
    View* views;
    cudaMalloc(&views, 10 * sizeof(View));
    draw<<<1, 32>>>(&views[3]);
}
)");
    ASSERT_EQ(launch.arguments.size(), 1u);
    EXPECT_EQ(launch.arguments[0].offset, 36);
}

TEST(host_structures, members_of_several_types_keep_their_bits) {
    const HostLaunch launch = launch_with(R"(
struct Point { float x; int cluster; };
__global__ void assign(Point* points) { }
int main() {
    Point h[64];
    for (int i = 0; i < 64; ++i) { h[i].x = i * 0.5f; h[i].cluster = i % 4; }
    Point* d;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    assign<<<1, 64>>>(d);
}
)");
    ASSERT_EQ(launch.arguments.size(), 1u);
    ASSERT_TRUE(launch.arguments[0].storage);
    const Contents& contents = launch.arguments[0].storage->contents;
    ASSERT_EQ(contents.kind, Contents::Kind::known);
    EXPECT_EQ(contents.unit, "int");
    // x of point 3 is 1.5f, its cluster 3.
    EXPECT_EQ(value_at(*contents.formula, 6), double{0x3fc00000});
    EXPECT_EQ(value_at(*contents.formula, 7), 3);
    EXPECT_NE(words_of_contents(launch.arguments[0]).find("bits_of("), std::string::npos);
}

TEST(host_structures, what_a_kernel_may_have_changed_is_guessed_to_be_as_before) {
    const auto launches = host_code::read_host_code({{"structures.cu", R"(
__global__ void move(float* places, float* fresh) { }
__global__ void draw(const float* places, const float* fresh) { }
int main() {
    float h[64];
    for (int i = 0; i < 64; ++i) h[i] = 3 * i;
    float *d, *e;
    cudaMalloc(&d, sizeof(h));
    cudaMalloc(&e, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemset(e, 0, sizeof(h));
    move<<<1, 64>>>(d, e);
    draw<<<1, 64>>>(d, e);
}
)"}},
                                                    {})
                              .launches;
    ASSERT_EQ(launches.size(), 2u);
    const Contents& moved = launches[1].arguments[0].storage->contents;
    EXPECT_EQ(moved.kind, Contents::Kind::guessed);
    ASSERT_TRUE(moved.formula);
    EXPECT_EQ(value_at(*moved.formula, 5), 15);
    EXPECT_FALSE(launches[1].arguments[1].storage->contents.formula) << "0 is no better guess than a type's";
}

TEST(host_structures, a_reference_to_an_element_fills_it_and_so_does_a_list) {
    const std::string begin = R"(
struct Particle { float3 place; float mass; };
__global__ void push(Particle* all) { }
int main() {
    std::vector<Particle> h(100);
    for (int i = 0; i < 100; ++i) {
)";
    const std::string end = R"(
    }
    Particle* d;
    cudaMalloc(&d, h.size() * sizeof(Particle));
    cudaMemcpy(d, h.data(), h.size() * sizeof(Particle), cudaMemcpyHostToDevice);
    push<<<1, 100>>>(d);
}
)";
    for (const std::string fill :
         {"Particle& p = h[i]; p.place = make_float3(i, 2 * i, 7.0f); p.mass = 3.0f;",
          "auto& p = h[i]; p.place.x = i; p.place.y = 2 * i; p.place.z = 7; p.mass = 3;",
          "h[i] = Particle{{(float)i, 2.0f * i, 7.0f}, 3.0f};",
          "Particle p; p.place = make_float3(i, 2 * i, 7); p.mass = 3; h[i] = p;"}) {
        const HostLaunch launch = launch_with(begin + fill + end);
        ASSERT_EQ(launch.arguments.size(), 1u) << fill;
        const HostArgument& all = launch.arguments[0];
        ASSERT_TRUE(all.storage) << fill;
        ASSERT_EQ(all.storage->contents.kind, Contents::Kind::known) << fill;
        ASSERT_EQ(all.storage->contents.unit, "float") << fill;
        const double expected[] = {5, 10, 7, 3};
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(value_at(*all.storage->contents.formula, 4 * 5 + i), expected[i])
                << fill << " " << words_of_contents(all);
    }
}

TEST(host_structures, of_overloaded_constructors_the_arguments_choose_and_one_may_call_another) {
    const HostLaunch launch = launch_with(R"(
template <class T> class Array {
    T* p_ = nullptr; size_t n_ = 0;
  public:
    explicit Array(size_t n) : n_(n) { cudaMalloc(&p_, n * sizeof(T)); }
    explicit Array(const std::vector<T>& v) : Array(v.size()) {
        cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    T* get() { return p_; }
};
__global__ void scale(const float* in, float* out) { }
int main() {
    std::vector<float> h(512, 2.5f);
    Array<float> in(h), out(1024);
    scale<<<2, 256>>>(in.get(), out.get());
}
)");
    ASSERT_EQ(launch.arguments.size(), 2u);
    EXPECT_EQ(launch.arguments[0].bytes, 2048);
    EXPECT_EQ(words_of_contents(launch.arguments[0]), "float: 2.5");
    EXPECT_EQ(launch.arguments[1].bytes, 4096);
}

TEST(host_structures, containers_in_a_structure_grow) {
    const HostLaunch launch = launch_with(R"(
struct Rows { std::vector<int> begins, lengths; };
__global__ void walk(const int* begins) { }
int main() {
    Rows rows;
    for (int r = 0; r < 100; ++r) rows.begins.push_back(3 * r);
    int* d;
    cudaMalloc(&d, rows.begins.size() * sizeof(int));
    cudaMemcpy(d, rows.begins.data(), rows.begins.size() * sizeof(int), cudaMemcpyHostToDevice);
    walk<<<1, 100>>>(d);
}
)");
    ASSERT_EQ(launch.arguments.size(), 1u);
    EXPECT_EQ(launch.arguments[0].bytes, 400);
    EXPECT_EQ(words_of_contents(launch.arguments[0]), "int: 3 * i");
}

TEST(host_structures, bytes_that_are_set_are_the_words_of_a_structure) {
    const auto words_after = [](const std::string& member) {
        return words_of_contents(launch_with("struct Pair { unsigned key; " + member + " value; };\n" + R"(
__global__ void put(Pair* pairs) { }
int main() {
    Pair* pairs;
    cudaMalloc(&pairs, 100 * sizeof(Pair));
    cudaMemset(pairs, 0xff, 100 * sizeof(Pair));
    put<<<1, 100>>>(pairs);
}
)")
                                     .arguments.at(0));
    };
    EXPECT_EQ(words_after("unsigned"), "unsigned int: 4294967295");
    EXPECT_EQ(words_after("float"), "unsigned int: 4294967295");
    EXPECT_EQ(words_after("short"), "unsigned char: 255") << "with bytes that no member has";
    EXPECT_EQ(words_after("double"), "unsigned char: 255");
}

TEST(host_structures, a_structure_of_many_members_is_filled_in_nested_loops) {
    const HostLaunch launch = launch_with(R"(
struct Body { float3 place, speed; float mass; int cell; };
__global__ void step(Body* bodies) { }
int main() {
    Body* bodies;
    cudaMallocManaged(&bodies, 64 * 64 * sizeof(Body));
    for (int z = 0; z < 64; ++z)
        for (int x = 0; x < 64; ++x) {
            Body& body = bodies[z * 64 + x];
            body.place = make_float3(-10.0f + 20.0f * x / 64, 2.0f, -10.0f + 20.0f * z / 64);
            body.speed = make_float3(sinf(x * 0.1f), 0.0f, cosf(z * 0.1f));
            body.mass = 1.0f;
            body.cell = -1;
        }
    step<<<16, 256>>>(bodies);
}
)");
    const Contents& contents = launch.arguments.at(0).storage->contents;
    ASSERT_EQ(contents.kind, Contents::Kind::known);
    const auto at = [&](int body, int word) { return value_at(*contents.formula, body * 8 + word); };
    EXPECT_EQ(at(70, 7), -1);
    EXPECT_EQ(at(70, 6), 0x3f800000) << "the bits of 1";
    EXPECT_EQ(at(70, 0), static_cast<double>(std::bit_cast<std::int32_t>(-10.0f + 20.0f * 6 / 64)));
    EXPECT_EQ(at(70, 2), static_cast<double>(std::bit_cast<std::int32_t>(-10.0f + 20.0f * 1 / 64)));
}

TEST(host_structures, what_an_occupancy_query_gives_is_assumed) {
    const HostLaunch launch = launch_with(R"(
__global__ void fill(float* out, int n) { }
int main() {
    const int n = 100000;
    float* out;
    cudaMalloc(&out, n * sizeof(float));
    int block, least;
    cudaOccupancyMaxPotentialBlockSize(&least, &block, fill, 0, 0);
    fill<<<(n + block - 1) / block, block>>>(out, n);
}
)");
    EXPECT_TRUE(launch.block_assumed);
    EXPECT_TRUE(launch.grid_assumed);
    ASSERT_EQ(launch.arguments.size(), 2u);
    EXPECT_FALSE(launch.arguments[1].assumed);
}

TEST(host_structures, an_occupancy_query_of_a_compiled_kernel_is_answered_as_the_runtime_searches) {
    const std::string source = R"(
template <int K> __global__ void fill(float* out, int n) { }
int main() {
    const int n = 100000;
    float* out;
    cudaMalloc(&out, n * sizeof(float));
    int block, least, blocks;
    cudaOccupancyMaxPotentialBlockSize(&least, &block, fill<4>, 0, LIMIT);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill<4>, block, 1024);
    fill<4><<<least + blocks, block>>>(out, n);
}
)";
    using host_code::KernelOccupancy;
    // 65,536 registers, 40 of them a thread and 1,536 a warp, 2,048 threads and 32 blocks for each SM.
    const host_code::OccupancyQuery query = [](const HostLaunch& asked) -> std::optional<KernelOccupancy> {
        if (asked.expression() != "fill<4>") return std::nullopt;
        return KernelOccupancy{
            768, [](std::int64_t threads, std::int64_t bytes) {
                const std::int64_t warps = (threads + 31) / 32;
                return std::min<std::int64_t>({42 / warps, 32, 65536 / std::max<std::int64_t>(bytes, 1)});
            }};
    };
    const auto launch = [&](const std::string& limit) {
        return host_code::read_host_code({{"query.cu", source}}, {"LIMIT=" + limit}, query).launches.at(0);
    };
    // 672 threads: 21 warps twice fill all 42; 768, 736 and 704 leave some free.
    EXPECT_EQ(launch("0").block[0], 672);
    EXPECT_EQ(launch("0").grid[0], 2 * 132 + 2);
    EXPECT_FALSE(launch("0").block_assumed);
    EXPECT_FALSE(launch("0").grid_assumed);
    EXPECT_EQ(launch("100").block[0], 96) << "14 blocks of 3 warps fill all; 10 of 100 threads have fewer";
    EXPECT_EQ(launch("100").grid[0], 14 * 132 + 14);
}

}  // namespace
}  // namespace warplens::instrumentation
