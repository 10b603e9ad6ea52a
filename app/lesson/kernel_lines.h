// Kernel lines: the lines of a kernel's file as lessons name, list and ask for them: those after its header.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

struct KernelLine {
    std::uint32_t number = 0;  // in the file, from 1
    std::string text;
    std::string code;  // without its comment, which may give an answer away; empty: nothing else is there
};

/// After the header, without empty lines at both ends.
std::vector<KernelLine> kernel_lines(const instrumentation::KernelFile& kernel);

/// Those that a reader is shown: without lines of comment alone, which often contain the answer, and without
/// the three lines that give a knob its default, whose value the caption has.
std::vector<KernelLine> listed_lines(const instrumentation::KernelFile& kernel);

/// The only line of code with this text. The error says how many there are.
Result<std::uint32_t> line_with(const instrumentation::KernelFile& kernel, const std::string& part);

}  // namespace warplens::app
