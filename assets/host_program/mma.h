// The types of the tensor cores, so that aliases compile. Only device code makes fragments.
#pragma once

#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision
template <class Use, int m, int n, int k, class Type, class Layout = void>
class fragment;

}  // namespace wmma
}  // namespace nvcuda
