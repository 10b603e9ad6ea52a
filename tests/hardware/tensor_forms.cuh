// The forms of mma.sync that tensor_probes.cu asks: each an operation on the registers of one lane.
#pragma once

#include <cstdint>

using U32 = std::uint32_t;

#define D4 "{%0,%1,%2,%3}"
#define OUT4(d) "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
#define IN4(x) "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])
#define IN2(x) "r"(x[0]), "r"(x[1])
#define MMA_442(NAME, FORM)                                                                                         \
    struct NAME {                                                                                                   \
        static constexpr int A = 4, B = 2, C = 4, D = 4;                                                            \
        __device__ void operator()(U32* d, const U32* a, const U32* b, const U32* c) const {                        \
            asm volatile("mma.sync.aligned." FORM " " D4 ",{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};" : OUT4(d)      \
                         : IN4(a), IN2(b), IN4(c));                                                                 \
        }                                                                                                           \
    };
#define MMA_214(NAME, FORM)                                                                                         \
    struct NAME {                                                                                                   \
        static constexpr int A = 2, B = 1, C = 4, D = 4;                                                            \
        __device__ void operator()(U32* d, const U32* a, const U32* b, const U32* c) const {                        \
            asm volatile("mma.sync.aligned." FORM " " D4 ",{%4,%5},{%6},{%7,%8,%9,%10};" : OUT4(d)                  \
                         : IN2(a), "r"(b[0]), IN4(c));                                                              \
        }                                                                                                           \
    };
MMA_442(F16K16, "m16n8k16.row.col.f32.f16.f16.f32")
MMA_214(F16K8, "m16n8k8.row.col.f32.f16.f16.f32")
MMA_442(Bf16K16, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_214(Bf16K8, "m16n8k8.row.col.f32.bf16.bf16.f32")
MMA_442(Tf32K8, "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_214(Tf32K4, "m16n8k4.row.col.f32.tf32.tf32.f32")
MMA_442(E4m3K32, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
MMA_442(E5m2K32, "m16n8k32.row.col.f32.e5m2.e5m2.f32")
MMA_442(S8K32, "m16n8k32.row.col.s32.s8.s8.s32")
MMA_442(S8K32Sat, "m16n8k32.row.col.satfinite.s32.s8.s8.s32")
struct F16K16F16 {
    static constexpr int A = 4, B = 2, C = 2, D = 2;
    __device__ void operator()(U32* d, const U32* a, const U32* b, const U32* c) const {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%8,%9};"
                     : "=r"(d[0]), "=r"(d[1]) : IN4(a), IN2(b), IN2(c));
    }
};

struct F64M8K4 {
    static constexpr int A = 1, B = 1, C = 2;
    __device__ void operator()(double* c, const double* a, const double* b) const {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                     : "+d"(c[0]), "+d"(c[1]) : "d"(a[0]), "d"(b[0]));
    }
};
#define F64_C "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
struct F64M16K4 {
    static constexpr int A = 2, B = 1, C = 4;
    __device__ void operator()(double* c, const double* a, const double* b) const {
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
                     : F64_C : "d"(a[0]), "d"(a[1]), "d"(b[0]));
    }
};
struct F64M16K8 {
    static constexpr int A = 4, B = 2, C = 4;
    __device__ void operator()(double* c, const double* a, const double* b) const {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                     : F64_C : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
    }
};
struct F64M16K16 {
    static constexpr int A = 8, B = 4, C = 4;
    __device__ void operator()(double* c, const double* a, const double* b) const {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
                     "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};"
                     : F64_C : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                       "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
    }
};
