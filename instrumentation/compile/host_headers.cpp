#include "instrumentation/compile/host_headers.h"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

namespace warplens::instrumentation {

namespace {

constexpr const char* nothing = "";

// The types are those that the toolkit's own <cuda/std/cstdint> gives under NVRTC, so that both may be
// included.
constexpr const char* stdint_text = R"(#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
#ifndef INT32_MAX
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#define SIZE_MAX UINT64_MAX
#endif
)";

// <cub/cub.cuh> includes the device-wide algorithms, which launch kernels and so are host code. These are the
// parts that a kernel can use.
constexpr const char* cub_text = R"(#pragma once
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
)";

constexpr const char* cstdint_text = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::intptr_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t;
}
)";

constexpr const char* limits_text = R"(#pragma once
#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#endif
)";

constexpr const char* float_text = R"(#pragma once
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_EPSILON 1.1920928955078125e-7F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_MAX 3.40282346638528859812e+38F
#define DBL_MANT_DIG 53
#define DBL_EPSILON 2.2204460492503130808e-16
#define DBL_MIN 2.2250738585072013831e-308
#define DBL_MAX 1.7976931348623157081e+308
#endif
)";

constexpr const char* math_text = R"(#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VALF INFINITY
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT2 1.41421356237309504880
#endif
)";

// With nvcc the names of <cmath> are in std, too.
constexpr const char* cmath_text = R"(#pragma once
#include <math.h>
namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::hypot; using ::pow;
using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;
using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh;
using ::erf; using ::erfc; using ::tgamma; using ::lgamma;
using ::ceil; using ::floor; using ::trunc; using ::round; using ::rint; using ::nearbyint;
using ::lround; using ::llround; using ::lrint; using ::llrint;
using ::fmod; using ::remainder; using ::fmin; using ::fmax; using ::fma; using ::fdim; using ::copysign;
using ::ldexp; using ::frexp; using ::modf; using ::ilogb; using ::logb; using ::nextafter;
using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
}
)";

constexpr const char* system_types_text = R"(#pragma once
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
)";

constexpr const char* stddef_text = R"(#pragma once
#ifndef NULL
#define NULL 0
#endif
)";

constexpr const char* cstddef_text = R"(#pragma once
#include <stddef.h>
namespace std {
using ::size_t; using ::ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
}
)";

// Of the C++ library: the toolkit has a version for the device. Only names that the global namespace does not
// have: after `using namespace std` a second abs(int) would be ambiguous.
constexpr const char* algorithm_names = R"(namespace std {
using cuda::std::clamp; using cuda::std::max; using cuda::std::min;
}
)";

constexpr const char* array_names = R"(namespace std {
using cuda::std::array;
}
)";

constexpr const char* limits_of_types_names = R"(namespace std {
using cuda::std::numeric_limits;
}
)";

constexpr const char* tuple_names = R"(namespace std {
using cuda::std::get; using cuda::std::make_tuple; using cuda::std::tie; using cuda::std::tuple;
using cuda::std::tuple_element_t; using cuda::std::tuple_size_v;
}
)";

constexpr const char* type_traits_names = R"(namespace std {
using cuda::std::common_type_t; using cuda::std::conditional; using cuda::std::conditional_t;
using cuda::std::decay_t; using cuda::std::enable_if; using cuda::std::enable_if_t;
using cuda::std::false_type; using cuda::std::integral_constant; using cuda::std::true_type;
using cuda::std::is_arithmetic_v; using cuda::std::is_base_of_v; using cuda::std::is_convertible_v;
using cuda::std::is_enum_v; using cuda::std::is_floating_point; using cuda::std::is_floating_point_v;
using cuda::std::is_integral; using cuda::std::is_integral_v; using cuda::std::is_pointer_v;
using cuda::std::is_same; using cuda::std::is_same_v; using cuda::std::is_signed_v;
using cuda::std::is_trivially_copyable_v; using cuda::std::is_unsigned_v; using cuda::std::is_void_v;
using cuda::std::make_signed_t; using cuda::std::make_unsigned_t; using cuda::std::remove_const_t;
using cuda::std::remove_cv_t; using cuda::std::remove_pointer_t; using cuda::std::remove_reference;
using cuda::std::remove_reference_t; using cuda::std::underlying_type_t; using cuda::std::void_t;
}
)";

constexpr const char* utility_names = R"(namespace std {
using cuda::std::exchange; using cuda::std::index_sequence; using cuda::std::make_index_sequence;
using cuda::std::make_pair; using cuda::std::pair; using cuda::std::swap;
}
)";

constexpr const char* concepts_names = R"(namespace std {
using cuda::std::common_with; using cuda::std::constructible_from; using cuda::std::convertible_to;
using cuda::std::copyable; using cuda::std::default_initializable; using cuda::std::derived_from;
using cuda::std::equality_comparable; using cuda::std::floating_point; using cuda::std::integral;
using cuda::std::invocable; using cuda::std::predicate; using cuda::std::regular; using cuda::std::same_as;
using cuda::std::semiregular; using cuda::std::signed_integral; using cuda::std::totally_ordered;
using cuda::std::unsigned_integral;
}
)";

// The types that kernels share with transforms; the calls are the host's.
constexpr const char* cufft_text = R"(#pragma once
#if __has_include(<cuComplex.h>)
#include <cuComplex.h>
#else
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
#endif
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
)";

std::string in_std(std::initializer_list<std::string_view> headers, std::string_view names) {
    std::string text = "#pragma once\n";
    for (const std::string_view header : headers) text += fmt::format("#include <{}>\n", header);
    return text.append(names);
}

}  // namespace

const std::vector<HostHeader>& host_headers() {
    static const std::vector<HostHeader> headers{
        {"algorithm",
         in_std({"cuda/std/__algorithm/clamp.h", "cuda/std/__algorithm/max.h", "cuda/std/__algorithm/min.h"},
                algorithm_names),
         "cuda/std/__algorithm/clamp.h"},
        {"array", in_std({"cuda/std/array"}, array_names), "cuda/std/array"},
        {"assert.h", nothing},
        {"cassert", nothing},
        {"cfloat", float_text},
        {"climits", limits_text},
        {"cmath", cmath_text},
        {"concepts", in_std({"cuda/std/concepts"}, concepts_names), "cuda/std/concepts"},
        {"cstddef", cstddef_text},
        {"cstdint", cstdint_text},
        {"cstdio", nothing},
        {"cstdlib", cstddef_text},
        {"cstring", nothing},
        {"cub/cub.cuh", cub_text},
        {"cuda_runtime.h", nothing},
        {"cuda_runtime_api.h", nothing},
        {"cufft.h", cufft_text},
        {"device_launch_parameters.h", nothing},
        {"float.h", float_text},
        {"limits.h", limits_text},
        {"limits", in_std({"cuda/std/limits"}, limits_of_types_names), "cuda/std/limits"},
        {"math.h", math_text},
        {"stdbool.h", nothing},
        {"stddef.h", stddef_text},
        {"stdint.h", stdint_text},
        {"stdio.h", nothing},
        {"stdlib.h", stddef_text},
        {"string.h", nothing},
        {"sys/types.h", system_types_text},
        {"tuple", in_std({"cuda/std/tuple"}, tuple_names), "cuda/std/tuple"},
        {"type_traits", in_std({"cuda/std/type_traits"}, type_traits_names), "cuda/std/type_traits"},
        {"utility", in_std({"cuda/std/utility"}, utility_names), "cuda/std/utility"},
    };
    return headers;
}

}  // namespace warplens::instrumentation
