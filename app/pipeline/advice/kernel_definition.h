// Kernel definition: where a kernel's function stands in the tokens of its source, for changes of its text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/host_code/tokens.h"

namespace warplens::app {

/// `__global__ … name ( … ) { … }`, as indices of its tokens.
struct KernelDefinition {
    instrumentation::host_code::Tokens tokens;  // of the whole source, whose text they refer to
    std::size_t global = 0, name = 0;
    std::size_t parameters = 0, parameters_end = 0;  // the brackets
    std::size_t body = 0, body_end = 0;              // the braces
};

/// `entry`: its plain name. Nothing where it is only declared, missing, or has no end.
std::optional<KernelDefinition> find_kernel_definition(const std::string& source, std::string_view entry);

/// Where the token begins in the source that it refers to.
std::size_t offset_of(const instrumentation::host_code::Token& token, const std::string& source);

}  // namespace warplens::app
