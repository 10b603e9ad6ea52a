// Definitions: what a word of the window or a report means, from the tables that exist: the glossary
// (core/glossary.def), the states of a warp (core/warp_state.def) and the metrics
// (analysis/report/metrics.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::analysis {

struct Definition {
    std::string word;      // "wavefront", "Global memory result", "shared_load.conflict_ways"
    std::string sentence;  // ends with a full stop
};

/// In the order of the tables: terms, states, metrics.
const std::vector<Definition>& definitions();
/// Of a term in singular or plural, a state by its title or the profiler's name, or a metric; empty: not
/// known.
std::string definition_of(std::string_view word);
/// Of a label of a few words, such as "Issue slots used" or "barrier opens": its own, else that of the term
/// in it with the most words, of several the first. Both empty: it has none.
Definition definition_in(std::string_view label);

}  // namespace warplens::analysis
