// The drawing of a combining tree: a column for each value that enters, a row for each round, and lines from
// operands to results.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/warps/combine_tree.h"
#include "app/ui/ink.h"
#include "app/views/tree/words.h"

namespace warplens::app {

/// Columns shown, `last` left out.
struct TreeColumns {
    std::uint32_t first = 0, last = 0;
    std::uint32_t count() const { return last - first; }
};

/// What gives cells their places: the same for both of two runs.
struct TreeScale {
    float captions = 0, warps = 0;  // widths; warps: 0 where none are drawn
    std::uint32_t rows = 1, columns = 1;
    void join(const TreeScale& other);
};
/// Of a drawing that is so wide, in pixels.
TreeScale tree_scale(const Ink& ink, const trace::Trace& trace, const analysis::CombineTrees& trees,
                     const analysis::CombineTree& tree, TreeColumns columns, float width);

struct TreeDrawing {
    const Ink& ink;
    const trace::Trace& trace;
    const analysis::CombineTrees& trees;
    const analysis::CombineTree& tree;
    const ColumnNames& names;
    TreeColumns columns;
    TreeScale scale;
    const std::vector<bool>& lit;     // nodes that are followed back; empty: all
    std::uint32_t chosen = no_index;  // node outlined
    std::optional<ImVec2> mouse;
    std::string_view hits = "tree row";  // what names of hit boxes begin with
};

/// In a drawing of this width: whether lines show that a value stays where it is.
bool tree_draws_uprights(const Ink& ink, const TreeScale& scale, float width);

/// Returns the node under the mouse; no_index: none.
std::uint32_t draw_tree(const TreeDrawing& drawing, const Box& box);

}  // namespace warplens::app
