// The states of CUDA's random numbers in kernels, with the sizes that host code allocates.
#pragma once

#include "cuda_runtime.h"

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
static_assert(sizeof(curandStateXORWOW) == 48, "as in device code");
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
static_assert(sizeof(curandStatePhilox4_32_10) == 64, "as in device code");
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateMRG32k3a {
    unsigned int s1[3];
    unsigned int s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
static_assert(sizeof(curandStateMRG32k3a) == 48, "as in device code");
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

// Only kernels draw numbers. A host that does ends with a message.
#define WARPLENS_DRAW(type, name)                  \
    template <class State>                         \
    type name(State*) {                            \
        warplens_program::only_on_a_device(#name); \
    }
WARPLENS_DRAW(unsigned int, curand)
WARPLENS_DRAW(uint4, curand4)
WARPLENS_DRAW(float, curand_uniform)
WARPLENS_DRAW(float4, curand_uniform4)
WARPLENS_DRAW(double, curand_uniform_double)
WARPLENS_DRAW(double2, curand_uniform2_double)
WARPLENS_DRAW(float, curand_normal)
WARPLENS_DRAW(float2, curand_normal2)
WARPLENS_DRAW(float4, curand_normal4)
WARPLENS_DRAW(double, curand_normal_double)
#undef WARPLENS_DRAW
template <class State>
void curand_init(unsigned long long, unsigned long long, unsigned long long, State*) {
    warplens_program::only_on_a_device("curand_init");
}
