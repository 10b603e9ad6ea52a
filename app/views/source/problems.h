// Which lines of the source view a problem concerns, and the tooltip there. `file` is the kernel's own file
// among the program's sources.
#pragma once

#include <vector>

#include "app/scene/scene.h"
#include "app/ui/theme.h"
#include "core/problem.h"

namespace warplens::app {

bool stands_at(const Program& program, SiteId site, std::uint32_t file, std::uint32_t line, bool is_ptx);
/// The first problem that involves a line, on either side; null: none.
const Problem* problem_at(const Scene& scene, std::uint32_t file, std::uint32_t line, bool is_ptx);
/// All such lines, 0 left out.
std::vector<std::uint32_t> problem_lines(const Scene& scene, std::uint32_t file, bool is_ptx);
/// All lines of the notes, which no problem involves, 0 left out.
std::vector<std::uint32_t> note_lines(const Scene& scene, std::uint32_t file, bool is_ptx);
/// The note that involves a line; empty: none.
std::string note_at(const Scene& scene, std::uint32_t file, std::uint32_t line, bool is_ptx);
void explain_problem(const Theme& theme, const Problem& problem);

}  // namespace warplens::app
