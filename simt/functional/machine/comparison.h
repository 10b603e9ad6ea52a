// Comparisons of two sources, combined with a predicate, as the PTX level's setp has them.
#pragma once

#include <string>

#include "simt/functional/machine/lowering.h"

namespace warplens::simt {

/// Key of the PTX level's comparison for the modifier `kind` ("integer_compare", "float_compare") of `type`:
/// "lt.s32", "geu.ftz.f32". "T" and "F" name none that it has.
std::string comparison_key(const Lowering& lowering, std::string_view kind, std::string_view type);
/// How the outcome is combined with the predicate, as CompareFlags; 0: not known.
u32 combine_flags(const Lowering& lowering);
/// Adds the comparison with that key of a and b to the predicate results; the second one takes the
/// complement. False: the PTX level has none.
bool add_comparison(Lowering& lowering, std::string_view key, Row a, Row b);

}  // namespace warplens::simt
