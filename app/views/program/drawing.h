// The table of a program's kernels: a row for each, with a bar of its modelled time in parts of one grid and
// block each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/program_launches.h"
#include "app/ui/ink.h"

namespace warplens::app {

struct ProgramTable {
    const Ink& ink;
    const std::vector<ProgramKernelSum>& kernels;  // by_kernel()
    std::string shown;                             // the symbol of the kernel to mark; empty: none
    std::optional<ImVec2> mouse;
};

/// What the mouse is over.
struct ProgramPart {
    std::size_t kernel = 0;
    const ProgramKernel* shape = nullptr;  // the part of the bar; else the kernel's busiest
};

double seconds_of(const std::vector<ProgramKernelSum>& kernels);
/// The launches with most steps.
const ProgramKernel& busiest_of(const ProgramKernelSum& kernel);
/// Of all rows, with the heading, as high as they are at most: higher in a picture than in a pane.
float program_table_height(const ProgramTable& table, bool in_picture);
/// Rows that do not fit are one line of words.
std::optional<ProgramPart> draw_program_table(const ProgramTable& table, Box box);

}  // namespace warplens::app
