// f32 and f64 arithmetic in the directed roundings rz, rm and rp: the machine's operations under its own
// rounding mode. This file is compiled with -frounding-math; volatile operands keep each operation between
// the mode changes.
#include <bit>
#include <cfenv>
#include <cmath>

#include "simt/functional/block/warp.h"
#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/scalar_rows.h"

namespace warplens::simt {

namespace {

class RoundingMode {
  public:
    explicit RoundingMode(Rounding rounding) : before_(std::fegetround()) {
        std::fesetround(rounding == Rounding::toward_zero ? FE_TOWARDZERO
                        : rounding == Rounding::down      ? FE_DOWNWARD
                        : rounding == Rounding::up        ? FE_UPWARD
                                                          : FE_TONEAREST);
    }
    ~RoundingMode() { std::fesetround(before_); }
    RoundingMode(const RoundingMode&) = delete;

  private:
    int before_;
};

struct RoundedAdd {
    template <class T>
    static T apply(const volatile T* x) {
        return x[0] + x[1];
    }
};
struct RoundedSub {
    template <class T>
    static T apply(const volatile T* x) {
        return x[0] - x[1];
    }
};
struct RoundedMul {
    template <class T>
    static T apply(const volatile T* x) {
        return x[0] * x[1];
    }
};
struct Div {
    template <class T>
    static T apply(const volatile T* x) {
        return x[0] / x[1];
    }
};
struct RoundedFma {
    template <class T>
    static T apply(const volatile T* x) {
        return std::fma(x[0], x[1], x[2]);
    }
};
struct Rcp {
    template <class T>
    static T apply(const volatile T* x) {
        volatile T one = 1;
        return one / x[0];
    }
};
struct Sqrt {
    template <class T>
    static T apply(const volatile T* x) {
        return std::sqrt(x[0]);
    }
};

float flushed_result(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

float finished(float r, const float*, int, u32 flags) {
    if (flags & flag_ftz) r = flushed_result(r);
    if (flags & flag_sat) return r > 0.0f ? (r < 1.0f ? r : 1.0f) : 0.0f;
    return r == r ? r : std::bit_cast<float>(0x7fffffffu);
}
double finished(double r, const double* operands, int count, u32) {
    if (r == r) return r;
    u64 bits = 0xfff8000000000000ull;
    for (int i = count - 1; i >= 0; --i)
        if (operands[i] != operands[i]) bits = std::bit_cast<u64>(operands[i]);
    return std::bit_cast<double>(bits | 0x0008000000000000ull);
}

/// F of the operands at each bit of `which`. The mode is changed once: that takes as long as a dozen of the
/// operations.
template <class F, class T, int Count, std::size_t N>
void compute(u32 flags, u64 which, T (&operands)[N][Count], T (&results)[N]) {
    volatile T inputs[N][Count], rounded[N];
    const auto each = [&](auto visit) {
        for (u64 rest = which; rest != 0; rest &= rest - 1)
            visit(static_cast<std::size_t>(std::countr_zero(rest)));
    };
    each([&](std::size_t at) {
        for (int i = 0; i < Count; ++i) {
            T& operand = operands[at][i];
            if constexpr (sizeof(T) == 4)
                if (flags & flag_ftz) operand = flushed_result(operand);
            inputs[at][i] = operand;
        }
    });
    {
        RoundingMode mode(rounding_of(flags));
        each([&](std::size_t at) { rounded[at] = F::template apply<T>(inputs[at]); });
    }
    each([&](std::size_t at) {
        results[at] = finished(static_cast<T>(rounded[at]), operands[at], Count, flags);
    });
}

template <class T, class F, int Count>
void execute(Warp& warp, const DecodedOp& op, u32 mask) {
    T operands[warp_size][Count], results[warp_size];
    for_each_lane({mask}, [&](int lane) {
        for (int i = 0; i < Count; ++i) operands[lane][i] = row<const T>(warp, op.rows[1 + i])[lane];
    });
    compute<F>(op.flags, mask, operands, results);
    T* d = row<T>(warp, op.rows[0]);
    for_each_lane({mask}, [&](int lane) { d[lane] = results[lane]; });
}

/// Two independent f32 in 64 bits.
template <class F, int Count>
void execute_pair(Warp& warp, const DecodedOp& op, u32 mask) {
    float operands[2 * warp_size][Count], results[2 * warp_size];
    for_each_lane({mask}, [&](int lane) {
        for (int i = 0; i < Count; ++i) {
            const u64 pair = row<const u64>(warp, op.rows[1 + i])[lane];
            operands[lane][i] = std::bit_cast<float>(static_cast<u32>(pair));
            operands[lane + warp_size][i] = std::bit_cast<float>(static_cast<u32>(pair >> 32));
        }
    });
    compute<F>(op.flags, mask | u64{mask} << warp_size, operands, results);
    for_each_lane({mask}, [&](int lane) {
        row<u64>(warp, op.rows[0])[lane] =
            std::bit_cast<u32>(results[lane]) | u64{std::bit_cast<u32>(results[lane + warp_size])} << 32;
    });
}

#define BOTH(name, F, Count, f32_letters, f64_letters)       \
    {name ".f32+", f32_letters, execute<float, F, Count>}, { \
        name ".f64+", f64_letters, execute<double, F, Count> \
    }

constexpr ExecutorRow rounding_table[] = {
    BOTH("add", RoundedAdd, 2, "fff", "DDD"),
    BOTH("sub", RoundedSub, 2, "fff", "DDD"),
    BOTH("mul", RoundedMul, 2, "fff", "DDD"),
    BOTH("div", Div, 2, "fff", "DDD"),
    BOTH("fma", RoundedFma, 3, "ffff", "DDDD"),
    BOTH("mad", RoundedFma, 3, "ffff", "DDDD"),
    {"add.f32x2+", "ddd", execute_pair<RoundedAdd, 2>},
    {"sub.f32x2+", "ddd", execute_pair<RoundedSub, 2>},
    {"mul.f32x2+", "ddd", execute_pair<RoundedMul, 2>},
    {"fma.f32x2+", "dddd", execute_pair<RoundedFma, 3>},
    BOTH("rcp", Rcp, 1, "ff", "DD"),
    BOTH("sqrt", Sqrt, 1, "ff", "DD"),
};

}  // namespace

ExecutorRows rounding_rows() { return rounding_table; }

}  // namespace warplens::simt
