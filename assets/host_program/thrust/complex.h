// thrust::complex: the standard library's complex numbers with the alignment of device code.
#pragma once

#include <complex>

namespace thrust {

template <class Type>
struct alignas(2 * sizeof(Type)) complex : std::complex<Type> {
    using std::complex<Type>::complex;
    constexpr complex() = default;
    template <class Other>
    constexpr complex(const std::complex<Other>& other)
        : std::complex<Type>(static_cast<Type>(other.real()), static_cast<Type>(other.imag())) {}
};

using std::abs;
using std::arg;
using std::conj;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::log10;
using std::norm;
using std::polar;
using std::pow;
using std::proj;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

}  // namespace thrust
