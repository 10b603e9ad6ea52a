#include "simt/functional/machine/comparison.h"

#include <algorithm>

#include "simt/functional/decode/compare_flags.h"
#include "simt/functional/execute/executor_table.h"

namespace warplens::simt {

std::string comparison_key(const Lowering& lowering, std::string_view kind, std::string_view type) {
    std::string key(lowering.modifier_name(kind));
    std::ranges::transform(key, key.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    key += '.';
    key += type;
    return key;
}

u32 combine_flags(const Lowering& lowering) {
    const std::string_view how = lowering.modifier_name("combine");
    if (how == "AND") return combine_and;
    if (how == "OR") return combine_or;
    return how == "XOR" ? u32{combine_xor} : 0;
}

bool add_comparison(Lowering& lowering, std::string_view key, Row a, Row b) {
    u32 flags = combine_flags(lowering);
    if (flags == 0 || !find_executor(key)) return false;
    MachineRows& rows = lowering.rows();
    const Row with = lowering.predicate(87), second = lowering.predicate_result(84);
    if (second != rows.predicate_sink()) flags |= second_result;
    // Combined with what changes nothing, it need not be combined.
    if (flags == combine_and && with == rows.true_predicate()) flags = 0;
    lowering.add(key, {lowering.predicate_result(81), second, a, b, with}).flags = flags;
    return true;
}

}  // namespace warplens::simt
