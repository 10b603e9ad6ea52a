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

/// Where the statement from `at` on ends, after its semicolon, or that of its braces: `end` at most.
std::size_t after_statement(const instrumentation::host_code::Tokens& tokens, std::size_t at,
                            std::size_t end);

/// A name like the wanted one that the source has not; empty: neither that nor a longer one is free.
std::string free_name(const instrumentation::host_code::Tokens& tokens, const std::string& wanted);

}  // namespace warplens::app
