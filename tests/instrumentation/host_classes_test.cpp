// Host code with classes: launches in member functions, templates of classes, structures in structures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {
namespace {

using host_code::HostArgument;
using host_code::HostLaunch;

std::vector<HostLaunch> launches_in(const std::string& source) {
    return host_code::read_host_code({{"classes.cu", source}}, {}).launches;
}

TEST(host_classes, a_kernel_of_an_alias_in_a_class_template_is_named_in_full) {
    const auto launches = launches_in(R"(
namespace mini {
template <int M> struct Tile { static constexpr int rows = M; };
template <typename T> struct Scale { struct Params { T alpha; Params(T a = T(1)) : alpha(a) {} }; };
template <typename S, typename T, typename E = Scale<T>> struct Gemm {
    struct Params { int m; T* out; typename E::Params epilogue; };
    struct Shared { T rows[2][S::rows]; };
    static constexpr int threads = S::rows * 2;
};
template <typename Op> __global__ void run(typename Op::Params p) { }
template <typename T, typename S = Tile<64>, typename E = Scale<T>> class Device {
    using Op = Gemm<S, T, E>;
    typename Op::Params params_;
  public:
    struct Arguments { int m; T* out; typename E::Params epilogue; };
    int initialize(Arguments const& a) { params_ = typename Op::Params{a.m, a.out, a.epilogue}; return 0; }
    int operator()(Arguments const& a) {
        initialize(a);
        mini::run<Op><<<a.m / S::rows, Op::threads, sizeof(typename Op::Shared)>>>(params_);
        return 0;
    }
};
}
int main() {
    float* out;
    cudaMalloc(&out, 1024 * sizeof(float));
    mini::Device<float> gemm;
    mini::Device<float>::Arguments arguments{256, out, {2.5f}};
    gemm(arguments);
}
)");
    ASSERT_EQ(launches.size(), 1u);
    const HostLaunch& launch = launches[0];
    EXPECT_EQ(launch.expression(), "mini::run<mini::Gemm<mini::Tile<64>,float,mini::Scale<float>>>");
    EXPECT_EQ(launch.grid[0], 4);
    EXPECT_EQ(launch.block[0], 128);
    EXPECT_EQ(launch.dynamic_shared_bytes, 512);
    ASSERT_EQ(launch.arguments.size(), 1u);
    const std::vector<HostArgument>& members = launch.arguments[0].members;
    ASSERT_EQ(members.size(), 3u);
    EXPECT_EQ(members[1].bytes, 4096);
    ASSERT_EQ(members[2].members.size(), 1u);
    EXPECT_EQ(members[2].members[0].real, 2.5);
    EXPECT_EQ(members[2].place, 16);
}

TEST(host_classes, a_launch_in_a_member_function_has_what_the_constructor_made) {
    const std::string source = R"(
__global__ void step(float* out, const float* in, int n, float dt) { }
template <typename T> class Buffer {
  public:
    explicit Buffer(size_t n) : n_(n) { cudaMalloc(&p_, n * sizeof(T)); }
    T* get() { return p_; }
  private:
    T* p_ = nullptr;
    size_t n_;
};
struct Config { int nx = 64; int ny = 32; float dt = 0.5f; };
class Fluid {
  public:
    explicit Fluid(const Config& c) : config_(c), now_(cells()), next_{cells()} {}
    void run() { step<<<(cells() + 63) / 64, 64>>>(next_.get(), this->now_.get(), cells(), config_.dt); }
  private:
    int cells() const { return config_.nx * config_.ny; }
    Config config_;
    Buffer<float> now_, next_;
};
)";
    const auto expect_launch = [&](const std::string& main, std::int64_t cells) {
        const auto launches = launches_in(source + "int main() { Config c; c.nx = 96; " + main + " }");
        ASSERT_EQ(launches.size(), 1u) << main;
        EXPECT_EQ(launches[0].grid[0], cells / 64) << main;
        EXPECT_EQ(launches[0].arguments[0].bytes, cells * 4) << main;
        EXPECT_EQ(launches[0].arguments[2].integer, cells) << main;
        EXPECT_EQ(launches[0].arguments[3].real, 0.5) << main;
        EXPECT_NE(launches[0].arguments[0].storage, launches[0].arguments[1].storage) << main;
    };
    expect_launch("Fluid f(c); f.run();", 96 * 32);
    expect_launch("auto f = std::make_unique<Fluid>(c); f->run();", 96 * 32);
    expect_launch("Fluid* f = new Fluid(c); f->run();", 96 * 32);
    const auto alone = launches_in(source);
    ASSERT_EQ(alone.size(), 1u) << "nothing in the file calls run()";
    EXPECT_EQ(alone[0].block[0], 64);
}

TEST(host_classes, an_operator_of_the_files_own_fills_what_it_returns) {
    const auto launches = launches_in(R"(
__global__ void k(double* a) { }
struct managed_array {
    double* data;
    managed_array(size_t n, double value) { cudaMallocManaged(&data, n * 8); std::fill(data, data + n, value); }
    double& operator[](size_t i) { return data[i]; }
};
int main() { managed_array x(100, 0.25); for (int i = 0; i < 100; i++) x[i] = i * 2.0; k<<<1, 100>>>(x.data); }
)");
    ASSERT_EQ(launches.size(), 1u);
    ASSERT_TRUE(launches[0].arguments[0].storage);
    const host_code::Contents& held = launches[0].arguments[0].storage->contents;
    ASSERT_EQ(held.kind, host_code::Contents::Kind::known);
    EXPECT_EQ(text_of(held.formula, host_code::NumberType::f64), "i * 2");
}

TEST(host_classes, template_arguments_may_be_enumerators_and_defaults) {
    const auto launches = launches_in(R"(
namespace ops {
enum class Op { add, mul };
template <typename T> struct plus { };
template <Op OP, int N> __global__ void k(int n) { }
template <typename T, typename F> __global__ void fold(const T* in, T init, F f) { }
}
template <typename T, typename F = ops::plus<T>> void fold(const T* in, T init = T{}, F f = F{}) {
    ops::fold<T, F><<<1, 32>>>(in, init, f);
}
int main() { ops::k<ops::Op::mul, 3><<<2, 64>>>(5); int* in; cudaMalloc(&in, 128); fold(in); }
)");
    ASSERT_EQ(launches.size(), 2u);
    EXPECT_EQ(launches[0].expression(), "ops::k<(::ops::Op)1, 3>");
    EXPECT_EQ(launches[1].expression(), "ops::fold<int, ops::plus<int>>");
    EXPECT_EQ(launches[1].arguments[1].kind, HostArgument::Kind::integer);
    EXPECT_EQ(launches[1].arguments[1].integer, 0);
}

TEST(host_classes, a_dispatch_over_types_runs_its_lambda_with_float) {
    const auto launches = launches_in(R"(
template <typename T> __global__ void scale(T* a, int n) { }
void forward(torch::Tensor a) {
    AT_DISPATCH_FLOATING_TYPES(a.scalar_type(), "scale", ([&] {
        scale<scalar_t><<<4, 256>>>(a.data_ptr<scalar_t>(), 1024);
    }));
}
)");
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(launches[0].expression(), "scale<float>");
    EXPECT_EQ(launches[0].grid[0], 4);
}

TEST(host_classes, classes_that_name_each_other_come_to_an_end) {
    EXPECT_FALSE(launches_in(R"(
struct A { using B = A::B; using C = B; using B = C; static constexpr int n = A::n + n; int x[A::n]; A a; B b; };
template <typename T = A, typename U = X<T, U>> struct X { using Y = X<X<T>>; using Z = Y::Z; X<X<T>> m; Y y; };
struct L { M m; }; struct M { L l; L q[3] = {{}}; M(M m = M()) : l(l) {} };
template <typename F> __global__ void k(F f) { }
int main() { A a; X<> x; X<A> y{}; L l; M m; k<<<A::n, sizeof(X<>)>>>(x); k<<<sizeof(M), 1>>>(m); k<<<1, 1>>>(l); }
)")
                     .empty());
}

std::string structure_of(const std::string& types, const std::string& main, std::uint32_t bytes) {
    KernelFile kernel;
    kernel.name = "k";
    kernel.source = types + "\n__global__ void k(S s) { }\nint main() { " + main + " }\n";
    const EntryFacts entry{"_Z1k1S", "k", {{"p0", "b8", bytes, 0}}, 0};
    return guess_launch(entry, kernel, host_code_of(kernel)).arguments.at(0).value;
}

TEST(host_classes, structures_in_structures_are_written_out_member_by_member) {
    const std::string vec3 =
        "struct vec3 { float x, y, z; vec3(float a, float b, float c) : x(a), y(b), z(c) {} };";
    EXPECT_EQ(structure_of(vec3 + "struct S { vec3 at, up; int n; };",
                           "S s{vec3(1, 2, 3), vec3(0.5f, 0, -1), 7}; k<<<1, 1>>>(s);", 28),
              "struct:{f32=1, f32=2, f32=3, f32=0.5, f32=0, f32=-1, i32=7}");
    EXPECT_EQ(structure_of(vec3 + "struct S { vec3 at; };", "k<<<1, 1>>>(S{vec3(1, 2, 3)});", 12),
              "struct:{f32=1, f32=2, f32=3}");
    EXPECT_EQ(structure_of("struct S { float3 at; float r; };",
                           "S s = {make_float3(1, 2, 3), 4}; k<<<1, 1>>>(s);", 16),
              "struct:{f32=1, f32=2, f32=3, f32=4}");
    EXPECT_EQ(structure_of("struct E { int a; short b; }; struct S { E of[2]; char last; };",
                           "S s = {{{1, 2}, {3, 4}}, 5}; k<<<1, 1>>>(s);", 20),
              "struct:{i32=1, i16=2, i32=3, i16=4, u8[2]=0, i8=5}")
        << "a structure in it ends with padding";
    EXPECT_EQ(structure_of("struct S { static constexpr int width = 8; double d[2]; };",
                           "S s{{1.5, 2}}; k<<<1, 1>>>(s);", 16),
              "struct:{f64=1.5, f64=2}");
    EXPECT_EQ(structure_of("struct S { int a; };", "S s{1}; k<<<1, 1>>>(s);", 8), "struct:{u32[2]=0}")
        << "of another size than the kernel's: something of it was not understood";
}

}  // namespace
}  // namespace warplens::instrumentation
