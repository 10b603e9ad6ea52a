// Parts of the Fragments view: the layout of the matrices, and one matrix as a grid of cells with their
// lanes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/ui/ink.h"
#include "app/views/shared/headline.h"
#include "core/matrix_fragment.h"

namespace warplens::app {

struct FragmentPanel {
    const MatrixFragment* fragment = nullptr;
    std::string name;  // "A", "B", "C, D", "matrix 2"
    Box grid;
    ImVec2 cell;             // size
    int first_register = 0;  // of the lane, where its elements of this matrix begin

    std::optional<MatrixPlace> cell_at(ImVec2 at) const;
    Box box_of(MatrixPlace place) const;
};

struct ElementHolder {
    int lane = 0, element = 0;
};
/// The lane that holds the element, in its first register where it has copies.
std::optional<ElementHolder> holder_of(const MatrixFragment& fragment, MatrixPlace place);

/// A left of D and B above it, as one multiplies by hand, where there is the height; other instructions'
/// matrices side by side.
/// No cell is larger than `largest_cell`, in pixels.
std::vector<FragmentPanel> place_fragments(const Ink& ink, const Box& room, const MatrixInstruction& form,
                                           float largest_cell = 1e6f);
/// `other`: null, or the same matrix of another run; elements that another lane holds there are outlined.
void draw_fragment(const Ink& ink, const FragmentPanel& panel, int lane,
                   const MatrixFragment* other = nullptr);
/// Elements that another lane holds in the other; none where the sizes differ, which is not a change of
/// place.
std::vector<MatrixPlace> moved_elements(const MatrixFragment& fragment, const MatrixFragment& other);

/// "Lane 0 holds 8 of A's 256 elements, 4 of B's 128 and 4 of D's 128".
std::string fragments_answer(const MatrixInstruction& form, int lane);
/// Elements of the result, or of the matrix that is moved, that each lane holds.
Headline fragments_headline(const MatrixInstruction& form);

}  // namespace warplens::app
