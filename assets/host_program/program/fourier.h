// Discrete Fourier transforms of any length for cufft.h, in double precision, without scaling.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

namespace warplens_program {

using Complex = std::complex<double>;

/// `sign`: -1 forward, 1 inverse. By the smallest factor of the length, so that powers of two are fast.
inline void transform_line(std::vector<Complex>& line, int sign) {
    const std::size_t length = line.size();
    if (length < 2) return;
    std::size_t factor = 2;
    while (length % factor != 0) factor = factor * factor > length ? length : factor + 1;
    const std::size_t rest = length / factor;
    std::vector<std::vector<Complex>> parts(factor, std::vector<Complex>(rest));
    for (std::size_t i = 0; i < length; ++i) parts[i % factor][i / factor] = line[i];
    if (rest > 1)
        for (auto& part : parts) transform_line(part, sign);
    const double turn = sign * 2 * 3.14159265358979323846 / static_cast<double>(length);
    for (std::size_t k = 0; k < length; ++k) {
        Complex sum = 0;
        for (std::size_t p = 0; p < factor; ++p)
            sum += parts[p][k % rest] * std::polar(1.0, turn * static_cast<double>(p * k % length));
        line[k] = sum;
    }
}

/// Of an array with the extents `n`, the last one contiguous: along each dimension.
inline void transform(std::vector<Complex>& values, const std::vector<int>& n, int sign) {
    std::size_t inner = 1;
    for (std::size_t d = n.size(); d-- > 0;) {
        const auto length = static_cast<std::size_t>(n[d]);
        std::vector<Complex> line(length);
        for (std::size_t outer = 0; outer < values.size(); outer += inner * length)
            for (std::size_t i = 0; i < inner; ++i) {
                for (std::size_t k = 0; k < length; ++k) line[k] = values[outer + i + k * inner];
                transform_line(line, sign);
                for (std::size_t k = 0; k < length; ++k) values[outer + i + k * inner] = line[k];
            }
        inner *= length;
    }
}

}  // namespace warplens_program
