// Tree loop: a loop that reduces a shared array in halves, `for (s = blockDim.x / 2; s > 0; s >>= 1) { if (t
// < s) a[t] += a[t + s]; __syncthreads(); }`, or with neighbours first, `for (s = 1; s < blockDim.x; s *= 2)
// if (t % (2 * s) == 0) …`, as its tokens in the source.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/token_pattern.h"

namespace warplens::app {

struct TreeLoop {
    bool neighbours_first = false;   // s grows from 1
    bool barrier_first = false;      // of each pass
    bool in_own_block = false;       // it is a statement of the kernel's body, in no loop or condition
    std::size_t begin = 0, end = 0;  // from `for` or `while` to after its last token
    TokenRange variable;             // s
    TokenRange lane;                 // t: `threadIdx.x`, or what is defined as that
    TokenRange start, limit;      // of `neighbours_first` s < limit, else from start on; start may be empty
    TokenRange head;              // of `for`, all between its brackets
    TokenRange condition, guard;  // `s > 0`, `t < s`
    TokenRange choice;            // what the guard asks of the elements, after `t < s &&`; may be empty
    TokenRange index_definition;  // `int i = 2 * s * t;`; empty: lanes index with t
    TokenRange index;             // i, where there is a definition
    TokenRange body;              // the guarded statement or, in braces, statements
    TokenRange barrier;           // with its semicolon
    std::vector<std::string_view> arrays;  // all that the body indexes, each only with t and t + s
};

/// Those of the kernel, in the order of the source. Left out are bodies that do anything else, and arrays
/// that are parameters of the kernel.
std::vector<TreeLoop> tree_loops(const KernelDefinition& kernel);

}  // namespace warplens::app
