// f32 and f64 arithmetic in the directed roundings rz, rm and rp: the machine's operations under its own
// rounding mode. This file is compiled with -frounding-math; volatile operands keep each operation between
// the mode changes.
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

template <class T, class F, int Count>
void execute(Warp& warp, const DecodedOp& op, u32 mask) {
    T* d = row<T>(warp, op.rows[0]);
    for_each_lane({mask}, [&](int lane) {
        T operands[Count];
        for (int i = 0; i < Count; ++i) {
            operands[i] = row<const T>(warp, op.rows[1 + i])[lane];
            if constexpr (sizeof(T) == 4)
                if (op.flags & flag_ftz) operands[i] = flushed_result(operands[i]);
        }
        volatile T inputs[Count];
        for (int i = 0; i < Count; ++i) inputs[i] = operands[i];
        volatile T r;
        {
            RoundingMode mode(rounding_of(op.flags));
            r = F::template apply<T>(inputs);
        }
        d[lane] = finished(static_cast<T>(r), operands, Count, op.flags);
    });
}

/// Two independent f32 in 64 bits.
template <class F, int Count>
void execute_pair(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        u64 result = 0;
        for (int half = 0; half < 2; ++half) {
            float operands[Count];
            volatile float inputs[Count];
            for (int i = 0; i < Count; ++i) {
                const u64 pair = row<const u64>(warp, op.rows[1 + i])[lane];
                operands[i] = std::bit_cast<float>(static_cast<u32>(pair >> 32 * half));
                if (op.flags & flag_ftz) operands[i] = flushed_result(operands[i]);
                inputs[i] = operands[i];
            }
            volatile float r;
            {
                RoundingMode mode(rounding_of(op.flags));
                r = F::template apply<float>(inputs);
            }
            const float one = finished(static_cast<float>(r), operands, Count, op.flags);
            result |= u64{std::bit_cast<u32>(one)} << 32 * half;
        }
        row<u64>(warp, op.rows[0])[lane] = result;
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
