// The host side of cuRAND: arrays of random numbers. The numbers have the distribution that is asked for,
// but they are those of the standard library's Mersenne twister and not cuRAND's own. On a GPU cuRAND would
// launch kernels for this. Those launches are not shown.
#pragma once

#include <cstddef>
#include <random>

#include "cuda_runtime.h"
#include "program/libraries.h"

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;

struct curandGenerator_st {
    std::mt19937 engine{};
};
typedef curandGenerator_st* curandGenerator_t;

/// Quasi-random sequences are left out.
inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    if (generator == nullptr || type >= CURAND_RNG_QUASI_DEFAULT) return CURAND_STATUS_TYPE_ERROR;
    *generator = new curandGenerator_st;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return curandCreateGenerator(generator, type);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t) {
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    std::seed_seq words{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
    generator->engine.seed(words);
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->engine.discard(offset);
    return CURAND_STATUS_SUCCESS;
}

namespace warplens_program {

/// Fills an array with what draw(engine) returns.
template <class Type, class Draw>
curandStatus_t generate(curandGenerator_t generator, Type* output, std::size_t count, Draw&& draw) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    const warplens_program::LibraryCall call("cuRAND");
    if (sticky_error != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
    for (std::size_t i = 0; i < count; ++i) output[i] = draw(generator->engine);
    Arena::instance().mark_filled(output);
    return CURAND_STATUS_SUCCESS;
}

/// From 0 without it up to 1 with it, as cuRAND gives them. A float has 24 random bits, a double 53.
template <class Type>
Type draw_uniform(std::mt19937& engine) {
    constexpr bool single = sizeof(Type) == 4;
    unsigned long long bits = engine() >> (single ? 8 : 0);
    if (!single) bits = (bits << 21) | (engine() >> 11);
    return static_cast<Type>(bits + 1) / static_cast<Type>(1ull << (single ? 24 : 53));
}

/// cuRAND makes normal numbers in pairs, so that their count is even.
template <class Type>
curandStatus_t generate_normal(curandGenerator_t generator, Type* output, std::size_t count, Type mean,
                               Type deviation) {
    if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    std::normal_distribution<Type> normal;
    return generate(generator, output, count,
                    [&](std::mt19937& engine) { return mean + deviation * normal(engine); });
}

}  // namespace warplens_program

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output, std::size_t count) {
    return warplens_program::generate(
        generator, output, count, [](std::mt19937& engine) { return static_cast<unsigned int>(engine()); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, std::size_t count) {
    return warplens_program::generate(generator, output, count, warplens_program::draw_uniform<float>);
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                                  std::size_t count) {
    return warplens_program::generate(generator, output, count, warplens_program::draw_uniform<double>);
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, std::size_t count,
                                           float mean, float deviation) {
    return warplens_program::generate_normal(generator, output, count, mean, deviation);
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output,
                                                 std::size_t count, double mean, double deviation) {
    return warplens_program::generate_normal(generator, output, count, mean, deviation);
}
