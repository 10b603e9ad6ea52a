// Lambdas for the device that host code gives to a kernel: `[=] __device__ (int i) { y[i] += x[i]; }`. NVRTC
// sees no host code, so such a lambda becomes a structure with the variables that it captures as members; its
// lines keep their numbers.
#pragma once

#include <string>
#include <string_view>

#include "instrumentation/host_code/expression.h"

namespace warplens::instrumentation::host_code {

/// With which the names of these structures begin.
inline constexpr std::string_view lambda_name = "lambda_in_line_";

/// Notes the variables that the lambda's body names, and gives the name of its structure.
std::string capture(Function& lambda, Names& names);

/// The structure, to be put at the end of `source`, in which the lambda stands; empty: it cannot be written
/// as one, since a type is not known, or a macro made it.
std::string structure_of(const Value& lambda, const std::string& source);

}  // namespace warplens::instrumentation::host_code
