// Integer division. Division by zero is unspecified in PTX: here the result is all ones, and a problem is
// reported.
#include <limits>
#include <type_traits>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/scalar_rows.h"

namespace warplens::simt {

namespace {

template <class T, bool Remainder>
T divide(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
        if (b == -1)
            return Remainder ? T{0} : static_cast<T>(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a));
    }
    return static_cast<T>(Remainder ? a % b : a / b);
}

template <class T, bool Remainder>
void execute(Warp& warp, const DecodedOp& op, u32 mask) {
    using Container = std::conditional_t<sizeof(T) == 8, u64, u32>;
    Container* d = row<Container>(warp, op.rows[0]);
    const Container* a = row<const Container>(warp, op.rows[1]);
    const Container* b = row<const Container>(warp, op.rows[2]);
    u32 by_zero = 0;
    for_each_lane({mask}, [&](int lane) {
        const T x = static_cast<T>(a[lane]), y = static_cast<T>(b[lane]);
        by_zero |= u32{y == 0} << lane;
        d[lane] = y == 0 ? static_cast<Container>(~Container{0})
                         : static_cast<Container>(divide<T, Remainder>(x, y));
    });
    if (by_zero != 0 && !warp.block->reported_before(ProblemKind::division_by_zero, op.site,
                                                     static_cast<u64>(__builtin_popcount(by_zero))))
        warp.block->report(warp, op.site, by_zero, ProblemKind::division_by_zero, 0,
                           "divides an integer by zero, and the result is undefined");
}

#define DIVISION(suffix, letters, T) \
    {"div." suffix, letters, execute<T, false>}, { "rem." suffix, letters, execute<T, true> }

constexpr ExecutorRow divide_table[] = {
    DIVISION("u16", "www", u16), DIVISION("s16", "www", s16), DIVISION("u32", "www", u32),
    DIVISION("s32", "www", s32), DIVISION("u64", "ddd", u64), DIVISION("s64", "ddd", s64),
};

}  // namespace

ExecutorRows divide_rows() { return divide_table; }

}  // namespace warplens::simt
