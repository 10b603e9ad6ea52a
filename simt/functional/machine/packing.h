// Conversions of several numbers in one register.
#pragma once

#include "simt/functional/execute/float_format.h"
#include "simt/functional/machine/lowering.h"

namespace warplens::simt {

/// How a conversion to floating point rounds.
Rounding float_rounding(const Lowering& lowering);

}  // namespace warplens::simt
