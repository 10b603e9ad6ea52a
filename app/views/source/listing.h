// Listing: the lines of a text with the cost of each, as the code panes show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/source_map.h"
#include "app/scene/site_costs.h"
#include "app/views/source/code_pane.h"

namespace warplens::app {

/// The columns of CUDA and PTX.
inline constexpr HeatTitles heat_titles{"sectors", "ways", "lanes", "waited", "exposed", nullptr};
/// A cell shows its maximum if one line leaves half of all issue slots empty.
inline constexpr double worst_exposed_share = 0.5;
inline constexpr std::size_t sectors_column = 0, ways_column = 1, lanes_column = 2, waited_column = 3,
                             exposed_column = 4;

/// Where tabs end. PTX separates an instruction from its operands by a tab, and its lines are long.
inline constexpr std::size_t cuda_tab_columns = 4, ptx_tab_columns = 2;
std::vector<CodeLine> code_lines(const std::string& text, std::size_t tab_columns = cuda_tab_columns);
/// Replaces the header comment by one line that says how long it was.
void fold_header(std::vector<CodeLine>& lines, bool can_be_opened);
void attach_heat(std::vector<CodeLine>& lines, const std::vector<analysis::LineHeat>& heat,
                 std::uint32_t file);
/// The time cost of a line: a long wait that other warps cover stays pale.
void attach_time(std::vector<CodeLine>& lines, const std::vector<analysis::LineHeat>& heat,
                 std::uint32_t file, const std::optional<SiteCosts>& costs);
/// Marks at the lines with problems; a race has two.
void mark_lines(std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& numbers);
void mark_notes(std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& numbers);

}  // namespace warplens::app
