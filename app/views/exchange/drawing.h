// The drawing of warp collectives: rows of 32 lanes one below the other, and between each pair the arrows of
// one instruction. Given the collectives and a box, it draws them and returns what is under the mouse; the
// exchange view chooses the collectives.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "analysis/warps/collectives.h"
#include "app/ui/ink.h"
#include "app/views/exchange/exchange_values.h"
#include "core/program.h"

namespace warplens::app {

/// A lane in the row below a collective's arrows.
struct ExchangeHit {
    int band = -1;  // index into the collectives drawn; -1: none
    int lane = -1;
};

struct ExchangePart {
    const Ink& ink;
    std::span<const analysis::Collective> shown;  // one band each, at least one
    const Program& program;
    int lane = -1;    // whose value is followed back to the lanes it came from; -1: none
    int chosen = -1;  // lane outlined
    std::optional<ImVec2> mouse;
    /// Of each row of lanes, from the first to the one below the last: the value in each lane; empty: not
    /// known.
    std::span<const ExchangeRow> values = {};
    /// Of another run, drawn beside at the same scale: lanes that differ are outlined. Empty: there is none.
    std::span<const analysis::Collective> other = {};
    std::span<const ExchangeRow> other_values = {};
    /// Where the cells have no room for `values`: those of one lane, said beside each row. Empty: none is.
    std::span<const ExchangeRow> said = {};
    int said_lane = 0;
    bool named = true;  // for clicks: hit boxes of the lanes
};

/// For each row, whether a lane is wide enough for each of its values, with fewer digits if need be.
std::vector<bool> exchange_rows_that_fit(const Ink& ink, std::span<const ExchangeRow> values, const Box& box);

/// Height at which `bands` collectives are easy to read.
float comfortable_exchange_height(const Ink& ink, std::size_t bands);
ExchangeHit draw_exchange(const ExchangePart& part, const Box& box);

}  // namespace warplens::app
