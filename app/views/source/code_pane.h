// CodePane: a scrolling listing with line numbers and heat columns next to each line. It knows lines, cells
// and which line is chosen or hovered; the source view defines the numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/theme.h"
#include "app/views/source/arcs.h"
#include "core/warp_state.h"

namespace warplens::app {

/// One heat cell: its cost from 0 (nothing wasted) to 1, and the number to print. Empty text: no value. Of a
/// difference the cost is from -1 (saved) to 1.
struct HeatCell {
    double cost = 0;
    std::string text;
    double amount = 0;                 // from 0 to 1, of what is neither good nor bad
    std::optional<double> value = {};  // the number itself
    /// A stacked bar instead of the number: shares of the cell's width, from the left.
    struct Part {
        WarpState state = WarpState::selected;
        double share = 0;
    };
    std::vector<Part> parts = {};
};

inline constexpr std::size_t heat_columns = 8;
/// Over the columns; null leaves one out.
using HeatTitles = std::array<const char*, heat_columns>;

struct CodeLine {
    std::uint32_t number = 0;  // 0: a folded stretch, printed dim and without number
    std::string label;         // printed instead of the number; empty: the number is
    std::string text;
    std::array<HeatCell, heat_columns> heat;
    bool has_sites = false;  // something executes here: can be chosen
    bool marked = false;     // something is wrong here: a sign before the number
    bool noted = false;      // something is worth knowing: a paler sign
    std::string note;        // what is wrong, beside the text where there is room; all of it in the tooltip
    enum class Change : std::uint8_t { none, added, removed };
    Change change = Change::none;  // between two texts; a removed line has no number
};

struct CodeListing {
    std::vector<CodeLine> lines;
    std::vector<CodeArc> arcs;
};

/// CodePaneResult::hovered_column where the arcs are.
inline constexpr int arc_column = heat_columns;

struct CodePaneResult {
    std::uint32_t hovered = 0;  // line number; 0: none
    std::uint32_t clicked = 0;
    bool fold_clicked = false;  // the folded stretch was clicked
    int hovered_column = -1;    // heat column of `hovered` under the mouse; -1: none
};

struct CodePaneState {
    std::uint32_t scrolled_to = 0;  // the first of the chosen lines when one was last scrolled into view
    std::uint32_t dearest = 0;      // that one: of them it cost most
    ImVec2 size;                    // of the pane then, in characters and rows
    bool in_sight = false;          // whether that line was, in the last frame
};

/// The width that shows all but a few of its lines completely, without comments at their ends: of the code,
/// which takes time as it reads every line, and of what is at its left.
float width_of_code(const Theme& theme, const CodeListing& listing);
float gutter_width(const Theme& theme, const CodeListing& listing, const HeatTitles& titles);
/// Both.
float code_pane_width(const Theme& theme, const CodeListing& listing, const HeatTitles& titles);

/// Fills `size` at the cursor. `chosen` and `hovered` are the numbers of the lines that belong to what is
/// selected, ascending.
CodePaneResult code_pane(const Theme& theme, const char* id, ImVec2 size, const CodeListing& listing,
                         const HeatTitles& titles, const std::vector<std::uint32_t>& chosen,
                         const std::vector<std::uint32_t>& hovered, bool interactive, CodePaneState& state);

}  // namespace warplens::app
