// Which instruction forms of a kernel a machine does not execute: all of them, each once, with its first line
// and how often it stands. What is executable is the caller's predicate; the CPU engine supplies its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace warplens::ptx {

struct UnsupportedForm {
    std::string spelling;        // "tex.2d.v4.f32.f32"
    std::string reason;          // "unknown opcode tex", empty when the form is one that PTX has
    std::uint32_t ptx_line = 0;  // of the first one, 1-based
    std::uint32_t count = 0;
};

/// Over the functions given, indices into Module::functions (those of ptx/reachable.h, say), in order of the
/// first line. Instructions that differ only in operands are one form unless the predicate tells them apart.
std::vector<UnsupportedForm> list_unsupported(const Module& module,
                                              const std::vector<std::uint32_t>& functions,
                                              const std::function<bool(const Instruction&)>& is_executable);

}  // namespace warplens::ptx
