#include "analysis/report/definitions.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/metrics.h"
#include "core/glossary.h"
#include "core/warp_state.h"

namespace warplens::analysis {
namespace {

std::string sentence_of(const WarpStateInfo& state) {
    return fmt::format("State of a warp ({}): {}.", state.name, state.sentence);
}

std::string sentence_of(const Metric& metric) {
    return fmt::format("Metric{}: {}.", metric.unit.empty() ? "" : " in " + metric.unit, metric.meaning);
}

}  // namespace

const std::vector<Definition>& definitions() {
    static const std::vector<Definition> all = [] {
        std::vector<Definition> rows;
        for (const Term& term : glossary())
            rows.push_back({std::string(term.term), std::string(term.definition)});
        for (const WarpStateInfo& state : warp_states)
            rows.push_back({std::string(state.title), sentence_of(state)});
        for (const Metric& metric : metrics()) rows.push_back({metric.name, sentence_of(metric)});
        return rows;
    }();
    return all;
}

std::string definition_of(std::string_view word) {
    // A state's title may be a term, too: the timeline's "Barrier" is the state.
    const auto state = std::ranges::find_if(
        warp_states, [&](const WarpStateInfo& row) { return row.title == word || row.name == word; });
    if (state != warp_states.end()) return sentence_of(*state);
    if (const Term* term = find_term(word)) return std::string(term->definition);
    if (const Metric* metric = find_metric(word)) return sentence_of(*metric);
    return {};
}

}  // namespace warplens::analysis
