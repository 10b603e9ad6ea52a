// A part of cuFFT: plans of one to three dimensions with batches, and their transforms between real and
// complex numbers. The host computes them in double precision. On a GPU cuFFT would launch kernels for this.
// Those launches are not shown.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "program/fourier.h"
#include "program/libraries.h"

typedef enum {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_NOT_SUPPORTED = 16
} cufftResult;
typedef enum {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

namespace warplens_program {

/// How the elements of one side lie: `embed` are the extents of the array that holds a transform's elements.
struct FourierLayout {
    std::vector<int> embed;
    std::size_t step = 1, distance = 0;

    std::size_t place(std::size_t batch, std::size_t index, const std::vector<int>& extents) const {
        std::size_t at = 0, unit = 1;
        for (std::size_t d = extents.size(); d-- > 0;) {
            const auto extent = static_cast<std::size_t>(extents[d]);
            at += index % extent * unit;
            index /= extent;
            unit *= static_cast<std::size_t>(embed[d]);
        }
        return batch * distance + at * step;
    }
};

struct FourierPlan {
    std::vector<int> n;
    cufftType type = CUFFT_C2C;
    int batch = 1;
    bool own_layout = false;
    FourierLayout input, output;
};

inline std::map<cufftHandle, FourierPlan>& fourier_plans() {
    static auto& plans = *new std::map<cufftHandle, FourierPlan>;
    return plans;
}

/// Extents with the last one of the half of a real transform's result.
inline std::vector<int> half_of(std::vector<int> n) {
    n.back() = n.back() / 2 + 1;
    return n;
}

inline std::size_t count_of(const std::vector<int>& n) {
    std::size_t count = 1;
    for (const int one : n) count *= static_cast<std::size_t>(one);
    return count;
}

inline cufftResult make_plan(cufftHandle* handle, FourierPlan plan) {
    static cufftHandle last = 0;
    if (handle == nullptr) return CUFFT_INVALID_PLAN;
    for (const int one : plan.n)
        if (one < 1) return CUFFT_INVALID_SIZE;
    if (plan.batch < 1) return CUFFT_INVALID_SIZE;
    *handle = ++last;
    fourier_plans()[*handle] = plan;
    return CUFFT_SUCCESS;
}

inline bool is_to_complex(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
inline bool is_to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }

template <class Real>
Complex complex_of(const Real& value) {
    if constexpr (std::is_floating_point_v<Real>) return value;
    else return {value.x, value.y};
}
template <class Element>
Element element_of(const Complex& value) {
    if constexpr (std::is_floating_point_v<Element>) {
        return static_cast<Element>(value.real());
    } else {
        Element element;
        element.x = static_cast<decltype(element.x)>(value.real());
        element.y = static_cast<decltype(element.y)>(value.imag());
        return element;
    }
}

template <class Input, class Output>
cufftResult execute_plan(cufftHandle handle, cufftType type, const Input* input, Output* output, int sign) {
    const auto found = fourier_plans().find(handle);
    if (found == fourier_plans().end()) return CUFFT_INVALID_PLAN;
    const LibraryCall call("cuFFT");
    if (sticky_error != cudaSuccess) return CUFFT_EXEC_FAILED;
    FourierPlan plan = found->second;
    if (plan.type != type) return CUFFT_INVALID_TYPE;
    const std::vector<int> from = is_to_real(type) ? half_of(plan.n) : plan.n;
    const std::vector<int> to = is_to_complex(type) ? half_of(plan.n) : plan.n;
    if (!plan.own_layout) {
        plan.input.embed = from, plan.output.embed = to;
        const bool in_place = static_cast<const void*>(input) == static_cast<const void*>(output);
        const int padded = 2 * (plan.n.back() / 2 + 1);
        if (in_place && is_to_complex(type)) plan.input.embed.back() = padded;
        if (in_place && is_to_real(type)) plan.output.embed.back() = padded;
        plan.input.distance = count_of(plan.input.embed);
        plan.output.distance = count_of(plan.output.embed);
    }
    std::vector<std::vector<Complex>> all;
    for (int batch = 0; batch < plan.batch; ++batch) {
        std::vector<Complex> values(count_of(plan.n));
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::size_t source = i, mirrored = 0, half_unit = 1;
            bool conjugate = false;
            if (is_to_real(type)) {  // the other half of the input is its mirror image
                const auto last = static_cast<std::size_t>(plan.n.back());
                conjugate = i % last > last / 2;
                std::size_t rest = i;
                for (std::size_t d = plan.n.size(); d-- > 0;) {
                    const auto extent = static_cast<std::size_t>(plan.n[d]);
                    const std::size_t at = rest % extent;
                    mirrored += (conjugate ? (extent - at) % extent : at) * half_unit;
                    rest /= extent;
                    half_unit *= static_cast<std::size_t>(from[d]);
                }
                source = mirrored;
            }
            const Complex value =
                complex_of(input[plan.input.place(static_cast<std::size_t>(batch), source, from)]);
            values[i] = conjugate ? std::conj(value) : value;
        }
        transform(values, plan.n, sign);
        all.push_back(std::move(values));
    }
    const auto width = static_cast<std::size_t>(plan.n.back()), kept = static_cast<std::size_t>(to.back());
    for (int batch = 0; batch < plan.batch; ++batch)
        for (std::size_t i = 0; i < count_of(to); ++i)
            output[plan.output.place(static_cast<std::size_t>(batch), i, to)] =
                element_of<Output>(all[static_cast<std::size_t>(batch)][i / kept * width + i % kept]);
    Arena::instance().mark_filled(output);
    return CUFFT_SUCCESS;
}

}  // namespace warplens_program

inline cufftResult cufftPlan1d(cufftHandle* plan, int n, cufftType type, int batch) {
    return warplens_program::make_plan(plan, {{n}, type, batch, false, {}, {}});
}
inline cufftResult cufftPlan2d(cufftHandle* plan, int rows, int columns, cufftType type) {
    return warplens_program::make_plan(plan, {{rows, columns}, type, 1, false, {}, {}});
}
inline cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
    return warplens_program::make_plan(plan, {{nx, ny, nz}, type, 1, false, {}, {}});
}
inline cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* input_embed, int input_step,
                                 int input_distance, int* output_embed, int output_step, int output_distance,
                                 cufftType type, int batch) {
    if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_VALUE;
    warplens_program::FourierPlan made{{n, n + rank}, type, batch, false, {}, {}};
    if (input_embed != nullptr && output_embed != nullptr) {
        made.own_layout = true;
        made.input = {
            {input_embed, input_embed + rank}, std::size_t(input_step), std::size_t(input_distance)};
        made.output = {
            {output_embed, output_embed + rank}, std::size_t(output_step), std::size_t(output_distance)};
    }
    return warplens_program::make_plan(plan, made);
}
inline cufftResult cufftDestroy(cufftHandle plan) {
    return warplens_program::fourier_plans().erase(plan) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t) {
    return warplens_program::fourier_plans().count(plan) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* from, cufftComplex* to, int direction) {
    return warplens_program::execute_plan(plan, CUFFT_C2C, from, to, direction);
}
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleComplex* to,
                                int direction) {
    return warplens_program::execute_plan(plan, CUFFT_Z2Z, from, to, direction);
}
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal* from, cufftComplex* to) {
    return warplens_program::execute_plan(plan, CUFFT_R2C, from, to, CUFFT_FORWARD);
}
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* from, cufftDoubleComplex* to) {
    return warplens_program::execute_plan(plan, CUFFT_D2Z, from, to, CUFFT_FORWARD);
}
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* from, cufftReal* to) {
    return warplens_program::execute_plan(plan, CUFFT_C2R, from, to, CUFFT_INVERSE);
}
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleReal* to) {
    return warplens_program::execute_plan(plan, CUFFT_Z2D, from, to, CUFFT_INVERSE);
}
