// atom and red: read, combine and write one lane after the other, lowest first. rows: result, operands.
#pragma once

#include <string_view>

#include "ptx/types.h"
#include "simt/functional/warp.h"

namespace warplens::simt {

struct AtomicRow {
    std::string_view operation;
    ptx::Type type;
    Execute execute;
    bool commutes;  // the memory's last value does not depend on the order
};
/// nullptr when there is none.
const AtomicRow* find_atomic(std::string_view operation, ptx::Type type);

}  // namespace warplens::simt
