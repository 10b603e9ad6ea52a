// OwnSource: the kernel's own file among the sources of a program, and where its lines are in another text of
// the same kernel, as before and after an edit. The files may have other names.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"
#include "trace/trace.h"

namespace warplens::app {

/// Index into Program::sources: the file whose text is available; no_index: none.
std::uint32_t own_source(const Program& program);

/// map_lines() of the two own files; empty: each line is where it was, or a text is missing.
std::vector<std::uint32_t> moved_lines(const Program& from, const Program& to);

/// Two runs, perhaps of two texts, of one kernel: it has the same name, or its function has.
bool run_the_same_kernel(const trace::Trace& one, const trace::Trace& other);

}  // namespace warplens::app
