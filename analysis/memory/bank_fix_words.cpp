// The texts of a bank fix: its name in a table, and the change in the source.
#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "analysis/memory/bank_fix.h"

namespace warplens::analysis {
namespace {

/// "row & 31", "(row >> 1) & 7"; with a unit "(row & 7) * 4"
std::string turned(const BankFix& fix, std::string_view row) {
    std::string words = fix.shift == 0 ? fmt::format("{} & {}", row, fix.mask)
                                       : fmt::format("{} >> {} & {}", row, fix.shift, fix.mask);
    if (fix.unit > 1) words = fmt::format("({}) * {}", words, fix.unit);
    return words;
}

std::int64_t row_elements_with(const BankFix& fix, const SharedArray& array) {
    return std::int64_t{array.row_elements} + fix.pad;
}

}  // namespace

std::vector<const BankFix*> distinct_fixes(const BankFixes& fixes) {
    std::vector<const BankFix*> distinct;
    std::set<std::uint64_t> costs;
    for (const BankFix& fix : fixes.ranked)
        if (!fix.is_swizzle() || (fix.refused.empty() && costs.insert(fix.wavefronts).second))
            distinct.push_back(&fix);
    return distinct;
}

std::string name_of(const BankFix& fix, const SharedArray& array) {
    if (fix.changes_nothing()) return "as it is";
    if (fix.is_swizzle())
        return array.flat ? fmt::format("i ^ ({})", turned(fix, fmt::format("(i / {})", array.row_elements)))
                          : fmt::format("column ^ ({})", turned(fix, "row"));
    if (!array.flat) return fmt::format("pad {}{}", fix.pad < 0 ? "−" : "", std::abs(fix.pad));
    return fix.pad == 1 ? fmt::format("i + i / {}", array.row_elements)
                        : fmt::format("i + i / {} * {}", array.row_elements, fix.pad);
}

std::string change_of(const BankFix& fix, const SharedArray& array) {
    if (fix.changes_nothing()) return "nothing";
    if (array.flat) {
        const std::string index =
            fmt::format("{}[{}] instead of {}[i]", array.name, name_of(fix, array), array.name);
        return fix.is_swizzle()
                   ? index
                   : fmt::format("{}, and {} elements instead of {}", index, fix.bytes / array.element_bytes,
                                 array.bytes / array.element_bytes);
    }
    const bool in_rows = array.declared && array.declared->extents.size() > 1;
    if (fix.is_swizzle())
        return in_rows ? fmt::format("{}{}[row][{}] instead of {}[row][column]", array.name,
                                     array.declared->extents.size() > 2 ? "[…]" : "", name_of(fix, array),
                                     array.name)
                       : fmt::format("{}[row * {} + ({})] instead of {}[row * {} + column]", array.name,
                                     array.row_elements, name_of(fix, array), array.name, array.row_elements);
    if (!in_rows)
        return fmt::format("{}[row * {} + column] instead of {}[row * {} + column], and {} elements in all",
                           array.name, row_elements_with(fix, array), array.name, array.row_elements,
                           fix.bytes / array.element_bytes);
    std::string declaration = array.declared->before;
    for (std::size_t i = 0; i + 1 < array.declared->extents.size(); ++i)
        declaration += fmt::format("[{}]", array.declared->extents[i]);
    return fmt::format("{}[{}];", declaration, row_elements_with(fix, array));
}

}  // namespace warplens::analysis
