// Which lanes give ldmatrix and stmatrix the address of a matrix row: eight per matrix, sixteen per matrix of
// 16 rows. The instruction ignores the addresses of the others.
#pragma once

#include <string_view>

#include "core/lane_mask.h"

namespace warplens {

/// `opcode` as in Site::opcode. All lanes for every other instruction.
constexpr LaneMask lanes_with_rows(std::string_view opcode) {
    const auto has = [&](std::string_view modifier) {
        return opcode.find(modifier) != std::string_view::npos;
    };
    if (!opcode.starts_with("ldmatrix") && !opcode.starts_with("stmatrix")) return LaneMask::all();
    const int rows = has(".m16n16") ? 16 : 8;
    return LaneMask::first(rows * (has(".x4") ? 4 : has(".x2") ? 2 : 1));
}

}  // namespace warplens
