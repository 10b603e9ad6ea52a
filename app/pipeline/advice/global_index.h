// Global index: `int i = blockIdx.x * blockDim.x + threadIdx.x;` in a kernel's text, which gives each thread
// an element or a row of its own.
#pragma once

#include <optional>
#include <string>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/token_pattern.h"

namespace warplens::app {

struct GlobalIndex {
    TokenRange name, value;  // `i`, and the expression
    std::size_t after = 0;   // its semicolon
    TokenRange guard;        // of `if (i < n)` or `if (i >= n) return;` next to it: n
    TokenRange guarded;      // what follows the guard: a statement, those in its braces, or the rest
    TokenRange step;         // of a loop that goes on by the grid's threads; else empty
};
/// Of a kernel that names `threadIdx` and `blockIdx` nowhere else, whose index stands in its body, alone in
/// its declaration, before a guard.
std::optional<GlobalIndex> global_index(const KernelDefinition& kernel);

/// Of a kernel that ends with `for (int i = …; i < n; i += blockDim.x * gridDim.x)`, whose start and step may
/// have names: the body is guarded by the loop's condition.
std::optional<GlobalIndex> strided_index(const KernelDefinition& kernel);

}  // namespace warplens::app
