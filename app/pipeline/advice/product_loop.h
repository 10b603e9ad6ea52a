// Product loop: `for (int k = 0; k < n; k++) sum += a[…] * b[…];` of a thread with a place in two dimensions,
// of which one factor takes one and the other the other, as tokens in the source.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/token_pattern.h"

namespace warplens::app {

/// `int row = blockIdx.y * blockDim.y + threadIdx.y;`
struct ThreadPlace {
    TokenRange name, value;
    std::size_t axis = 0;  // the token after `threadIdx .`
};

/// An element that is multiplied: `a[row * n + k]`.
struct Factor {
    TokenRange array, subscript;
    std::string type;        // of an element
    bool along_x = false;    // its place is that of `threadIdx.x`
    bool k_is_next = false;  // the next k is the next element; else the next place is
};

struct ProductLoop {
    ThreadPlace x, y;
    std::size_t begin = 0, end = 0;  // what comes before it and needs no place, its guard, and the loop
    TokenRange definitions;          // between guard and loop; may be empty
    TokenRange guard;                // from `if` to `return ;`, `)` or `{`; may be empty
    TokenRange guard_x, guard_y;     // conditions under which a place of that axis is one; may be empty
    bool guard_leaves = false;       // they say when it is not
    TokenRange k, limit, sum;
    Factor a, b;
};

std::optional<ProductLoop> product_loop(const KernelDefinition& kernel);

}  // namespace warplens::app
