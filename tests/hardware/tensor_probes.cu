// Tensor cores, as a GPU has them. `layouts`: which element each register of a wmma fragment holds, by loading
// matrices of row and of column numbers. `numerics`: results of mma.sync for drawn inputs, as bits. `timing`:
// latency and issue interval of mma.sync and ldmatrix. nvcc -O3 -arch=sm_90a -std=c++17; prints CSV.
#include <cstdint>
#include <cstring>
#include <mma.h>
#include <string>

#include "probe_support.cuh"
#include "tensor_forms.cuh"

namespace w = nvcuda::wmma;

// ---- layouts ---------------------------------------------------------------------------------------------
// A fragment is described by what each bit of lane and element number adds: "r2" row 4, "c0" column 1, "-" nothing.

template <class Fragment, class Element>
__global__ void read_ab(const Element* matrix, unsigned leading, U32* out) {
    Fragment f;
    w::load_matrix_sync(f, matrix, leading);
    for (int i = 0; i < f.num_storage_elements; i++) {
        U64 bits = 0;
        memcpy(&bits, &f.x[i], sizeof f.x[i]);
        out[threadIdx.x * f.num_storage_elements + i] = static_cast<U32>(bits);
    }
}
template <class Fragment, class Element>
__global__ void read_c(const Element* matrix, unsigned leading, w::layout_t layout, U32* out) {
    Fragment f;
    w::load_matrix_sync(f, matrix, leading, layout);
    for (int i = 0; i < f.num_storage_elements; i++) {
        U64 bits = 0;
        memcpy(&bits, &f.x[i], sizeof f.x[i]);
        out[threadIdx.x * f.num_storage_elements + i] = static_cast<U32>(bits);
    }
}

/// Rows and columns by lane and element -> the bits' table, or "irregular".
std::string table_of(const std::vector<U32>& rows, const std::vector<U32>& columns, int elements) {
    auto both = [&](int lane, int e) { return rows[lane * elements + e] << 8 | columns[lane * elements + e]; };
    const U32 base = both(0, 0);
    std::vector<U32> lane_bits, element_bits;
    for (int b = 1; b < 32; b *= 2) lane_bits.push_back(both(b, 0) ^ base);
    for (int b = 1; b < elements; b *= 2) element_bits.push_back(both(0, b) ^ base);
    for (int lane = 0; lane < 32; lane++)
        for (int e = 0; e < elements; e++) {
            U32 expected = base;
            for (int b = 0; b < 5; b++)
                if (lane >> b & 1) expected ^= lane_bits[b];
            for (std::size_t b = 0; b < element_bits.size(); b++)
                if (e >> b & 1) expected ^= element_bits[b];
            if (expected != both(lane, e)) return "irregular";
        }
    auto word = [](U32 bit) {
        if (bit == 0) return std::string("-");
        const bool row = bit >= 256;
        return (row ? "r" : "c") + std::to_string(__builtin_ctz(row ? bit >> 8 : bit));
    };
    std::string text = base == 0 ? "lane" : "irregular base; lane";
    for (U32 bit : lane_bits) text += " " + word(bit);
    text += " element";
    for (U32 bit : element_bits) text += " " + word(bit);
    return text;
}

template <class Fragment, class Element, class Read>
void layout_row(const char* shape, const char* type, const char* use, const char* order, int rows, int columns,
                bool row_major, Read read) {
    const int elements = Fragment::num_storage_elements;
    std::vector<U32> seen[2];
    for (int pass = 0; pass < 2; pass++) {
        std::vector<Element> host(rows * columns);
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) {
                const U64 bits = pass == 0 ? r : c;
                memcpy(&host[row_major ? r * columns + c : c * rows + r], &bits, sizeof(Element));
            }
        Element* matrix;
        U32* out;
        CK(cudaMalloc(&matrix, host.size() * sizeof(Element)));
        CK(cudaMalloc(&out, 32 * elements * 4));
        CK(cudaMemcpy(matrix, host.data(), host.size() * sizeof(Element), cudaMemcpyHostToDevice));
        read(matrix, row_major ? columns : rows, out);
        CK(cudaGetLastError());
        seen[pass].resize(32 * elements);
        CK(cudaMemcpy(seen[pass].data(), out, seen[pass].size() * 4, cudaMemcpyDeviceToHost));
        CK(cudaFree(matrix));
        CK(cudaFree(out));
    }
    std::printf("%s,%s,%s,%s,%d,%s\n", shape, type, use, order, elements, table_of(seen[0], seen[1], elements).c_str());
}

template <class Use, class Order, int M, int N, int K, class T, class Element>
void ab_row(const char* shape, const char* type) {
    using Fragment = w::fragment<Use, M, N, K, T, Order>;
    const bool is_a = std::is_same_v<Use, w::matrix_a>, row_major = std::is_same_v<Order, w::row_major>;
    layout_row<Fragment, Element>(shape, type, is_a ? "a" : "b", row_major ? "row" : "col", is_a ? M : K, is_a ? K : N,
                                  row_major, [](Element* m, unsigned l, U32* out) { read_ab<Fragment><<<1, 32>>>(m, l, out); });
}
template <int M, int N, int K, class T, class Element>
void ab_rows(const char* shape, const char* type) {
    ab_row<w::matrix_a, w::row_major, M, N, K, T, Element>(shape, type);
    ab_row<w::matrix_a, w::col_major, M, N, K, T, Element>(shape, type);
    ab_row<w::matrix_b, w::row_major, M, N, K, T, Element>(shape, type);
    ab_row<w::matrix_b, w::col_major, M, N, K, T, Element>(shape, type);
}
template <int M, int N, int K, class T>
void c_rows(const char* shape, const char* type) {
    using Fragment = w::fragment<w::accumulator, M, N, K, T>;
    for (bool row_major : {true, false})
        layout_row<Fragment, T>(shape, type, "c", row_major ? "row" : "col", M, N, row_major, [=](T* m, unsigned l, U32* out) {
            read_c<Fragment><<<1, 32>>>(m, l, row_major ? w::mem_row_major : w::mem_col_major, out);
        });
}
template <int M, int N, int K>
void sixteen_rows(const char* shape) {
    ab_rows<M, N, K, half, half>(shape, "f16");
    ab_rows<M, N, K, __nv_bfloat16, __nv_bfloat16>(shape, "bf16");
    ab_rows<M, N, K, unsigned char, unsigned char>(shape, "u8");
    ab_rows<M, N, K, signed char, signed char>(shape, "s8");
    c_rows<M, N, K, half>(shape, "f16");
    c_rows<M, N, K, float>(shape, "f32");
    c_rows<M, N, K, int>(shape, "s32");
}
void layouts() {
    std::printf("shape,type,operand,memory,elements,bits\n");
    sixteen_rows<16, 16, 16>("m16n16k16");
    sixteen_rows<8, 32, 16>("m8n32k16");
    sixteen_rows<32, 8, 16>("m32n8k16");
    ab_rows<16, 16, 8, w::precision::tf32, float>("m16n16k8", "tf32");
    c_rows<16, 16, 8, float>("m16n16k8", "f32");
    ab_rows<8, 8, 4, double, double>("m8n8k4", "f64");
    c_rows<8, 8, 4, double>("m8n8k4", "f64");
}

// ---- numerics --------------------------------------------------------------------------------------------

/// The same drawing as in tests/simt: word i of case s.
U32 drawn(U32 s, U32 i) {
    U64 x = (static_cast<U64>(s) << 32 | i) + 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return static_cast<U32>((x ^ x >> 31) >> 16);
}
/// A floating-point number of so many exponent and fraction bits: its exponent lies within `spread` of the bias; from
/// spread 900 on it is often the largest or smallest one, with 901 without infinities and NaN.
U32 number(U32 random, int exponent_bits, int fraction_bits, U32 spread) {
    const U32 bias = (1u << (exponent_bits - 1)) - 1;
    if (spread >= 900) {
        const U32 largest = 2 * bias + 1;
        const U32 exponents[8] = {0, 0, 1, bias, bias, bias + 1, largest - 1, spread == 900 ? largest : largest - 2};
        const U32 fraction = (random >> 20 & 7) == 0 ? 0 : random >> 1 & ((1u << fraction_bits) - 1);
        return (random & 1) << (exponent_bits + fraction_bits) | exponents[random >> 24 & 7] << fraction_bits | fraction;
    }
    const U32 exponent = bias - spread / 2 + (random >> 24) % (spread + 1);
    return (random & 1) << (exponent_bits + fraction_bits) | exponent << fraction_bits | (random >> 1 & ((1u << fraction_bits) - 1));
}

template <int A, int B, int C, int D, class Op>
__global__ void apply(const U32* a, const U32* b, const U32* c, U32* d, Op op) {
    const int thread = blockIdx.x * 32 + threadIdx.x;
    U32 ra[A], rb[B], rc[C], rd[D];
    for (int i = 0; i < A; i++) ra[i] = a[thread * A + i];
    for (int i = 0; i < B; i++) rb[i] = b[thread * B + i];
    for (int i = 0; i < C; i++) rc[i] = c[thread * C + i];
    op(rd, ra, rb, rc);
    for (int i = 0; i < D; i++) d[thread * D + i] = rd[i];
}

template <int A, int B, int C, class Op>
__global__ void apply_f64(const double* a, const double* b, const double* c, double* d, Op op) {
    double ra[A], rb[B], rc[C];
    for (int i = 0; i < A; i++) ra[i] = a[threadIdx.x * A + i];
    for (int i = 0; i < B; i++) rb[i] = b[threadIdx.x * B + i];
    for (int i = 0; i < C; i++) rc[i] = c[threadIdx.x * C + i];
    op(rc, ra, rb);
    for (int i = 0; i < C; i++) d[threadIdx.x * C + i] = rc[i];
}
enum class Draw { f16, bf16, tf32, e4m3, e5m2, bits };
/// Words of packed elements.
std::vector<U32> inputs(Draw draw, U32 seed, int words, U32 spread) {
    std::vector<U32> v(words);
    for (int i = 0; i < words; i++) {
        auto two = [&](int e, int f) {
            return number(drawn(seed, 2 * i), e, f, spread) | number(drawn(seed, 2 * i + 1), e, f, spread) << 16;
        };
        auto four = [&](int e, int f) {
            U32 word = 0;
            for (int k = 0; k < 4; k++) word |= number(drawn(seed, 4 * i + k), e, f, spread) << 8 * k;
            return word;
        };
        v[i] = draw == Draw::f16    ? two(5, 10)
               : draw == Draw::bf16 ? two(8, 7)
               : draw == Draw::tf32 ? number(drawn(seed, i), 8, 23, spread)
               : draw == Draw::e4m3 ? four(4, 3)
               : draw == Draw::e5m2 ? four(5, 2)
                                    : drawn(seed, i) << 16 | (drawn(seed + 77, i) & 0xffff);
    }
    return v;
}

template <class Op>
void numeric(const char* name, Draw ab, Draw c, const std::vector<U32>& spreads, int cases) {
    for (U32 spread : spreads)
        for (int k = 0; k < cases; k++) {
            const U32 seed = spread * 1000 + k * 3;
            auto a = inputs(ab, seed, 32 * Op::A, spread), b = inputs(ab, seed + 1, 32 * Op::B, spread);
            auto cc = inputs(c, seed + 2, 32 * Op::C, spread >= 900 ? spread : 2 * spread);
            U32 *da, *db, *dc, *dd;
            auto put = [](U32*& p, const std::vector<U32>& v) {
                CK(cudaMalloc(&p, v.size() * 4));
                CK(cudaMemcpy(p, v.data(), v.size() * 4, cudaMemcpyHostToDevice));
            };
            put(da, a), put(db, b), put(dc, cc);
            CK(cudaMalloc(&dd, 32 * Op::D * 4));
            apply<Op::A, Op::B, Op::C, Op::D><<<1, 32>>>(da, db, dc, dd, Op{});
            std::vector<U32> d(32 * Op::D);
            CK(cudaMemcpy(d.data(), dd, d.size() * 4, cudaMemcpyDeviceToHost));
            std::printf("%s,%u,%u", name, spread, seed);
            for (const U32& word : d) std::printf("%c%08x", &word == d.data() ? ',' : ' ', word);
            std::printf("\n");
            for (U32* p : {da, db, dc, dd}) CK(cudaFree(p));
        }
}
/// Numbers of 53 bits and an exponent within 2^-10 … 2^10.
template <class Op>
void numeric_f64(const char* name, int cases) {
    for (int k = 0; k < cases; k++) {
        auto put = [&](int count, U32 seed) {
            std::vector<double> v(count);
            for (int i = 0; i < count; i++) {
                const U64 bits = static_cast<U64>(drawn(seed, 2 * i)) << 32 | drawn(seed, 2 * i + 1);
                const U64 exponent = 1023 - 10 + (bits >> 52) % 21;
                const U64 word = (bits & 0x800fffffffffffffull) | exponent << 52;
                memcpy(&v[i], &word, 8);
            }
            double* p;
            CK(cudaMalloc(&p, count * 8));
            CK(cudaMemcpy(p, v.data(), count * 8, cudaMemcpyHostToDevice));
            return p;
        };
        const U32 seed = 64000 + k * 3;
        double *a = put(32 * Op::A, seed), *b = put(32 * Op::B, seed + 1), *c = put(32 * Op::C, seed + 2);
        apply_f64<Op::A, Op::B, Op::C><<<1, 32>>>(a, b, c, c, Op{});
        std::vector<U64> d(32 * Op::C);
        CK(cudaMemcpy(d.data(), c, d.size() * 8, cudaMemcpyDeviceToHost));
        std::printf("%s,0,%u", name, seed);
        for (const U64& word : d) std::printf("%c%016llx", &word == d.data() ? ',' : ' ', word);
        std::printf("\n");
        for (double* p : {a, b, c}) CK(cudaFree(p));
    }
}
void numerics(int cases) {
    std::printf("form,spread,seed,words of d\n");
    numeric<F16K16>("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", Draw::f16, Draw::tf32, {0, 4, 10, 16, 26, 900, 901}, cases);
    numeric<F16K8>("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", Draw::f16, Draw::tf32, {4, 16}, cases);
    numeric<F16K16F16>("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", Draw::f16, Draw::f16, {0, 4, 8, 12, 900, 901}, cases);
    numeric<Bf16K16>("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", Draw::bf16, Draw::tf32, {0, 4, 16, 40, 900, 901}, cases);
    numeric<Bf16K8>("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", Draw::bf16, Draw::tf32, {4, 16}, cases);
    numeric<Tf32K8>("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", Draw::tf32, Draw::tf32, {0, 4, 16, 40, 900, 901}, cases);
    numeric<Tf32K4>("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", Draw::tf32, Draw::tf32, {4, 16}, cases);
    numeric<E4m3K32>("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", Draw::e4m3, Draw::tf32, {0, 4, 6, 900, 901}, cases);
    numeric<E5m2K32>("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", Draw::e5m2, Draw::tf32, {0, 4, 12, 900, 901}, cases);
    numeric<S8K32>("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", Draw::bits, Draw::bits, {0}, cases);
    numeric_f64<F64M8K4>("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", cases);
    numeric_f64<F64M16K4>("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", cases);
    numeric_f64<F64M16K8>("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", cases);
    numeric_f64<F64M16K16>("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", cases);
    numeric<S8K32Sat>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", Draw::bits, Draw::bits, {0}, cases);
}

// ---- timing ----------------------------------------------------------------------------------------------

template <class Op, int ILP>
__global__ void chain(Span* spans, U32* sink) {
    U32 a[Op::A], b[Op::B], c[ILP][Op::D];
    for (U32& x : a) x = threadIdx.x;
    for (U32& x : b) x = threadIdx.x;
    for (auto& row : c)
        for (U32& x : row) x = 0;
    long long t0 = 0, t1 = 0;
    for (int r = 0; r < 3; r++) {
        __syncthreads();
        t0 = now();
#pragma unroll
        for (int i = 0; i < 32; i++) {
#pragma unroll
            for (int k = 0; k < ILP; k++) Op{}(c[k], a, b, c[k]);
        }
        t1 = now();
    }
    U32 sum = 0;
    for (auto& row : c)
        for (U32 x : row) sum += x;
    sink[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0) spans[threadIdx.x / 32] = {t0, t1};
}
template <class Op>
void time_row(const char* name, Spans& spans, U32* sink) {
    const double one = repeat([&] { chain<Op, 1><<<1, 32>>>(spans.device(), sink); }, [&] { return extent(spans.read(1)); });
    const double many = repeat([&] { chain<Op, 8><<<1, 512>>>(spans.device(), sink); }, [&] { return extent(spans.read(16)); });
    const double alone = repeat([&] { chain<Op, 8><<<1, 32>>>(spans.device(), sink); }, [&] { return extent(spans.read(1)); });
    row("latency", name, one / 32, "cycles");
    row("one_warp_interval", name, alone / 256, "cycles");
    row("scheduler_interval warps=16", name, many / 1024, "cycles");
}
template <int X, int Stride>
__global__ void matrices(Span* spans, U32* sink, int rounds) {
    __shared__ __align__(128) unsigned char tile[33 * 1024];
    for (int i = threadIdx.x; i < 33 * 1024 / 4; i += blockDim.x) reinterpret_cast<U32*>(tile)[i] = 0;
    const U32 base = static_cast<U32>(__cvta_generic_to_shared(tile));
    U32 at = base + threadIdx.x % 32 * Stride;
    __syncthreads();
    const long long t0 = now();
    U32 sum = 0;
    for (int r = 0; r < rounds; r++) {
        U32 v[4] = {};
        if (X == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0},[%1];" : "=r"(v[0]) : "r"(at));
        if (X == 2) asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(at));
        if (X == 4) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : OUT4(v) : "r"(at));
        at += v[0] + v[1] + v[2] + v[3];
        sum += at;
    }
    const long long t1 = now();
    sink[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0) spans[threadIdx.x / 32] = {t0, t1};
}
template <int X, int Stride>
void matrix_row(const char* name, Spans& spans, U32* sink) {
    for (int warps : {1, 32})
        row(warps == 1 ? "round" : "round warps=32", name, repeat([&] { matrices<X, Stride><<<1, warps * 32>>>(spans.device(), sink, 64); },
                                                                   [&] { return extent(spans.read(warps)) / 64; }), "cycles");
}
void timing() {
    Spans spans(64);
    U32* sink;
    CK(cudaMalloc(&sink, 4096));
    std::printf("what,parameters,value,unit\n");
    time_row<F16K16>("m16n8k16.f32.f16", spans, sink);
    time_row<F16K8>("m16n8k8.f32.f16", spans, sink);
    time_row<F16K16F16>("m16n8k16.f16.f16", spans, sink);
    time_row<Bf16K16>("m16n8k16.f32.bf16", spans, sink);
    time_row<Tf32K8>("m16n8k8.f32.tf32", spans, sink);
    time_row<Tf32K4>("m16n8k4.f32.tf32", spans, sink);
    time_row<E4m3K32>("m16n8k32.f32.e4m3", spans, sink);
    time_row<S8K32>("m16n8k32.s32.s8", spans, sink);
    matrix_row<1, 16>("ldmatrix.x1 stride=16", spans, sink);
    matrix_row<2, 16>("ldmatrix.x2 stride=16", spans, sink);
    matrix_row<4, 16>("ldmatrix.x4 stride=16", spans, sink);
    matrix_row<4, 64>("ldmatrix.x4 stride=64", spans, sink);
    matrix_row<4, 128>("ldmatrix.x4 stride=128", spans, sink);
    matrix_row<4, 144>("ldmatrix.x4 stride=144", spans, sink);
    matrix_row<4, 1024>("ldmatrix.x4 stride=1024", spans, sink);
}

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "layouts") layouts();
    if (mode == "numerics") numerics(argc > 2 ? std::atoi(argv[2]) : 4);
    if (mode == "timing") timing();
}
