#include "analysis/report/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "analysis/report/metrics.h"
#include "core/glossary.h"
#include "core/warp_state.h"

namespace warplens::analysis {
namespace {

std::string sentence_of(const WarpStateInfo& state) {
    return fmt::format("State of a warp ({}): {}.", state.name, state.sentence);
}

/// Of a sentence, a term would say too little.
constexpr std::size_t most_words_of_label = 4;

std::vector<std::string> split_words(std::string_view label) {
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : label) {
        const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        if (letter && !inside) words.emplace_back();
        if (letter) words.back() += c;
        inside = letter;
    }
    return words;
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

Definition definition_in(std::string_view label) {
    if (std::string own = definition_of(label); !own.empty()) return {std::string(label), std::move(own)};
    // A line of code is not a label: its names are the author's.
    if (label.find_first_of("=;{}[]<>(") != std::string_view::npos) return {};
    const std::vector<std::string> words = split_words(label);
    if (words.size() > most_words_of_label) return {};
    for (std::size_t count = words.size(); count > 0; --count)
        for (std::size_t first = 0; first + count <= words.size(); ++first) {
            const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
            const std::string part =
                fmt::format("{}", fmt::join(begin, begin + static_cast<std::ptrdiff_t>(count), " "));
            if (const Term* term = find_term(part))
                return {std::string(term->term), std::string(term->definition)};
        }
    return {};
}

}  // namespace warplens::analysis
