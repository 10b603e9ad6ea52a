// cudaChannelFormatDesc: the type of the elements of a CUDA array.
#pragma once

#include <type_traits>

#include "../vector_types.h"

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
    int x, y, z, w;  // bits of each channel
    cudaChannelFormatKind f;
};

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
/// The channels of a number or of a vector type.
template <class Type>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    const auto of_element = [](auto element, int count) {
        using Element = decltype(element);
        const int bits = static_cast<int>(8 * sizeof(Element));
        const auto kind = std::is_floating_point_v<Element> ? cudaChannelFormatKindFloat
                          : std::is_signed_v<Element>       ? cudaChannelFormatKindSigned
                                                            : cudaChannelFormatKindUnsigned;
        return cudaChannelFormatDesc{bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
                                     kind};
    };
    if constexpr (warplens_program::vector_length < Type >> 0)
        return of_element(Type{}.x, warplens_program::vector_length<Type>);
    else if constexpr (std::is_arithmetic_v<Type>) return of_element(Type{}, 1);
    else return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
