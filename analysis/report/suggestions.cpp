#include "analysis/report/suggestions.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::analysis {
namespace {

const KnobHint* find_knob(std::span<const KnobHint> knobs, KnobHint::Meaning meaning) {
    const auto at = std::find_if(knobs.begin(), knobs.end(),
                                 [&](const KnobHint& knob) { return knob.meaning == meaning; });
    return at == knobs.end() ? nullptr : &*at;
}

/// The smallest allowed padding if there is none yet; empty: no suggestion.
std::string least_padding(const KnobHint& knob) {
    if (knob.value != "0") return {};
    const auto other = std::ranges::find_if(knob.choices, [](const auto& choice) { return choice != "0"; });
    return other == knob.choices.end() ? std::string() : *other;
}

}  // namespace

bool KnobHint::allows(std::string_view wanted) const {
    return choices.empty() || std::ranges::find(choices, wanted) != choices.end();
}

std::optional<Suggestion> try_padding(std::span<const KnobHint> knobs) {
    const KnobHint* knob = find_knob(knobs, KnobHint::Meaning::padding);
    if (knob != nullptr && knob->value != "1" && knob->allows("1"))
        return Suggestion{
            knob->parameter, "1",
            fmt::format("Set {} to 1: each row then begins one bank further on.", knob->parameter)};
    if (const std::string padding = knob != nullptr ? least_padding(*knob) : ""; !padding.empty())
        return Suggestion{knob->parameter, padding,
                          fmt::format("Set {} to {}: each row then begins {} elements further on.",
                                      knob->parameter, padding, padding)};
    knob = find_knob(knobs, KnobHint::Meaning::stride);
    if (knob != nullptr && knob->value != "1" && knob->allows("1"))
        return Suggestion{
            knob->parameter, "1",
            fmt::format("Set {} to 1: neighbouring lanes then use neighbouring banks.", knob->parameter)};
    return std::nullopt;
}

std::optional<Suggestion> try_packing(std::span<const KnobHint> knobs) {
    const KnobHint* knob = find_knob(knobs, KnobHint::Meaning::stride);
    if (knob != nullptr && knob->value != "1" && knob->allows("1"))
        return Suggestion{
            knob->parameter, "1",
            fmt::format("Set {} to 1: neighbouring lanes then share their sectors.", knob->parameter)};
    knob = find_knob(knobs, KnobHint::Meaning::offset);
    if (knob != nullptr && knob->value != "0" && knob->allows("0"))
        return Suggestion{
            knob->parameter, "0",
            fmt::format("Set {} to 0: the warp then begins at a sector boundary.", knob->parameter)};
    return std::nullopt;
}

std::optional<Suggestion> try_wider_block(std::span<const KnobHint> knobs) {
    for (const KnobHint& knob : knobs)
        if (knob.meaning == KnobHint::Meaning::block_size && knob.parameter.ends_with("_x") &&
            knob.value != "32" && knob.allows("32"))
            return Suggestion{knob.parameter, "32",
                              fmt::format("Set {} to 32: a warp then covers one row.", knob.parameter)};
    return std::nullopt;
}

}  // namespace warplens::analysis
