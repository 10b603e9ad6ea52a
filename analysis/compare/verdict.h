// The sentence of a comparison. Internal to analysis/compare/.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/comparison.h"

namespace warplens::analysis {

/// "PAD 0 → 1", of the launches alone.
std::string differing_settings(const RunFacts& before, const RunFacts& after);
std::vector<std::string> cautions_of(const RunFacts& before, const RunFacts& after);
/// Of a comparison whose changes are filled in.
std::string verdict_of(const Comparison& comparison);

/// The count that changed most, measured in the cycles that an SM spends on it, and its words.
struct MainChange {
    std::string words;     // "shared loads 32 → 1 wavefronts per request"
    bool lighter = false;  // less work after than before
};
/// Of all counts, or only of those that decreased (or increased). Nothing if none changed by more than half a
/// percent.
std::optional<MainChange> main_change(const Comparison& comparison, std::optional<bool> lighter = {});

}  // namespace warplens::analysis
